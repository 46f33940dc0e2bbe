"""Workloads of run.py that are time loops: what is timed is a step.

The programs are written with slices and whole arrays, as one writes them in NumPy. The
roof of a step is that of its compulsory bytes: each array of the state read once and
written once. Small grids live in the second cache; their rows tell what a step costs,
and their `rho` means nothing.
"""

import os

import torch

from measure import F32, F64, HERE
from workload import U8, Work

#: Steps of large grids, and of those that take microseconds; odd, so that a peer with
#: two buffers ends in the second.
FEW, MANY = 101, 1001

HEAT = """export def f(start: {0}[n, m], steps: int) -> {0}[n, m] where n >= 3, m >= 3 {{
  var u = start
  loop _ in steps {{
    u[1:end-1, 1:end-1] = 0.25 * (u[:end-2, 1:end-1] + u[2:, 1:end-1]
                                  + u[1:end-1, :end-2] + u[1:end-1, 2:])
  }}
  u
}}
"""


def heat(u, steps):
    """Means of four neighbours; the edge stays."""
    u = u.double().clone()
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return u


def two_buffers(name, *between, after=()):
    """A peer that is given two buffers, both of which hold the edge."""
    def hand(peers, case, out):
        start, steps = case.tensors[0], case.work.steps
        scratch, run = start.clone(), None
        run = peers(name, scratch, out, *between, steps, *after)

        def call():
            scratch.copy_(start)
            out.copy_(start)
            run()
        return call
    return hand


def plates(s):
    for edge, type, steps in ((16384, F32, FEW), (4096, F32, FEW), (2048, F32, MANY),
                              (512, F32, MANY), (128, F32, MANY), (8192, F64, FEW)):
        edge, = s(edge)
        name = {F32: "f32", F64: "f64"}[type]
        size = edge * edge * type.itemsize
        yield Work("steps", f"heat {edge}^2 {name}", HEAT.format(name),
                   {"start": ((edge, edge), type), "steps": steps},
                   lambda u, t=steps: heat(u, t), [],
                   [("stencil5_f32", two_buffers("stencil5_f32", edge, edge))]
                   if type == F32 else [], steps=steps, moved=(size, size))
    edge, = s(8192)
    yield Work("steps", f"Jacobi {edge}^2 with its largest change",
               "export def f(start: f32[n, m], steps: int) -> f32[steps] where n >= 3, m >= 3 {\n"
               "  var u = start\n  var change: f32[steps] = zeros(steps)\n"
               "  loop t in steps {\n    let old = u\n"
               "    u[1:end-1, 1:end-1] = 0.25 * (old[:end-2, 1:end-1] + old[2:, 1:end-1]\n"
               "                                  + old[1:end-1, :end-2] + old[1:end-1, 2:])\n"
               "    change[t] = max(abs(u - old))\n  }\n  change\n}\n",
               {"start": ((edge, edge), F32), "steps": FEW}, changes, [],
               [("jacobi_f32", changes_by_hand)], steps=FEW,
               moved=(edge * edge * 4, edge * edge * 4))


