# What other languages write has a message that names what is written here.
# RUN: split-file %s %t
# RUN: cd %t && not arrc check operators.arr 2>&1 | FileCheck %s --check-prefix=OPERATORS --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check comments.arr 2>&1 | FileCheck %s --check-prefix=COMMENTS --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check closers.arr 2>&1 | FileCheck %s --check-prefix=CLOSERS --match-full-lines --strict-whitespace
# RUN: cd %t && not arrc check characters.arr 2>&1 | FileCheck %s --check-prefix=CHARACTERS --match-full-lines --strict-whitespace

#--- operators.arr
def updates(x: int) -> int {
  var v = x
  v //= 2
  v %= 3
  v **= 2
  v
}
def ranges(n: int) -> int = sum for i in 0..n { i }
def closed(n: int) -> int = sum for i in 0..=n { i }
def walrus(n: int) -> int {
  let m := n
  m
}
def choice(a: f32[n]) -> f32[n] = where(a > 0.0, a, 0.0)
def call(n: int) -> int {
  assert(n > 0, "positive")
  n
}

#      OPERATORS:error[E0119]: '//=' is not an operator here
# OPERATORS-NEXT: --> operators.arr:3:5
# OPERATORS-NEXT:  |
# OPERATORS-NEXT:3 |   v //= 2
# OPERATORS-NEXT:  |     ^^^
# OPERATORS-NEXT:help: write 'x = x // y'
# OPERATORS-NEXT:error[E0119]: '%=' is not an operator here
# OPERATORS-NEXT: --> operators.arr:4:5
# OPERATORS-NEXT:  |
# OPERATORS-NEXT:4 |   v %= 3
# OPERATORS-NEXT:  |     ^^
# OPERATORS-NEXT:help: write 'x = x % y'
# OPERATORS-NEXT:error[E0119]: '**=' is not an operator here
# OPERATORS-NEXT: --> operators.arr:5:5
# OPERATORS-NEXT:  |
# OPERATORS-NEXT:5 |   v **= 2
# OPERATORS-NEXT:  |     ^^^
# OPERATORS-NEXT:help: write 'x = x ** y'
# OPERATORS-NEXT:error[E0119]: '..' is not an operator here
# OPERATORS-NEXT: --> operators.arr:8:43
# OPERATORS-NEXT:  |
# OPERATORS-NEXT:8 | def ranges(n: int) -> int = sum for i in 0..n { i }
# OPERATORS-NEXT:  |                                           ^^
# OPERATORS-NEXT:help: a range is written 'lo:hi', as in '0:n'
# OPERATORS-NEXT:error[E0119]: '..=' is not an operator here
# OPERATORS-NEXT: --> operators.arr:9:43
# OPERATORS-NEXT:  |
# OPERATORS-NEXT:9 | def closed(n: int) -> int = sum for i in 0..=n { i }
# OPERATORS-NEXT:  |                                           ^^^
# OPERATORS-NEXT:help: write 'lo:hi + 1': a range ends before its second number
# OPERATORS-NEXT:error[E0119]: ':=' is not an operator here
# OPERATORS-NEXT:  --> operators.arr:11:9
# OPERATORS-NEXT:   |
# OPERATORS-NEXT:11 |   let m := n
# OPERATORS-NEXT:   |         ^^
# OPERATORS-NEXT:help: a new name begins with 'let' or 'var'; '=' assigns
# OPERATORS-NEXT:error[E0100]: expected an expression, found 'where'
# OPERATORS-NEXT:  --> operators.arr:14:35
# OPERATORS-NEXT:   |
# OPERATORS-NEXT:14 | def choice(a: f32[n]) -> f32[n] = where(a > 0.0, a, 0.0)
# OPERATORS-NEXT:   |                                   ^^^^^
# OPERATORS-NEXT:help: a choice is written 'select(c, x, y)' or 'if c { x } else { y }'
# OPERATORS-NEXT:error[E0116]: there are no strings: text stands only after 'import' and in 'assert'
# OPERATORS-NEXT:  --> operators.arr:16:17
# OPERATORS-NEXT:   |
# OPERATORS-NEXT:16 |   assert(n > 0, "positive")
# OPERATORS-NEXT:   |                 ^^^^^^^^^^
# OPERATORS-NEXT:help: write 'assert c, "text"', without parentheses
# OPERATORS-NOT:{{error.*}}

#--- comments.arr
// before a declaration
def f(n: int) -> int {
  // first in a block
  let a = n + 1 // behind a statement
  /* between two
     statements */
  a
}

