// RUN: arr-opt %s --convert-array-to-kernel --canonicalize --cse | FileCheck %s
// RUN: sed 's/^module/module attributes {kernel.device = #kernel.device<"cuda", {ordered_blocks = 1, shared_bytes = 49152, subgroup = 32}>}/' %s | arr-opt --convert-array-to-kernel --canonicalize --cse | FileCheck %s --check-prefix=GPU

module {

// A few elements: each counts those before it.
// CHECK-LABEL: @short
// CHECK: kernel.launch @short_
// CHECK: kernel.for "element" (%[[I:.*]]) in 8 {
// CHECK: %[[R:.*]] = kernel.for "other" (%{{.*}}) in 8 reduce (%{{.*}} : i32) by arith.addi {
// CHECK: arith.cmpi ult
// CHECK: %[[P:.*]] = arith.index_castui %[[R]] : i32 to index
// CHECK: kernel.store %{{.*}}, %{{.*}}[%[[P]]]
// CHECK-NOT: kernel.launch
// GPU-LABEL: @short
// GPU: kernel.for "element" (%{{.*}}) in 8 {
// GPU: scf.for
func.func @short(%x: tensor<8xi32>) -> tensor<8xi32> {
  %s = array.sort %x : tensor<8xi32>
  return %s : tensor<8xi32>
}

// Rows that stay on chip: a block, or a task, each.
// CHECK-LABEL: @rows
// CHECK: kernel.for "row0" (%[[R:.*]]) in %{{.*}} at block.1 {
// CHECK: kernel.local : memref<256xi64>
// CHECK-NOT: kernel.launch
// GPU-LABEL: @rows
// GPU: kernel.for "row0" (%[[R:.*]]) in %{{.*}} at block.1 {
// GPU: kernel.local : memref<512xi32>
// GPU: scf.for
// GPU: kernel.for "scan" (%{{.*}}) in 64 at thread.x scan
// GPU-NOT: kernel.launch
// GPU: return
func.func @rows(%x: tensor<?x500xi16>) -> tensor<?x500xi16> {
  %s = array.sort %x unsigned : tensor<?x500xi16>
  return %s : tensor<?x500xi16>
}

// Long ones: three launches for each eight bits. The keys are nobody's result
// and stay behind in the last pass.
// CHECK-LABEL: @long
// CHECK: %[[C:.*]] = kernel.launch @long_{{.*}} : tensor<200000xf16>
// CHECK: %[[S:.*]] = kernel.launch @long_{{.*}} = %[[C]] : tensor<1024xi64>
// CHECK: kernel.for "count" {{.*}} scan
// CHECK: %[[M:.*]]:2 = kernel.launch @long_{{.*}} = %[[S]] : tensor<1024xi64>
// CHECK: %[[C1:.*]] = kernel.launch @long_{{.*}} = %[[M]]#0 : tensor<200000xf16>
// CHECK: %[[S1:.*]] = kernel.launch @long_{{.*}} = %[[C1]] : tensor<1024xi64>
// CHECK: %[[M1:.*]] = kernel.launch @long_{{.*}} = %[[S1]] : tensor<1024xi64>
// CHECK: return %[[M1]]
// GPU-LABEL: @long
// GPU: kernel.for "tile" (%{{.*}}) in 49 at block.0 {
// GPU: kernel.update %{{.*}} : memref<256xi32> by arith.addi
// GPU: kernel.for "count" {{.*}} scan
// GPU: kernel.for "scan" (%{{.*}}) in 256 at thread.x scan
func.func @long(%x: tensor<200000xf16>, %p: tensor<200000xi64>) -> tensor<200000xi64> {
  %s:2 = array.sort %x, %p : tensor<200000xf16>, tensor<200000xi64>
  return %s#1 : tensor<200000xi64>
}

// The host asks for the length.
// CHECK-LABEL: @any
// CHECK: scf.if
// CHECK: scf.if
func.func @any(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = array.sort %x : tensor<?xf32>
  return %s : tensor<?xf32>
}

}