def changes(u):
    u, found = u.double().clone(), []
    for _ in range(FEW):
        old = u.clone()
        u[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
        found.append((u - old).abs().max())
    return torch.stack(found)


def changes_by_hand(peers, case, out):
    start = case.tensors[0]
    a, b = start.clone(), start.clone()
    n, m = start.shape
    run = peers("jacobi_f32", a, b, m, n, FEW, out)

    def call():
        a.copy_(start)
        b.copy_(start)
        run()
    return call


CUBE = """export def f(start: f32[n, m, k], steps: int) -> f32[n, m, k]
    where n >= 3, m >= 3, k >= 3 {{
  var u = start
  loop _ in steps {{
    u[1:end-1, 1:end-1, 1:end-1] = {0}
  }}
  u
}}
"""
#: Of the middle, and of those at one, two and three edges of a cell.
WEIGHTS = (0.4, 0.06, 0.01, 0.015)


def taps(points):
    """Shifts of the neighbours and their weights."""
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            for z in (-1, 0, 1):
                away = abs(x) + abs(y) + abs(z)
                if points == 27 or away < 2:
                    yield (x, y, z), WEIGHTS[away]


def cubes(s):
    edge, = s(512)
    ends = {-1: ":end-2", 0: "1:end-1", 1: "2:"}
    for points in (7, 27):
        value = "\n      + ".join(f"{w} * u[{', '.join(ends[d] for d in shift)}]"
                                  for shift, w in taps(points))

        def wide(u, points=points):
            u = u.double().clone()
            part = lambda shift: u[tuple(slice(1 + d, u.shape[0] - 1 + d) for d in shift)]
            for _ in range(11):
                u[1:-1, 1:-1, 1:-1] = sum(w * part(shift) for shift, w in taps(points))
            return u
        yield Work("steps", f"{points}-point {edge}^3", CUBE.format(value),
                   {"start": ((edge,) * 3, F32), "steps": 11}, wide, [],
                   [("stencil3d", two_buffers("stencil3d", edge, after=(points, 32, *WEIGHTS)))],
                   steps=11, moved=(edge**3 * 4, edge**3 * 4))


def several(s):
    """Steps of several arrays, and of bytes."""
    edge, = s(8192)
    yield Work("steps", f"wave {edge}^2",
               "export def f(start: f32[n, m], steps: int) -> f32[n, m] where n >= 3, m >= 3 {\n"
               "  var (old, u) = (start, start)\n  loop _ in steps {\n    var next = u\n"
               "    next[1:end-1, 1:end-1] = 2.0 * u[1:end-1, 1:end-1] - old[1:end-1, 1:end-1]\n"
               "      + 0.25 * (u[:end-2, 1:end-1] + u[2:, 1:end-1] + u[1:end-1, :end-2]\n"
               "                + u[1:end-1, 2:] - 4.0 * u[1:end-1, 1:end-1])\n"
               "    (old, u) = (u, next)\n  }\n  u\n}\n",
               {"start": ((edge, edge), F32), "steps": FEW}, waves, [], steps=FEW,
               moved=(edge * edge * 8, edge * edge * 4), tolerance=1e-4)
    yield Work("steps", f"life {edge}^2 of bytes, a torus",
               "export def f(start: u8[n, m], steps: int) -> u8[n, m] where n >= 1, m >= 1 {\n"
               "  var cells = start\n  loop _ in steps {\n    let e = extend(cells, wrap)\n"
               "    let around = stencil i in n, j in m { e[i-1, j-1] + e[i-1, j] + e[i-1, j+1]\n"
               "      + e[i, j-1] + e[i, j+1] + e[i+1, j-1] + e[i+1, j] + e[i+1, j+1] }\n"
               "    cells = for i, j { if around[i, j] == 3 or (around[i, j] == 2 and "
               "cells[i, j] == 1) { 1 } else { 0 } }\n  }\n  cells\n}\n",
               {"start": ((edge, edge), U8, lambda t, before: t.random_(0, 2)), "steps": FEW},
               lives, [], tolerance=0, steps=FEW, moved=(edge * edge, edge * edge))
    edge, = s(4096)
    yield Work("steps", f"Gray-Scott {edge}^2, a torus",
               "export def f(a0: f32[n, m], b0: f32[n, m], steps: int) -> f32[n, m] {\n"
               "  var (a, b) = (a0, b0)\n  loop _ in steps {\n"
               "    let (p, q) = (extend(a, wrap), extend(b, wrap))\n"
               "    let l = stencil i in n, j in m { p[i-1, j] + p[i+1, j] + p[i, j-1] + p[i, j+1]"
               " - 4.0 * p[i, j] }\n"
               "    let k = stencil i in n, j in m { q[i-1, j] + q[i+1, j] + q[i, j-1] + q[i, j+1]"
               " - 4.0 * q[i, j] }\n    let r = a * b * b\n"
               "    (a, b) = (a + 0.16 * l - r + 0.035 * (1.0 - a), b + 0.08 * k + r - 0.1 * b)\n"
               "  }\n  a\n}\n",
               {"a0": ((edge, edge), F32), "b0": ((edge, edge), F32), "steps": FEW},
               spots, [], steps=FEW, moved=(edge * edge * 8, edge * edge * 8), tolerance=1e-4)
    yield Work("steps", f"FDTD {edge}^2",
               "export def f(h0: f32[n, m], steps: int) -> f32[n, m] where n >= 2, m >= 2 {\n"
               "  var hz = h0\n  var ex: f32[n, m] = for i in n, j in m { 0.0 }\n"
               "  var ey: f32[n, m] = for i in n, j in m { 0.0 }\n  loop t in steps {\n"
               "    ey[0, :] = f32(t)\n    ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:end-1, :])\n"
               "    ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :end-1])\n"
               "    hz[:end-1, :end-1] -= 0.7 * (ex[:end-1, 1:] - ex[:end-1, :end-1]\n"
               "                                 + ey[1:, :end-1] - ey[:end-1, :end-1])\n"
               "  }\n  hz\n}\n",
               {"h0": ((edge, edge), F32), "steps": FEW}, fields, [], steps=FEW,
               moved=(edge * edge * 12, edge * edge * 12), tolerance=1e-4)


def waves(start):
    old, u = start.double(), start.double()
    for _ in range(FEW):
        new = u.clone()
        new[1:-1, 1:-1] = (2 * u[1:-1, 1:-1] - old[1:-1, 1:-1] + 0.25 * (
            u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]))
        old, u = u, new
    return u


