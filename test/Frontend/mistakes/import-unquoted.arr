import std/fft
export def f(x: c64[n]) -> c64[n] = fft.fft(x)

#| error[E0131]: expected a path in quotes, found 'std'
#|  --> import-unquoted.arr:1:8
#|   |
#| 1 | import std/fft
#|   |        ^^^
#| help: write 'import "std/fft.arr"'
