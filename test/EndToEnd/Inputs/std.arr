# What std.py compares with NumPy.
import "std/arrays.arr" as lib
import "std/statistics.arr" as stats
import "std/interpolation.arr" as interpolation
import "std/fft.arr" as fourier

export def arrays(u: f32[n], v: f64[m], a: f32[n, m], k: int)
    -> (eye: f32[k, k], eye64: f64[k, k], outer: f32[n, n], space: f32[k], space64: f64[k], diagonal: f32[?],
        trace: f32, lower: f32[n, m], upper: f32[n, m], diff: f64[m-1], norm: f64) where m >= 1, k >= 0 =
  (lib.eye(k), lib.eye(k, f64(1)), lib.outer(u, u), lib.linspace(-1, 2, k),
    lib.linspace(f64(0.1), 0.7, k), lib.diagonal(a), lib.trace(a), lib.lower(a), lib.upper(a),
    lib.diff(v), lib.norm(v))
export def statistics(x: f64[n], y: f64[n], a: f64[r, n], q: f64[k], f: f32[n], bins: int)
    -> (mean: f64, variance: f64, std: f64, covariance: f64, covariances: f64[r, r], correlation: f64,
        correlations: f64[r, r], quantiles: f64[k], quantile: f32, median: f64, median32: f32,
        histogram: int[bins], histogram32: int[bins]) where n >= 1 =
  (stats.mean(x), stats.variance(x), stats.std(x, 1), stats.covariance(x, y), stats.covariances(a),
    stats.correlation(x, y), stats.correlations(a), stats.quantiles(x, q), stats.quantile(f, 0.3),
    stats.median(x), stats.median(f), stats.histogram(x, -1.0, 1.5, bins), stats.histogram(f, 0.0, 1.0, bins))
export def interpolate(at: f64[k], x: f64[n], y: f64[n], at32: f32[k], x32: f32[n], y32: f32[n], a: f64[r, c], u: f64[k], v: f64[k])
    -> (linear: f64[k], linear32: f32[k], nearest: f64[k], cubic: f64[k], bilinear: f64[k], counts: int[k])
    where n >= 2, r >= 1, c >= 1 =
  (interpolation.linear(at, x, y), interpolation.linear(at32, x32, y32), interpolation.nearest(at, x, y),
    interpolation.cubic(at, x, y), interpolation.bilinear(a, u, v), for w in at { interpolation.count_until(x, w) })
export def transform(x: c64[n], z: c128[n], m: c128[r, n], f: f32[n], g: f64[n])
    -> (fft: c64[n], fft128: c128[n], ifft: c128[n], real: c64[n], real128: c128[n], back: f64[n], fft2: c128[r, n],
        ifft2: c128[r, n], rows: c128[r, n], frequencies: f64[n]) where n >= 1 =
  (fourier.fft(x), fourier.fft(z), fourier.ifft(z), fourier.fft_real(f), fourier.fft_real(g),
    fourier.ifft_real(fourier.fft_real(g)), fourier.fft2(m), fourier.ifft2(m), fourier.rows(m),
    fourier.frequencies(n, f64(0.1)))
