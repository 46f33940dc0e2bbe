"""Random loop nests, as programs of arrc and as functions of torch.

    for nest in draw(seed, count): nest.text, nest.inputs, nest.torch(torch tensors..)

A nest is a function of the seed and its number alone. Classes, of which each gets an
equal share:

    map          elementwise work on one to four arrays of one shape
    broadcast    the same, operands that lack some dimensions
    transpose    the same, operands that have their dimensions in another order
    fold         of everything
    rows         folds over the last dimensions
    columns      folds over the first dimensions, or some in the middle
    mixed        folds over any dimensions of permuted and broadcast operands
    several      two results of one index space
    scan         along any dimension, of what is computed
    window       sums over windows, weights as numbers or as an array
    product      folds of two operands, each of which stays along some dimension
    kept         passes over rows that depend on each other (softmax, normalisation)
"""

import random

try:
    import torch
except ImportError:  # the programs alone
    torch = None

CLASSES = ["map", "broadcast", "transpose", "fold", "rows", "columns", "mixed", "several",
           "scan", "window", "product", "kept"]
BYTES = {"f16": 2, "f32": 4, "f64": 8, "u8": 1, "i32": 4, "i64": 8}
INDICES = "ijklm"
#: Bytes of the largest array of a nest; operations of a product.
LEAST, MOST = 64 << 20, 192 << 20
OPERATIONS = 4e9


class Nest:
    """A program with one export `f`, its inputs, and what it must give.

    text      of the program
    inputs    name -> (shape, name of the element type)
    torch     (tensors by name) -> the results, in the types that it is given
    integer   whether results are exact
    flops     multiply-adds (as two) and other arithmetic of one call
    special   calls of exp, tanh and the like
    product   of products: the dimensions of both operands
    kind, number
    """

    def __init__(self, kind, number):
        self.kind, self.number = kind, number
        self.text, self.inputs, self.torch = "", {}, None
        self.integer, self.flops, self.special = False, 0, 0
        #: Adds are many and may cancel: the sum of magnitudes is what errors refer to.
        self.scale = self.product = None

    @property
    def name(self):
        shapes = ", ".join(f"{t}{list(s)}" for s, t in self.inputs.values())
        return f"{self.kind} {self.number}: {shapes}"


# Expressions: ("load", k), ("number", x), (operator, argument, ..).

FLOAT_BINARY = ["+", "-", "*", "min", "max", "/"]
FLOAT_UNARY = ["abs", "sqrt", "exp", "neg", "tanh", "square"]
INT_BINARY = ["+", "-", "*", "min", "max"]
INT_UNARY = ["abs", "neg"]
SPECIAL = {"exp", "tanh", "sqrt", "/"}


def expression(rng, loads, integer):
    """All loads joined, some of them changed before or after."""
    parts = [("load", k) for k in range(loads)]
    binary, unary = (INT_BINARY, INT_UNARY) if integer else (FLOAT_BINARY, FLOAT_UNARY)

    def changed(e):
        if rng.random() < 0.35:
            e = (rng.choice(unary), e)
        if rng.random() < 0.25:
            n = rng.randint(1, 3) if integer else rng.choice([0.25, 0.5, 1.5])
            e = (rng.choice(["+", "*"]), e, ("number", n))
        return e
    rng.shuffle(parts)
    whole = changed(parts.pop())
    while parts:
        whole = changed((rng.choice(binary), whole, changed(parts.pop())))
    return whole


def written(e, loads):
    """As text of the language; `loads` are texts. Roots keep away from 0, near which the
    rounding of what is below them has no bound in theirs."""
    op, *args = e
    if op == "load":
        return loads[args[0]]
    if op == "number":
        return str(args[0])
    x = [written(a, loads) for a in args]
    if op in ("+", "-", "*"):
        return f"({x[0]} {op} {x[1]})"
    return {"min": lambda: f"min({x[0]}, {x[1]})", "max": lambda: f"max({x[0]}, {x[1]})",
            "/": lambda: f"({x[0]} / (1.0 + abs({x[1]})))", "abs": lambda: f"abs({x[0]})",
            "sqrt": lambda: f"sqrt(abs({x[0]}) + 0.125)", "exp": lambda: f"exp(-abs({x[0]}))",
            "neg": lambda: f"(-{x[0]})", "tanh": lambda: f"tanh({x[0]})",
            "square": lambda: f"({x[0]})**2"}[op]()


