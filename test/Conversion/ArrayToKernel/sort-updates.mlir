// RUN: arr-opt %s --split-input-file --convert-array-to-kernel | FileCheck %s

// Few bins keep copies; nothing else is combined by sorting.
// CHECK-LABEL: func @few
// CHECK: kernel.update {{.*}} : memref<500xf64> by arith.addf
// Many: the keys, of 16 bits where that is enough, and the values, sorted by as many bits as number
// the bins, 13, in two passes; where each bin's begin; their folds.
// CHECK-LABEL: func @many
// CHECK: kernel.launch {{.*}} outs ({{.*}}tensor<?xi16>, {{.*}}tensor<?xf64>)
// CHECK: kernel.check index
// CHECK: kernel.store
// CHECK: scf.if {{.*}} -> (tensor<?xi16>, tensor<?xf64>)
// CHECK: kernel.update {{.*}} : memref<64xi32> by arith.addi
// CHECK: kernel.update {{.*}} : memref<128xi32> by arith.addi
// CHECK-NOT: kernel.update
// CHECK: scf.while {{.*}} : (index, index) -> (index, index)
// CHECK: kernel.for "value" {{.*}} reduce {{.*}} by arith.addf
// 17 bits are two passes, too, by nine and eight; values that are an array's are sorted where they are.
// CHECK-LABEL: func @whole
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<?xf64>
// CHECK: kernel.launch {{.*}} outs ({{[^,]*}}tensor<?xi32>)
// CHECK: kernel.update {{.*}} : memref<256xi32> by arith.addi
// CHECK: kernel.launch {{.*}}] = %[[V]] : tensor<?xf64>
// CHECK: kernel.update {{.*}} : memref<512xi32> by arith.addi
// CHECK-NOT: kernel.update
// A number that the call brings decides, also about the passes; what has atomics is no part of it.
// CHECK-LABEL: func @asked
// CHECK-SAME: %[[M:[a-z0-9]+]]: index)
// CHECK-DAG: %[[MANY:.*]] = arith.cmpi sgt, %[[M]], %c512
// CHECK-DAG: %[[FIT:.*]] = arith.cmpi sle, %[[M]], %c2147483646
// CHECK: %[[BOTH:.*]] = arith.andi %[[MANY]], %[[FIT]]
// CHECK: scf.if %[[BOTH]]
// CHECK: %[[HALF:.*]] = arith.cmpi sle, %[[M]], %c262143
// CHECK: scf.if %[[HALF]]
// CHECK: kernel.update {{.*}} : memref<?xi64> by arith.addi
// CHECK: kernel.launch {{.*}} outs ({{.*}}tensor<?xi32>, {{.*}}tensor<?xf64>)
// CHECK-NOT: kernel.update {{.*}} by arith.addf
// CHECK: kernel.update {{.*}} : memref<?xf64> by arith.addf
// CHECK-NEXT: kernel.update {{.*}} : memref<?xi64> by arith.addi
module attributes {kernel.device = #kernel.device<"cuda", {units = 132, max_threads = 1024, shared_bytes = 49152, subgroup = 32, int64_atomics = 1, f64 = 1}>} {
func.func @few(%k: tensor<?xindex>, %v: tensor<?xf64>, %n: index) -> tensor<500xf64> {
  %zero = arith.constant 0.0 : f64
  %none = tensor.splat %zero : tensor<500xf64>
  %h = array.scatter (%i "i") in (%n) into (%none : tensor<500xf64>) {
    %b = array.at %k[%i] inbounds : tensor<?xindex>
    %x = array.at %v[%i] inbounds : tensor<?xf64>
    array.yield %x : f64 at [%b]
  } by arith.addf
  return %h : tensor<500xf64>
}
func.func @many(%k: tensor<?xindex>, %v: tensor<?xf64>, %n: index) -> tensor<5000xf64> {
  %zero = arith.constant 0.0 : f64
  %none = tensor.splat %zero : tensor<5000xf64>
  %h = array.scatter (%i "i") in (%n) into (%none : tensor<5000xf64>) {
    %b = array.at %k[%i] inbounds : tensor<?xindex>
    %x = array.at %v[%i] inbounds : tensor<?xf64>
    array.yield %x : f64 at [%b]
  } by arith.addf
  return %h : tensor<5000xf64>
}
func.func @whole(%k: tensor<?xindex>, %w: tensor<?xf64>, %n: index) -> tensor<100000xf64> {
  %zero = arith.constant 0.0 : f64
  %none = tensor.splat %zero : tensor<100000xf64>
  %v = array.bind %w [%n] : tensor<?xf64>
  %h = array.scatter (%i "i") in (%n) into (%none : tensor<100000xf64>) {
    %b = array.at %k[%i] inbounds : tensor<?xindex>
    %x = array.at %v[%i] inbounds : tensor<?xf64>
    array.yield %x : f64 at [%b]
  } by arith.addf
  return %h : tensor<100000xf64>
}
func.func @asked(%k: tensor<?xindex>, %v: tensor<?xf64>, %n: index, %m: index) -> (tensor<?xf64>, tensor<?xi64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : i64
  %no = arith.constant 0 : i64
  %none = tensor.splat %zero[%m] : tensor<?xf64>
  %nothing = tensor.splat %no[%m] : tensor<?xi64>
  %h:2 = array.scatter (%i "i") in (%n) into (%none, %nothing : tensor<?xf64>, tensor<?xi64>) {
    %b = array.at %k[%i] inbounds : tensor<?xindex>
    %x = array.at %v[%i] inbounds : tensor<?xf64>
    array.yield %x, %one : f64, i64 at [%b]
  } by arith.addf, arith.addi oob drop
  return %h#0, %h#1 : tensor<?xf64>, tensor<?xi64>
}
}

// -----

// A CPU has few workers: each has a copy.
// CHECK-LABEL: func @workers
// CHECK: kernel.update {{.*}} : memref<5000xf64> by arith.addf
func.func @workers(%k: tensor<?xindex>, %v: tensor<?xf64>, %n: index) -> tensor<5000xf64> {
  %zero = arith.constant 0.0 : f64
  %none = tensor.splat %zero : tensor<5000xf64>
  %h = array.scatter (%i "i") in (%n) into (%none : tensor<5000xf64>) {
    %b = array.at %k[%i] inbounds : tensor<?xindex>
    %x = array.at %v[%i] inbounds : tensor<?xf64>
    array.yield %x : f64 at [%b]
  } by arith.addf
  return %h : tensor<5000xf64>
}
