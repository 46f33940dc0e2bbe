// RUN: arr-opt %s -arr-evaluate="function=shapes args=[[1,2,3],[4,5,6]]" -o /dev/null | FileCheck %s --check-prefix=SHAPE
// RUN: arr-opt %s -arr-evaluate="function=slices args=[[1,2,3],[4,5,6]]" -o /dev/null | FileCheck %s --check-prefix=SLICE
// RUN: arr-opt %s -arr-evaluate="function=make args=2" -o /dev/null | FileCheck %s --check-prefix=MAKE

func.func @shapes(%a: tensor<?x?xi64>) -> (index, tensor<?xi64>, tensor<?x2xi64>, tensor<2x3xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = tensor.dim %a, %c1 : tensor<?x?xi64>
  %f = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xi64> into tensor<?xi64>
  %e = tensor.expand_shape %f [[0, 1]] output_shape [%c3, 2] : tensor<?xi64> into tensor<?x2xi64>
  %c = tensor.cast %a : tensor<?x?xi64> to tensor<2x3xi64>
  return %m, %f, %e, %c : index, tensor<?xi64>, tensor<?x2xi64>, tensor<2x3xi64>
}
// SHAPE: result 0: index 3
// SHAPE: result 1: i64[6] [1, 2, 3, 4, 5, 6]
// SHAPE: result 2: i64[3, 2] {{\[}}[1, 2], [3, 4], [5, 6]]
// SHAPE: result 3: i64[2, 3] {{\[}}[1, 2, 3], [4, 5, 6]]

// The array that is updated stays as it was.
func.func @slices(%a: tensor<?x?xi64>) -> (tensor<2xi64>, tensor<?x?xi64>, tensor<?x?xi64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9 : i64
  %s = tensor.extract_slice %a[0, 0] [1, 2] [1, 2] : tensor<?x?xi64> to tensor<2xi64>
  %r = tensor.insert_slice %s into %a[1, 1] [1, 2] [1, 1] : tensor<2xi64> into tensor<?x?xi64>
  %i = tensor.insert %nine into %a[%c0, %c1] : tensor<?x?xi64>
  %x = tensor.extract %a[%c0, %c1] : tensor<?x?xi64>
  return %s, %r, %i, %x : tensor<2xi64>, tensor<?x?xi64>, tensor<?x?xi64>, i64
}
// SLICE: result 0: i64[2] [1, 3]
// SLICE: result 1: i64[2, 3] {{\[}}[1, 2, 3], [4, 1, 3]]
// SLICE: result 2: i64[2, 3] {{\[}}[1, 9, 3], [4, 5, 6]]
// SLICE: result 3: i64 2

func.func @make(%n: index) -> (tensor<?xf32>, tensor<2xi1>, tensor<3xf32>, tensor<0x4xi32>) {
  %x = arith.constant 1.5 : f32
  %s = tensor.splat %x[%n] : tensor<?xf32>
  %t = arith.constant true
  %f = arith.constant false
  %e = tensor.from_elements %t, %f : tensor<2xi1>
  %c = arith.constant dense<2.0> : tensor<3xf32>
  %z = tensor.empty() : tensor<0x4xi32>
  return %s, %e, %c, %z : tensor<?xf32>, tensor<2xi1>, tensor<3xf32>, tensor<0x4xi32>
}
// MAKE: result 0: f32[2] [1.5, 1.5]
// MAKE: result 1: bool[2] [true, false]
// MAKE: result 2: f32[3] [2, 2, 2]
// MAKE: result 3: i32[0, 4] []