def value(e, loads):
    """Of tensors."""
    op, *args = e
    if op == "load":
        return loads[args[0]]
    if op == "number":
        return args[0]
    x = [value(a, loads) for a in args]
    if op in ("min", "max"):
        a, b = x
        if not isinstance(b, torch.Tensor):
            b = torch.full((), b, dtype=a.dtype, device=a.device)
        return torch.minimum(a, b) if op == "min" else torch.maximum(a, b)
    return {"+": lambda: x[0] + x[1], "-": lambda: x[0] - x[1], "*": lambda: x[0] * x[1],
            "/": lambda: x[0] / (1.0 + x[1].abs()), "abs": lambda: x[0].abs(),
            "sqrt": lambda: (x[0].abs() + 0.125).sqrt(), "exp": lambda: (-x[0].abs()).exp(),
            "neg": lambda: -x[0], "tanh": lambda: x[0].tanh(),
            "square": lambda: x[0] * x[0]}[op]()


def count(e):
    """(operations, special functions) of one evaluation."""
    op, *args = e
    if op in ("load", "number"):
        return 0, 0
    inner = [count(a) for a in args]
    return 1 + sum(i[0] for i in inner), (op in SPECIAL) + sum(i[1] for i in inner)


# Operands over named dimensions.

class Operand:
    """An array whose dimensions are some of the nest's, in its own order."""

    def __init__(self, name, type, dims):
        self.name, self.type, self.dims = name, type, dims

    def parameter(self):
        return f"{self.name}: {self.type}[{', '.join('n' + d for d in self.dims)}]"

    def load(self, arithmetic):
        text = f"{self.name}[{', '.join(self.dims)}]"
        return text if self.type == arithmetic else f"{arithmetic}({text})"

    def aligned(self, tensor, dims):
        """The tensor with all dimensions of the nest, in order; 1 where it stays."""
        order = [self.dims.index(d) for d in dims if d in self.dims]
        shape = tuple(slice(None) if d in self.dims else None for d in dims)
        return tensor.permute(order)[shape]


class Space:
    """Dimensions with their extents, and operands over them."""

    def __init__(self, rng, rank, type=None, most=None):
        self.rng, self.dims = rng, list(INDICES[:rank])
        self.type = type or rng.choice(["f32"] * 5 + ["f64", "f16", "u8", "i32", "i64"])
        self.integer = self.type in ("i32", "i64")
        #: What is computed with: bytes and halves are turned into floats first.
        self.arithmetic = "f32" if self.type in ("u8", "f16") else self.type
        total = rng.uniform(LEAST, most or MOST) / BYTES[self.type]
        self.extents = dict(zip(self.dims, extents(rng, rank, total)))
        self.operands = []

    def add(self, dims=None):
        name = "abcd"[len(self.operands)]
        self.operands.append(Operand(name, self.type, list(dims or self.dims)))

    def fill(self, nest):
        nest.inputs = {o.name: (tuple(self.extents[d] for d in o.dims), o.type)
                       for o in self.operands}
        nest.integer = self.integer

    def parameters(self):
        return ", ".join(o.parameter() for o in self.operands)

    def loads(self):
        return [o.load(self.arithmetic) for o in self.operands]

    def views(self, tensors):
        """Aligned tensors, in the type that is computed with."""
        return [o.aligned(as_computed(tensors[o.name]), self.dims) for o in self.operands]

    def points(self):
        total = 1
        for extent in self.extents.values():
            total *= extent
        return total

    def result(self, dims):
        return self.arithmetic + (f"[{', '.join('n' + d for d in dims)}]" if dims else "")


