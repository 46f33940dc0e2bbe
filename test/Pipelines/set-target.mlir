// RUN: arr-opt %s -arrc-set-target="target=cuda arch=sm_90" | FileCheck %s
// RUN: arr-opt %s -arrc-set-target | FileCheck %s --check-prefix=CPU
// RUN: arr-opt %s -pass-pipeline="builtin.module(arrc-set-target{target=opencl},arrc-set-target{target=opencl})" | FileCheck %s --check-prefix=TWICE
// RUN: not arr-opt %s -pass-pipeline="builtin.module(arrc-set-target{target=opencl},arrc-set-target{target=cuda})" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not arr-opt %s -arrc-set-target=target=abacus 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: module attributes {kernel.device = #kernel.device<"cuda", {{.*}}arch = "sm_90"
// CPU: module {
// TWICE: module attributes {kernel.device = #kernel.device<"opencl"
// OTHER: error: the pipeline is for 'cuda', the program for 'opencl'
// NONE: error: there is no target 'abacus'
module {
}
