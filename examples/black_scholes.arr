# Prices of European options; `@fast` lets functions and divisions be approximate
@fast
def normal_below(x: f32) -> f32 = 0.5 * (1.0 + erf(x * 0.70710678))

@fast
export def black_scholes(spot: f32[n], strike: f32[n], years: f32[n], rate: f32, volatility: f32) -> (call: f32[n], put: f32[n]) {
  let w  = volatility * sqrt(years)
  let d1 = (log(spot / strike) + (rate + 0.5 * volatility ** 2) * years) / w
  let d2 = d1 - w
  let worth = strike * exp(-rate * years)
  let call = spot * normal_below(d1) - worth * normal_below(d2)
  (call, call - spot + worth)
}

# What options that all run for the same time are worth day by day, and on the average
export def black_scholes_days(spot: f64, strikes: f64[n], days: int, rate: f64, volatility: f64) -> (average: f64[days]) {
  for d in days {
    let t = (d + 1) / 365.0
    let w = volatility * sqrt(t)
    mean for k in strikes {
      let d1 = (log(spot / k) + (rate + 0.5 * volatility ** 2) * t) / w
      0.5 * (spot * erfc(-d1 / sqrt(2.0)) - k * exp(-rate * t) * erfc((w - d1) / sqrt(2.0)))
    }
  }
}