def extents(rng, rank, total):
    """That many elements in dimensions of any lengths, no powers of two."""
    if rank == 1:
        return [int(total) | 1]
    found, left = [], total
    short = rng.randrange(rank) if rng.random() < 0.3 else None
    places = list(range(rank))
    rng.shuffle(places)
    lengths = [0] * rank
    if short is not None and rank > 1:
        lengths[short] = rng.randint(2, 10)
        left /= lengths[short]
        places.remove(short)
    for place in places[:-1]:
        share = rng.uniform(0.25, 0.75) if len(places) == 2 else rng.uniform(0.1, 0.5)
        lengths[place] = max(2, int(left ** share))
        left /= lengths[place]
    lengths[places[-1]] = max(2, int(left))
    return [n + 1 if n > 16 and n & (n - 1) == 0 else n for n in lengths]


def as_computed(t):
    """Bytes and halves as floats."""
    return t.float() if t.dtype in (torch.uint8, torch.float16) else t


# Folds.

FOLDS = {"sum": lambda t, d: t.sum(d, dtype=t.dtype), "max": lambda t, d: t.amax(d),
         "min": lambda t, d: t.amin(d)}


def folded(op, t, axes):
    if not axes:
        return t
    return FOLDS[op](t, tuple(axes))


def fold_text(op, dims, body):
    return f"{op} for {', '.join(dims)} {{ {body} }}"


def map_text(dims, body):
    return f"for {', '.join(dims)} {{ {body} }}" if dims else body


def expand(t, space):
    """Broadcast to the whole space: a fold counts every iteration."""
    return t.expand([space.extents[d] for d in space.dims])


def elementwise(nest, rng, kind):
    space = Space(rng, rng.randint(1 if kind == "map" else 2, 4))
    space.add()
    for _ in range(rng.randint(0 if kind == "map" else 1, 3)):
        dims = list(space.dims)
        if kind == "broadcast":
            dims = [d for d in dims if rng.random() < 0.5] or [rng.choice(dims)]
        elif kind == "transpose":
            rng.shuffle(dims)
        space.add(dims)
    if kind == "transpose" and all(o.dims == space.dims for o in space.operands):
        space.operands[-1].dims = space.dims[::-1]
    e = expression(rng, len(space.operands), space.integer)
    space.fill(nest)
    nest.text = (f"export def f({space.parameters()}) -> {space.result(space.dims)} =\n"
                 f"  {map_text(space.dims, written(e, space.loads()))}\n")
    nest.torch = lambda t: [expand(value(e, space.views(t)), space)]
    operations, special = count(e)
    nest.flops, nest.special = operations * space.points(), special * space.points()


def fold_space(rng, kind):
    """A space, and the dimensions that are folded."""
    space = Space(rng, rng.randint(1 if kind == "fold" else 2, 4 if kind != "mixed" else 5))
    rank = len(space.dims)
    many = rng.randint(1, max(1, rank - 1))
    dims = {"fold": space.dims, "rows": space.dims[-many:], "columns": space.dims[:many],
            }.get(kind) or sorted(rng.sample(space.dims, many))
    if kind == "columns" and rank > 2 and rng.random() < 0.4:
        dims = [space.dims[rng.randrange(1, rank - 1)]]
    space.add()
    for _ in range(rng.randint(0 if kind != "mixed" else 1, 2)):
        mine = list(space.dims)
        if kind == "mixed" or rng.random() < 0.3:
            if rng.random() < 0.6:
                mine = [d for d in mine if rng.random() < 0.6] or [rng.choice(mine)]
            if kind == "mixed" and rng.random() < 0.5:
                rng.shuffle(mine)
        space.add(mine)
    return space, dims


