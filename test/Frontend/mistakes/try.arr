export def f(x: f32) -> f32 {
  try {
    1.0 / x
  }
}

#| error[E0139]: 'try' means nothing here
#|  --> try.arr:2:3
#|   |
#| 2 |   try {
#|   |   ^^^
#| help: nothing is caught: 'assert c, "text"' ends the program
