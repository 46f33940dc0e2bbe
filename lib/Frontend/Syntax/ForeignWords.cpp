//===- ForeignWords.cpp - Names of other languages ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Names that people know from elsewhere, by where they stand, and what to
// write instead. Only names that nobody declared are looked for here.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Lexer.h"

#include "llvm/ADT/StringMap.h"

using namespace arrc;
using llvm::StringRef;

namespace {
/// Words with blanks between them, and what to write instead of each.
struct Row {
  const char *words;
  const char *help;
};
} // namespace

static StringRef find(const llvm::StringMap<StringRef> &table, StringRef word) {
  auto it = table.find(word);
  return it == table.end() ? StringRef() : it->second;
}

/// One entry a word.
static llvm::StringMap<StringRef> tableOf(llvm::ArrayRef<Row> rows) {
  llvm::StringMap<StringRef> table;
  for (const Row &row : rows) {
    llvm::SmallVector<StringRef> words;
    StringRef(row.words).split(words, ' ');
    for (StringRef word : words)
      table[word] = row.help;
  }
  return table;
}

// Values and functions; a point behind a word is a part of it: `std.sqrt` is no
// deviation.
static constexpr Row valueRows[] = {
    {"True", "write 'true'"},
    {"False", "write 'false'"},
    {"None null nil NULL nothing undefined",
     "every name has a value: there is none for 'nothing'"},
    {"NaN NAN", "write 'nan'; 'isnan(x)' asks for it"},
    {"Inf INFINITY Infinity", "write 'inf'"},
    {"PI M_PI", "write 'pi'"},
    {"end", "'end' is the size of a dimension inside the brackets of an array, "
            "'a[end-1]'; elsewhere write 'size(a, 0)'"},
    {"len length shape ndims", "write 'size(a)', or 'size(a, k)' for dimension "
                               "k"},
    {"pow power", "write 'x ** y'"},
    {"mod fmod remainder", "write 'x % y'"},
    {"div divide", "write 'x // y' for integers, 'x / y' for floats"},
    {"fabs fabsf absolute", "write 'abs(x)'"},
    {"sqrtf", "write 'sqrt(x)': one name for all types"},
    {"expf", "write 'exp(x)': one name for all types"},
    {"square", "write 'x ** 2'"},
    {"maximum fmaxf amax", "write 'max(x, y)', or 'max(a)' of an array"},
    {"minimum fminf amin", "write 'min(x, y)', or 'min(a)' of an array"},
    {"ln", "write 'log(x)'"},
    {"arcsin", "write 'asin(x)'"},
    {"arccos", "write 'acos(x)'"},
    {"arctan", "write 'atan(x)'"},
    {"arctan2", "write 'atan2(y, x)'"},
    {"dot matmul inner", "write 'a @ b'"},
    {"outer", "write 'for i, j { a[i] * b[j] }'"},
    {"einsum tensordot",
     "write the sums: 'for i, j { sum for k { a[i, k] * b[k, j] } }', or "
     "'a @ b'"},
    {"inv inverse solve lstsq det lu qr svd eig eigh cholesky pinv expm",
     "there are no solvers: '@' is the product, an elimination is a 'loop' "
     "over "
     "the columns"},
    {"trace", "write 'sum for i in n { a[i, i] }'"},
    {"diag", "write 'for i in n { a[i, i] }'"},
    {"eye identity", "write 'for i in n, j in n { if i == j { 1.0 } else { 0.0 "
                     "} }'"},
    {"arange range", "write 'iota(n)', or give an index its range: 'for i in "
                     "lo:hi'"},
    {"linspace", "write 'for i in n { lo + (hi - lo) * i / (n - 1) }'"},
    {"meshgrid", "an index is known where it is used: 'for i, j { f(x[i], "
                 "y[j]) }'"},
    {"enumerate", "an index has a name already: 'for i { f(i, a[i]) }'"},
    {"cumsum", "write 'scan((+), a)'"},
    {"cumprod", "write 'scan((*), a)'"},
    {"average", "write 'mean(a)'"},
    {"variance", "write 'mean for x in a { (x - m) ** 2 }' with 'let m = "
                 "mean(a)'"},
    {"std stddev", "write 'sqrt(mean for x in a { (x - m) ** 2 })' with 'let m "
                   "= mean(a)'"},
    {"norm", "write 'sqrt(sum for x in a { x * x })'"},
    {"map vmap apply forEach foreach",
     "write 'for x in a { f(x) }'; a function of scalars maps over arrays by "
     "itself: 'f(a)'"},
    {"filter select_if compress nonzero argwhere findall",
     "write 'for x in a if x > 0.0 { x }'"},
    {"fold foldl foldr accumulate",
     "write 'reduce(op, e, a)'; a fold in order is a 'loop'"},
    {"inclusive_scan", "write 'scan(op, a)'"},
    {"exclusive_scan", "write 'exscan(op, e, a)'"},
    {"histogram bincount histc", "write 'hist((+), 0, bins) for x in k { (x, "
                                 "1) }'"},
    {"float", "write 'f32(x)' or 'f64(x)'"},
    {"double Float64 float64", "write 'f64(x)'"},
    {"Float32 float32", "write 'f32(x)'"},
    {"integer Int int64 Int64", "write 'int(x)'"},
    {"int32 Int32", "write 'i32(x)'"},
    {"real creal", "write 're(z)'; of another type 'f32(x)'"},
    {"imag aimag cimag", "write 'im(z)'"},
    {"angle carg", "write 'arg(z)'"},
    {"str string String repr format",
     "there is no text: an export returns numbers and arrays"},
    {"array Array asarray vector list tuple", "write '[a, b, c]'"},
    {"zeros_like", "write 'zeros(n, ..)' with the sizes, or 'for x in a { "
                   "0.0 }'"},
    {"ones_like", "write 'ones(n, ..)' with the sizes, or 'for x in a { 1.0 "
                  "}'"},
    {"full_like fill", "write 'full(v, n, ..)'"},
    {"empty empty_like malloc alloc allocate",
     "arrays begin with values: 'zeros(n, ..)', or the 'for' that makes them"},
    {"rand random Random", "write 'uniform(seed, i)': random numbers are "
                           "functions of a key and counters"},
    {"randn gauss",
     "write 'normal(seed, i)': random numbers are functions of a "
     "key and counters"},
    {"concatenate vcat cat hstack append",
     "write 'concat(a, b)', for more dimensions with 'axis = 0'"},
    {"stack vstack", "write '[a, b]'"},
    {"flip flipud fliplr", "write 'reverse(a)', for more dimensions with "
                           "'axis = 0'"},
    {"squeeze expand_dims unsqueeze newaxis broadcast_to tile repeat",
     "sizes never change by themselves: write the 'for' with its indices"},
    {"permute swapaxes moveaxis permutedims",
     "write 'transpose(a, 1, 0)' with the order of the dimensions"},
    {"ravel vec", "write 'flatten(a)'"},
    {"clip", "write 'clamp(x, lo, hi)'"},
    {"ifelse merge iif cond", "write 'select(c, x, y)' or 'if c { x } else { y "
                              "}'"},
    {"relu ReLU", "write 'max(x, 0.0)'"},
    {"sigmoid", "write '1.0 / (1.0 + exp(-x))'"},
    {"softmax", "write 'e / sum(e)' with 'let e = exp(a - max(a))'"},
    {"isclose allclose approx", "write 'all(abs(a - b) <= tol)'"},
    {"unique Counter set", "sort, and keep what differs from the element "
                           "before"},
    {"convolve conv conv2d correlate",
     "write a 'stencil': 'let u = extend(a, 0.0)', then 'stencil i in n { .. "
     "}'"},
    {"diff gradient", "write 'for i in n - 1 { a[i + 1] - a[i] }'"},
    {"print printf println echo puts disp display console",
     "a program says what its exports return"},
    {"np numpy jnp torch math cmath Math std. tf jax cupy",
     "the functions are built in: write 'sqrt(x)'"},
    {"self this", "functions stand outside of structs and take them as "
                  "parameters"},
    {"elif elsif elseif", "write 'else if'"},
    {"pass", "an 'if' may stand without 'else', and its braces may be empty"},
    {"lambda function", "write 'fn(x) => ..'"},
    {"exit abort panic raise throw error",
     "write 'assert c, \"text\"': what fails ends the program"},
    {"input argv getline scanf open fopen",
     "what a program reads are the parameters of its exports"},
    {"time clock", "'arrc run --time' says how long it took"},
};