def fold(nest, rng, kind):
    space, dims = fold_space(rng, kind)
    kept = [d for d in space.dims if d not in dims]
    axes = [space.dims.index(d) for d in dims]
    op = rng.choice(["sum", "sum", "max", "min"])
    e = expression(rng, len(space.operands), space.integer)
    space.fill(nest)
    body = map_text(kept, fold_text(op, dims, written(e, space.loads())))
    # A number would be read by the host in each call; an array stays on the card.
    nest.text = (f"export def f({space.parameters()}) -> {space.arithmetic}[1] = [{body}]\n"
                 if not kept else
                 f"export def f({space.parameters()}) -> {space.result(kept)} =\n  {body}\n")
    shape = (lambda t: t) if kept else (lambda t: t.reshape(1))
    whole = lambda t: expand(value(e, space.views(t)), space)
    nest.torch = lambda t: [shape(folded(op, whole(t), axes))]
    if op == "sum":
        nest.scale = lambda t: [folded(op, whole(t).abs(), axes)]
    operations, special = count(e)
    nest.flops, nest.special = (operations + 1) * space.points(), special * space.points()


def several(nest, rng):
    space, dims = fold_space(rng, rng.choice(["rows", "columns", "mixed"]))
    kept = [d for d in space.dims if d not in dims]
    axes = [space.dims.index(d) for d in dims]
    ops = [rng.choice(["sum", "max", "min"]) for _ in range(2)]
    parts = [expression(rng, len(space.operands), space.integer) for _ in ops]
    space.fill(nest)
    bodies = [fold_text(op, dims, written(e, space.loads())) for op, e in zip(ops, parts)]
    nest.text = (f"export def f({space.parameters()}) -> "
                 f"(u: {space.result(kept)}, v: {space.result(kept)}) =\n  "
                 + f"({map_text(kept, bodies[0])},\n   {map_text(kept, bodies[1])})\n")

    def run(t, wrap=lambda x: x):
        views = space.views(t)
        return [folded(op, wrap(expand(value(e, views), space)), axes)
                for op, e in zip(ops, parts)]
    nest.torch = run
    if "sum" in ops:
        nest.scale = lambda t: run(t, torch.abs)
    counts = [count(e) for e in parts]
    nest.flops = sum(c[0] + 1 for c in counts) * space.points()
    nest.special = sum(c[1] for c in counts) * space.points()


def scan(nest, rng):
    space = Space(rng, rng.randint(1, 3))
    space.add()
    if len(space.dims) > 1 and rng.random() < 0.5:
        dims = list(space.dims)
        rng.shuffle(dims)
        space.add(dims if rng.random() < 0.5 else dims[:1])
    axis, op = rng.randrange(len(space.dims)), rng.choice(["+", "max", "min"])
    if rng.random() < 0.3:
        rng.shuffle(space.operands[0].dims)
    e = expression(rng, len(space.operands), space.integer)
    space.fill(nest)
    name = "(+)" if op == "+" else op
    where = f", axis = {axis}" if len(space.dims) > 1 else ""
    nest.text = (f"export def f({space.parameters()}) -> {space.result(space.dims)} =\n  "
                 f"scan({name}, {map_text(space.dims, written(e, space.loads()))}{where})\n")
    whole = lambda t: expand(value(e, space.views(t)), space)
    nest.torch = lambda t: [whole(t).cumsum(axis, dtype=whole(t).dtype) if op == "+" else
                            (whole(t).cummax(axis) if op == "max" else whole(t).cummin(axis))[0]]
    if op == "+":
        nest.scale = lambda t: [whole(t).abs().cumsum(axis)]
    operations, special = count(e)
    nest.flops, nest.special = (operations + 1) * space.points(), special * space.points()