def lives(cells):
    shifts = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    for _ in range(FEW):
        around = sum(torch.roll(cells, shift, (0, 1)) for shift in shifts)
        cells = ((around == 3) | ((around == 2) & (cells == 1))).to(U8)
    return cells


def around(u):
    return sum(torch.roll(u, d, k) for k in (0, 1) for d in (1, -1)) - 4 * u


def spots(a, b):
    a, b = a.double(), b.double()
    for _ in range(FEW):
        r = a * b * b
        a, b = a + 0.16 * around(a) - r + 0.035 * (1 - a), b + 0.08 * around(b) + r - 0.1 * b
    return a


def fields(h):
    hz = h.double().clone()
    ex, ey = torch.zeros_like(hz), torch.zeros_like(hz)
    for t in range(FEW):
        ey[0] = t
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return hz


#: Density of the fluid, push along the accelerated row, and what a collision relaxes by.
FLUID = (0.1, 0.005, 1.7)
TO = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]
SHARES = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]


def channel(wall, steps):
    """The average velocity of every step: examples/channel.arr in float64."""
    density, push, omega = FLUID
    wall, n = wall != 0, wall.shape[0]
    w = torch.tensor(SHARES, dtype=F64, device=wall.device)[:, None]
    cy = torch.tensor([y for y, _ in TO], dtype=F64, device=wall.device)[:, None, None]
    cx = torch.tensor([x for _, x in TO], dtype=F64, device=wall.device)[:, None, None]
    f = (density * w)[:, :, None].repeat(1, *wall.shape)
    cells, found = (~wall).sum(), []
    for _ in range(steps):
        row = f[:, n - 2]
        pushed = row + push * density * cx[:, 0] * w
        keeps = wall[n - 2] | ((row <= push * density * w) & (cx[:, 0] < 0)).any(0)
        f[:, n - 2] = torch.where(keeps, row, pushed)
        p = torch.stack([torch.roll(f[q], TO[q], (0, 1)) for q in range(9)])
        rho = p.sum(0)
        u, v = (p * cx).sum(0) / rho, (p * cy).sum(0) / rho
        cu = 3 * (cx * u + cy * v)
        hit = p + omega * (w[:, :, None] * rho * (1 + cu + cu * cu / 2 - 1.5 * (u * u + v * v)) - p)
        f = torch.where(wall, p[OPPOSITE], hit)
        u, v = (f * cx).sum(0) / f.sum(0), (f * cy).sum(0) / f.sum(0)
        found.append(torch.where(wall, 0, (u * u + v * v).sqrt()).sum() / cells)
    # In the type of the results: no input has it.
    return torch.stack(found).float()


