# Reading and writing parts of arrays.
# RUN: arrc build %s --emit=array --no-locations | FileCheck %s

struct P { x: f32[3], w: f32 }

# A whole chain of subscripts and fields is one read.
# CHECK-LABEL: func.func @chain(
# CHECK-SAME: %[[X:.*]]: tensor<?x?x3xf32>
# CHECK: %[[B:.*]] = array.bind %[[X]]
# CHECK: array.at %[[B]][%{{.*}}, %{{.*}}, %{{.*}}] : tensor<?x?x3xf32>
# CHECK-NOT: array.view
export def chain(ps: P[n, m], i: int, j: int) -> f32 = ps[i, j].x[2]

# CHECK-LABEL: func.func @row(
# CHECK: array.check index %{{.*}}, "index {0} is outside of a dimension of size {1}"
# CHECK: array.view %{{.*}} (d0)[s0] -> (s0, d0) [%{{.*}}] in (%{{.*}})
export def row(a: f32[n, m], i: int) -> f32[m] = a[i]

# CHECK-LABEL: func.func @slices(
# CHECK: array.check index %{{.*}}, "slice {0}:{1} is not inside of a dimension of size {2}"
# CHECK: array.view %{{.*}} (d0, d1)[s0] -> (d0 * 2 + 1, d1 + s0) [%{{.*}}]
export def slices(a: f32[n, m], lo: int) -> f32[2, 3] = a[1:5:2, lo:lo+3]

# Indices are computed in index, with affine maps.
# CHECK-LABEL: func.func @affine(
# CHECK: array.map (%[[I:.*]] "i")
# CHECK: %[[K:.*]] = affine.apply #{{.*}}(%[[I]])
# CHECK: array.at %{{.*}}[%[[K]]]
# CHECK-NOT: arith.addi
# CHECK: array.yield
export def affine(a: f32[n], m: int) -> f32[m] where m >= 0, n == 2 * m + 1 = for i in m { a[2*i + 1] }

# CHECK-LABEL: func.func @gather(
# CHECK: array.map (%[[I:.*]] "d0") in
# CHECK:   %[[K:.*]] = array.at %{{.*}}[%[[I]]] inbounds : tensor<?xi32>
# CHECK:   %[[C:.*]] = arith.index_cast %[[K]] : i32 to index
# CHECK:   array.at %{{.*}}[%[[C]]] : tensor<?xf32>
export def gather(a: f32[n], at: i32[m]) -> f32[m] = a[at]

# CHECK-LABEL: func.func @assign(
# CHECK: %[[E:.*]] = tensor.from_elements %{{.*}} : tensor<f32>
# CHECK: tensor.insert_slice %[[E]] into %{{.*}}[%{{.*}}, %{{.*}}] [1, 1] [1, 1] : tensor<f32> into tensor<?x?xf32>
# CHECK: %[[S:.*]] = tensor.splat
# CHECK: tensor.insert_slice %[[S]] into %{{.*}}[%{{.*}}, 0] [1, %{{.*}}] [1, 1]
export def assign(a: f32[n, m], i: int, j: int) -> f32[n, m] {
  var b = a
  b[i, j] = 1.0
  b[i] = 2.0
  b
}

# Only the leaf that is assigned changes.
# CHECK-LABEL: func.func @assign_field(
# CHECK-SAME: %[[X:.*]]: tensor<?x3xf32> {{.*}}, %[[W:.*]]: tensor<?xf32>
# CHECK: %[[XB:.*]] = array.bind %[[X]]
# CHECK: %[[WB:.*]] = array.bind %[[W]]
# CHECK: %[[NEW:.*]] = tensor.insert_slice %{{.*}} into %[[WB]]
# CHECK: return %[[XB]], %[[NEW]]
export def assign_field(ps: P[n], i: int) -> P[n] {
  var q = ps
  q[i].w += 1.0
  q
}

# CHECK-LABEL: func.func @views(
# CHECK: array.extend %{{.*}} [clamp, wrap]
# CHECK: array.extend %{{.*}} [fill %{{.*}}, fill %{{.*}}]
# CHECK: array.at %{{.*}}[%{{.*}}, %{{.*}}] inbounds
export def views(a: f32[n, m]) -> f32[n, m] {
  let u = extend(a, clamp, wrap)
  let v = extend(a, 7.0)
  stencil i in n, j in m { u[i-1, j] + v[i, j+1] }
}
