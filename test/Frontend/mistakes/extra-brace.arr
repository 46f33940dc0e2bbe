export def f(x: f32) -> f32 {
  x * 2.0
}
}

#| error[E0107]: expected the end of the line, found '}'
#|  --> extra-brace.arr:4:1
#|   |
#| 4 | }
#|   | ^
#| help: '}' closes nothing
