//===- ParserTests.cpp - Text, tokens and grammar -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/AST.h"
#include "arrc/Frontend/Lexer.h"
#include "arrc/Frontend/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace arrc;

namespace {

/// Text with everything that is needed to parse it.
struct Source {
  explicit Source(llvm::StringRef text) : diags(sources) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, "t.arr");
    this->text = buffer->getBuffer();
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  }
  std::string messages() {
    std::string result;
    llvm::raw_string_ostream os(result);
    diags.print(os);
    return result;
  }
  /// The codes and places of all messages, "E0100@1:5".
  std::string codes() {
    std::string result;
    for (const Diagnostic &d : diags.all()) {
      LineColumn at = lineColumn(sources, d.range.Start);
      if (!result.empty())
        result += ' ';
      result += code(d.id).str() + "@" + std::to_string(at.line) + ":" +
                std::to_string(at.column);
    }
    return result;
  }

  llvm::SourceMgr sources;
  DiagnosticEngine diags;
  ast::Context context;
  llvm::StringRef text;
};

/// An expression, printed with all its parentheses.
std::string expr(llvm::StringRef text) {
  Source s(text);
  ast::Expr *e = parseExpression(s.text, s.context, s.diags);
  if (!e || s.diags.hasErrors())
    return s.codes();
  std::string result;
  llvm::raw_string_ostream os(result);
  ast::dump(*e, os);
  return result;
}

/// A file, printed; or the codes of its errors.
std::string file(llvm::StringRef text) {
  Source s(text);
  ast::Module module;
  parseModule(s.text, s.context, module, s.diags);
  if (s.diags.hasErrors())
    return s.codes();
  std::string result;
  llvm::raw_string_ostream os(result);
  ast::dump(module, os);
  return result;
}

/// The statements of a body, printed.
std::string body(llvm::StringRef text) {
  std::string result = file(("def f() { " + text + "}").str());
  llvm::StringRef r = result;
  if (!r.consume_front("def f() {\n"))
    return result;
  r.consume_back("}\n");
  return r.str();
}

/// What is printed about a wrong file.
std::string message(llvm::StringRef text) {
  Source s(text);
  ast::Module module;
  parseModule(s.text, s.context, module, s.diags);
  return s.messages();
}