// What follows a point.
static constexpr Row fieldRows[] = {
    {"shape size length len ndim",
     "write 'size(a)', or 'size(a, k)' for dimension k"},
    {"T t", "write 'transpose(a)'"},
    {"dot matmul", "write 'a @ b'"},
    {"astype to type cast into", "write the conversion: 'f64(a)'"},
    {"real", "write 're(z)'"},
    {"imag", "write 'im(z)'"},
    {"append push push_back extend insert",
     "write 'concat(a, [x])': a 'var' of the type 'f32[?]' may grow"},
    {"copy clone", "values are copied where they must be: write the name"},
    {"iter into_iter map", "write 'for x in a { .. }'"},
    {"fill", "write 'full(v, n)', or 'a[0:n] = v' for a 'var'"},
    {"item", "write 'a[0]'"},
    {"conjugate", "write 'conj(z)'"},
    {"cumsum", "write 'scan((+), a)'"},
    {"ravel", "write 'flatten(a)'"},
    {"std var", "there are no methods: write it with 'mean for x in a { .. }'"},
};

// Types.
static constexpr Row typeRows[] = {
    {"str string String char text",
     "there is no text: number what it stands for, or give a 'u8[n]'"},
    {"float", "write 'f32' (C's float, NumPy's float32) or 'f64' (Python's)"},
    {"double Float64 float64 real64 Double", "write 'f64'"},
    {"Float32 float32 real32 Float single", "write 'f32'"},
    {"Float16 float16 half", "write 'f16'"},
    {"bfloat16 BFloat16", "write 'bf16'"},
    {"integer Int int64 Int64 long isize ssize_t int64_t",
     "write 'int', which is 'i64'"},
    {"int32 Int32 int32_t", "write 'i32'"},
    {"int16 Int16 int16_t short", "write 'i16'"},
    {"int8 Int8 int8_t", "write 'i8'"},
    {"uint64 UInt64 uint64_t", "write 'u64'"},
    {"usize size_t", "write 'int': sizes and indices are ints"},
    {"uint unsigned uint32 UInt32 uint32_t", "write 'u32'"},
    {"uint16 UInt16 uint16_t", "write 'u16'"},
    {"uint8 UInt8 uint8_t byte uchar", "write 'u8'"},
    {"boolean Bool Boolean logical", "write 'bool'"},
    {"complex complex64 ComplexF32 Complex", "write 'c64' (two f32) or 'c128' "
                                             "(two f64)"},
    {"complex128 ComplexF64", "write 'c128'"},
    {"list List vector Vector Vec array Array ndarray NDArray Tensor tensor "
     "Matrix matrix memref",
     "an array's type is that of its elements with its sizes: 'f32[n, m]'"},
    {"dict Dict map tuple Tuple object",
     "write a 'struct', or a tuple: '(f32, int)'"},
    {"void None unit", "every function has a value: declare its type"},
    {"auto any Any",
     "a 'let' needs no type; a function of any type is generic: "
     "'def f[T: num](x: T)'"},
};

