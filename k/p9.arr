struct S { p: u64, q: f32 }
def mix[T: real](x: T, y: T) -> T = min(x, y) + max(x, y) * x
export def main(a: int[n, m], x: f32[n, m], b: int[n], y: f32[m], w: u64[n], z: f32[m, n], k: int, s: f32) -> (r0: f32[n], r1: u16[n], r2: u64[n], r3: f32[n], r4: u16[n], r5: f32[n], r6: f32[n], r7: f32) {
let (v3, v4) = for j1 in n { (f32(fma((if m > 0 { y[((0 + k)) % m] } else { 3.0 }), clamp(s, 0, 9), normal(2, j1))), u16((u16(3) * sign(u16(3))))) }
var b6 = for j5 in n { S(p = u64(w[j5]), q = f32((if m > 0 { x[j5, (mix(int(0), k)) % m] } else { 4.0 }))) }
loop z7 in n { b6[z7].p += w[z7] }
let v10: u16[n] = u16(sum(max((for j8 in n, j9 in n { u16(4) }), u16(0)), axis = 1))
let _g11 = fn(p12: u64, p13: u64) => (p12 + p13)
let t15: f32 = (if m > 0 { (mean for j14 in 1:n { 1.5 }) } else { 2.0 })
let v17: f32[n] = v3[(for j16 in n { (mix(int(2), k)) % n })]
let v27: f32[n] = for j18 in n {
var t20: int = (count for j19 in 0:m // 2 { (u64(1) >= u64(4)) })
let b22 = for j21 in n { S(p = u64(u64(3)), q = f32(b6[j21].q)) }
let (v24, v25) = for j23 in n { (u64(u64(0)), u16(v4[j18])) }
uniform(26, 3)
}
(v3, v4, b6.p, b6.q, v10, v17, v27, t15)
}
