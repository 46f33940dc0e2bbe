def tens(x: f32[n]) -> f32[n] = x * 10.0
