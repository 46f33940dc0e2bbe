// What the code generator makes of loops: SIMD, the vector library, no calls in
// between. The widths are those of the processors asked for.
// RUN: arrc build %s --emit=asm --cpu x86-64-v3 | FileCheck %s --check-prefixes=ASM,V3
// RUN: arrc build %s --emit=asm --cpu x86-64-v4 | FileCheck %s --check-prefixes=ASM,V4
// RUN: arrc build %s --emit=asm --cpu x86-64 | FileCheck %s --check-prefixes=ASM,V1
// RUN: arrc build %s --emit=llvm-ir | FileCheck %s --check-prefix=LLVM
// RUN: not arrc build %s --emit=asm --cpu pdp11 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: 'pdp11' is no processor

// LLVM: define internal {{.*}}@f_task0
// LLVM-NOT: call {{.*}}@expf

// ASM-LABEL: f_task0
// V1: _ZGVbN4v_expf
// V3-NOT: _ZGVdN8v_expf
// V3: vfmadd
// V3: vpslld $23
// V4: vscalefps
func.func @f(%x0: tensor<?xf32> {bufferization.writable = false}) -> tensor<?xf32> attributes {arrc.export,
    arrc.params = [{name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}],
    arrc.results = [{name = "y", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x0, %c0 : tensor<?xf32>
  %x = array.bind %x0 [%n] : tensor<?xf32>
  %r = array.map (%i "i") in (%n) {
    %u = array.at %x[%i] inbounds : tensor<?xf32>
    %e = math.exp %u : f32
    array.yield %e : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
