# RUN: arrc check %s --message-format=short 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=W0205
# Reads that lie outside at one end of a range, whatever the sizes are.
const radius = 0

# Nothing is said where a guard keeps the end from being read..
def guarded(a: f32[n]) -> f32[n] = for i in n { if i > 0 { a[i] - a[i - 1] } else { a[i] } }
def filtered(a: f32[n]) -> f32[?] = for i in n if i > 0 and a[i] > a[i - 1] { a[i] }
def decided(a: f32[n]) -> int = count for i in n { i == n - 1 or a[i + 1] > a[i] }
def bounded(a: f32[n]) -> f32[n] = for i in n { a[max(i - 1, 0)] + a[(i + 1) % n] }
# .. where the range within is empty at that end ..
def below(a: f32[n]) -> f32[n] = for i in n { sum for j in i { a[i - 1] * a[j] } }
def above(a: f32[n]) -> f32[n] = for i in n { sum for j in i + 1:n { a[i + 1] * a[j] } }
def stepped(a: f32[n]) -> f32 {
  var s: f32 = 0.0
  loop i in n {
    loop j in i:n - 1 {
      s += a[i + 1] * a[j]
    }
  }
  s
}
# .. where it never has an element ..
def never(a: f32[n]) -> f32[n] = for i in n { sum for d in 0:radius { a[d - 1] } }
# .. and where sizes decide.
def longer(a: f32[n], b: f32[m]) -> f32[n] where m > n = for i in n { a[i] + b[i + 1] }
def other(a: f32[n], b: f32[m]) -> f32[n] = for i in n { a[i] + b[i] }
def window(a: f32[n], k: int) -> f32[?] = for i in n - k + 1 { sum for d in k { a[i + d] } }
def backward(a: f32[n]) -> f32[n] = for i in n { a[n - 1 - i] }

# CHECK: {{.*}}outside.arr:[[@LINE+1]]:50: warning[W0205]: 'a' is indexed outside of it: at the last 'i' the index is n
def behind(a: f32[n]) -> f32[n] = for i in n { a[i + 1] }
# CHECK: {{.*}}outside.arr:[[@LINE+1]]:71: warning[W0205]: 'a' is indexed outside of it: at the first 'i' the index is -1
def triangle(a: f32[n]) -> f32[n] = for i in n { sum for j in i:n { a[i - 1] * a[j] } }
# CHECK: {{.*}}outside.arr:[[@LINE+1]]:69: warning[W0205]: 'a' is indexed outside of it: at the first 'i' the index is n
def mirrored(a: f32[n]) -> f32[n] = for i in n { sum for j in n { a[n - i] * a[j] } }
# CHECK: {{.*}}outside.arr: no errors