def window(nest, rng):
    space = Space(rng, rng.randint(1, 4), rng.choice(["f32", "f32", "f16", "f64", "u8"]))
    rank = len(space.dims)
    across = sorted(rng.sample(range(rank), rng.randint(1, min(rank, 3))))
    longest = max(range(rank), key=lambda k: space.extents[space.dims[k]])
    across = [k for k in across if space.extents[space.dims[k]] > 16] or [longest]
    sizes = {k: rng.choice([3, 3, 5, 7]) for k in across}
    if across == [longest] and rng.random() < 0.3:
        long = rng.choice([16, 31, 64])
        if space.extents[space.dims[longest]] > long:
            sizes[longest] = long
    space.add()
    space.fill(nest)
    offsets = "pqr"[:len(across)]
    weighted = rng.random() < 0.6
    dims = [f"{d} in n{d} - {sizes[k] - 1}" if k in sizes else f"{d} in n{d}"
            for k, d in enumerate(space.dims)]
    places = [f"{d} + {offsets[across.index(k)]}" if k in sizes else d
              for k, d in enumerate(space.dims)]
    type = space.arithmetic
    load = f"a[{', '.join(places)}]"
    if space.type != type:
        load = f"{type}({load})"
    body = f"w[{', '.join(offsets)}] * {load}" if weighted else load
    ranges = ", ".join(f"{o} in {sizes[k]}" for o, k in zip(offsets, across))
    shape = ", ".join(f"n{d} - {sizes[k] - 1}" if k in sizes else f"n{d}"
                      for k, d in enumerate(space.dims))
    parameters = space.parameters()
    if weighted:
        parameters += f", w: {type}[{', '.join(str(sizes[k]) for k in across)}]"
        nest.inputs["w"] = (tuple(sizes[k] for k in across), type)
    nest.text = (f"export def f({parameters}) -> {type}[{shape}] =\n  "
                 f"for {', '.join(dims)} {{ sum for {ranges} {{ {body} }} }}\n")

    def run(t):
        a = as_computed(t["a"])
        total = None
        for point in torch.cartesian_prod(*[torch.arange(sizes[k]) for k in across]).reshape(
                -1, len(across)).tolist():
            part = a[tuple(slice(point[across.index(k)],
                                 n - sizes[k] + 1 + point[across.index(k)]) if k in sizes
                           else slice(None) for k, n in enumerate(a.shape))]
            part = part * t["w"][tuple(point)] if weighted else part
            total = part if total is None else total + part
        return [total]
    nest.torch = run
    taps = 1
    for size in sizes.values():
        taps *= size
    nest.flops = (2 if weighted else 1) * taps * space.points()


def product(nest, rng):
    space = Space(rng, 3, rng.choice(["f32", "f32", "f32", "f64"]))
    batched = rng.random() < 0.25
    cut = OPERATIONS / 2 / rng.uniform(1, 6) / (8 if space.type == "f64" else 1)
    i, j, k = (max(8, int(cut ** share)) for share in rng.choice(
        [(1 / 3, 1 / 3, 1 / 3), (0.2, 0.4, 0.4), (0.4, 0.4, 0.2), (0.25, 0.25, 0.5)]))
    space.dims, space.extents = list("ijk"), {"i": i | 1, "j": j + 3, "k": k + 1}
    left, right = ["i", "k"], ["k", "j"]
    if batched:
        space.dims, space.extents["l"] = list("lijk"), rng.choice([7, 12, 33])
        left, right = ["l"] + left, ["l"] + right
        for d in "ij":
            space.extents[d] = max(8, int(space.extents[d] / space.extents["l"] ** 0.5))
    for dims in (left, right):
        if rng.random() < 0.5:
            dims[-2:] = dims[:-3:-1]
        space.add(dims)
    kept = space.dims[:-1]
    space.fill(nest)
    op, body, expr = rng.choice([
        ("sum", "{0} * {1}", lambda a, b: a * b), ("sum", "{0} * {1}", lambda a, b: a * b),
        ("sum", "({0} - {1})**2", lambda a, b: (a - b) ** 2),
        ("min", "({0} + {1})", lambda a, b: a + b),
        ("sum", "abs({0} - {1})", lambda a, b: (a - b).abs())])
    nest.text = (f"export def f({space.parameters()}) -> {space.result(kept)} =\n  "
                 + map_text(kept, fold_text(op, ["k"], body.format(*space.loads()))) + "\n")
    plain = body == "{0} * {1}"
    nest.product = [o.dims for o in space.operands]

    def run(t):
        a, b = space.views(t)
        if plain:
            # [.., i, 1, k] by [.., 1, j, k]
            return [torch.matmul(a.squeeze(-2), b.squeeze(-3).transpose(-1, -2))]
        rows = max(1, int(2e8 / (space.points() / space.extents["i"])))
        at = len(space.dims) - 3
        return [torch.cat([folded(op, expr(part, b), [len(space.dims) - 1])
                           for part in a.split(rows, at)], at)]
    nest.torch = run
    nest.flops = (2 if plain else 3) * space.points()


