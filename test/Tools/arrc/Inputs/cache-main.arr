import "part.arr"

const scale = 1.0

export def main(x: f32[n]) -> f32[n] = part.tens(x) * scale
