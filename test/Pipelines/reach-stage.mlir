// A mark changes nothing.
// RUN: arr-opt %s -arrc-reach-stage=stage=kernel | FileCheck %s
// RUN: not arr-opt %s -arrc-reach-stage=stage=cellar 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: func.func @keep
// NONE: error: there is no stage 'cellar'
func.func @keep() {
  return
}
