# Sums of all integers of 8 and 16 bits, and neighbours of them, as f32.
export def f(n: int) -> (a: f32[n], b: f32[n], c: f32[n], d: f32[n]) {
  let x = for i in n { i8(i % 256 - 128) }
  let y = for i in n { u8(i % 256) }
  let z = for i in n { i16(i % 65536 - 32768) }
  let w = for i in n { i16(i % 32768) }
  (for i in n { f32(x[i]) * 0.5 }, for i in n { f32(y[i]) + 0.5 },
   for i in n { f32(z[i]) * 0.25 }, for i in n { f32(w[i]) - 1.5 })
}

export def g(x: i8[n], y: u8[n], z: i16[n]) -> f32[n] = for i in n { f32(x[i]) * f32(y[i]) + f32(z[i]) }
