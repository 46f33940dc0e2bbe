// Schedules from a file, in the place of those that are there.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: arr-opt a.mlir --pass-pipeline='builtin.module(func.func(arrc-set-schedules{file=good.txt}))' | FileCheck a.mlir
// RUN: not arr-opt a.mlir --pass-pipeline='builtin.module(func.func(arrc-set-schedules{file=bad.txt}))' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: bad.txt:2:1: error: this is no 'KERNEL: #kernel.schedule<..>'
// RUN: not arr-opt a.mlir --pass-pipeline='builtin.module(func.func(arrc-set-schedules{file=version.txt}))' 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: version.txt:1:1: error: kernel 'double' has 0 versions
// RUN: not arr-opt a.mlir --pass-pipeline='builtin.module(func.func(arrc-set-schedules{file=none.txt}))' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: cannot read the schedules 'none.txt': No such file or directory

//--- good.txt
// A comment, and a kernel that is not here.
other: #kernel.schedule<i = [block.0, unroll 2]>
double: #kernel.schedule<i = [block.0, unroll 8]>
//--- bad.txt
// A comment.
double: #kernel.plan<i>
//--- version.txt
double#3: #kernel.schedule<i = [block.0, unroll 8]>
//--- a.mlir
// CHECK-LABEL: func.func @f
// CHECK: kernel.launch @double
// CHECK-SAME: schedule #kernel.schedule<i = [block.0, unroll 8]>
func.func @f(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  kernel.launch @double (%N = %n : index, %X[%N] = %x : memref<?xf32>)
      outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, unroll 4]> {
    kernel.for "i" (%i) in %N {
      %a = kernel.load %X[%i] : memref<?xf32>
      %b = arith.addf %a, %a : f32
      kernel.store %b, %Y[%i] : memref<?xf32>
    }
  }
  return
}
