# Each mistake has one message, at its place, that says what to write.
# RUN: split-file %s %t
# RUN: cd %t && not arrc check missing_in.arr 2>&1 | FileCheck %s --check-prefix=MISSING-IN --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check assign_for_compare.arr 2>&1 | FileCheck %s --check-prefix=ASSIGN-FOR-COMPARE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check chained.arr 2>&1 | FileCheck %s --check-prefix=CHAINED --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check minus_line.arr 2>&1 | FileCheck %s --check-prefix=MINUS-LINE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check not_a_combinator.arr 2>&1 | FileCheck %s --check-prefix=NOT-A-COMBINATOR --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check two_on_a_line.arr 2>&1 | FileCheck %s --check-prefix=TWO-ON-A-LINE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check semicolon.arr 2>&1 | FileCheck %s --check-prefix=SEMICOLON --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check return_.arr 2>&1 | FileCheck %s --check-prefix=RETURN --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check break_.arr 2>&1 | FileCheck %s --check-prefix=BREAK --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check ampersands.arr 2>&1 | FileCheck %s --check-prefix=AMPERSANDS --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check bang.arr 2>&1 | FileCheck %s --check-prefix=BANG --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check caret.arr 2>&1 | FileCheck %s --check-prefix=CARET --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check braces.arr 2>&1 | FileCheck %s --check-prefix=BRACES --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check unclosed.arr 2>&1 | FileCheck %s --check-prefix=UNCLOSED --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check unclosed_paren.arr 2>&1 | FileCheck %s --check-prefix=UNCLOSED-PAREN --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check keyword_name.arr 2>&1 | FileCheck %s --check-prefix=KEYWORD-NAME --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check no_type.arr 2>&1 | FileCheck %s --check-prefix=NO-TYPE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check one_tuple.arr 2>&1 | FileCheck %s --check-prefix=ONE-TUPLE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check text.arr 2>&1 | FileCheck %s --check-prefix=TEXT --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check float_without_digits.arr 2>&1 | FileCheck %s --check-prefix=FLOAT-WITHOUT-DIGITS --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check float_ends_with_point.arr 2>&1 | FileCheck %s --check-prefix=FLOAT-ENDS-WITH-POINT --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check imaginary.arr 2>&1 | FileCheck %s --check-prefix=IMAGINARY --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check suffix.arr 2>&1 | FileCheck %s --check-prefix=SUFFIX --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check leading_zero.arr 2>&1 | FileCheck %s --check-prefix=LEADING-ZERO --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check too_large.arr 2>&1 | FileCheck %s --check-prefix=TOO-LARGE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check unicode_name.arr 2>&1 | FileCheck %s --check-prefix=UNICODE-NAME --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check statement_at_top.arr 2>&1 | FileCheck %s --check-prefix=STATEMENT-AT-TOP --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check no_body.arr 2>&1 | FileCheck %s --check-prefix=NO-BODY --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check colon_result.arr 2>&1 | FileCheck %s --check-prefix=COLON-RESULT --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check place.arr 2>&1 | FileCheck %s --check-prefix=PLACE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check section.arr 2>&1 | FileCheck %s --check-prefix=SECTION --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check attribute.arr 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check named_first.arr 2>&1 | FileCheck %s --check-prefix=NAMED-FIRST --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check elif_.arr 2>&1 | FileCheck %s --check-prefix=ELIF --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check python_if.arr 2>&1 | FileCheck %s --check-prefix=PYTHON-IF --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check import_name.arr 2>&1 | FileCheck %s --check-prefix=IMPORT-NAME --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check double_assign.arr 2>&1 | FileCheck %s --check-prefix=DOUBLE-ASSIGN --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check misspelt.arr 2>&1 | FileCheck %s --check-prefix=MISSPELT --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check question.arr 2>&1 | FileCheck %s --check-prefix=QUESTION --match-full-lines --strict-whitespace

#--- misspelt.arr
exprot def f(x: f32) -> f32 = x

