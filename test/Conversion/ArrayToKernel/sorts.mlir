// RUN: arr-opt %s --convert-array-to-kernel --canonicalize --cse | FileCheck %s
// RUN: sed 's/^module/module attributes {kernel.device = #kernel.device<"cuda", {ordered_blocks = 1, shared_bytes = 49152, subgroup = 32}>}/' %s | arr-opt --convert-array-to-kernel --canonicalize --cse | FileCheck %s --check-prefix=GPU

module {

// A few elements: each counts those before it.
// CHECK-LABEL: @short
// CHECK: kernel.launch @short_
// CHECK: kernel.for "element" (%[[I:.*]]) in 5 {
// CHECK: %[[R:.*]] = kernel.for "other" (%{{.*}}) in 5 reduce (%{{.*}} : i32) by arith.addi {
// CHECK: arith.cmpi ult
// CHECK: %[[P:.*]] = arith.index_castui %[[R]] : i32 to index
// CHECK: kernel.store %{{.*}}, %{{.*}}[%[[P]]]
// CHECK-NOT: kernel.launch
// GPU-LABEL: @short
// GPU: kernel.for "element" (%{{.*}}) in 5 {
// GPU: scf.for
func.func @short(%x: tensor<5xi32>) -> tensor<5xi32> {
  %s = array.sort %x : tensor<5xi32>
  return %s : tensor<5xi32>
}

// Rows that stay on chip. A warp sorts two of 512 slots: a thread loads 32
// elements, sorts 32 neighbours, and merges in registers. Keys come back from
// what was compared; what is behind a row is the greatest number.
// CHECK-LABEL: @rows
// CHECK: kernel.for "row0" (%[[R:.*]]) in %{{.*}} at block.1 {
// CHECK: kernel.local : memref<256xi64>
// CHECK-NOT: kernel.launch
// GPU-LABEL: @rows
// GPU: %[[G:.*]] = arith.ceildivsi %{{.*}}, %c32 : index
// GPU: kernel.for "row0" (%{{.*}}) in %[[G]] at block.1 {
// GPU: kernel.for "tile" (%{{.*}}) in 16 at block.0 {
// GPU: kernel.local : memref<1056xi32>
// GPU: kernel.for "thread32" (%[[X:.*]]) in 32 at thread.x {
// GPU: kernel.load %{{.*}} : memref<?x500xi16>
// GPU: arith.extui %{{.*}} : i16 to i32
// GPU: arith.select %{{.*}}, %{{.*}}, %c-1_i32
// GPU: kernel.for "thread32"
// GPU-COUNT-191: arith.minui
// GPU-COUNT-12: kernel.for "thread32"
// GPU: kernel.for "thread32"
// GPU: arith.trunci %{{.*}} : i32 to i16
// GPU: kernel.store %{{.*}} if %{{.*}} : memref<?x500xi16>
// GPU-NOT: kernel.for
// GPU-NOT: kernel.launch
// GPU: return
func.func @rows(%x: tensor<?x500xi16>) -> tensor<?x500xi16> {
  %s = array.sort %x unsigned : tensor<?x500xi16>
  return %s : tensor<?x500xi16>
}

// With what they carry keys are compared by their places, too: in one integer
// of 64 bits, those of f64 in two. A row of 16 slots takes no less than the
// network has threads.
// CHECK-LABEL: @places
// GPU-LABEL: @places
// GPU: kernel.local : memref<544xi64>
// GPU: arith.shli %{{.*}}, %c9_i64
// GPU: arith.cmpi ult, %{{.*}} : i64
// GPU: arith.andi %{{.*}}, %c511_i64
// GPU: kernel.load %{{.*}} if %{{.*}} : memref<7x16xi64>
// CHECK-LABEL: @wide
// GPU-LABEL: @wide
// GPU: kernel.local : memref<576xi64>
// GPU: kernel.local : memref<576xi32>
// GPU: kernel.for "thread64"
func.func @places(%x: tensor<7x16xf32>, %p: tensor<7x16xi64>) -> tensor<7x16xi64> {
  %s:2 = array.sort %x, %p : tensor<7x16xf32>, tensor<7x16xi64>
  return %s#1 : tensor<7x16xi64>
}
func.func @wide(%x: tensor<7x16xf64>, %p: tensor<7x16xi64>) -> tensor<7x16xi64> {
  %s:2 = array.sort %x, %p : tensor<7x16xf64>, tensor<7x16xi64>
  return %s#1 : tensor<7x16xi64>
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
