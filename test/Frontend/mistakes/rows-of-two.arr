export def f(r: f64[n, ?], s: f64[n, ?]) -> f64[n] = for i { sum for j { r[i, j] * s[i, j] } }

#| error[E0301]: 'j' would range over ?3 (from 'r') and ?5 (from 's')
#|  --> rows-of-two.arr:1:70
#|   |
#| 1 | export def f(r: f64[n, ?], s: f64[n, ?]) -> f64[n] = for i { sum for j { r[i, j] * s[i, j] } }
#|   |                                                                      ^
#|   |                                                                               - ?3
#|   |                                                                                         - ?5
#| help: say which: 'j in size(r)' of an array, 'j in size(r[i])' of its row
