# Exports: arguments in declared order, structs one argument a field, sizes
# bound once, other dimensions checked.
# RUN: arrc build %s --emit=array --no-locations | FileCheck %s

struct Body { pos: f32[3], mass: f32 }

# CHECK-LABEL: func.func @scale(
# CHECK-SAME: %[[BS0:.*]]: tensor<?x3xf32> {bufferization.writable = false}, %[[BS1:.*]]: tensor<?xf32> {bufferization.writable = false},
# CHECK-SAME: %[[K:.*]]: f32) -> (tensor<?x3xf32>, tensor<?xf32>)
# CHECK-SAME: arrc.export
# CHECK-SAME: {dims = ["n", "3"], element = "f32", name = "bs.pos", rank = 2 : i64, type = "f32[n, 3]"}
# CHECK-SAME: {dims = ["n"], element = "f32", name = "bs.mass", rank = 1 : i64, type = "f32[n]"}
# CHECK-SAME: {default = 2.500000e+00 : f32, dims = [], element = "f32", name = "k", rank = 0 : i64, type = "f32"}
# CHECK-SAME: arrc.results = [{dims = ["n", "3"], element = "f32", name = "out.pos"
# CHECK: %[[N:.*]] = tensor.dim %[[BS0]]
# CHECK: array.bind %[[BS0]] [%[[N]], 3] : tensor<?x3xf32>
# CHECK: array.bind %[[BS1]] [%[[N]]] : tensor<?xf32>
# CHECK: array.map (%{{.*}} "i") in (%[[N]])
export def scale(bs: Body[n], k: f32 = 2.5) -> Body[n] =
  for i in n { Body(pos = bs[i].pos, mass = k * bs[i].mass) }

# CHECK-LABEL: func.func @types(
# CHECK-SAME: i1, %{{.*}}: i8, %{{.*}}: tensor<?xi8>
# CHECK-SAME: f16, %{{.*}}: bf16, %{{.*}}: f64, %{{.*}}: complex<f32>, %{{.*}}: tensor<?xcomplex<f64>>
# CHECK-SAME: element = "bool"
# CHECK-SAME: element = "u8"
# CHECK-SAME: element = "c128"
# CHECK-SAME: name = "x"
# CHECK-SAME: name = "y"
export def types(a: bool, b: u8, c: i8[n], d: f16, e: bf16, f: f64, g: c64, h: c128[n])
  -> (x: int, y: c128) = (size(c), h[0])

# The second 'n' and 'n+1' are not new: checked at entry, then bound.
# CHECK-LABEL: func.func @sizes(
# CHECK-SAME: %[[A:.*]]: tensor<?xf32> {{.*}}, %[[B:.*]]: tensor<?xf32> {{.*}}, %[[C:.*]]: tensor<?xf32>
# CHECK: %[[N:.*]] = tensor.dim %[[A]]
# CHECK: array.check input %{{.*}}, "the size of 'b' is {0}, but n is {1}"
# CHECK: array.check input %{{.*}}, "the size of 'c' is {0}
# CHECK: array.check input %{{.*}}, "'n > 2' does not hold: {0} and {1}"
# CHECK: array.bind %[[A]] [%[[N]]]
# CHECK: array.bind %[[B]] [%[[N]]]
export def sizes(a: f32[n], b: f32[n], c: f32[n+1]) -> f32[n] where n > 2 = a + b

# CHECK-LABEL: func.func @defaults(
# CHECK-SAME: default = 7 : i64
# CHECK-SAME: default = true
# CHECK-SAME: default = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
# CHECK-SAME: default = -1 : i8
export def defaults(a: int = 7, b: bool = true, c: f64[2] = [1.0, 2.0], d: u8 = 255) -> int = a

# CHECK-NOT: func.func @inner
def inner(x: f32) -> f32 = x