// Named arguments of built-in functions.
static constexpr Row argumentRows[] = {
    {"keepdims keepdim",
     "the dimension is gone: write the 'for' that uses it, as in 'for i, j { "
     "a[i, j] / s[i] }'"},
    {"dim dims", "write 'axis = 1'"},
    {"dtype", "write the conversion, 'f64(a)', or declare the type: 'let a: "
              "f64[n] = zeros(n)'"},
    {"key", "write 'by = fn(x) => ..'"},
    {"reverse descending", "write 'by = fn(x) => -x'"},
    {"init initial start", "'reduce(op, e, a)' and 'exscan(op, e, a)' begin "
                           "with 'e'"},
    {"out order", "a value goes where it is used: leave it out"},
    {"mode", "the mode stands without a name: 'extend(a, clamp)'"},
};

// Words that begin statements and declarations.
static constexpr Row statementRows[] = {
    {"do",
     "steps in order are written 'loop i in lo:hi { }', or 'while c { }'"},
    {"foreach",
     "write 'for x in a { }' for values, 'loop x in a { }' for steps"},
    {"repeat until", "write 'while c { }'"},
    {"switch case", "write 'if' and 'else if'"},
    {"try catch with except finally",
     "nothing is caught: 'assert c, \"text\"' ends the program"},
    {"goto", "write 'while c { }'"},
    {"end endif endfor endwhile", "blocks stand in braces: '{ .. }'"},
    {"begin then", "blocks stand in braces: '{ .. }'"},
    {"elif elsif elseif", "write 'else if'"},
    {"mut auto", "write 'var x = ..'"},
    {"new", "a struct is built by a call: 'P(x = 1.0, y = 2.0)'"},
    {"func function fun proc subroutine lambda",
     "a function inside of another is written 'let f = fn(x) => ..'"},
    {"class", "write 'struct P { x: f32, y: f32 }'"},
    {"global nonlocal static", "functions are pure: give it as a parameter"},
    {"print echo", "a program says what its exports return"},
    {"call", "a call is a value: 'let y = f(x)'"},
    {"raise throw", "write 'assert c, \"text\"'"},
    {"delete del free", "memory is freed by itself"},
};