def kept(nest, rng):
    space = Space(rng, rng.randint(1, 3) if rng.random() < 0.9 else 2,
                  rng.choice(["f32", "f32", "f16", "f64"]))
    if len(space.dims) == 1:
        space = Space(rng, 2, space.type)
    space.add()
    space.fill(nest)
    axis = rng.randrange(len(space.dims))
    row = space.dims[axis]
    others = ", ".join(d for d in space.dims if d != row)
    every = ", ".join(space.dims)
    at = f"[{others}]"
    a = f"a[{every}]" if space.type != "f16" else f"f32(a[{every}])"
    whole = "a" if space.type != "f16" else "f32(a)"
    how = rng.choice(["softmax", "layer norm", "rms norm", "centred", "by the largest"])
    lines = {
        "softmax": [f"let m = max({whole}, axis = {axis})",
                    f"let e = for {every} {{ exp({a} - m{at}) }}",
                    f"let s = sum(e, axis = {axis})",
                    f"for {every} {{ e[{every}] / s{at} }}"],
        "layer norm": [f"let m = mean({whole}, axis = {axis})",
                       f"let v = for {others} {{ mean for {row} {{ ({a} - m{at})**2 }} }}",
                       f"for {every} {{ ({a} - m{at}) * rsqrt(v{at} + 0.125) }}"],
        "rms norm": [f"let s = for {others} {{ mean for {row} {{ {a}**2 }} }}",
                     f"for {every} {{ {a} * rsqrt(s{at} + 0.125) }}"],
        "centred": [f"let m = mean({whole}, axis = {axis})",
                    f"for {every} {{ {a} - m{at} }}"],
        "by the largest": [f"let m = for {others} {{ max for {row} {{ abs({a}) }} }}",
                           f"for {every} {{ {a} / (m{at} + 0.5) }}"],
    }[how]
    functions = {
        "softmax": lambda a: torch.softmax(a, axis),
        "layer norm": lambda a: (a - a.mean(axis, True)) * (
            ((a - a.mean(axis, True)) ** 2).mean(axis, True) + 0.125).rsqrt(),
        "rms norm": lambda a: a * ((a * a).mean(axis, True) + 0.125).rsqrt(),
        "centred": lambda a: a - a.mean(axis, True),
        "by the largest": lambda a: a / (a.abs().amax(axis, True) + 0.5),
    }
    nest.text = (f"# {how}\nexport def f({space.parameters()}) -> {space.result(space.dims)} {{\n"
                 + "".join(f"  {line}\n" for line in lines) + "}\n")
    nest.torch = lambda t: [functions[how](as_computed(t["a"]))]
    nest.flops = 6 * space.points()
    nest.special = space.points() if how == "softmax" else 0


MAKERS = {"map": elementwise, "broadcast": elementwise, "transpose": elementwise,
          "fold": fold, "rows": fold, "columns": fold, "mixed": fold}
OTHERS = {"several": several, "scan": scan, "window": window, "product": product,
          "kept": kept}


def draw(seed, count, kinds=CLASSES, small=False):
    """`count` nests, the classes by turns; small ones have a few thousand elements."""
    global LEAST, MOST, OPERATIONS
    if small:
        LEAST, MOST, OPERATIONS = 1 << 10, 1 << 15, 1e5
    for number in range(count):
        kind = kinds[number % len(kinds)]
        rng = random.Random(f"{seed} {number} {kind}")
        nest = Nest(kind, number)
        if kind in MAKERS:
            MAKERS[kind](nest, rng, kind)
        else:
            OTHERS[kind](nest, rng)
        yield nest
