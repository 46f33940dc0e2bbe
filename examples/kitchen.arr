# A little of everything: imports, aliases, structs, generics, function arguments, attributes
import "lib/vec.arr" as vec
type real = f32
const eps: real = 1.0e-6
struct Particle {
  x: f32[3]
  m: f32
}
extern def cufft(a: f32[n]) -> f32[n]
@noinline
def dot[T: num](a: T[n], b: T[n]) -> T where n > 0 = sum(a * b)
def blocks(a: f32[n, m], f: fn(f32) -> f32) -> f32[n, m] {
  @tile(32, 8) for i, j { f(a[i, j]) }
}
def mean_rows(a: f32[n, m]) -> f32[n] {
  let s = for i { sum(a[i]) }
  s / m
}
def argm(a: f32[n]) -> int = argmax for i if a[i] > 0.0 { a[i] }
def either(a: f32[n]) -> f32 = reduce(fn(x, y) { let z = x * y
  x + y - z }, 0.0) for i { a[i] }
def seg(v: f32[nnz], off: int[n+1]) -> f32[n] = for i in n { sum(v[off[i]:off[i+1]]) }
def gs(u0: f32[n]) -> f32[n] {
  var u = u0
  loop k in 1:n-1 { u[k] = 0.5 * (u[k-1] + u[k+1]) }
  u
}
def cumu(a: f32[n, m]) -> f32[n, m] = for i { scan((+)) for j { a[i, j] } }
def ragged(n: int) -> int[n, ?] = for i in n { for j in i { j } }
def length(a: vec.vec) -> f32 = vec.norm(a)