/// The tokens, one word each; newlines that count are "NL".
std::string tokens(llvm::StringRef text) {
  Source s(text);
  Lexer lexer(s.text, s.diags);
  std::string result;
  while (true) {
    Token token = lexer.next();
    if (token.is(TokenKind::EndOfFile))
      break;
    if (!result.empty())
      result += ' ';
    result += token.is(TokenKind::Newline) ? "NL" : token.text.str();
  }
  return s.diags.hasErrors() ? s.codes() : result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(Lexer, Names) {
  EXPECT_EQ(tokens("abc _ _a1 Z9"), "abc _ _a1 Z9 NL");
  EXPECT_EQ(tokens(std::string(255, 'a')), std::string(255, 'a') + " NL");
  EXPECT_EQ(tokens(std::string(256, 'a')), "E0006@1:1");
  EXPECT_EQ(tokens("na\xC3\xAFve"), "E0007@1:1");
}

TEST(Lexer, Numbers) {
  EXPECT_EQ(tokens("0 12 1_000_000 0xff 0b1010 1.5 2.0e-3 1e9 1.0E+5"),
            "0 12 1_000_000 0xff 0b1010 1.5 2.0e-3 1e9 1.0E+5 NL");
  EXPECT_EQ(tokens("18446744073709551615 0xffff_ffff_ffff_ffff"),
            "18446744073709551615 0xffff_ffff_ffff_ffff NL");
  EXPECT_EQ(tokens("18446744073709551616"), "E0020@1:1");
  EXPECT_EQ(tokens("0x1_0000_0000_0000_0000"), "E0020@1:1");
  EXPECT_EQ(tokens("012"), "E0021@1:1");
  EXPECT_EQ(tokens("0x"), "E0022@1:1");
  EXPECT_EQ(tokens("1e"), "E0022@1:1");
  EXPECT_EQ(tokens("0b12"), "E0023@1:1");
  EXPECT_EQ(tokens("1__0"), "E0024@1:1");
  EXPECT_EQ(tokens("1_"), "E0024@1:1");
  EXPECT_EQ(tokens("1."), "E0025@1:1");
  EXPECT_EQ(tokens("x = .5"), "E0025@1:5");
  EXPECT_EQ(tokens("1.0f"), "E0026@1:1");
  EXPECT_EQ(tokens("0o17"), "E0026@1:1");
  EXPECT_EQ(tokens("1e999"), "E0029@1:1");
  EXPECT_EQ(tokens("1." + std::string(1000, '1')), "E0030@1:1");
}

TEST(Lexer, TupleIndicesAreNoFloats) {
  EXPECT_EQ(expr("a.0.1"), "a.0.1");
  EXPECT_EQ(expr("f(x).1"), "f(x).1");
  EXPECT_EQ(tokens("a.0.1"), "a . 0 . 1 NL");
  EXPECT_EQ(tokens("1.5"), "1.5 NL");
}

TEST(Lexer, Strings) {
  EXPECT_EQ(tokens(R"("a\n\t\"\\")"), "\"a\\n\\t\\\"\\\\\" NL");
  EXPECT_EQ(tokens("\"abc"), "E0027@1:1");
  EXPECT_EQ(tokens("\"abc\n\""), "E0027@1:1 E0027@2:1");
  EXPECT_EQ(tokens("\"a\\q\""), "E0028@1:3");
}

TEST(Lexer, CommentsAndBlanks) {
  EXPECT_EQ(tokens("a # b ( \xC3\xA9\n\t\r\n b"), "a NL b NL");
  EXPECT_EQ(tokens("# only a comment"), "");
  EXPECT_EQ(tokens(""), "");
  EXPECT_EQ(tokens("\xEF\xBB\xBFx"), "x NL");
}

TEST(Lexer, BadText) {
  EXPECT_EQ(tokens(llvm::StringRef("a\0b", 3)), "E0004@1:2");
  EXPECT_EQ(tokens("a = \xFF\xFE"), "E0003@1:5");
  EXPECT_EQ(tokens("a = \xC3"), "E0003@1:5");
  EXPECT_EQ(tokens("a $ b"), "E0005@1:3");
  EXPECT_EQ(tokens("a = 1;"), "E0108@1:6");
  EXPECT_EQ(tokens(std::string((16 << 20) + 1, ' ')), "E0002@1:1");
}

TEST(Lexer, OtherLanguagesOperators) {
  for (const char *text :
       {"a && b", "a || b", "a & b", "a | b", "a ^ b", "a << b", "a >> b"})
    EXPECT_EQ(expr(text), "E0119@1:3") << text;
  EXPECT_EQ(expr("!a"), "E0119@1:1");
}

TEST(Lexer, Newlines) {
  // All three conditions hold.
  EXPECT_EQ(tokens("a\nb"), "a NL b NL");
  EXPECT_EQ(tokens("f(x)\nb"), "f ( x ) NL b NL");
  EXPECT_EQ(tokens("a[1]\n(b)"), "a [ 1 ] NL ( b ) NL");
  EXPECT_EQ(tokens("a\n@b"), "a NL @ b NL");
  EXPECT_EQ(tokens("a\n[b]"), "a NL [ b ] NL");
  EXPECT_EQ(tokens("true\n-b"), "true NL - b NL");
  // Inside ( and [ none ends a statement, inside { it does again.
  EXPECT_EQ(tokens("(a\nb)"), "( a b ) NL");
  EXPECT_EQ(tokens("[a\nb]"), "[ a b ] NL");
  EXPECT_EQ(tokens("f(fn() {a\nb})"), "f ( fn ( ) { a NL b } ) NL");
  // Not behind a token that cannot end one.
  EXPECT_EQ(tokens("a +\nb"), "a + b NL");
  EXPECT_EQ(tokens("let a =\nb"), "let a = b NL");
  EXPECT_EQ(tokens("if\nb"), "if b NL");
  // Not before a token that goes on.
  for (const char *op :
       {"+",  "*",   "/",  "//", "%",  "**", "==", "!=",   "<",     "<=", ">",
        ">=", "and", "or", "|>", ".",  ",",  ":",  ")",    "]",     "}",  "{",
        "=",  "+=",  "-=", "*=", "/=", "->", "=>", "else", "where", "in", "as"})
    EXPECT_EQ(tokens(std::string("a\n") + op + " b"),
              std::string("a ") + op + " b NL")
        << op;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

TEST(Parser, Precedence) {
  EXPECT_EQ(expr("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(expr("a // b % c @ d"), "(((a // b) % c) @ d)");
  EXPECT_EQ(expr("-x**2"), "(-(x ** 2))");
  EXPECT_EQ(expr("2**3**2"), "(2 ** (3 ** 2))");
  EXPECT_EQ(expr("2.0**-1"), "(2.0 ** -1)");
  EXPECT_EQ(expr("-2**2"), "(-(2 ** 2))");
  EXPECT_EQ(expr("not a and b or c"), "(((not a) and b) or c)");
  EXPECT_EQ(expr("not a == b"), "(not (a == b))");
  EXPECT_EQ(expr("a + b < c * d"), "((a + b) < (c * d))");
  EXPECT_EQ(expr("-a[0].b(c)"), "(-a[0].b(c))");
  EXPECT_EQ(expr("- - a"), "(-(-a))");
  EXPECT_EQ(expr("a - -1"), "(a - -1)");
}

TEST(Parser, Literals) {
  EXPECT_EQ(expr("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(expr("1_000.5_0e1"), "1000.50e1");
  EXPECT_EQ(expr("-1.5"), "-1.5");
  EXPECT_EQ(expr("0xff"), "255");
  EXPECT_EQ(expr("[true, false]"), "[true, false]");
  EXPECT_EQ(expr("[]"), "[]");
  EXPECT_EQ(expr("[1, 2,]"), "[1, 2]");
  EXPECT_EQ(expr("(1, (2, 3))"), "(1, (2, 3))");
}

TEST(Parser, Pipes) {
  EXPECT_EQ(expr("x |> f(a)"), "f(a, x)");
  EXPECT_EQ(expr("x |> f"), "f(x)");
  EXPECT_EQ(expr("x |> f |> g(1, k = 2)"), "g(1, f(x), k = 2)");
  EXPECT_EQ(expr("x |> m.f"), "m.f(x)");
  EXPECT_EQ(expr("x |> 3"), "E0130@1:6");
}

TEST(Parser, Postfix) {
  EXPECT_EQ(expr("a[i, :, lo:hi, :hi, lo:, ::2, lo:hi:s]"),
            "a[i, :, lo:hi, :hi, lo:, ::2, lo:hi:s]");
  EXPECT_EQ(expr("f()"), "f()");
  EXPECT_EQ(expr("f(a, k = b,)"), "f(a, k = b)");
  EXPECT_EQ(expr("f(k = a, b)"), "E0114@1:10");
}

TEST(Parser, Sections) {
  for (const char *op : {"+", "-", "*", "/", "//", "%", "**", "and", "or"})
    EXPECT_EQ(expr(std::string("f((") + op + "))"),
              std::string("f((") + op + "))");
  EXPECT_EQ(expr("(-x)"), "(-x)");
  EXPECT_EQ(expr("(<)"), "E0134@1:2");
  EXPECT_EQ(expr("(@)"), "E0134@1:2");
}

TEST(Parser, Comprehensions) {
  EXPECT_EQ(expr("for i in n, (x, y) in a, k in lo:hi:s if c { x }"),
            "for i in n, (x, y) in a, k in lo:hi:s if c {\n  x\n}");
  EXPECT_EQ(expr("stencil i, j { x }"), "stencil i, j {\n  x\n}");
  EXPECT_EQ(expr("sum for i { x }"), "sum for i {\n  x\n}");
  EXPECT_EQ(expr("hist((+), 0, n, oob = drop) for i { x }"),
            "hist((+), 0, n, oob = drop) for i {\n  x\n}");
  EXPECT_EQ(expr("@tile(32, 8) @fast sum for i { x }"),
            "@tile(32, 8) @fast sum for i {\n  x\n}");
  EXPECT_EQ(expr("1.0 + @seq for i { x }"), "(1.0 + @seq for i {\n  x\n})");
  EXPECT_EQ(expr("4.0 * sum for k in n { x }"),
            "(4.0 * sum for k in n {\n  x\n})");
  EXPECT_EQ(expr("foo for i { x }"), "E0109@1:1");
  EXPECT_EQ(expr("@seq a + b"), "E0115@1:1");
}

TEST(Parser, IfAndLambda) {
  EXPECT_EQ(expr("if a { b } else if c { d } else { e }"),
            "if a {\n  b\n} else {\n  if c {\n    d\n  } else {\n    e\n  "
            "}\n}");
  EXPECT_EQ(expr("fn(x, y: f32) => x + y"), "fn(x, y: f32) {\n  (x + y)\n}");
  EXPECT_EQ(expr("fn() { 1 }"), "fn() {\n  1\n}");
}

//===----------------------------------------------------------------------===//
// Statements and declarations
//===----------------------------------------------------------------------===//

TEST(Parser, Statements) {
  EXPECT_EQ(body("let a = 1\nvar (b, _): (int, f32) = c\na += 1\nb -= 1\n"
                 "c *= 2\nd /= 3\n(a, b[i]) = (b[i], a)\nbs[i].vel[0] = e\n"
                 "@inplace a[1:2] = x\nassert a > 0, \"a\\n\"\nwhile a { b = c "
                 "}\n@unroll(4) loop _ in 0:n { a = b }\n(a, b)"),
            "  let a = 1\n  var (b, _): (int, f32) = c\n  a += 1\n  b -= 1\n"
            "  c *= 2\n  d /= 3\n  (a, b[i]) = (b[i], a)\n"
            "  bs[i].vel[0] = e\n  @inplace a[1:2] = x\n"
            "  assert (a > 0), \"a\n\"\n  while a {\n    b = c\n  }\n"
            "  @unroll(4) loop _ in 0:n {\n    a = b\n  }\n  (a, b)\n");
  EXPECT_EQ(body("\n  -x\n"), "  (-x)\n");
  EXPECT_EQ(body("a |> exp\n  |> sum"), "  sum(exp(a))\n");
  EXPECT_EQ(body("if a { b }\nelse { c }"),
            "  if a {\n    b\n  } else {\n    c\n  }\n");
  EXPECT_EQ(body("@tile(2)\nfor i { x }"), "  @tile(2) for i {\n    x\n  }\n");
}

TEST(Parser, Declarations) {
  EXPECT_EQ(file("import \"lib/vec.arr\"\nimport \"a-b.arr\" as ab\n"),
            "import \"lib/vec.arr\" as vec\nimport \"a-b.arr\" as ab\n");
  EXPECT_EQ(file("type vec = f32[3]\nconst Q = 9\nconst w: f32[Q] = [1.0]\n"),
            "type vec = f32[3]\nconst Q = 9\nconst w: f32[Q] = [1.0]\n");
  EXPECT_EQ(file("struct B { x: f32[3], m: f32 = 1.0 }"),
            "struct B { x: f32[3], m: f32 = 1.0 }\n");
  EXPECT_EQ(file("struct B {\n  x: f32[3]\n  m: vec.T\n}"),
            "struct B { x: f32[3], m: vec.T }\n");
  EXPECT_EQ(file("extern def c(a: f32[n]) -> f32[n]"),
            "extern def c(a: f32[n]) -> f32[n]\n");
  EXPECT_EQ(file("@noinline\ndef dot[T: num, S](a: T[n], f: fn(T, S) -> T,) -> "
                 "T where n > 0, n < 9 = sum(a)"),
            "@noinline def dot[T: num, S](a: T[n], f: fn(T, S) -> T) -> T "
            "where (n > 0), (n < 9) {\n  sum(a)\n}\n");
  EXPECT_EQ(
      file("export def f(a: (f32, int)[n, ?], k: int = 2) -> (x: f32[?k], "
           "y: int[2*k+1]) { (a, b) }"),
      "export def f(a: (f32, int)[n, ?], k: int = 2) -> (x: f32[?k], "
      "y: int[((2 * k) + 1)]) {\n  (a, b)\n}\n");
  EXPECT_EQ(file("def f() -> (f32, int) = (1.0, 2)"),
            "def f() -> (f32, int) {\n  (1.0, 2)\n}\n");
}

//===----------------------------------------------------------------------===//
// Wrong programs: the one right message
//===----------------------------------------------------------------------===//

TEST(Parser, WrongStatements) {
  EXPECT_EQ(body("let a = 1 let b = 2"), "E0107@1:21");
  EXPECT_EQ(body("a\n-b"), "E0106@2:1");
  EXPECT_EQ(body("a = b = c"), "E0128@1:17");
  EXPECT_EQ(body("f(x) = 1"), "E0110@1:11");
  EXPECT_EQ(body("a + b = 1"), "E0110@1:11");
  EXPECT_EQ(body("let x"), "E0132@1:15");
  EXPECT_EQ(body("let 3 = x"), "E0100@1:15");
  EXPECT_EQ(body("let in = x"), "E0118@1:15");
  EXPECT_EQ(body("if a = b { c }"), "E0105@1:16");
  EXPECT_EQ(body("f(a[i] = b, c == d)"), "E0105@1:18");
  EXPECT_EQ(body("a < b < c"), "E0104@1:17");
  EXPECT_EQ(body("for i n { x }"), "E0111@1:17");
  EXPECT_EQ(body("loop i 0:n { x }"), "E0111@1:18");
  EXPECT_EQ(body("return x"), "E0101@1:11");
  EXPECT_EQ(body("while a { break\n }"), "E0101@1:21");
  EXPECT_EQ(body("if a b else c"), "E0121@1:16");
  EXPECT_EQ(body("if a { b } else c"), "E0121@1:27");
  EXPECT_EQ(body("if a { b }\nelif c { d }"), "E0100@2:1");
  EXPECT_EQ(body("(a,)"), "E0112@1:11");
  EXPECT_EQ(body("()"), "E0113@1:11");
  EXPECT_EQ(body("\"text\""), "E0116@1:11");
  EXPECT_EQ(body("a +"), "E0100@1:14");
  EXPECT_EQ(body("def g() = 1"), "E0127@1:11");
  EXPECT_EQ(body("@seq let a = 1"), "E0125@1:11");
  EXPECT_EQ(body("fn(x) x"), "E0100@1:17");
}

TEST(Parser, WrongDeclarations) {
  EXPECT_EQ(file("let a = 1"), "E0126@1:1");
  EXPECT_EQ(file("a = 1"), "E0117@1:1");
  EXPECT_EQ(file("}"), "E0117@1:1");
  EXPECT_EQ(file("def f(x) = x"), "E0100@1:8");
  EXPECT_EQ(file("def f(x: f32)"), "E0122@1:5");
  EXPECT_EQ(file("def f(x: f32): f32 = x"), "E0100@1:14");
  EXPECT_EQ(file("def f(x: f32 = 1.0"), "E0103@1:6");
  EXPECT_EQ(file("def f() {\n  1\n"), "E0103@1:9");
  EXPECT_EQ(file("def f() {\n  1\ndef g() = 2"), "E0103@1:9");
  EXPECT_EQ(file("def f[T: ](x: T) = x"), "E0120@1:10");
  EXPECT_EQ(file("extern def f() -> f32 = 1.0"), "E0123@1:23");
  EXPECT_EQ(file("extern def f()"), "E0124@1:15");
  EXPECT_EQ(file("import vec"), "E0131@1:8");
  EXPECT_EQ(file("import \"a-b.arr\""), "E0129@1:8");
  EXPECT_EQ(file("const a"), "E0132@1:8");
  EXPECT_EQ(file("type t = (f32,)"), "E0112@1:10");
  EXPECT_EQ(file("type t = f32[1,2,3,4,5,6,7,8,9]"), "E0136@1:10");
  EXPECT_EQ(file("struct s { a: f32 b: f32 }"), "E0100@1:19");
  EXPECT_EQ(file("def for() = 1"), "E0118@1:5");
}

TEST(Parser, ManyErrorsInOneRun) {
  EXPECT_EQ(file("def f() {\n  let a = \n  let b = 1 2\n  c\n}\n"
                 "def g(x) = 1\n"
                 "def h() {\n  (a + \n  let b = 1\n  -\n}\n"
                 "const = 1\n"),
            "E0100@3:3 E0107@3:13 E0100@6:8 E0100@9:3 E0106@10:3 E0100@12:7");
}

TEST(Parser, AtMostTwentyErrors) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "def f(x) = 1\n";
  Source s(text);
  ast::Module module;
  parseModule(s.text, s.context, module, s.diags);
  EXPECT_EQ(s.diags.all().size(), 20u);
}

//===----------------------------------------------------------------------===//
// Hostile text
//===----------------------------------------------------------------------===//

TEST(Parser, DeepNesting) {
  const size_t deep = 1000000;
  EXPECT_EQ(expr(std::string(200, '(') + "1" + std::string(200, ')')), "1");
  for (const char *open :
       {"(", "[", "-", "f(", "a[", "{", "if a {", "fn(x) => ", "not ", "if ",
        "a**", "for i { ", "1 + (", "fn() {"}) {
    std::string text;
    for (size_t i = 0; i < deep; ++i)
      text += open;
    Source s("def f() = " + text);
    ast::Module module;
    parseModule(s.text, s.context, module, s.diags);
    EXPECT_TRUE(s.diags.hasErrors()) << open;
    EXPECT_LE(s.diags.all().size(), 2u) << open;
  }
  std::string type;
  for (size_t i = 0; i < deep; ++i)
    type += "(f32, ";
  EXPECT_EQ(file("type t = " + type).substr(0, 5), "E0102");
}

TEST(Parser, LongChains) {
  auto repeat = [](llvm::StringRef text, size_t n) {
    std::string result;
    for (size_t i = 0; i < n; ++i)
      result += text;
    return result;
  };
  // A chain builds a tree as high as it is long.
  EXPECT_EQ(expr("a" + repeat("+a", 900)).substr(0, 1), "(");
  for (const char *link :
       {"+a", "*a", "[0]", ".b", ".0", "(1)", " and a", " or a", " |> f"})
    EXPECT_EQ(expr("a" + repeat(link, 1000000)).substr(0, 5), "E0102") << link;
  // A list does not.
  Source s("[1" + repeat(",4.0/9", 100000) + "]");
  EXPECT_TRUE(parseExpression(s.text, s.context, s.diags));
}

TEST(Parser, EveryPrefixOfAProgramIsRefusedOrRead) {
  llvm::StringRef text =
      "@noinline export def f[T: num](a: T[n, ?k], g: fn(T) -> T, k: int = 2)\n"
      "  -> (x: f32[n], y: int) where n > 0 {\n  var (u, v) = (a, \"s\")\n"
      "  loop k in 1:n:2 { u[k, :].0 += -1.5e3 }\n"
      "  let q = @tile(3) sum for (x, y) in a, j if x < 2 { if x { y } else {\n"
      "    fn(z) => z |> exp } }\n  assert q, \"a\\n\"\n  (q, [1, 2])\n}\n";
  for (size_t i = 0; i <= text.size(); ++i) {
    Source s(text.take_front(i));
    ast::Module module;
    parseModule(s.text, s.context, module, s.diags);
    s.messages();
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

TEST(Diagnostics, Picture) {
  EXPECT_EQ(message("def f(a: int) = a < 1 < 2\n"),
            "error[E0104]: comparisons cannot be chained\n"
            " --> t.arr:1:23\n"
            "  |\n"
            "1 | def f(a: int) = a < 1 < 2\n"
            "  |                   - the first comparison\n"
            "  |                       ^\n"
            "help: write 'a < b and b < c'\n");
}

TEST(Diagnostics, SecondPlaceOnAnotherLine) {
  std::string text(9, '\n');
  EXPECT_EQ(message(text + "def f(a: int\n  b: int) = 3"),
            "error[E0100]: expected ',' or ')', found 'b'\n"
            "  --> t.arr:11:3\n"
            "   |\n"
            "10 | def f(a: int\n"
            "   |      - '(' opened here\n"
            "11 |   b: int) = 3\n"
            "   |   ^\n");
}

TEST(Diagnostics, TabsAndWideCharacters) {
  EXPECT_EQ(message("def f() {\n\tlet\ta = 1 2\n}"),
            "error[E0107]: expected the end of the line, found '2'\n"
            " --> t.arr:2:12\n"
            "  |\n"
            "2 |     let a = 1 2\n"
            "  |               ^ begin a new line here\n");
  EXPECT_EQ(message("import \"\xC3\xA9\xE4\xB8\x80\" as 1"),
            "error[E0100]: expected a name, found '1'\n"
            " --> t.arr:1:16\n"
            "  |\n"
            "1 | import \"\xC3\xA9\xE4\xB8\x80\" as 1\n"
            "  |                 ^\n");
}

TEST(Diagnostics, LongLinesAreCut) {
  std::string text =
      "def f() = " + std::string(100000, ' ') + "] " + std::string(100000, ' ');
  std::string shown = message(text);
  EXPECT_LT(shown.size(), 1000u);
  EXPECT_NE(shown.find("t.arr:1:100011"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

struct Files {
  Files() : diags(sources) {
    fs = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    options.fileSystem = fs;
  }
  void add(llvm::StringRef path, llvm::StringRef text) {
    fs->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  }
  std::string load() {
    auto program = loadProgram("/d/main.arr", options, context, diags);
    std::string result;
    llvm::raw_string_ostream os(result);
    if (!program) {
      diags.print(os);
      return result.substr(0, result.find('\n'));
    }
    for (ast::Module *module : program->modules) {
      os << module->path << ":\n";
      ast::dump(*module, os);
    }
    return result;
  }

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> fs;
  llvm::SourceMgr sources;
  DiagnosticEngine diags;
  ast::Context context;
  LoadOptions options;
};

TEST(Loader, ImportsComeFirstAndOnce) {
  Files f;
  f.add("/d/main.arr", "import \"lib/a.arr\"\nimport \"b.arr\"\nconst m = 1");
  f.add("/d/lib/a.arr", "import \"../b.arr\"\nconst a = 1");
  f.add("/d/b.arr", "const b = 1");
  EXPECT_EQ(f.load(), "/d/lib/../b.arr:\nconst b = 1\n"
                      "/d/lib/a.arr:\nimport \"../b.arr\" as b\nconst a = 1\n"
                      "/d/main.arr:\nimport \"lib/a.arr\" as a\n"
                      "import \"b.arr\" as b\nconst m = 1\n");
}

TEST(Loader, Library) {
  Files f;
  f.options.libraryPaths = {"/lib"};
  f.add("/d/main.arr", "import \"std/v.arr\"");
  f.add("/lib/std/v.arr", "const b = 1");
  EXPECT_EQ(f.load(), "/lib/std/v.arr:\nconst b = 1\n"
                      "/d/main.arr:\nimport \"std/v.arr\" as v\n");
}

TEST(Loader, Cycles) {
  Files f;
  f.add("/d/main.arr", "import \"a.arr\"");
  f.add("/d/a.arr", "import \"main.arr\"");
  EXPECT_EQ(f.load(), "error[E0008]: '/d/main.arr' imports itself");
}

TEST(Loader, MissingFiles) {
  Files f;
  f.add("/d/main.arr", "import \"a.arr\"");
  EXPECT_EQ(f.load(), "error[E0009]: cannot find 'a.arr'");
  Files g;
  EXPECT_EQ(g.load(), "error[E0001]: cannot read '/d/main.arr': no such file "
                      "or directory");
}

TEST(Loader, Defines) {
  Files f;
  f.add("/d/main.arr",
        "const Q = 9\ntype real = f32\nconst w: int[2] = [1, 2]");
  f.options.defines = {"Q=2*8", "real=f64", "w=[3, 4]"};
  EXPECT_EQ(f.load(), "/d/main.arr:\nconst Q = (2 * 8)\ntype real = f64\n"
                      "const w: int[2] = [3, 4]\n");
  for (auto [define, wanted] :
       {std::pair("R=1", "error[E0010]: '-D R' names no const or type of "
                         "'/d/main.arr'"),
        std::pair("Q", "error[E0011]: '-D' takes NAME=VALUE"),
        std::pair("Q=", "error[E0011]: '-D' takes NAME=VALUE"),
        std::pair("Q=1 2", "error[E0100]: expected the end of the expression, "
                           "found '2'")}) {
    Files g;
    g.add("/d/main.arr", "const Q = 9");
    g.options.defines = {define};
    EXPECT_EQ(g.load(), wanted);
  }
}

} // namespace
