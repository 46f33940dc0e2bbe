// Elementary functions on all widths agree with the evaluator, whether the code
// is scalar (-O0) or LLVM and the vector library make it SIMD (-O3).
// RUN: arrc run %s --entry f32 n=1000 --check -O0 2>&1 | FileCheck %s
// RUN: arrc run %s --entry f32 n=1000 --check 2>&1 | FileCheck %s
// RUN: arrc run %s --entry f64 n=1000 --check 2>&1 | FileCheck %s
// RUN: arrc run %s --entry half n=100 --check 2>&1 | FileCheck %s
// RUN: arrc run %s --entry brain n=100 --check 2>&1 | FileCheck %s
// CHECK: check: ok
func.func @f32(%n0: i64) -> tensor<?x26xf32> attributes {arrc.export,
  arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []}],
  arrc.results = [{name = "result", element = "f32", rank = 2 : i64, type = "f32[n, 26]", dims = ["n", "26"]}]} {
  %n = arith.index_cast %n0 : i64 to index
  %scale = arith.constant 0.01 : f32
  %half = arith.constant 0.5 : f32
  %r = array.map (%i "i") in (%n) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f32
    %p0 = arith.mulf %f, %scale : f32
    %p = arith.addf %p0, %scale : f32
    %x = arith.subf %p, %half : f32
    %s = math.sin %p : f32
    %exp = math.exp %x : f32
    %exp2 = math.exp2 %x : f32
    %expm1 = math.expm1 %x : f32
    %sin = math.sin %x : f32
    %cos = math.cos %x : f32
    %tan = math.tan %x : f32
    %sinh = math.sinh %x : f32
    %cosh = math.cosh %x : f32
    %tanh = math.tanh %x : f32
    %atan = math.atan %x : f32
    %erf = math.erf %x : f32
    %cbrt = math.cbrt %x : f32
    %absf = math.absf %x : f32
    %floor = math.floor %x : f32
    %ceil = math.ceil %x : f32
    %trunc = math.trunc %x : f32
    %round = math.round %x : f32
    %roundeven = math.roundeven %x : f32
    %log = math.log %p : f32
    %log2 = math.log2 %p : f32
    %log10 = math.log10 %p : f32
    %log1p = math.log1p %p : f32
    %sqrt = math.sqrt %p : f32
    %rsqrt = math.rsqrt %p : f32
    %asin = math.asin %s : f32
    %acos = math.acos %s : f32
    %v = tensor.from_elements %exp, %exp2, %expm1, %sin, %cos, %tan, %sinh, %cosh, %tanh, %atan, %erf, %cbrt, %absf, %floor, %ceil, %trunc, %round, %roundeven, %log, %log2, %log10, %log1p, %sqrt, %rsqrt, %asin, %acos : tensor<26xf32>
    array.yield %v : tensor<26xf32>
  } : tensor<?x26xf32>
  return %r : tensor<?x26xf32>
}
func.func @f64(%n0: i64) -> tensor<?x26xf64> attributes {arrc.export,
  arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []}],
  arrc.results = [{name = "result", element = "f64", rank = 2 : i64, type = "f64[n, 26]", dims = ["n", "26"]}]} {
  %n = arith.index_cast %n0 : i64 to index
  %scale = arith.constant 0.01 : f64
  %half = arith.constant 0.5 : f64
  %r = array.map (%i "i") in (%n) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p0 = arith.mulf %f, %scale : f64
    %p = arith.addf %p0, %scale : f64
    %x = arith.subf %p, %half : f64
    %s = math.sin %p : f64
    %exp = math.exp %x : f64
    %exp2 = math.exp2 %x : f64
    %expm1 = math.expm1 %x : f64
    %sin = math.sin %x : f64
    %cos = math.cos %x : f64
    %tan = math.tan %x : f64
    %sinh = math.sinh %x : f64
    %cosh = math.cosh %x : f64
    %tanh = math.tanh %x : f64
    %atan = math.atan %x : f64
    %erf = math.erf %x : f64
    %cbrt = math.cbrt %x : f64
    %absf = math.absf %x : f64
    %floor = math.floor %x : f64
    %ceil = math.ceil %x : f64
    %trunc = math.trunc %x : f64
    %round = math.round %x : f64
    %roundeven = math.roundeven %x : f64
    %log = math.log %p : f64
    %log2 = math.log2 %p : f64
    %log10 = math.log10 %p : f64
    %log1p = math.log1p %p : f64
    %sqrt = math.sqrt %p : f64
    %rsqrt = math.rsqrt %p : f64
    %asin = math.asin %s : f64
    %acos = math.acos %s : f64
    %v = tensor.from_elements %exp, %exp2, %expm1, %sin, %cos, %tan, %sinh, %cosh, %tanh, %atan, %erf, %cbrt, %absf, %floor, %ceil, %trunc, %round, %roundeven, %log, %log2, %log10, %log1p, %sqrt, %rsqrt, %asin, %acos : tensor<26xf64>
    array.yield %v : tensor<26xf64>
  } : tensor<?x26xf64>
  return %r : tensor<?x26xf64>
}
func.func @half(%n0: i64) -> tensor<?x6xf16> attributes {arrc.export,
  arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []}],
  arrc.results = [{name = "result", element = "f16", rank = 2 : i64, type = "f16[n, 6]", dims = ["n", "6"]}]} {
  %n = arith.index_cast %n0 : i64 to index
  %scale = arith.constant 0.01 : f16
  %half = arith.constant 0.5 : f16
  %r = array.map (%i "i") in (%n) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f16
    %p0 = arith.mulf %f, %scale : f16
    %p = arith.addf %p0, %scale : f16
    %x = arith.subf %p, %half : f16
    %s = math.sin %p : f16
    %exp = math.exp %x : f16
    %sin = math.sin %x : f16
    %absf = math.absf %x : f16
    %floor = math.floor %x : f16
    %log = math.log %p : f16
    %sqrt = math.sqrt %p : f16
    %v = tensor.from_elements %exp, %sin, %absf, %floor, %log, %sqrt : tensor<6xf16>
    array.yield %v : tensor<6xf16>
  } : tensor<?x6xf16>
  return %r : tensor<?x6xf16>
}
func.func @brain(%n0: i64) -> tensor<?x6xbf16> attributes {arrc.export,
  arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []}],
  arrc.results = [{name = "result", element = "bf16", rank = 2 : i64, type = "bf16[n, 6]", dims = ["n", "6"]}]} {
  %n = arith.index_cast %n0 : i64 to index
  %scale = arith.constant 0.01 : bf16
  %half = arith.constant 0.5 : bf16
  %r = array.map (%i "i") in (%n) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to bf16
    %p0 = arith.mulf %f, %scale : bf16
    %p = arith.addf %p0, %scale : bf16
    %x = arith.subf %p, %half : bf16
    %s = math.sin %p : bf16
    %exp = math.exp %x : bf16
    %sin = math.sin %x : bf16
    %absf = math.absf %x : bf16
    %floor = math.floor %x : bf16
    %log = math.log %p : bf16
    %sqrt = math.sqrt %p : bf16
    %v = tensor.from_elements %exp, %sin, %absf, %floor, %log, %sqrt : tensor<6xbf16>
    array.yield %v : tensor<6xbf16>
  } : tensor<?x6xbf16>
  return %r : tensor<?x6xbf16>
}
