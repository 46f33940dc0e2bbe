# Programs of a line or a few, as a scientist writes them: no schedule was made for one of
# them. Each says the sizes that a card with 80 GB takes:
#
#     arrc bench bench/programs/idioms.arr --target=cuda


# Elements

# bench: scaled x=random(0, 1) n=2**26
export def scaled(x: f32[n]) -> f32[n] = for i in n { x[i]*2.0 }

# bench: differences x=random(0, 1) n=2**26
export def differences(x: f32[n]) -> f32[?] = for i in n-1 { x[i+1]-x[i] }

# bench: stride2 x=random(0, 1) n=2**26
export def stride2(x: f32[n]) -> f32[?] = for i in n//2 { x[2*i]+x[2*i+1] }

# bench: stride2w x=random(0, 1) n=2**26
export def stride2w(x: f32[n]) -> f32[?] = for i in 2*n { x[i//2] }

# bench: interleave x=random(0, 1) n=2**26
export def interleave(x: f32[n]) -> f32[?] = for i in 2*n { if i % 2 == 0 { x[i//2] } else { -x[i//2] } }

# bench: parity x=random(0, 1) n=2**26
export def parity(x: f32[n]) -> f32[n] = for i in n { if i % 2 == 0 { x[i] } else { -x[i] } }

# bench: mod3 x=random(0, 1) n=2**26 w=[1,2,3]
export def mod3(x: f32[n], w: f32[3]) -> f32[n] = for i in n { x[i] * w[i % 3] }

# bench: tiled x=random(0, 1) n=100000 m=2**26
export def tiled(x: f32[n], m: int) -> f32[m] where n > 0 = for i in m { x[i % n] }

# bench: repeated x=random(0, 1) n=2**26 k=4
export def repeated(x: f32[n], k: int) -> f32[?] where k > 0 = for i in n*k { x[i // k] }

# bench: roots x=random(0, 1) n=2**26
export def roots(x: f32[n]) -> f32[n] = for i in n { if x[i] > 0.5 { sqrt(x[i]) } else { 0.0 } }

# bench: lerp x=random(0, 1) n=100000 m=2**26
export def lerp(x: f32[n], m: int) -> f32[m] where n > 1 = for i in m { let t = f32(i) * f32(n-1) / f32(m)
  let k = min(int(t), n-2)
  let w = t - f32(k)
  (1.0-w)*x[k] + w*x[k+1] }

# bench: u8thr x=random(0, 255) n=2**26
export def u8thr(x: u8[n]) -> u8[n] = for v in x { if v > 128 { 255 } else { 0 } }

# bench: f16add x=random(0, 1) y=random(0, 1) n=2**27
export def f16add(x: f16[n], y: f16[n]) -> f16[n] = for i in n { x[i]*2.0 + y[i] }

# bench: u8f32 x=random(0, 255) n=2**13 m=2**14
export def u8f32(x: u8[n, m]) -> f32[n, m] = for i in n, j in m { f32(x[i, j])/255.0 }

# bench: complexmul a=random(0, 1) b=random(0, 1) n=2**25
export def complexmul(a: c64[n], b: c64[n]) -> c64[n] = for i in n { a[i]*b[i] }

# bench: cabs a=random(0, 1) n=2**25
export def cabs(a: c64[n]) -> f32[n] = for i in n { abs(a[i]) }

# bench: masked x=random(0, 9999) n=2**26
export def masked(x: i32[n]) -> i32[n] = for v in x { bitand(bitxor(v, shr(v, 3)), 1023) }

# bench: popsum x=random(0, 9999) n=2**26
export def popsum(x: i32[n]) -> int = sum for v in x { int(bitand(v, 1)) + int(bitand(shr(v, 1), 1)) }

# bench: mcpi n=2**26
export def mcpi(n: int) -> f32 = (sum for i in n { let x = uniform(1, 2*i)
  let y = uniform(1, 2*i+1)
  if x*x+y*y < 1.0 { 1.0 } else { 0.0 } })*4.0/f32(n)

# bench: poly x=random(0, 1) c=random(0, 1) n=2**26 k=8
export def poly(x: f32[n], c: f32[k]) -> f32[n] = for i in n { var s = 0.0
  loop j in k { s = s*x[i] + c[j] }
  s }

# bench: poly8 x=random(0, 1) c=random(0, 1) n=2**26
export def poly8(x: f32[n], c: f32[8]) -> f32[n] = for i in n { var s = 0.0
  loop j in 8 { s = s*x[i] + c[j] }
  s }

# bench: polyf64 x=random(0, 1) c=random(0, 1) n=2**25 k=8
export def polyf64(x: f64[n], c: f64[k]) -> f64[n] = for i in n { var s = f64(0.0)
  loop j in k { s = s*x[i] + c[j] }
  s }

# bench: newton x=random(0, 1) n=2**26
export def newton(x: f32[n]) -> f32[n] = for i in n { var s = 1.0
  loop j in 10 { s = 0.5*(s + x[i]/s) }
  s }

# bench: logist x=random(0, 1) n=2**26 k=20
export def logist(x: f32[n], k: int) -> f32[n] = for i in n { var s = x[i]
  loop j in k { s = 3.7*s*(1.0-s) }
  s }

# bench: mandel n=2**12
export def mandel(n: int) -> int[n, n] where n > 0 = for i in n, j in n { let cx = f32(j)/f32(n)*3.0-2.0
  let cy = f32(i)/f32(n)*2.0-1.0
  var x = 0.0
  var y = 0.0
  var k = 0
  while k < 100 and x*x+y*y < 4.0 { let t = x*x-y*y+cx
    y = 2.0*x*y+cy
    x = t
    k += 1 }
  k }

# bench: collatz n=2**22
export def collatz(n: int) -> int[n] = for i in n { var k = i+1
  var c = 0
  while k > 1 { if k % 2 == 0 { k = k // 2 } else { k = 3*k+1 }
    c += 1 }
  c }

# Arrays of two and more dimensions

# bench: rev2d u=random(0, 1) n=2**13 m=2**13
export def rev2d(u: f32[n, m]) -> f32[n, m] = for i in n, j in m { u[n-1-i, m-1-j] }

# bench: rot90 u=random(0, 1) n=2**13 m=2**13
export def rot90(u: f32[n, m]) -> f32[m, n] = for i in m, j in n { u[j, m-1-i] }

# bench: transp u=random(0, 1) n=2**13 m=2**13
export def transp(u: f32[n, m]) -> f32[m, n] = for i in m, j in n { u[j, i] }

# bench: diagonal u=random(0, 1) n=2**13
export def diagonal(u: f32[n, n]) -> f32[n, n] = for i in n, j in n { if i == j { u[i, j] + 1.0 } else { u[i, j] } }

# bench: tril u=random(0, 1) n=2**13
export def tril(u: f32[n, n]) -> f32[n, n] = for i in n, j in n { if j <= i { u[i, j] } else { 0.0 } }

# bench: sym u=random(0, 1) n=2**13
export def sym(u: f32[n, n]) -> f32[n, n] = for i in n, j in n { 0.5*(u[i, j] + u[j, i]) }

# bench: flattened u=random(0, 1) n=2**13 m=2**13
export def flattened(u: f32[n, m]) -> f32[?] = for k in n*m { u[k // m, k % m] }

# bench: unflat x=random(0, 1) n=2**26 m=2**12
export def unflat(x: f32[n], m: int) -> f32[?, m] where m > 0 = for i in n // m, j in m { x[i*m + j] }

# bench: joined x=random(0, 1) y=random(0, 1) n=2**13 m=2**12
export def joined(x: f32[n, m], y: f32[n, m]) -> f32[n, ?] = for i in n, j in 2*m { if j < m { x[i, j] } else { y[i, j-m] } }

# bench: skewed x=random(0, 1) n=2**13 m=2**13
export def skewed(x: f32[n, m]) -> f32[m, n] = for i in m, j in n { x[(i*7+j) % n, i] }

# bench: perm a=random(0, 1) n=512 m=512 k=256
export def perm(a: f32[n, m, k]) -> f32[k, n, m] = for l in k, i in n, j in m { a[i, j, l] }

# bench: perm2 a=random(0, 1) n=512 m=512 k=256
export def perm2(a: f32[n, m, k]) -> f32[m, n, k] = for j in m, i in n, l in k { a[i, j, l] }

# bench: perm3 a=random(0, 1) n=512 m=512 k=256
export def perm3(a: f32[n, m, k]) -> f32[n, k, m] = for i in n, l in k, j in m { a[i, j, l] }

# bench: nhwc x=random(0, 1) b=64 c=3 h=512 w=512
export def nhwc(x: f32[b, c, h, w]) -> f32[b, h, w, c] = for i in b, y in h, z in w, k in c { x[i, k, y, z] }

# bench: nhwcu8 x=random(0, 255) b=64 c=3 h=512 w=512
export def nhwcu8(x: u8[b, h, w, c]) -> f32[b, c, h, w] = for i in b, k in c, y in h, z in w { f32(x[i, y, z, k])/255.0 }

# bench: im2col x=random(0, 1) c=32 h=512 w=512
export def im2col(x: f32[c, h, w]) -> f32[?, ?] where h > 2, w > 2 = for r in c*9, s in (h-2)*(w-2) { x[r//9, s//(w-2) + (r//3)%3, s%(w-2) + r%3] }

# bench: rgb c=random(0, 1) n=2**12 m=2**12
export def rgb(c: f32[n, m, 3]) -> f32[n, m] = for i in n, j in m { 0.3*c[i, j, 0]+0.6*c[i, j, 1]+0.1*c[i, j, 2] }

# bench: rgb2 c=random(0, 1) n=2**12 m=2**12
export def rgb2(c: f32[n, m, 3]) -> f32[n, m, 3] = for i in n, j in m, k in 3 { c[i, j, 2-k] }

# bench: norm3 c=random(0, 1) n=2**24
export def norm3(c: f32[n, 3]) -> f32[n, 3] = for i in n { let r = rsqrt(c[i, 0]*c[i, 0]+c[i, 1]*c[i, 1]+c[i, 2]*c[i, 2])
  for k in 3 { c[i, k]*r } }

# bench: cross3 a=random(0, 1) b=random(0, 1) n=2**23
export def cross3(a: f32[n, 3], b: f32[n, 3]) -> f32[n, 3] = for i in n { [a[i, 1]*b[i, 2]-a[i, 2]*b[i, 1], a[i, 2]*b[i, 0]-a[i, 0]*b[i, 2], a[i, 0]*b[i, 1]-a[i, 1]*b[i, 0]] }

# bench: outer2 x=random(0, 1) y=random(0, 1) n=2**13 m=2**13
export def outer2(x: f32[n], y: f32[m]) -> f32[n, m] = for i in n, j in m { x[i]*y[j] }

# Reductions

# bench: rowsum u=random(0, 1) n=2**13 m=2**13
export def rowsum(u: f32[n, m]) -> f32[n] = for i in n { sum for j in m { u[i, j] } }

# bench: colsum u=random(0, 1) n=2**13 m=2**13
export def colsum(u: f32[n, m]) -> f32[m] = for j in m { sum for i in n { u[i, j] } }

# bench: colmax u=random(0, 1) n=2**13 m=2**13
export def colmax(u: f32[n, m]) -> f32[m] = for j in m { max for i in n { u[i, j] } }

# bench: colargmax u=random(0, 1) n=2**13 m=2**13
export def colargmax(u: f32[n, m]) -> int[m] = for j in m { argmax for i in n { u[i, j] } }

# bench: rowargmax u=random(0, 1) n=2**13 m=2**13
export def rowargmax(u: f32[n, m]) -> int[n] = for i in n { argmax for j in m { u[i, j] } }

# bench: counted x=random(0, 1) n=2**26
export def counted(x: f32[n]) -> int = sum for i in n { int(x[i] > 0.5) }

# bench: countif x=random(0, 1) n=2**26
export def countif(x: f32[n]) -> int = sum for i in n if x[i] > 0.5 { 1 }

# bench: meanif x=random(0, 1) n=2**26
export def meanif(x: f32[n]) -> f32 = (sum for v in x if v > 0.5 { v }) / f32(sum for v in x if v > 0.5 { 1 })

# bench: minmax x=random(0, 1) n=2**26
export def minmax(x: f32[n]) -> (a: f32, b: f32) = (min(x), max(x))

# bench: dot_back x=random(0, 1) n=2**26
export def dot_back(x: f32[n]) -> f32 = sum for i in n { x[i]*x[n-1-i] }

# bench: variance x=random(0, 1) n=2**26
export def variance(x: f32[n]) -> f32 { let m = sum(x)/f32(n)
  (sum for v in x { (v-m)*(v-m) })/f32(n) }

# bench: norms u=random(0, 1) n=2**13 m=2**13
export def norms(u: f32[n, m]) -> f32[n] = for i in n { sqrt(sum for j in m { u[i, j]*u[i, j] }) }

# bench: mv u=random(0, 1) n=2**13 m=2**13 y=random(0, 1)
export def mv(u: f32[n, m], y: f32[m]) -> f32[n] = for i in n { sum for j in m { u[i, j]*y[j] } }

# bench: vm u=random(0, 1) n=2**13 m=2**13 y=random(0, 1)
export def vm(u: f32[n, m], y: f32[n]) -> f32[m] = for j in m { sum for i in n { u[i, j]*y[i] } }

# bench: sumlast3 a=random(0, 1) n=2**12 m=2**12
export def sumlast3(a: f32[n, m, 3]) -> f32[n, m] = for i in n, j in m { sum for k in 3 { a[i, j, k] } }

# bench: summid a=random(0, 1) n=512 m=512 k=256
export def summid(a: f32[n, m, k]) -> f32[n, k] = for i in n, l in k { sum for j in m { a[i, j, l] } }

# bench: f64sum x=random(0, 1) n=2**13 m=2**12
export def f64sum(x: f64[n, m]) -> f64[m] = for j in m { sum for i in n { x[i, j]*x[i, j] } }

# bench: u8mean x=random(0, 255) n=2**14 m=2**14
export def u8mean(x: u8[n, m]) -> f32 = (sum for i in n, j in m { f32(x[i, j]) })/f32(n*m)

# bench: u8colmean x=random(0, 255) n=2**14 m=2**14
export def u8colmean(x: u8[n, m]) -> f32[m] = for j in m { (sum for i in n { f32(x[i, j]) })/f32(n) }

# bench: quad x=random(0, 1) a=random(0, 1) n=2**13
export def quad(x: f32[n], a: f32[n, n]) -> f32 = sum for i in n, j in n { x[i]*a[i, j]*x[j] }

# bench: trace_product a=random(0, 1) b=random(0, 1) n=2**13
export def trace_product(a: f32[n, n], b: f32[n, n]) -> f32 = sum for i in n, j in n { a[i, j]*b[j, i] }

# bench: trisum a=random(0, 1) n=2**13
export def trisum(a: f32[n, n]) -> f32[n] = for i in n { sum for j in i+1 { a[i, j] } }

# bench: lowmv a=random(0, 1) x=random(0, 1) n=2**13
export def lowmv(a: f32[n, n], x: f32[n]) -> f32[n] = for i in n { sum for j in n if j < i { a[i, j]*x[j] } }

# bench: trapz x=random(0, 1) y=random(0, 1) n=2**26
export def trapz(x: f32[n], y: f32[n]) -> f32 where n > 0 = sum for i in n-1 { 0.5*(y[i+1]+y[i])*(x[i+1]-x[i]) }

# bench: sumdiff u=random(0, 1) n=2**13 m=2**13
export def sumdiff(u: f32[n, m]) -> f32[n] where m > 0 = for i in n { sum for j in m-1 { abs(u[i, j+1]-u[i, j]) } }

# bench: matches x=random(0, 3) w=[1,2,3,1] n=2**26
export def matches(x: u8[n], w: u8[k]) -> int where k > 0, k < n = sum for i in n-k { int(all for j in k { x[i+j] == w[j] }) }

# bench: anyrow x=random(0, 1) n=2**13 m=2**13
export def anyrow(x: f32[n, m]) -> bool[n] = for i in n { any for j in m { x[i, j] > 0.9999999 } }

# bench: lse x=random(0, 1) n=2**16 m=2**10
export def lse(x: f32[n, m]) -> f32[n] = for i in n { let t = max for j in m { x[i, j] }
  t + log(sum for j in m { exp(x[i, j]-t) }) }

# bench: xent x=random(0, 1) y=range() n=2**16 m=2**10
export def xent(x: f32[n, m], y: int[n]) -> f32[n] where m > 0 = for i in n { let t = max for j in m { x[i, j] }
  t + log(sum for j in m { exp(x[i, j]-t) }) - x[i, y[i] % m] }

# Several passes

# bench: center u=random(0, 1) n=2**13 m=2**13
export def center(u: f32[n, m]) -> f32[n, m] = for i in n, j in m { u[i, j] - (sum for k in m { u[i, k] })/4096.0 }

# bench: colcenter u=random(0, 1) n=2**13 m=2**13
export def colcenter(u: f32[n, m]) -> f32[n, m] { let c = for j in m { (sum for i in n { u[i, j] })/4096.0 }
  for i in n, j in m { u[i, j] - c[j] } }

# bench: lnorm x=random(0, 1) n=2**16 m=2**10
export def lnorm(x: f32[n, m]) -> f32[n, m] = for i in n { let u = (sum for j in m { x[i, j] })/f32(m)
  let v = (sum for j in m { (x[i, j]-u)*(x[i, j]-u) })/f32(m)
  let r = rsqrt(v + 0.00001)
  for j in m { (x[i, j]-u)*r } }

# bench: softmax0 x=random(0, 1) n=2**13 m=2**13
export def softmax0(x: f32[n, m]) -> f32[n, m] { let t = for j in m { max for i in n { x[i, j] } }
  let s = for j in m { sum for i in n { exp(x[i, j]-t[j]) } }
  for i in n, j in m { exp(x[i, j]-t[j])/s[j] } }

# bench: lnbig x=random(0, 1) n=8 m=2**23
export def lnbig(x: f32[n, m]) -> f32[n] = for i in n { let u = (sum for j in m { x[i, j] })/f32(m)
  (sum for j in m { (x[i, j]-u)*(x[i, j]-u) })/f32(m) }

# bench: bnorm x=random(0, 1) b=64 c=64 h=128 w=128
export def bnorm(x: f32[b, c, h, w]) -> f32[c] = for k in c { let m = (sum for i in b, y in h, z in w { x[i, k, y, z] })/f32(b*h*w)
  (sum for i in b, y in h, z in w { (x[i, k, y, z]-m)*(x[i, k, y, z]-m) })/f32(b*h*w) }

# bench: bnapply x=random(0, 1) s=random(0, 1) t=random(0, 1) b=64 c=64 h=128 w=128
export def bnapply(x: f32[b, c, h, w], s: f32[c], t: f32[c]) -> f32[b, c, h, w] = for i in b, k in c, y in h, z in w { max(x[i, k, y, z]*s[k]+t[k], 0.0) }

# bench: cov x=random(0, 1) n=2**17 m=128
export def cov(x: f32[n, m]) -> f32[m, m] { let u = for j in m { (sum for i in n { x[i, j] })/f32(n) }
  for a in m, b in m { (sum for i in n { (x[i, a]-u[a])*(x[i, b]-u[b]) })/f32(n-1) } }

# bench: wcov x=random(0, 1) w=random(0, 1) u=random(0, 1) n=2**17 m=128
export def wcov(x: f32[n, m], w: f32[n], u: f32[m]) -> f32[m, m] = for a in m, b in m { sum for i in n { w[i]*(x[i, a]-u[a])*(x[i, b]-u[b]) } }

# Scans and filters

# bench: cumsum x=random(0, 1) n=2**26
export def cumsum(x: f32[n]) -> f32[n] = scan((+), x)

# bench: cumsumrow u=random(0, 1) n=2**13 m=2**13
export def cumsumrow(u: f32[n, m]) -> f32[n, m] = for i in n { scan((+), u[i]) }

# bench: cumsumcol u=random(0, 1) n=2**13 m=2**13
export def cumsumcol(u: f32[n, m]) -> f32[n, m] = scan((+), u, axis = 0)

# bench: cummax x=random(0, 1) n=2**26
export def cummax(x: f32[n]) -> f32[n] = scan(fn(a, b) => max(a, b), x)

# bench: cumprod x=random(0, 1) n=2**26
export def cumprod(x: f32[n]) -> f32[n] = scan((*), x)

# bench: cummid x=random(0, 1) a=64 b=2**10 c=2**10
export def cummid(x: f32[a, b, c]) -> f32[a, b, c] = scan((+), x, axis = 1)

# bench: revcum x=random(0, 1) n=2**26
export def revcum(x: f32[n]) -> f32[n] { let s = scan((+), for i in n { x[n-1-i] })
  for i in n { s[n-1-i] } }

# bench: integral x=random(0, 1) n=2**13 m=2**13
export def integral(x: f32[n, m]) -> f32[n, m] = scan((+), scan((+), x, axis = 1), axis = 0)

# bench: kept x=random(0, 1) n=2**26
export def kept(x: f32[n]) -> f32[?] = for v in x if v > 0.5 { v }

# Windows and stencils

# bench: conv5 x=random(0, 1) n=2**26 w=[1,2,3,4,5]
export def conv5(x: f32[n], w: f32[5]) -> f32[n] { let e = extend(x, 0.0)
  for i in n { sum for d in 5 { e[i+d-2]*w[d] } } }

# bench: convk x=random(0, 1) n=2**26 w=[1,2,3,4,5]
export def convk(x: f32[n], w: f32[k]) -> f32[n] { let e = extend(x, 0.0)
  for i in n { sum for d in k { e[i+d]*w[d] } } }

# bench: blur3 u=random(0, 1) n=2**13 m=2**13
export def blur3(u: f32[n, m]) -> f32[n, m] { let e = extend(u, mirror)
  for i in n, j in m { (sum for a in 3, b in 3 { e[i+a-1, j+b-1] })/9.0 } }

# bench: sobel u=random(0, 1) n=2**13 m=2**13
export def sobel(u: f32[n, m]) -> f32[n, m] { let e = extend(u, clamp)
  for i in n, j in m { let gx = e[i-1, j+1]+2.0*e[i, j+1]+e[i+1, j+1]-e[i-1, j-1]-2.0*e[i, j-1]-e[i+1, j-1]
    let gy = e[i+1, j-1]+2.0*e[i+1, j]+e[i+1, j+1]-e[i-1, j-1]-2.0*e[i-1, j]-e[i-1, j+1]
    sqrt(gx*gx+gy*gy) } }

# bench: median3 x=random(0, 1) n=2**26
export def median3(x: f32[n]) -> f32[n] { let e = extend(x, clamp)
  for i in n { let a = e[i-1]
    let b = e[i]
    let c = e[i+1]
    max(min(a, b), min(max(a, b), c)) } }

# bench: redblack u=random(0, 1) n=2**13 m=2**13
export def redblack(u: f32[n, m]) -> f32[n, m] { let e = extend(u, wrap)
  for i in n, j in m { if (i + j) % 2 == 0 { 0.25*(e[i-1, j]+e[i+1, j]+e[i, j-1]+e[i, j+1]) } else { u[i, j] } } }

# bench: u8blur x=random(0, 255) n=2**13 m=2**13
export def u8blur(x: u8[n, m]) -> u8[n, m] { let e = extend(x, clamp)
  for i in n, j in m { u8((sum for a in 3, b in 3 { i32(e[i+a-1, j+b-1]) })//9) } }

# bench: pool2 u=random(0, 1) n=2**13 m=2**13
export def pool2(u: f32[n, m]) -> f32[?, ?] = for i in n//2, j in m//2 { max(max(u[2*i, 2*j], u[2*i+1, 2*j]), max(u[2*i, 2*j+1], u[2*i+1, 2*j+1])) }

# bench: pool2w u=random(0, 1) n=2**13 m=2**13
export def pool2w(u: f32[n, m]) -> f32[?, ?] = for i in n//2, j in m//2 { max for a in 2, b in 2 { u[2*i+a, 2*j+b] } }

# bench: up2 u=random(0, 1) n=2**13 m=2**13
export def up2(u: f32[n, m]) -> f32[?, ?] = for i in 2*n, j in 2*m { u[i//2, j//2] }

# bench: maxpool x=random(0, 1) b=64 c=64 h=128 w=128
export def maxpool(x: f32[b, c, h, w]) -> f32[b, c, h//2, w//2] = for i in b, k in c, y in h//2, z in w//2 { max for p in 2, q in 2 { x[i, k, 2*y+p, 2*z+q] } }

# bench: avg4 x=random(0, 1) n=2**13 m=2**13
export def avg4(x: f32[n, m]) -> f32[?, ?] = for i in n//4, j in m//4 { (sum for p in 4, q in 4 { x[4*i+p, 4*j+q] })/16.0 }

# bench: dilate5 x=random(0, 255) n=2**13 m=2**13
export def dilate5(x: u8[n, m]) -> u8[n, m] { let e = extend(x, clamp)
  for i in n, j in m { max for a in 5, b in 5 { e[i+a-2, j+b-2] } } }

# bench: box7f x=random(0, 1) n=2**13 m=2**13
export def box7f(x: f32[n, m]) -> f32[n, m] { let e = extend(x, 0.0)
  for i in n, j in m { (sum for a in 7, b in 7 { e[i+a-3, j+b-3] })/49.0 } }

# bench: sep7 x=random(0, 1) w=random(0, 1) n=2**13 m=2**13
export def sep7(x: f32[n, m], w: f32[7]) -> f32[n, m] { let e = extend(x, clamp)
  let h = for i in n, j in m { sum for b in 7 { e[i, j+b-3]*w[b] } }
  let g = extend(h, clamp)
  for i in n, j in m { sum for a in 7 { g[i+a-3, j]*w[a] } } }

# bench: median9 x=random(0, 255) n=2**12 m=2**12
export def median9(x: u8[n, m]) -> u8[n, m] { let e = extend(x, clamp)
  for i in n, j in m { let s = sort(for a in 9 { e[i + a//3 - 1, j + a%3 - 1] })
    s[4] } }

# bench: life x=random(0, 1) n=2**13 m=2**13
export def life(x: u8[n, m]) -> u8[n, m] { let e = extend(x, wrap)
  for i in n, j in m { let s = (sum for a in 3, b in 3 { e[i+a-1, j+b-1] }) - x[i, j]
    if s == 3 or (s == 2 and x[i, j] == 1) { 1 } else { 0 } } }

# bench: movavg x=random(0, 1) n=2**26
export def movavg(x: f32[n]) -> f32[?] where n > 100 = for i in n-99 { (sum for j in 100 { x[i+j] })/100.0 }

# bench: movk x=random(0, 1) n=2**26 k=33
export def movk(x: f32[n], k: int) -> f32[?] where k > 0, k < n = for i in n-k { sum for j in k { x[i+j] } }

# bench: bilin u=random(0, 1) n=2**12 m=2**12
export def bilin(u: f32[n, m]) -> f32[?, ?] { let e = extend(u, clamp)
  for i in 2*n, j in 2*m { let a = f32(i)*0.5 - 0.25
    let b = f32(j)*0.5-0.25
    let y = int(floor(a))
    let z = int(floor(b))
    let s = a-floor(a)
    let t = b-floor(b)
    (1.0-s)*((1.0-t)*e[y, z]+t*e[y, z+1]) + s*((1.0-t)*e[y+1, z]+t*e[y+1, z+1]) } }

# bench: warp u=random(0, 1) a=random(0, 1) b=random(0, 1) n=2**13 m=2**13
export def warp(u: f32[n, m], a: f32[n, m], b: f32[n, m]) -> f32[n, m] { let e = extend(u, clamp)
  for i in n, j in m { e[i+int(a[i, j]*3.0), j+int(b[i, j]*3.0)] } }

# bench: grad3 x=random(0, 1) n=400 m=400 k=400
export def grad3(x: f32[n, m, k]) -> (a: f32[n, m, k], b: f32[n, m, k], c: f32[n, m, k]) { let e = extend(x, clamp)
  (for i in n, j in m, l in k { e[i+1, j, l]-e[i-1, j, l] }, for i in n, j in m, l in k { e[i, j+1, l]-e[i, j-1, l] }, for i in n, j in m, l in k { e[i, j, l+1]-e[i, j, l-1] }) }

# bench: curl x=random(0, 1) n=256 m=256 k=256
export def curl(x: f32[n, m, k, 3]) -> f32[n, m, k, 3] { let e = extend(x, clamp)
  for i in n, j in m, l in k { [e[i, j+1, l, 2]-e[i, j-1, l, 2]-e[i, j, l+1, 1]+e[i, j, l-1, 1], e[i, j, l+1, 0]-e[i, j, l-1, 0]-e[i+1, j, l, 2]+e[i-1, j, l, 2], e[i+1, j, l, 1]-e[i-1, j, l, 1]-e[i, j+1, l, 0]+e[i, j-1, l, 0]] } }

# bench: l7z256 x=random(0, 1) n=256 m=256 k=256
export def l7z256(x: f32[n, m, k]) -> f32[n, m, k] { let e = extend(x, 0.0)
  for i in n, j in m, l in k { e[i-1, j, l]+e[i+1, j, l]+e[i, j-1, l]+e[i, j+1, l]+e[i, j, l-1]+e[i, j, l+1]-6.0*e[i, j, l] } }

# bench: l7c256 x=random(0, 1) n=256 m=256 k=256
export def l7c256(x: f32[n, m, k]) -> f32[n, m, k] { let e = extend(x, clamp)
  for i in n, j in m, l in k { e[i-1, j, l]+e[i+1, j, l]+e[i, j-1, l]+e[i, j+1, l]+e[i, j, l-1]+e[i, j, l+1]-6.0*e[i, j, l] } }

# bench: l7w256 x=random(0, 1) n=256 m=256 k=256
export def l7w256(x: f32[n, m, k]) -> f32[n, m, k] { let e = extend(x, wrap)
  for i in n, j in m, l in k { e[i-1, j, l]+e[i+1, j, l]+e[i, j-1, l]+e[i, j+1, l]+e[i, j, l-1]+e[i, j, l+1]-6.0*e[i, j, l] } }

# bench: l27z x=random(0, 1) n=400 m=400 k=400
export def l27z(x: f32[n, m, k]) -> f32[n, m, k] { let e = extend(x, 0.0)
  for i in n, j in m, l in k { (sum for a in 3, b in 3, c in 3 { e[i+a-1, j+b-1, l+c-1] })/27.0 } }

# bench: l27c x=random(0, 1) n=400 m=400 k=400
export def l27c(x: f32[n, m, k]) -> f32[n, m, k] { let e = extend(x, clamp)
  for i in n, j in m, l in k { (sum for a in 3, b in 3, c in 3 { e[i+a-1, j+b-1, l+c-1] })/27.0 } }

# bench: l27w x=random(0, 1) n=400 m=400 k=400
export def l27w(x: f32[n, m, k]) -> f32[n, m, k] { let e = extend(x, wrap)
  for i in n, j in m, l in k { (sum for a in 3, b in 3, c in 3 { e[i+a-1, j+b-1, l+c-1] })/27.0 } }

# bench: b5z x=random(0, 1) n=8000 m=1000
export def b5z(x: f32[n, m]) -> f32[n, m] { let e = extend(x, 0.0)
  for i in n, j in m { e[i-1, j]+e[i+1, j]+e[i, j-1]+e[i, j+1]-4.0*e[i, j] } }

# bench: b5c x=random(0, 1) n=8000 m=1000
export def b5c(x: f32[n, m]) -> f32[n, m] { let e = extend(x, clamp)
  for i in n, j in m { e[i-1, j]+e[i+1, j]+e[i, j-1]+e[i, j+1]-4.0*e[i, j] } }

# bench: b5w x=random(0, 1) n=8000 m=1000
export def b5w(x: f32[n, m]) -> f32[n, m] { let e = extend(x, wrap)
  for i in n, j in m { e[i-1, j]+e[i+1, j]+e[i, j-1]+e[i, j+1]-4.0*e[i, j] } }


# Products and pairs

# bench: mm a=random(0, 1) b=random(0, 1) n=2**11 m=2**11 k=2**11
export def mm(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = a @ b

# bench: atb a=random(0, 1) b=random(0, 1) k=2**11 n=2**11 m=2**11
export def atb(a: f32[k, n], b: f32[k, m]) -> f32[n, m] = for i in n, j in m { sum for l in k { a[l, i]*b[l, j] } }

# bench: abt a=random(0, 1) b=random(0, 1) k=2**11 n=2**11 m=2**11
export def abt(a: f32[n, k], b: f32[m, k]) -> f32[n, m] = for i in n, j in m { sum for l in k { a[i, l]*b[j, l] } }

# bench: bias a=random(0, 1) b=random(0, 1) c=random(0, 1) n=2**11 m=2**11 k=2**11
export def bias(a: f32[n, k], b: f32[k, m], c: f32[m]) -> f32[n, m] = for i in n, j in m { max((sum for l in k { a[i, l]*b[l, j] }) + c[j], 0.0) }

# bench: gelu a=random(0, 1) b=random(0, 1) c=random(0, 1) n=2**11 m=2**11 k=512
export def gelu(a: f32[n, k], b: f32[k, m], c: f32[m]) -> f32[n, m] = for i in n, j in m { let x = (sum for l in k { a[i, l]*b[l, j] }) + c[j]
  0.5*x*(1.0+tanh(0.79788*(x+0.044715*x*x*x))) }

# bench: resid a=random(0, 1) b=random(0, 1) c=random(0, 1) n=2**11 m=2**11 k=512
export def resid(a: f32[n, k], b: f32[k, m], c: f32[n, m]) -> f32[n, m] = for i in n, j in m { (sum for l in k { a[i, l]*b[l, j] }) + c[i, j] }

# bench: bmm a=random(0, 1) c=random(0, 1) b=256 k=128 n=128 m=128
export def bmm(a: f32[b, n, k], c: f32[b, k, m]) -> f32[b, n, m] = for h in b, i in n, j in m { sum for l in k { a[h, i, l]*c[h, l, j] } }

# bench: batchmm a=random(0, 1) c=random(0, 1) b=2**20
export def batchmm(a: f32[b, 4, 4], c: f32[b, 4, 4]) -> f32[b, 4, 4] = for k in b, i in 4, j in 4 { sum for l in 4 { a[k, i, l]*c[k, l, j] } }

# bench: minplus a=random(0, 1) b=random(0, 1) k=2**10 n=2**10 m=2**10
export def minplus(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = for i in n, j in m { min for l in k { a[i, l]+b[l, j] } }

# bench: i32mm a=random(0, 9) b=random(0, 9) k=2**10 n=2**10 m=2**10
export def i32mm(a: i32[n, k], b: i32[k, m]) -> i32[n, m] = for i in n, j in m { sum for l in k { a[i, l]*b[l, j] } }

# bench: conv2d x=random(0, 1) k=random(0, 1) c=32 h=256 w=256 o=32
export def conv2d(x: f32[c, h, w], k: f32[o, c, 3, 3]) -> f32[o, h-2, w-2] where h > 2, w > 2 = for a in o, y in h-2, z in w-2 { sum for b in c, p in 3, q in 3 { x[b, y+p, z+q]*k[a, b, p, q] } }

# bench: qk q=random(0, 1) k=random(0, 1) n=2**12 m=2**12 d=64
export def qk(q: f32[n, d], k: f32[m, d]) -> f32[n, m] { let s = for i in n, j in m { (sum for l in d { q[i, l]*k[j, l] })*0.125 }
  for i in n { let t = max for j in m { s[i, j] }
    let z = sum for j in m { exp(s[i, j]-t) }
    for j in m { exp(s[i, j]-t)/z } } }

# bench: attn q=random(0, 1) k=random(0, 1) v=random(0, 1) n=2**11 m=2**11 d=64 e=64
export def attn(q: f32[n, d], k: f32[m, d], v: f32[m, e]) -> f32[n, e] { let s = for i in n, j in m { (sum for l in d { q[i, l]*k[j, l] })/8.0 }
  let w = for i in n { let t = max for j in m { s[i, j] }
    let z = sum for j in m { exp(s[i, j]-t) }
    for j in m { exp(s[i, j]-t)/z } }
  for i in n, c in e { sum for j in m { w[i, j]*v[j, c] } } }

# bench: bhattn q=random(0, 1) k=random(0, 1) v=random(0, 1) b=16 n=2**10 m=2**10 d=64
export def bhattn(q: f32[b, n, d], k: f32[b, m, d], v: f32[b, m, d]) -> f32[b, n, d] { let s = for h in b, i in n, j in m { (sum for l in d { q[h, i, l]*k[h, j, l] })*0.125 }
  let w = for h in b, i in n { let t = max for j in m { s[h, i, j] }
    let z = sum for j in m { exp(s[h, i, j]-t) }
    for j in m { exp(s[h, i, j]-t)/z } }
  for h in b, i in n, c in d { sum for j in m { w[h, i, j]*v[h, j, c] } } }

# bench: dist a=random(0, 1) b=random(0, 1) n=2**13 m=2**13 d=3
export def dist(a: f32[n, d], b: f32[m, d]) -> f32[n, m] = for i in n, j in m { sqrt(sum for k in d { (a[i, k]-b[j, k])*(a[i, k]-b[j, k]) }) }

# bench: dist64 a=random(0, 1) b=random(0, 1) n=2**13 m=2**13 d=64
export def dist64(a: f32[n, d], b: f32[m, d]) -> f32[n, m] = for i in n, j in m { sum for k in d { abs(a[i, k]-b[j, k]) } }

# bench: nearest a=random(0, 1) b=random(0, 1) n=2**20 m=64 d=8
export def nearest(a: f32[n, d], b: f32[m, d]) -> int[n] = for i in n { argmin for j in m { sum for k in d { (a[i, k]-b[j, k])*(a[i, k]-b[j, k]) } } }

# bench: dft x=random(0, 1) n=2**14
export def dft(x: f32[n]) -> (r: f32[n], i: f32[n]) = (for k in n { sum for j in n { x[j]*cos(6.2831853*f32((j*k)%n)/f32(n)) } }, for k in n { sum for j in n { x[j]*sin(6.2831853*f32((j*k)%n)/f32(n)) } })


# Sorts, bins, segments

# bench: order_of x=random(0, 1) n=2**24
export def order_of(x: f32[n]) -> int[n] = argsort(x)

# bench: sort64 x=random(0, 1) n=2**24
export def sort64(x: f64[n]) -> f64[n] = sort(x)

# bench: sort_rows x=random(0, 1) n=2**16 m=512
export def sort_rows(x: f32[n, m]) -> f32[n, m] = sort(x, axis = 1)

# bench: sort_columns x=random(0, 1) n=512 m=2**16
export def sort_columns(x: f32[n, m]) -> f32[n, m] = sort(x, axis = 0)

# bench: sortrows x=random(0, 1) n=2**16 m=200
export def sortrows(x: f32[n, m]) -> f32[n, m] = for i in n { sort(x[i]) }

# bench: topk x=random(0, 1) n=2**16 m=256
export def topk(x: f32[n, m]) -> f32[n, 8] where m >= 8 = for i in n { let s = sort(x[i])
  for k in 8 { s[m-1-k] } }

# bench: medrow x=random(0, 1) n=2**16 m=255
export def medrow(x: f32[n, m]) -> f32[n] where m > 0 = for i in n { let s = sort(x[i])
  s[m//2] }

# bench: u8hist x=random(0, 255) n=2**26
export def u8hist(x: u8[n]) -> int[256] = hist((+), 0, 256) for v in x { (int(v), 1) }

# bench: hist2d x=random(0, 1) y=random(0, 1) n=2**26
export def hist2d(x: f32[n], y: f32[n]) -> int[64, 64] = hist((+), 0, (64, 64)) for i in n { ((min(max(int(x[i]*64.0), 0), 63), min(max(int(y[i]*64.0), 0), 63)), 1) }

# bench: bincw k=random(0, 999) w=random(0, 1) n=2**25
export def bincw(k: int[n], w: f32[n]) -> f32[1000] = hist((+), 0.0, 1000) for i in n { (k[i], w[i]) }

# bench: groupmax k=random(0, 999) w=random(0, 1) n=2**25
export def groupmax(k: i32[n], w: f32[n]) -> f32[1000] = hist(max, 0.0, 1000) for i in n { (int(k[i]), w[i]) }
