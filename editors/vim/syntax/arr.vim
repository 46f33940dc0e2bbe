" Vim syntax of .arr programs
if exists("b:current_syntax")
  finish
endif

syn keyword arrDeclaration def export extern struct type const import let var
syn keyword arrStatement assert else fn for if loop stencil while
syn keyword arrOperatorWord and or not as in where
syn keyword arrConstant true false pi inf nan
syn keyword arrReserved break continue enum match return yield
syn keyword arrType bool int i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128
syn keyword arrCombinator sum prod min max any all count mean argmin argmax reduce scan exscan hist scatter
syn keyword arrFunction abs acos acosh arg argsort asin asinh atan atan2 atanh bitand bitnot bitor bitxor cbrt ceil clamp clz complex concat conj copysign cos cosh ctz erf erfc exp exp2 expm1 extend flatten floor fma fmax fmin full hypot im iota isfinite isinf isnan log log10 log1p log2 normal ones philox popcount randint re reshape reverse roll round rsqrt select shl shr sign sin sinh size sort sqrt tan tanh transpose trunc uniform zeros zip

syn match arrNumber "\<\d[0-9_]*\>"
syn match arrNumber "\<0[xX][0-9a-fA-F_]\+\>"
syn match arrNumber "\<0[bB][01_]\+\>"
syn match arrFloat "\<\d[0-9_]*\(\.\d[0-9_]*\)\?\([eE][+-]\?\d\+\)\?j\?\>"
syn match arrAttribute "@[A-Za-z_]\w*"
syn match arrDefined "\(\<def\s\+\)\@<=[A-Za-z_]\w*"
syn match arrEscape contained "\\[nt\"\\]"
syn region arrString start=+"+ end=+"\|$+ skip=+\\.+ contains=arrEscape
syn match arrComment "#.*$" contains=arrTodo,@Spell
syn keyword arrTodo contained TODO FIXME XXX

hi def link arrDeclaration Keyword
hi def link arrStatement Statement
hi def link arrOperatorWord Operator
hi def link arrConstant Constant
hi def link arrReserved Error
hi def link arrType Type
hi def link arrCombinator Function
hi def link arrFunction Function
hi def link arrDefined Function
hi def link arrNumber Number
hi def link arrFloat Float
hi def link arrAttribute PreProc
hi def link arrString String
hi def link arrEscape SpecialChar
hi def link arrComment Comment
hi def link arrTodo Todo

let b:current_syntax = "arr"