def obstacles(wall, before):
    """A block in the channel, and walls along it."""
    n, m = wall.shape
    wall.zero_()
    wall[0] = wall[-1] = 1
    wall[n // 3:n // 2, m // 4:m // 3] = 1


def channel_by_hand(mode, parts):
    def hand(peers, case, out):
        import ctypes
        wall = case.tensors[0]
        n, m = wall.shape
        shares = torch.tensor(SHARES, dtype=F32, device=wall.device) * FLUID[0]
        start = shares[:, None, None].expand(9, n, m).contiguous()
        a, b, cells = torch.empty_like(start), torch.empty_like(start), (wall == 0).sum()
        ms, which = ctypes.c_double(), ctypes.c_int()
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        pointer = lambda t: ctypes.c_void_p(t.data_ptr())

        def call():
            a.copy_(start)
            torch.cuda.synchronize()
            status = peers.dll.lbm_run(
                pointer(a), pointer(b), pointer(wall), pointer(out), m, n, case.work.steps,
                *[ctypes.c_float(x) for x in FLUID], mode, parts, ctypes.byref(ms),
                ctypes.byref(which), stream)
            if status:
                raise RuntimeError(f"lbm_run: {status}")
            out.div_(cells)
        return call
    return hand


def channels(s):
    with open(os.path.join(HERE, "..", "examples", "channel.arr")) as f:
        text = f.read().replace("export def", "def")
    text += ("export def f(wall: u8[n, m], steps: int) -> f32[steps] where n >= 2 {\n"
             f"  let (_, average) = channel(wall != 0, {', '.join(map(str, FLUID))}, steps)\n"
             "  average\n}\n")
    for edge, steps in ((128, 401), (256, 401), (1024, FEW), (2048, FEW)):
        edge, = s(edge)
        # Modes of the peer: a graph that overlaps its launches, blocks that wait for their
        # neighbours, one cluster.
        hands = [("lbm_run, graph", channel_by_hand(4, 1))] if edge <= 1024 else []
        hands += [("lbm_run, persistent", channel_by_hand(2, edge // 2))] if edge < 300 else []
        hands += [("lbm_run, cluster", channel_by_hand(3, 8))] if edge == 128 else []
        size = edge * edge * 36
        yield Work("steps", f"D2Q9 {edge}^2", text,
                   {"wall": ((edge, edge), U8, obstacles), "steps": steps},
                   lambda wall, t=steps: channel(wall, t), [], hands, steps=steps,
                   # Rounding of f32 alone: 0.7e-3 by hand, 1.3e-3 in another order.
                   moved=(size, size), tolerance=2e-3)


def bodies(s):
    """All pairs, explicit Euler; 20 operations a pair."""
    text = ("@fast\nexport def f(p0: f32[n, 3], v0: f32[n, 3], mass: f32[n], steps: int) -> "
            "f32[n, 3] {\n  var (p, v) = (p0, v0)\n  loop _ in steps {\n"
            "    let a = for i in n {\n      sum for j in n {\n        let d = p[j] - p[i]\n"
            "        let r2 = sum(d * d) + 0.01\n        d * (mass[j] / (r2 * sqrt(r2)))\n      }\n"
            "    }\n    v = v + 0.0001 * a\n    p = p + 0.0001 * v\n  }\n  p\n}\n")
    for n, steps in ((4096, 101), (32768, 11), (131072, 3)):
        n, = s(n)
        yield Work("steps", f"{n} bodies", text,
                   {"p0": ((n, 3), F32), "v0": ((n, 3), F32), "mass": ((n,), F32),
                    "steps": steps}, lambda p, v, mass, t=steps: falls(p, v, mass, t), [],
                   steps=steps, moved=(28 * n, 24 * n), flops=20 * n * n, tolerance=1e-4)


def falls(p, v, mass, steps):
    p, v, mass = p.double(), v.double(), mass.double()
    for _ in range(steps):
        a = torch.cat([pulls(part, p, mass) for part in p.split(max(1, (1 << 26) // len(p)))])
        v = v + 0.0001 * a
        p = p + 0.0001 * v
    return p


def pulls(part, p, mass):
    d = p[None] - part[:, None]
    r2 = d.square().sum(2) + 0.01
    return (d * (mass / (r2 * r2.sqrt()))[:, :, None]).sum(1)


def steps(s):
    for some in (plates, cubes, several, channels, bodies):
        yield from some(s)
