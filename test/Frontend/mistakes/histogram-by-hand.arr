export def f(k: int[n]) -> int[10] {
  var h: int[10] = for i in 10 { 0 }
  for i in n {
    h[k[i]] += 1
  }
  h
}

#| error[E0245]: 'h' cannot be assigned in here
#|  --> histogram-by-hand.arr:4:5
#|   |
#| 2 |   var h: int[10] = for i in 10 { 0 }
#|   |       - 'h' is declared outside
#| 4 |     h[k[i]] += 1
#|   |     ^ this body runs for all indices at once
#| help: to count into bins write 'h = hist((+), 0, size(h)) for .. { (k[i], 1) }'
