struct Body { pos: f32[3], mass: f32 }

# Moves bodies by dt seconds.
export def step(bs: Body[n], dt: f32) -> (moved: Body[n], total: f32) {
  (for b in bs { Body(for d in 3 { b.pos[d] + dt }, b.mass) }, sum(bs.mass))
}

# The masses that are above a limit.
export def heavy(bs: Body[n], limit: f32) -> f32[?k] = for b in bs if b.mass > limit { b.mass }

export def at(x: f32[n], k: int) -> f32 = x[k]
