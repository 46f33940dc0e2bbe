import "fft"
export def f(x: c64[n]) -> c64[n] = fft.fft(x)

#| error[E0009]: cannot find 'fft'
#|  --> import-bare-name.arr:1:8
#|   |
#| 1 | import "fft"
#|   |        ^^^^^
#| note: paths start at the importing file, then at the folders of '-I'
#| help: write 'import "std/fft.arr"'