#      MISSPELT:error[E0117]: expected a declaration, found 'exprot'
# MISSPELT-NEXT: --> misspelt.arr:1:1
# MISSPELT-NEXT:  |
# MISSPELT-NEXT:1 | exprot def f(x: f32) -> f32 = x
# MISSPELT-NEXT:  | ^^^^^^
# MISSPELT-NEXT:help: did you mean 'export'?

#--- question.arr
export def f(x: f32) -> f32 = x > 0.0 ? x : 0.0

#      QUESTION:error[E0107]: expected the end of the line, found '?'
# QUESTION-NEXT: --> question.arr:1:39
# QUESTION-NEXT:  |
# QUESTION-NEXT:1 | export def f(x: f32) -> f32 = x > 0.0 ? x : 0.0
# QUESTION-NEXT:  |                                       ^
# QUESTION-NEXT:help: a choice is written 'if c { x } else { y }'

#--- missing_in.arr
def f(n: int) -> int = sum for i n { i }
# MISSING-IN:error[E0111]: expected 'in' before the range
# MISSING-IN-NEXT: --> missing_in.arr:1:34
# MISSING-IN-NEXT:  |
# MISSING-IN-NEXT:1 | def f(n: int) -> int = sum for i n { i }
# MISSING-IN-NEXT:  |                                  ^
# MISSING-IN-NEXT:help: write 'i in n' or 'i in lo:hi'
# MISSING-IN-NOT:{{error.*}}

#--- assign_for_compare.arr
def f(a: int) -> int {
  if a = 1 { 2 } else { 3 }
}
# ASSIGN-FOR-COMPARE:error[E0105]: '=' does not compare
# ASSIGN-FOR-COMPARE-NEXT: --> assign_for_compare.arr:2:8
# ASSIGN-FOR-COMPARE-NEXT:  |
# ASSIGN-FOR-COMPARE-NEXT:2 |   if a = 1 { 2 } else { 3 }
# ASSIGN-FOR-COMPARE-NEXT:  |        ^
# ASSIGN-FOR-COMPARE-NEXT:help: write '==' to compare
# ASSIGN-FOR-COMPARE-NOT:{{error.*}}

#--- chained.arr
def f(a: int) -> bool = 0 < a < 9
# CHAINED:error[E0104]: comparisons cannot be chained
# CHAINED-NEXT: --> chained.arr:1:31
# CHAINED-NEXT:  |
# CHAINED-NEXT:1 | def f(a: int) -> bool = 0 < a < 9
# CHAINED-NEXT:  |                           - the first comparison
# CHAINED-NEXT:  |                               ^
# CHAINED-NEXT:help: write 'a < b and b < c'
# CHAINED-NOT:{{error.*}}

#--- minus_line.arr
def f(a: int, b: int) -> int {
  let c = a
    - b
  c
}
# MINUS-LINE:error[E0106]: a line cannot begin with '-' after another statement
# MINUS-LINE-NEXT: --> minus_line.arr:3:5
# MINUS-LINE-NEXT:  |
# MINUS-LINE-NEXT:3 |     - b
# MINUS-LINE-NEXT:  |     ^
# MINUS-LINE-NEXT:help: to go on with the line before, put '-' at its end; to begin a statement, write '0 - ...' or parentheses
# MINUS-LINE-NOT:{{error.*}}

#--- not_a_combinator.arr
def f(n: int) -> int = total for i in n { i }
# NOT-A-COMBINATOR:error[E0109]: 'total' is not a combinator, so no 'for' can follow it
# NOT-A-COMBINATOR-NEXT: --> not_a_combinator.arr:1:24
# NOT-A-COMBINATOR-NEXT:  |
# NOT-A-COMBINATOR-NEXT:1 | def f(n: int) -> int = total for i in n { i }
# NOT-A-COMBINATOR-NEXT:  |                        ^^^^^
# NOT-A-COMBINATOR-NEXT:note: the combinators are sum, prod, min, max, any, all, count, mean, argmin, argmax, reduce, scan, exscan, hist and scatter
# NOT-A-COMBINATOR-NOT:{{error.*}}