// Words that begin declarations.
static constexpr Row declarationRows[] = {
    {"func function fun proc fn sub subroutine lambda",
     "a function begins with 'def': 'def f(x: f32) -> f32 = ..'"},
    {"from use using require include open",
     "mathematical functions are built in; a file is imported by 'import "
     "\"vec.arr\"'"},
    {"class record", "write 'struct P { x: f32, y: f32 }'"},
    {"enum", "write one 'const' for each value"},
    {"mod module namespace package program",
     "a file is a module: 'import \"vec.arr\" as vec'"},
    {"void float double int long unsigned static inline auto template",
     "a function is written 'def f(x: f32) -> f32 = ..', a constant 'const c = "
     "..'"},
    {"typedef", "write 'type vec = f32[3]'"},
    {"pub public", "what others may call begins with 'export def'"},
    {"typealias", "write 'type vec = f32[3]'"},
};

StringRef arrc::foreignHelp(StringRef word) {
  static const auto table = tableOf(valueRows);
  return find(table, word);
}

StringRef arrc::foreignFieldHelp(StringRef word) {
  static const auto table = tableOf(fieldRows);
  return find(table, word);
}

StringRef arrc::foreignTypeHelp(StringRef word) {
  static const auto table = tableOf(typeRows);
  return find(table, word);
}

StringRef arrc::foreignArgumentHelp(StringRef word) {
  static const auto table = tableOf(argumentRows);
  return find(table, word);
}

StringRef arrc::foreignStatementHelp(StringRef word) {
  static const auto table = tableOf(statementRows);
  return find(table, word);
}

StringRef arrc::foreignDeclarationHelp(StringRef word) {
  static const auto table = tableOf(declarationRows);
  return find(table, word);
}
