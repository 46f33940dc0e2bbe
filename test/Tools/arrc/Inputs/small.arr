# One export of each kind of parameter.
const Q = 3
type real = f32

struct Body {
  pos: real[Q]
  mass: real = 1.0
}

export def weigh(bs: Body[n], scale: real = 2.0) -> (heavy: Body[n], total: real, k: int)
  where n >= 1 {
  let moved = for i in n { Body(pos = for q in Q { scale * bs[i].pos[q] }, mass = bs[i].mass) }
  (moved, sum for i in n { bs[i].mass }, n)
}

export def third(a: int[n], i: int) -> int = a[i] // 3
