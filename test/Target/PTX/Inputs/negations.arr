export def f(n: int) -> (u: i32, v: i32, w: i32, x: i16) {
  let a = for i in n { i32(i * 1234567 - 2000000000) }
  (max for i { -a[i] }, min for i { -(abs(a[i]) + i32(i)) },
   max for i { if i == 7 { -i32(-2147483648) } else { -abs(a[i]) } },
   max for i { -i16(a[i] % i32(30000)) })
}
