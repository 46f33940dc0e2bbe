struct S { p: u16, q: int }
def mix[T: real](x: T, y: T) -> T = min(x, y) + max(x, y) * x
def h1(a4: f32[n2], a5: int[n2, n3], a6: int) -> f32[n2] {
var v8: u8[?] = (for j7 in n3 { u8(0) })
loop q9 in [2, 0, 1] {
v8 = [(if size(v8) > 0 { v8[((if n2 > 0 and n3 > 0 { a5[(a6) % n2, (randint(11, 1, a6, lo = -3, hi = 3)) % n3] } else { 1 })) % size(v8)] } else { u8(3) })]
if size(v8) < 40 { v8 = concat(v8, (for j13 in n2 { u8(1) })) }
}
a4
}
export def main(a: int[n, m], x: f32[n, m], b: int[n], y: f32[m], w: f32[n], z: u8[m, n], k: int, s: f32) -> (r0: f32[?], r1: u16[m], r2: u16[?], r3: u8[m], r4: u8[n, m], r5: bool, r6: u8) {
var v14: f32[?] = w
loop q15 in 1 {
let v16: f32[n] = w
if size(v14) < 40 { v14 = concat(v14, y) }
if size(v14) < 40 { v14 = concat(v14, [(if false { s } else { 2.5 })]) }
if (not true) {
v14 = for y19 in size(v14) if y19 % 2 == (q15) % 2 { v14[y19] }
if size(v14) < 40 { v14 = concat(v14, [mix(f32(0.0), s)]) }
}
var q21 = 0
while q21 < 2 and size(v14) > 1 {
if size(v14) < 40 { v14 = concat(v14, y) }
v14 = v14[:size(v14) // 2]
if (if false { false } else { true }) {
v14 = v14[min(2, size(v14)):]
v14 = for y25 in size(v14) if y25 % 2 == (mix(int(q15), k)) % 2 { v14[y25] }
}
q21 += 1
}
}
var v27: u16[m] = ((for j26 in m { u16(1) }) |> min(u16(2)))
v27[:max(m - 1, 0)] = v27[:max(m - 1, 0)]
loop z29 in m {
v27[z29] += mix(u16(u16(2)), u16(2))
}
loop z30 in m {
v27[z30] *= v27[z30]
v27[z30] -= v27[max(z30 - 1, 0)]
}
var q31 = 0
while q31 < 2 and size(v14) > 1 {
let _g32 = fn(p33: u8, p34: u8) => max(p33, p34)
loop z35 in m {
v27[z35] += mix(u16(u16(2)), u16(3))
v27[z35] -= v27[max(z35 - 1, 0)]
}
if (if false { false } else { true }) {
v14 = for y36 in size(v14) { clamp(v14[y36] + mix(f32(s), s), -100.0, 100.0) }
}
loop q37 in [2, 0, 1] {
let v39: u8[m] = (for j38 in m { u8(0) })
v14 = reverse(v14)
}
q31 += 1
}
let v42: u16[?] = for j41 in m if (u16(4) < u16(4)) { v27[j41] }
let t44: bool = (any for j43 in n { (s > s) })
let _g45 = fn(p46: f32, p47: f32) => (p46 - p47)
var v49: u8[m] = (for j48 in m { u8(1) })
if m > 0 { (v49[0], v49[m - 1]) = (v49[m - 1], v49[0]) }
var t52: u8 = u8(sum for j51 in size(v42) { mix(u8(u8(2)), u8(0)) })
loop q53 in [2, 0, 1] {
v14 = for y54 in size(v14) if y54 % 2 == (mix(int(k), q53)) % 2 { v14[y54] }
}
var v57: u8[n, m] = (for j55 in n, j56 in m { t52 })
v57[:max(n - 1, 0)] = (if t44 { t52 } else { u8(3) })
(v14, v27, v42, v49, v57, t44, t52)
}
