//===- SemaTests.cpp - What the checker makes of programs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The tree is compared as text; `!` behind a subscript means that it is not
// proved to be inside.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Parser.h"
#include "arrc/Frontend/Sema.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace arrc;

namespace {

/// The exports as text, or the codes and places of all messages.
std::string check(llvm::StringRef text, llvm::StringRef library = "") {
  llvm::SourceMgr sources;
  DiagnosticEngine diags(sources);
  ast::Context context;
  auto fs = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  fs->addFile("t.arr", 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  fs->addFile("lib.arr", 0, llvm::MemoryBuffer::getMemBufferCopy(library));
  LoadOptions options;
  options.fileSystem = fs;
  std::string result;
  llvm::raw_string_ostream os(result);
  auto program = loadProgram("t.arr", options, context, diags);
  std::unique_ptr<hir::Program> hir;
  if (program)
    hir = analyze(*program, diags);
  for (const Diagnostic &d : diags.all()) {
    LineColumn at = lineColumn(sources, d.range.Start);
    os << code(d.id) << "@" << at.line << ":" << at.column << " ";
  }
  if (hir && !diags.hasErrors())
    hir::print(*hir, os);
  return llvm::StringRef(result).rtrim().str();
}

/// The value of an export that is one expression: the text behind "body".
std::string body(llvm::StringRef text) {
  std::string all = check(text);
  size_t at = all.find("  body\n");
  if (at == std::string::npos)
    return all;
  llvm::StringRef rest = llvm::StringRef(all).drop_front(at + 7);
  rest.consume_back("}");
  return rest.trim().str();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TEST(Sema, LiteralsTakeTheTypeThatTheyMeet) {
  EXPECT_EQ(body("export def f(x: f64) -> f64 = 0.1 * x + 1"),
            "((0.1:f64 * x) + 1.0:f64)");
  EXPECT_EQ(body("export def f(x: f32) -> f32 = 0.1 * x"), "(0.1:f32 * x)");
  EXPECT_EQ(body("export def f() -> u8 = 255"), "255:u8");
  EXPECT_EQ(body("export def f() -> f64 = f64(0.1)"), "0.1:f64");
  EXPECT_EQ(body("export def f() -> c128 = 2"), "2.0:c128");
}

TEST(Sema, OpenFloatsConvertIntegers) {
  EXPECT_EQ(body("export def f(i: int, n: int) -> f64 = 2.0 * i / n"),
            "((2.0:f64 * f64(i)) / f64(n))");
  EXPECT_EQ(body("export def f(i: int) -> f64 = sqrt(i)"), "sqrt(f64(i))");
  EXPECT_EQ(body("export def f(x: f64) -> c128 = x * complex(0.0, 1)"),
            "(c128(x) * complex(0.0:f64, 1.0:f64))");
}

TEST(Sema, OpenLetTakesATypeAtEachUse) {
  EXPECT_EQ(body("export def f(x: f32, y: f64) -> (f32, f64) {\n"
                 "  let h = 0.5\n  (h * x, h * y)\n}"),
            "((0.5:f32 * x), (0.5:f64 * y))");
  EXPECT_EQ(body("const g = 9.81\n"
                 "export def f(x: f64) -> f64 = g * x"),
            "(9.81:f64 * x)");
}

TEST(Sema, ScalarsConvertToDeclaredTypes) {
  EXPECT_EQ(body("export def f(i: i32) -> int = i"), "int(i)");
  EXPECT_EQ(body("export def f(a: i32, b: u8) -> i32 = a + b"), "(a + i32(b))");
  EXPECT_EQ(
      body("def g(x: f32) -> f32 = x\nexport def f(i: int) -> f32 = g(i)"),
      "let x: f32 = f32(i)\n  x");
}

TEST(Sema, CountsAreNeverFloats) {
  EXPECT_EQ(body("export def f(n: int) -> f32 = sum for i in n { 1 }"),
            "f32(reduce + i in n { 1 })");
  EXPECT_EQ(body("export def f(a: f16[n]) -> f16 = sum(a)"),
            "f16(reduce + l in n { f32(a[l]) })");
  EXPECT_EQ(body("export def f(a: i32[n]) -> i32 = sum(a)"),
            "reduce + l in n { a[l] }");
  EXPECT_EQ(body("export def f(a: i32[n]) -> int = sum(a)"),
            "reduce + l in n { int(a[l]) }");
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

TEST(Sema, ParametersBindSizes) {
  EXPECT_EQ(check("export def f(a: f32[n, k], b: f32[k]) -> f32[n] = a @ b"),
            "export f(a: f32[n, k], b: f32[k]) -> (out: f32[n]) {\n"
            "  let n: int = dim(a, 0)\n"
            "  let k: int = dim(a, 1)\n"
            "  let ?2: int = dim(b, 0)\n"
            "  check input (?2 == k) \"the size of 'b' is {0}, but k is {1}\"\n"
            "  body\n"
            "  for i in n { reduce + l in k { (a[i, l] * b[l]) } }\n"
            "}");
}

TEST(Sema, ParametersBindSizesWithOffsets) {
  EXPECT_EQ(check("export def f(row: int[n+1]) -> int = n"),
            "export f(row: int[n + 1]) -> (out: int) {\n"
            "  let ?0: int = dim(row, 0)\n"
            "  let n: int = [?0 - 1]\n"
            "  check input (n >= 0) \"a size {0} is too small for n+1\"\n"
            "  body\n"
            "  n\n"
            "}");
  EXPECT_EQ(
      check("export def f(a: f32[2*m]) -> int = m"),
      "export f(a: f32[2*m]) -> (out: int) {\n"
      "  let ?0: int = dim(a, 0)\n"
      "  let m: int = [?0 // 2]\n"
      "  check input (?0 == [2*m]) \"a size {0} is not of the form 2*m\"\n"
      "  body\n"
      "  m\n"
      "}");
}

TEST(Sema, CallsSubstituteSizes) {
  // f32[n-1] of a f32[2*m] is 2*m - 1.
  EXPECT_EQ(body("def diff(a: f32[n]) -> f32[n-1] = a[1:n] - a[0:n-1]\n"
                 "export def f(a: f32[2*m]) -> f32[2*m - 1] where m >= 1 = "
                 "diff(a)"),
            "let %1: f32[2*m - 1] = a[1 by 1 times 2*m - 1]\n"
            "  let %2: f32[2*m - 1] = a[0 by 1 times 2*m - 1]\n"
            "  map i in 2*m - 1 { (%1[i] - %2[i]) }");
}

TEST(Sema, UndecidedSizesAreChecked) {
  EXPECT_EQ(check("export def f(a: f32[n], b: f32[m]) -> f32[n] = a + b"),
            "export f(a: f32[n], b: f32[m]) -> (out: f32[n]) {\n"
            "  let n: int = dim(a, 0)\n"
            "  let m: int = dim(b, 0)\n"
            "  check size (n == m) \"the sizes differ in elementwise '+': n is "
            "{0} and m is {1}\"\n"
            "  body\n"
            "  map i in n { (a[i] + b[i]) }\n}");
}

TEST(Sema, WhereDecidesSizes) {
  EXPECT_EQ(body("export def f(a: f32[n], b: f32[m]) -> f32[n] where n == m "
                 "= a + b"),
            "map i in n { (a[i] + b[i]) }");
  EXPECT_EQ(body("export def f(a: f32[n]) -> f32[n // 4, 4] where n % 4 == 0 "
                 "= reshape(a, n // 4, 4)"),
            "reshape(a -> f32[n // 4, 4])");
}

TEST(Sema, UnknownSizesGetNames) {
  EXPECT_EQ(body("export def f(x: f32[n]) -> (v: f32[?k], at: int[k]) {\n"
                 "  let p = for i if x[i] > 0.0 { (x[i], i) }\n"
                 "  (p.0, p.1)\n}"),
            "let %1: (f32, int)[?2] = filter i in n if { (x[i] > 0.0:f32) } { "
            "(x[i], i) }\n"
            "  let ?2: int = dim(%1, 0)\n"
            "  let p: (f32, int)[?2] = %1\n"
            "  (p.0, p.1)");
}

TEST(Sema, BareIndicesTakeTheirRange) {
  EXPECT_EQ(body("export def f(a: f32[n, m]) -> f32[m, n] = "
                 "for i, j { a[j, i] }"),
            "for i in m, j in n { a[j, i] }");
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

TEST(Sema, ProvesSubscripts) {
  EXPECT_EQ(body("export def f(u: f32[n]) -> f32[n] where n >= 3 {\n"
                 "  var v = u\n"
                 "  v[1:n-1] = for i in 1:n-1 { u[i-1] + u[i+1] }\n"
                 "  v\n}"),
            "var v: f32[n] = u\n"
            "  v[1 by 1 times n - 2] = for i in 1 by 1 times n - 2 { (u[(i - "
            "1)] + u[(i + 1)]) }\n"
            "  v");
  EXPECT_EQ(body("export def f(a: f32[n]) -> f32[n] = for i in n { a[i + 1] }"),
            "for i in n { a[(i + 1)!] }");
  EXPECT_EQ(body("export def f(a: f32[n], k: int) -> f32 where n >= 1 = "
                 "a[clamp(k, 0, n - 1)] + a[k % n]"),
            "(a[clamp(k, 0, (n - 1))] + a[(k % n)])");
  EXPECT_EQ(body("export def f(a: f32[n], i: int) -> f32 = "
                 "if i >= 0 and i < n { a[i] } else { 0.0 }"),
            "if ((i >= 0) and (i < n)) { a[i] } else { 0.0:f32 }");
}

//===----------------------------------------------------------------------===//
// Elementwise operations, reductions
//===----------------------------------------------------------------------===//

TEST(Sema, ElementwiseOperationsAreOneComprehension) {
  EXPECT_EQ(body("export def f(a: f32[n], b: f32[n], s: f32) -> f32[n] = "
                 "sqrt(a * b) - a / s"),
            "map i in n { (sqrt((a[i] * b[i])) - (a[i] / s)) }");
  EXPECT_EQ(body("export def f(a: f32[n, m]) -> f32[m, n] = "
                 "2.0 * transpose(a)"),
            "map i in m, j in n { (2.0:f32 * a[j, i]) }");
  EXPECT_EQ(body("export def f(a: f32[n], b: f32[n]) -> f32 = sum(a * b)"),
            "reduce + l in n { (a[l] * b[l]) }");
}

TEST(Sema, ScalarFunctionsMap) {
  EXPECT_EQ(body("def relu(x: f32) -> f32 = max(x, 0.0)\n"
                 "export def f(a: f32[n]) -> f32[n] = relu(a)"),
            "map i in n {\n"
            "    let x: f32 = a[i]\n"
            "    max(x, 0.0:f32)\n"
            "  }");
}

TEST(Sema, ReductionsOfRowsBecomeRowsOfReductions) {
  EXPECT_EQ(body("export def f(a: f32[n, m]) -> f32[m] = sum for i { a[i] }"),
            "for i in m { reduce + i in n { a[i, i] } }");
  EXPECT_EQ(body("export def f(a: f32[n, m]) -> f32[m] = max(a, axis = 0)"),
            "for i in m { reduce max l in n { a[l, i] } }");
}

TEST(Sema, TuplesUnzip) {
  EXPECT_EQ(body("export def f(x: f32[n]) -> (f32[n], int[n]) = "
                 "for i { (x[i], i) }"),
            "let %1: (f32, int)[n] = for i in n { (x[i], i) }\n"
            "  (%1.0, %1.1)");
}

TEST(Sema, StructsAreArraysOfFields) {
  EXPECT_EQ(body("struct P { x: f32[3], m: f32 = 1.0 }\n"
                 "export def f(ps: P[n]) -> f32[n] = "
                 "for i { ps[i].m * ps[i].x[0] }"),
            "for i in n { (ps.m[i] * ps.x[i, 0]) }");
  EXPECT_EQ(body("struct P { x: f32, m: f32 = 1.0 }\n"
                 "export def f(a: f32) -> P = P(a)"),
            "P(a, 1.0:f32)");
}

TEST(Sema, OperatorsOfOnesOwn) {
  EXPECT_EQ(body("export def f(a: f32[n]) -> f32 = "
                 "reduce(fn(x, y) => x + y - x * y, 0.0) for i { a[i] }"),
            "reduce fn(a, b) {\n"
            "    let x: f32 = a\n"
            "    let y: f32 = b\n"
            "    ((x + y) - (x * y))\n"
            "  } from 0.0:f32 i in n { a[i] }");
}

//===----------------------------------------------------------------------===//
// Statements, views, calls
//===----------------------------------------------------------------------===//

TEST(Sema, TheRightSideIsComputedFirst) {
  EXPECT_EQ(body("export def f(a0: f32, b0: f32) -> (f32, f32) {\n"
                 "  var (a, b) = (a0, b0)\n  (a, b) = (b, a)\n  (a, b)\n}"),
            "var a: f32 = a0\n"
            "  var b: f32 = b0\n"
            "  let %0: f32 = b\n"
            "  let %1: f32 = a\n"
            "  a = %0\n"
            "  b = %1\n"
            "  (a, b)");
}

TEST(Sema, AVarMayChangeItsSizeWhereDeclared) {
  EXPECT_EQ(body("export def f(n: int) -> int {\n"
                 "  var q: int[?] = [n]\n"
                 "  while size(q) < 9 { q = concat(q, q) }\n"
                 "  size(q)\n}"),
            "var q: int[?] = [n]\n"
            "  let ?0: int = dim(q, 0)\n"
            "  while {\n"
            "    let ?1: int = dim(q, 0)\n"
            "    (?1 < 9)\n"
            "  } {\n"
            "    let ?2: int = dim(q, 0)\n"
            "    check size ((?2 >= -4611686018427387904) and "
            "(?2 <= 4611686018427387903)) "
            "\"the size 2*?2 does not fit 64 bits\"\n"
            "    q = concat(q, q, axis = 0)\n"
            "    let ?3: int = dim(q, 0)\n"
            "  }\n"
            "  let ?4: int = dim(q, 0)\n"
            "  ?4");
}

TEST(Sema, ShortCircuit) {
  // What may fail is computed only where it counts.
  EXPECT_EQ(body("export def f(a: f32[n], i: int) -> bool = "
                 "i < n and a[i] > 0.0"),
            "if (i < n) { (a[i!] > 0.0:f32) } else { false }");
}

TEST(Sema, ViewsAreKept) {
  EXPECT_EQ(body("def edge(a: f32[n]) -> f32[n] = extend(a, wrap)\n"
                 "export def f(a: f32[n]) -> f32[n] {\n"
                 "  let e = edge(a)\n"
                 "  let (u, v) = (e, extend(a, 0.0))\n"
                 "  stencil i in n { u[i-1] + v[i+1] }\n}"),
            "let e: f32[n] = extend(a, wrap)\n"
            "  let v: f32[n] = extend(a, fill 0.0:f32)\n"
            "  stencil i in n { (e[(i - 1)] + v[(i + 1)]) }");
}

TEST(Sema, GenericsAndFunctionArguments) {
  EXPECT_EQ(body("def fold[T: num](op: fn(T, T) -> T, a: T[n], e: T) -> T = "
                 "reduce(op, e, a)\n"
                 "export def f(a: f64[n]) -> f64 = fold((+), a, 0)"),
            "let e: f64 = 0.0:f64\n"
            "  reduce + from e l in n { a[l] }");
}

TEST(Sema, Imports) {
  EXPECT_EQ(check("import \"lib.arr\" as l\n"
                  "export def f(a: f32) -> l.V = l.twice(a)",
                  "type V = f32[2]\nexport def twice(x: f32) -> V = [x, x]"),
            "export f(a: f32) -> (out: f32[2]) {\n  body\n  [a, a]\n}");
  EXPECT_EQ(check("import \"lib.arr\" as l\nexport def f(a: f32) -> f32 = a"),
            "W0201@1:21 export f(a: f32) -> (out: f32) {\n  body\n  a\n}");
  EXPECT_EQ(check("import \"lib.arr\" as l\n"
                  "export def f(a: f32) -> f32 = l._p(a)",
                  "def _p(x: f32) -> f32 = x"),
            "E0133@2:33");
}

TEST(Sema, ConstantsAreFoldedInTheirType) {
  EXPECT_EQ(
      check("const N = 2 * 3 + 1\nconst w = for i in 3 { 1.0 / (i + 1) }\n"
            "export def f(a: f64[N]) -> f64 = a[N - 1] * w[2]"),
      "export f(a: f64[7]) -> (out: f64) {\n"
      "  let ?0: int = dim(a, 0)\n"
      "  check input (?0 == 7) \"the size of 'a' is {0}, but 7 is "
      "{1}\"\n"
      "  body\n"
      "  let %1: f64[3] = [1.0:f64, 0.5:f64, 0.3333333333333333:f64]\n"
      "  (a[6] * %1[2])\n"
      "}");
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

TEST(Sema, OneMessageForOneMistake) {
  EXPECT_EQ(check("export def f(a: f32[n]) -> f32 {\n"
                  "  let x = foo(a)\n"
                  "  let y = for i { x[i] + a[i] }\n"
                  "  sum(y * x)\n}"),
            "E0200@2:11");
  EXPECT_EQ(check("def g(a: f32[n]) -> f32[n] = a + true\n"
                  "export def f(a: f32[n]) -> f32 = sum(g(a)) + sum(g(a))"),
            "E0218@1:32");
}

TEST(Sema, SeveralMistakesInOneRun) {
  EXPECT_EQ(check("def a() -> f32 = x\ndef b() -> f32 = y\n"
                  "export def c() -> f32 = a() + z"),
            "E0200@1:18 E0200@2:18 E0200@3:31");
}

TEST(Sema, UnusedLetsWarn) {
  EXPECT_EQ(check("def f(a: f32) -> f32 {\n  let b = a\n  let _c = a\n  a\n}"),
            "W0200@2:7");
}

TEST(Sema, TooMuchExpansionEnds) {
  std::string text = "def g0(x: f32) -> f32 = x * 2.0\n";
  for (int i = 1; i < 40; ++i)
    text += "def g" + std::to_string(i) + "(x: f32) -> f32 = g" +
            std::to_string(i - 1) + "(x) + g" + std::to_string(i - 1) +
            "(x + 1.0)\n";
  EXPECT_EQ(llvm::StringRef(check(text)).take_front(5), "E0349");
}

} // namespace