#      COMMENTS:error[E0117]: expected a declaration, found '//'
# COMMENTS-NEXT: --> comments.arr:1:1
# COMMENTS-NEXT:  |
# COMMENTS-NEXT:1 | // before a declaration
# COMMENTS-NEXT:  | ^^
# COMMENTS-NEXT:help: a comment begins with '#'
# COMMENTS-NEXT:error[E0100]: expected an expression, found '//'
# COMMENTS-NEXT: --> comments.arr:3:3
# COMMENTS-NEXT:  |
# COMMENTS-NEXT:3 |   // first in a block
# COMMENTS-NEXT:  |   ^^
# COMMENTS-NEXT:help: a comment begins with '#'
# COMMENTS-NEXT:error[E0119]: '/*' is not an operator here
# COMMENTS-NEXT: --> comments.arr:5:3
# COMMENTS-NEXT:  |
# COMMENTS-NEXT:5 |   /* between two
# COMMENTS-NEXT:  |   ^^
# COMMENTS-NEXT:help: a comment begins with '#' and ends with its line
# COMMENTS-NEXT:error[E0107]: expected the end of the line, found 'a'
# COMMENTS-NEXT: --> comments.arr:4:27
# COMMENTS-NEXT:  |
# COMMENTS-NEXT:4 |   let a = n + 1 // behind a statement
# COMMENTS-NEXT:  |                           ^
# COMMENTS-NEXT:help: a comment begins with '#': '//' divides
# COMMENTS-NOT:{{error.*}}

#--- closers.arr
]
def brace(x: int) -> int { x } }
def bracket(x: int) -> int = x ]
def inner(x: int) -> int {
  x )
}

#      CLOSERS:error[E0117]: expected a declaration, found ']'
# CLOSERS-NEXT: --> closers.arr:1:1
# CLOSERS-NEXT:  |
# CLOSERS-NEXT:1 | ]
# CLOSERS-NEXT:  | ^
# CLOSERS-NEXT:help: ']' closes nothing
# CLOSERS-NEXT:error[E0107]: expected the end of the line, found '}'
# CLOSERS-NEXT: --> closers.arr:2:32
# CLOSERS-NEXT:  |
# CLOSERS-NEXT:2 | def brace(x: int) -> int { x } }
# CLOSERS-NEXT:  |                                ^
# CLOSERS-NEXT:help: '}' closes nothing
# CLOSERS-NEXT:error[E0107]: expected the end of the line, found ']'
# CLOSERS-NEXT: --> closers.arr:3:32
# CLOSERS-NEXT:  |
# CLOSERS-NEXT:3 | def bracket(x: int) -> int = x ]
# CLOSERS-NEXT:  |                                ^
# CLOSERS-NEXT:help: ']' closes nothing
# CLOSERS-NEXT:error[E0100]: expected the end of the statement, found ')'
# CLOSERS-NEXT: --> closers.arr:5:5
# CLOSERS-NEXT:  |
# CLOSERS-NEXT:5 |   x )
# CLOSERS-NEXT:  |     ^
# CLOSERS-NEXT:help: ')' closes nothing
# CLOSERS-NOT:{{error.*}}

#--- characters.arr
def minus(a: int, b: int) -> int = a − b
def times(a: int) -> int = a×a
def order(a: int) -> bool = a≤1
def arrow(a: int) → int = a
def square(a: int) -> int = a²
def space(a: int) -> int = a
def unseen(a: int) -> int = ​a
def quotes(a: int) -> int {
  assert a > 0, “positive”
  a
}
def letter(naïve: int) -> int = 1
# In a comment − and in "text −" anything may stand.

#      CHARACTERS:error[E0031]: unexpected character U+2212 (minus sign)
#      CHARACTERS: --> characters.arr:1:38
#      CHARACTERS:help: write '-'
#      CHARACTERS:error[E0031]: unexpected character U+00D7 (multiplication sign)
#      CHARACTERS: --> characters.arr:2:29
#      CHARACTERS:help: write '*'
#      CHARACTERS:error[E0031]: unexpected character U+2264 (less-than or equal to)
#      CHARACTERS: --> characters.arr:3:30
#      CHARACTERS:help: write '<='
#      CHARACTERS:error[E0031]: unexpected character U+2192 (rightwards arrow)
#      CHARACTERS: --> characters.arr:4:19
#      CHARACTERS:help: write '->'
#      CHARACTERS:error[E0031]: unexpected character U+00B2 (superscript two)
#      CHARACTERS: --> characters.arr:5:30
#      CHARACTERS:help: write '** 2'
#      CHARACTERS:error[E0031]: unexpected character U+00A0 (no-break space)
#      CHARACTERS: --> characters.arr:6:27
#      CHARACTERS:help: write a space
#      CHARACTERS:error[E0031]: unexpected character U+200B (zero-width space)
#      CHARACTERS: --> characters.arr:7:29
#      CHARACTERS:help: delete it: it cannot be seen
#      CHARACTERS:error[E0031]: unexpected character U+201C (left double quotation mark)
#      CHARACTERS: --> characters.arr:9:17
#      CHARACTERS:help: write '"'
#      CHARACTERS:error[E0007]: names are written in ASCII letters, digits and '_'
#      CHARACTERS:  --> characters.arr:12:12
# CHARACTERS-NOT:{{error.*}}