#--- two_on_a_line.arr
def f(a: int) -> int {
  let b = a let c = b
  c
}
# TWO-ON-A-LINE:error[E0107]: expected the end of the line, found 'let'
# TWO-ON-A-LINE-NEXT: --> two_on_a_line.arr:2:13
# TWO-ON-A-LINE-NEXT:  |
# TWO-ON-A-LINE-NEXT:2 |   let b = a let c = b
# TWO-ON-A-LINE-NEXT:  |             ^^^ begin a new line here
# TWO-ON-A-LINE-NOT:{{error.*}}

#--- semicolon.arr
def f(a: int) -> int { let b = a; b }
# SEMICOLON:error[E0108]: ';' is not used: a newline ends a statement
# SEMICOLON-NEXT: --> semicolon.arr:1:33
# SEMICOLON-NEXT:  |
# SEMICOLON-NEXT:1 | def f(a: int) -> int { let b = a; b }
# SEMICOLON-NEXT:  |                                 ^
# SEMICOLON-NEXT:help: begin a new line
# SEMICOLON-NOT:{{error.*}}

#--- return_.arr
def f(a: int) -> int {
  return a
}
# RETURN:error[E0101]: 'return' is reserved and has no meaning
# RETURN-NEXT: --> return_.arr:2:3
# RETURN-NEXT:  |
# RETURN-NEXT:2 |   return a
# RETURN-NEXT:  |   ^^^^^^
# RETURN-NEXT:help: the last line of a block is its value
# RETURN-NOT:{{error.*}}

#--- break_.arr
def f(a: int) -> int {
  var b = a
  while b > 0 {
    break
  }
  b
}
# BREAK:error[E0101]: 'break' is reserved and has no meaning
# BREAK-NEXT: --> break_.arr:4:5
# BREAK-NEXT:  |
# BREAK-NEXT:4 |     break
# BREAK-NEXT:  |     ^^^^^
# BREAK-NEXT:help: put the condition into a 'while'
# BREAK-NOT:{{error.*}}

#--- ampersands.arr
def f(a: bool, b: bool) -> bool = a && b
# AMPERSANDS:error[E0119]: '&&' is not an operator here
# AMPERSANDS-NEXT: --> ampersands.arr:1:37
# AMPERSANDS-NEXT:  |
# AMPERSANDS-NEXT:1 | def f(a: bool, b: bool) -> bool = a && b
# AMPERSANDS-NEXT:  |                                     ^^
# AMPERSANDS-NEXT:help: write 'and'
# AMPERSANDS-NOT:{{error.*}}

#--- bang.arr
def f(a: bool) -> bool = !a
# BANG:error[E0119]: '!' is not an operator here
# BANG-NEXT: --> bang.arr:1:26
# BANG-NEXT:  |
# BANG-NEXT:1 | def f(a: bool) -> bool = !a
# BANG-NEXT:  |                          ^
# BANG-NEXT:help: write 'not'
# BANG-NOT:{{error.*}}

#--- caret.arr
def f(a: f32) -> f32 = a ^ 2
# CARET:error[E0119]: '^' is not an operator here
# CARET-NEXT: --> caret.arr:1:26
# CARET-NEXT:  |
# CARET-NEXT:1 | def f(a: f32) -> f32 = a ^ 2
# CARET-NEXT:  |                          ^
# CARET-NEXT:help: write 'x ** y' for a power, 'bitxor(x, y)' for bits
# CARET-NOT:{{error.*}}

#--- braces.arr
def f(a: int) -> int {
  if a > 0 a else 0
}
# BRACES:error[E0121]: the body of 'if' stands in braces
# BRACES-NEXT: --> braces.arr:2:12
# BRACES-NEXT:  |
# BRACES-NEXT:2 |   if a > 0 a else 0
# BRACES-NEXT:  |            ^ expected '{', found 'a'
# BRACES-NOT:{{error.*}}

