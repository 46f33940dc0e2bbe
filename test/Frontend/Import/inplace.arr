# The location of an assignment carries '@inplace'; the value's does not.
# RUN: arrc build --emit=array %s -o - | FileCheck %s
# CHECK: tensor.insert_slice {{.*}} loc(#[[MARK:loc[0-9]+]])
# CHECK: tensor.insert_slice {{.*}} loc(#[[PLAIN:loc[0-9]+]])
# CHECK: #[[PLACE:loc[0-9]+]] = loc("{{.*}}inplace.arr":[[@LINE+5]]:3)
# CHECK: #[[PLAIN]] = loc("{{.*}}inplace.arr":[[@LINE+5]]:3)
# CHECK: #[[MARK]] = loc(fused<"inplace">[#[[PLACE]]])
export def f(n: int) -> f32[n] where n >= 2 {
  var v: f32[n] = zeros(n)
  @inplace v[0] = 1.0
  v[1:] = for i in n - 1 { v[i] + 1.0 }
  v
}