#--- unclosed.arr
def f(a: int) -> int {
  let b = a

export def g(a: int) -> int = a
# UNCLOSED:error[E0103]: '{' is never closed
# UNCLOSED-NEXT: --> unclosed.arr:1:22
# UNCLOSED-NEXT:  |
# UNCLOSED-NEXT:1 | def f(a: int) -> int {
# UNCLOSED-NEXT:  |                      ^
# UNCLOSED-NOT:{{error.*}}

#--- unclosed_paren.arr
def f(a: int) -> int {
  let b = (a + 1
  b
}
# UNCLOSED-PAREN:error[E0100]: expected ',' or ')', found 'b'
# UNCLOSED-PAREN-NEXT: --> unclosed_paren.arr:3:3
# UNCLOSED-PAREN-NEXT:  |
# UNCLOSED-PAREN-NEXT:2 |   let b = (a + 1
# UNCLOSED-PAREN-NEXT:  |           - '(' opened here
# UNCLOSED-PAREN-NEXT:3 |   b
# UNCLOSED-PAREN-NEXT:  |   ^
# UNCLOSED-PAREN-NOT:{{error.*}}

#--- keyword_name.arr
def f(in: int) -> int = 1
# KEYWORD-NAME:error[E0118]: 'in' is a keyword and cannot be a name
# KEYWORD-NAME-NEXT: --> keyword_name.arr:1:7
# KEYWORD-NAME-NEXT:  |
# KEYWORD-NAME-NEXT:1 | def f(in: int) -> int = 1
# KEYWORD-NAME-NEXT:  |       ^^
# KEYWORD-NAME-NOT:{{error.*}}

#--- no_type.arr
def f(a, b: int) -> int = b
# NO-TYPE:error[E0100]: expected ':' and the type of 'a', found ','
# NO-TYPE-NEXT: --> no_type.arr:1:8
# NO-TYPE-NEXT:  |
# NO-TYPE-NEXT:1 | def f(a, b: int) -> int = b
# NO-TYPE-NEXT:  |        ^
# NO-TYPE-NOT:{{error.*}}

#--- one_tuple.arr
def f(a: int) -> int {
  let b = (a,)
  a
}
# ONE-TUPLE:error[E0112]: there are no tuples of one component
# ONE-TUPLE-NEXT: --> one_tuple.arr:2:11
# ONE-TUPLE-NEXT:  |
# ONE-TUPLE-NEXT:2 |   let b = (a,)
# ONE-TUPLE-NEXT:  |           ^^^^
# ONE-TUPLE-NOT:{{error.*}}

#--- text.arr
def f(a: int) -> int {
  let b = "text"
  a
}
# TEXT:error[E0116]: there are no strings: text stands only after 'import' and in 'assert'
# TEXT-NEXT: --> text.arr:2:11
# TEXT-NEXT:  |
# TEXT-NEXT:2 |   let b = "text"
# TEXT-NEXT:  |           ^^^^^^
# TEXT-NOT:{{error.*}}

#--- float_without_digits.arr
def f() -> f32 = .5
# FLOAT-WITHOUT-DIGITS:error[E0025]: a float has digits on both sides of the point
# FLOAT-WITHOUT-DIGITS-NEXT: --> float_without_digits.arr:1:18
# FLOAT-WITHOUT-DIGITS-NEXT:  |
# FLOAT-WITHOUT-DIGITS-NEXT:1 | def f() -> f32 = .5
# FLOAT-WITHOUT-DIGITS-NEXT:  |                  ^^
# FLOAT-WITHOUT-DIGITS-NEXT:help: write '0.5'
# FLOAT-WITHOUT-DIGITS-NOT:{{error.*}}

#--- float_ends_with_point.arr
def f() -> f32 = 1.
# FLOAT-ENDS-WITH-POINT:error[E0025]: a float has digits on both sides of the point
# FLOAT-ENDS-WITH-POINT-NEXT: --> float_ends_with_point.arr:1:18
# FLOAT-ENDS-WITH-POINT-NEXT:  |
# FLOAT-ENDS-WITH-POINT-NEXT:1 | def f() -> f32 = 1.
# FLOAT-ENDS-WITH-POINT-NEXT:  |                  ^^
# FLOAT-ENDS-WITH-POINT-NEXT:help: write '1.0'
# FLOAT-ENDS-WITH-POINT-NOT:{{error.*}}

#--- suffix.arr
def f() -> f32 = 1.5f
# SUFFIX:error[E0026]: a number has no suffix
# SUFFIX-NEXT: --> suffix.arr:1:18
# SUFFIX-NEXT:  |
# SUFFIX-NEXT:1 | def f() -> f32 = 1.5f
# SUFFIX-NEXT:  |                  ^^^^
# SUFFIX-NEXT:help: a literal takes the type that it meets; 'f64(0.1)' converts
# SUFFIX-NOT:{{error.*}}

#--- imaginary.arr
def f(x: c64) -> c64 = x * 2.5i
# IMAGINARY:error[E0026]: a number has no suffix
# IMAGINARY-NEXT: --> imaginary.arr:1:28
# IMAGINARY-NEXT:  |
# IMAGINARY-NEXT:1 | def f(x: c64) -> c64 = x * 2.5i
# IMAGINARY-NEXT:  |                            ^^^^
# IMAGINARY-NEXT:help: an imaginary number is written '2.5j', a product with a variable '2.5*i'
# IMAGINARY-NOT:{{error.*}}

#--- leading_zero.arr
def f() -> int = 007
# LEADING-ZERO:error[E0021]: a number has no leading zeros
# LEADING-ZERO-NEXT: --> leading_zero.arr:1:18
# LEADING-ZERO-NEXT:  |
# LEADING-ZERO-NEXT:1 | def f() -> int = 007
# LEADING-ZERO-NEXT:  |                  ^^^
# LEADING-ZERO-NOT:{{error.*}}

#--- too_large.arr
def f() -> u64 = 18446744073709551616
# TOO-LARGE:error[E0020]: an integer literal is below 2^64
# TOO-LARGE-NEXT: --> too_large.arr:1:18
# TOO-LARGE-NEXT:  |
# TOO-LARGE-NEXT:1 | def f() -> u64 = 18446744073709551616
# TOO-LARGE-NEXT:  |                  ^^^^^^^^^^^^^^^^^^^^
# TOO-LARGE-NOT:{{error.*}}

#--- unicode_name.arr
def f(α: f32) -> f32 = α
# UNICODE-NAME:error[E0007]: names are written in ASCII letters, digits and '_'
# UNICODE-NAME-NEXT: --> unicode_name.arr:1:7
# UNICODE-NAME-NEXT:  |
# UNICODE-NAME-NEXT:1 | def f(α: f32) -> f32 = α
# UNICODE-NAME-NEXT:  |       ^
# UNICODE-NAME-NOT:{{error.*}}

#--- statement_at_top.arr
let g = 9.81
# STATEMENT-AT-TOP:error[E0126]: statements stand inside a 'def'
# STATEMENT-AT-TOP-NEXT: --> statement_at_top.arr:1:1
# STATEMENT-AT-TOP-NEXT:  |
# STATEMENT-AT-TOP-NEXT:1 | let g = 9.81
# STATEMENT-AT-TOP-NEXT:  | ^^^
# STATEMENT-AT-TOP-NEXT:help: at the top of a file write 'const'
# STATEMENT-AT-TOP-NOT:{{error.*}}

#--- no_body.arr
def f(a: int) -> int
# NO-BODY:error[E0122]: 'f' has no body
# NO-BODY-NEXT: --> no_body.arr:1:5
# NO-BODY-NEXT:  |
# NO-BODY-NEXT:1 | def f(a: int) -> int
# NO-BODY-NEXT:  |     ^
# NO-BODY-NEXT:help: write '= e' or a block in braces
# NO-BODY-NOT:{{error.*}}

#--- colon_result.arr
def f(a: int): int = a
# COLON-RESULT:error[E0100]: expected '->' before the type of the result, found ':'
# COLON-RESULT-NEXT: --> colon_result.arr:1:14
# COLON-RESULT-NEXT:  |
# COLON-RESULT-NEXT:1 | def f(a: int): int = a
# COLON-RESULT-NEXT:  |              ^
# COLON-RESULT-NOT:{{error.*}}

#--- place.arr
def f(a: int) -> int {
  a + 1 = 2
  a
}
# PLACE:error[E0110]: this cannot be assigned to
# PLACE-NEXT: --> place.arr:2:3
# PLACE-NEXT:  |
# PLACE-NEXT:2 |   a + 1 = 2
# PLACE-NEXT:  |   ^^^^^
# PLACE-NEXT:note: a place is a name with fields and subscripts
# PLACE-NOT:{{error.*}}

#--- section.arr
def f(a: bool[n]) -> bool = reduce((<), false, a)
# SECTION:error[E0134]: '<' cannot stand in parentheses alone
# SECTION-NEXT: --> section.arr:1:37
# SECTION-NEXT:  |
# SECTION-NEXT:1 | def f(a: bool[n]) -> bool = reduce((<), false, a)
# SECTION-NEXT:  |                                     ^
# SECTION-NEXT:help: write 'fn(x, y) => x < y'
# SECTION-NOT:{{error.*}}

#--- attribute.arr
def f(a: f32[n]) -> f32 = @seq sum(a)
# ATTRIBUTE:error[E0115]: an attribute in an expression belongs before a 'for'
# ATTRIBUTE-NEXT: --> attribute.arr:1:27
# ATTRIBUTE-NEXT:  |
# ATTRIBUTE-NEXT:1 | def f(a: f32[n]) -> f32 = @seq sum(a)
# ATTRIBUTE-NEXT:  |                           ^^^^
# ATTRIBUTE-NOT:{{error.*}}

#--- named_first.arr
def f(a: int) -> int = clamp(lo = 0, a, 9)
# NAMED-FIRST:error[E0114]: a positional argument cannot follow a named one
# NAMED-FIRST-NEXT: --> named_first.arr:1:38
# NAMED-FIRST-NEXT:  |
# NAMED-FIRST-NEXT:1 | def f(a: int) -> int = clamp(lo = 0, a, 9)
# NAMED-FIRST-NEXT:  |                                      ^
# NAMED-FIRST-NOT:{{error.*}}

#--- elif_.arr
def f(a: int) -> int {
  if a > 0 { 1 }
  elif a < 0 { 2 }
  else { 3 }
}
# ELIF:error[E0100]: expected 'else if', found 'elif'
# ELIF-NEXT: --> elif_.arr:3:3
# ELIF-NEXT:  |
# ELIF-NEXT:3 |   elif a < 0 { 2 }
# ELIF-NEXT:  |   ^^^^
# ELIF-NOT:{{error.*}}

#--- python_if.arr
def f(a: int) -> int = 1 if a > 0 else 2
# PYTHON-IF:error[E0107]: expected the end of the line, found 'if'
# PYTHON-IF-NEXT: --> python_if.arr:1:26
# PYTHON-IF-NEXT:  |
# PYTHON-IF-NEXT:1 | def f(a: int) -> int = 1 if a > 0 else 2
# PYTHON-IF-NEXT:  |                          ^^
# PYTHON-IF-NEXT:help: a choice is written 'if c { x } else { y }'
# PYTHON-IF-NOT:{{error.*}}

#--- import_name.arr
import "my-lib.arr"
# IMPORT-NAME:error[E0129]: 'my-lib' cannot be a name, so this import needs 'as'
# IMPORT-NAME-NEXT: --> import_name.arr:1:8
# IMPORT-NAME-NEXT:  |
# IMPORT-NAME-NEXT:1 | import "my-lib.arr"
# IMPORT-NAME-NEXT:  |        ^^^^^^^^^^^^
# IMPORT-NAME-NEXT:help: write 'import "..." as name'
# IMPORT-NAME-NOT:{{error.*}}

#--- double_assign.arr
def f(a: int) -> int {
  var b = a
  var c = a
  b = c = 1
  b
}
# DOUBLE-ASSIGN:error[E0128]: only one assignment a statement
# DOUBLE-ASSIGN-NEXT: --> double_assign.arr:4:9
# DOUBLE-ASSIGN-NEXT:  |
# DOUBLE-ASSIGN-NEXT:4 |   b = c = 1
# DOUBLE-ASSIGN-NEXT:  |         ^
# DOUBLE-ASSIGN-NOT:{{error.*}}
