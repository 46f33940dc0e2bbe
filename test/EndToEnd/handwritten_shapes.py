#!/usr/bin/env python3
"""Runs kernels in the forms that lowerings of the gpu dialect are tested with.

    handwritten_shapes.py --arrc=ARRC [--arr-opt=ARR_OPT] [NAME ..]

Each is a kernel, a function that launches it in blocks of 64 threads (or as it
says) and what NumPy computes. With arr-opt those that have barriers are run
without their own, with those that it inserts: they must be no more, and leave
nothing that may be a race of threads of a block.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

N = 150
rng = np.random.default_rng(1)
F = rng.standard_normal(N).astype(np.float32)
I = rng.integers(-1000, 1000, N).astype(np.int32)
WG = "#gpu.address_space<workgroup>"
PRIVATE = "#gpu.address_space<private>"
TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i8": np.int8, "i32": np.int32, "i64": np.int64}


def blocks(x, size):
    """The pieces of x that blocks of so many threads have."""
    return [x[at:at + size] for at in range(0, len(x), size)]


def rolled(x, size, step):
    return np.concatenate([np.roll(b, step) for b in blocks(x, size)])


def full(x, size):
    """x with zeros up to whole blocks."""
    return np.pad(x, (0, -len(x) % size))


SHAPES = {}


def shape(name, body, expected, element="f32", source=None, out=None, head="", more="", length="%n", threads=64,
          seed=None, outer=""):
    """`body` sees %in, %out, %n, %i (the element), %t (the thread) and %ok (i < n)."""
    SHAPES[name] = dict(body=body, expected=expected, element=element, out=out or element, head=head, more=more,
                        length=length, threads=threads, seed=seed, outer=outer,
                        source=F if source is None else source)


def module(name, s):
    e, o = s["element"], s["out"]
    size = "1" if s["seed"] is not None else "?"
    alloc = f"memref.alloc() : memref<1x{o}>" if size == "1" else f"memref.alloc({s['length']}) : memref<?x{o}>"
    number = "%z = arith.constant " + (f"{s['seed']}" if s["seed"] is not None else "0") + f" : {o}\n" \
        f"    memref.store %z, %out[%c0] : memref<1x{o}>" if size == "1" else ""
    return f"""module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    {s['outer']}
    gpu.func @k(%in: memref<?x{e}>, %out: memref<{size}x{o}>, %n: index) {s['head']} kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %b = gpu.block_id x
      %d = gpu.block_dim x
      %t = gpu.thread_id x
      %start = arith.muli %b, %d : index
      %i = arith.addi %start, %t : index
      %ok = arith.cmpi ult, %i, %n : index
      {s['body']}
      gpu.return
    }}
  }}
  {s['more']}
  func.func @f(%in: memref<?x{e}>) -> memref<{size}x{o}> {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant {s['threads']} : index
    %n = memref.dim %in, %c0 : memref<?x{e}>
    %blocks = arith.ceildivui %n, %threads : index
    %out = {alloc}
    {number}
    gpu.launch_func @kernels::@k blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      args(%in : memref<?x{e}>, %out : memref<{size}x{o}>, %n : index)
    return %out : memref<{size}x{o}>
  }}
}}
"""


def guarded(text, out="f32", element="f32"):
    return f"""scf.if %ok {{
        %x = memref.load %in[%i] : memref<?x{element}>
        {text}
        memref.store %y, %out[%i] : memref<?x{out}>
      }}"""


def loaded(element="f32", zero="0.0"):
    """%x, zero past the end."""
    return f"""%zero = arith.constant {zero} : {element}
      %x = scf.if %ok -> {element} {{
        %v = memref.load %in[%i] : memref<?x{element}>
        scf.yield %v : {element}
      }} else {{
        scf.yield %zero : {element}
      }}"""


def stored(value, out="f32"):
    return f"scf.if %ok {{ memref.store {value}, %out[%i] : memref<?x{out}> }}"


shape("dynamic-memref", guarded("%y = arith.addf %x, %x : f32"), 2 * F)
shape("memref-dim", "%m = memref.dim %in, %c0 : memref<?xf32>\n %good = arith.cmpi ult, %i, %m : index\n scf.if %good {"
      " %x = memref.load %in[%i] : memref<?xf32>\n memref.store %x, %out[%i] : memref<?xf32> }", F)
shape("global-id", "%g = gpu.global_id x\n scf.if %ok { %x = memref.load %in[%g] : memref<?xf32>\n"
      " memref.store %x, %out[%g] : memref<?xf32> }", F)
shape("grid-stride", """%grid = gpu.grid_dim x
      %step = arith.muli %grid, %d : index
      scf.for %j = %i to %n step %step {
        %x = memref.load %in[%j] : memref<?xf32>
        %y = arith.negf %x : f32
        memref.store %y, %out[%j] : memref<?xf32>
      }""", -F)
TURN = f"""{loaded()}
      memref.store %x, %s[%t] : memref<64xf32, {WG}>
      gpu.barrier
      %next = arith.addi %t, %c1 : index
      %c64 = arith.constant 64 : index
      %from = arith.remui %next, %c64 : index
      %y = memref.load %s[%from] : memref<64xf32, {WG}>
      {stored('%y')}"""
shape("workgroup", TURN, rolled(full(F, 64), 64, -1)[:N], head=f"workgroup(%s: memref<64xf32, {WG}>)")
shape("workgroup-two", f"""{loaded()}
      %r = arith.fptosi %x : f32 to i32
      memref.store %x, %s[%t] : memref<64xf32, {WG}>
      memref.store %r, %q[%t] : memref<64xi32, {WG}>
      gpu.barrier
      %a = memref.load %s[%t] : memref<64xf32, {WG}>
      %w = memref.load %q[%t] : memref<64xi32, {WG}>
      %f = arith.sitofp %w : i32 to f32
      %y = arith.subf %a, %f : f32
      {stored('%y')}""", F - np.trunc(F),
      head=f"workgroup(%s: memref<64xf32, {WG}>, %q: memref<64xi32, {WG}>)")
shape("workgroup-2d", f"""{loaded()}
      %c8 = arith.constant 8 : index
      %r = arith.divui %t, %c8 : index
      %c = arith.remui %t, %c8 : index
      memref.store %x, %s[%r, %c] : memref<8x8xf32, {WG}>
      gpu.barrier
      %y = memref.load %s[%c, %r] : memref<8x8xf32, {WG}>
      {stored('%y')}""", np.concatenate([b.reshape(8, 8).T.ravel() for b in blocks(full(F, 64), 64)])[:N],
      head=f"workgroup(%s: memref<8x8xf32, {WG}>)")
shape("private", f"""{loaded()}
      memref.store %x, %p[%c0] : memref<2xf32, {PRIVATE}>
      memref.store %zero, %p[%c1] : memref<2xf32, {PRIVATE}>
      %c5 = arith.constant 5 : index
      scf.for %j = %c0 to %c5 step %c1 {{
        %a = memref.load %p[%c0] : memref<2xf32, {PRIVATE}>
        %o = memref.load %p[%c1] : memref<2xf32, {PRIVATE}>
        %z = arith.addf %a, %o : f32
        memref.store %z, %p[%c1] : memref<2xf32, {PRIVATE}>
      }}
      %y = memref.load %p[%c1] : memref<2xf32, {PRIVATE}>
      {stored('%y')}""", 5 * F, head=f"private(%p: memref<2xf32, {PRIVATE}>)")
shape("barrier-scan", f"""{loaded("i32", "0")}
      memref.store %x, %s[%t] : memref<64xi32, {WG}>
      gpu.barrier
      %c64 = arith.constant 64 : index
      %e = scf.while (%k = %c1) : (index) -> index {{
        %go = arith.cmpi ult, %k, %c64 : index
        scf.condition(%go) %k : index
      }} do {{
      ^bb0(%k: index):
        %has = arith.cmpi uge, %t, %k : index
        %v = scf.if %has -> i32 {{
          %from = arith.subi %t, %k : index
          %l = memref.load %s[%from] : memref<64xi32, {WG}>
          scf.yield %l : i32
        }} else {{
          scf.yield %zero : i32
        }}
        gpu.barrier
        %mine = memref.load %s[%t] : memref<64xi32, {WG}>
        %sum = arith.addi %mine, %v : i32
        memref.store %sum, %s[%t] : memref<64xi32, {WG}>
        gpu.barrier
        %twice = arith.addi %k, %k : index
        scf.yield %twice : index
      }}
      %y = memref.load %s[%t] : memref<64xi32, {WG}>
      {stored('%y', 'i32')}""", np.concatenate([np.cumsum(b) for b in blocks(I, 64)]).astype(np.int32), "i32", I,
      head=f"workgroup(%s: memref<64xi32, {WG}>)")


def shuffle(mode, offset):
    return f"""{loaded("i32", "0")}
      %o = arith.constant {offset} : i32
      %w = arith.constant 32 : i32
      %got, %valid = gpu.shuffle {mode} %x, %o, %w : i32
      %y = arith.select %valid, %got, %zero : i32
      {stored('%y', 'i32')}"""


W = [b for b in blocks(full(I, 64), 32)]
shape("shuffle-xor", shuffle("xor", 5), np.concatenate([b[np.arange(32) ^ 5] for b in W])[:N], "i32", I)
shape("shuffle-down", shuffle("down", 3), np.concatenate([np.append(b[3:], [0] * 3) for b in W])[:N], "i32", I)
shape("shuffle-up", shuffle("up", 3), np.concatenate([np.append([0] * 3, b[:-3]) for b in W])[:N], "i32", I)
shape("shuffle-idx", shuffle("idx", 7), np.concatenate([np.full(32, b[7]) for b in W])[:N], "i32", I)
shape("shuffle-f32", f"""{loaded()}
      %o = arith.constant 1 : i32
      %w = arith.constant 32 : i32
      %y, %valid = gpu.shuffle xor %x, %o, %w : f32
      {stored('%y')}""", np.concatenate([b[np.arange(32) ^ 1] for b in blocks(full(F, 64), 32)])[:N])
shape("lane-id", """%l = gpu.lane_id
      %size = arith.constant 32 : index
      %s = arith.divui %t, %size : index
      %a = arith.muli %s, %size : index
      %w = arith.addi %a, %l : index
      %y = arith.index_cast %w : index to i32
      """ + stored("%y", "i32"), np.arange(N).astype(np.int32) % 64, "i32", I)
shape("all-reduce", f"""{loaded("i32", "0")}
      %y = gpu.all_reduce add %x uniform {{}} : (i32) -> (i32)
      {stored('%y', 'i32')}""",
      np.concatenate([np.full(64, b.sum()) for b in blocks(full(I, 64), 64)])[:N].astype(np.int32), "i32", I)
shape("all-reduce-max", f"""{loaded("i32", "-5000")}
      %y = gpu.all_reduce maxsi %x uniform {{}} : (i32) -> (i32)
      {stored('%y', 'i32')}""",
      np.concatenate([np.full(len(b), b.max()) for b in blocks(I, 64)]), "i32", I)
shape("all-reduce-region", f"""{loaded("i32", "0")}
      %y = gpu.all_reduce %x uniform {{
      ^bb(%l: i32, %r: i32):
        %z = arith.xori %l, %r : i32
        "gpu.yield"(%z) : (i32) -> ()
      }} : (i32) -> (i32)
      {stored('%y', 'i32')}""",
      np.concatenate([np.full(len(b), np.bitwise_xor.reduce(b)) for b in blocks(I, 64)]), "i32", I)


def atomic(kind, element="i32"):
    return f"""scf.if %ok {{
        %x = memref.load %in[%i] : memref<?x{element}>
        %was = memref.atomic_rmw {kind} %x, %out[%c0] : ({element}, memref<1x{element}>) -> {element}
      }}"""


shape("atomic-addi", atomic("addi"), np.array([I.sum()], np.int32), "i32", I, seed=0)
shape("atomic-maxs", atomic("maxs"), np.array([I.max()]), "i32", I, seed=-9999)
shape("atomic-mins", atomic("mins"), np.array([I.min()]), "i32", I, seed=9999)
shape("atomic-andi", atomic("andi"), np.array([np.bitwise_and.reduce(I)]), "i32", I, seed=-1)
shape("atomic-ori", atomic("ori"), np.array([np.bitwise_or.reduce(I)]), "i32", I, seed=0)
shape("atomic-addf", atomic("addf", "f32"), np.array([float(abs(I).sum())], np.float32), "f32",
      abs(I).astype(np.float32), seed="0.0")
shape("generic-atomic", """scf.if %ok {
        %x = memref.load %in[%i] : memref<?xi32>
        %was = memref.generic_atomic_rmw %out[%c0] : memref<1xi32> {
        ^bb0(%now: i32):
          %y = arith.xori %now, %x : i32
          memref.atomic_yield %y : i32
        }
      }""", np.array([np.bitwise_xor.reduce(I)]), "i32", I, seed=0)
H = F.astype(np.float16)
shape("f16", guarded("%m = arith.mulf %x, %x : f16\n %y = arith.addf %m, %x : f16", "f16", "f16"),
      H * H + H, "f16", H)
shape("f16-extended", guarded("%w = arith.extf %x : f16 to f32\n %m = arith.mulf %w, %w : f32\n"
                              " %y = arith.truncf %m : f32 to f16", "f16", "f16"),
      (H.astype(np.float32) ** 2).astype(np.float16), "f16", H)
shape("f64", guarded("%y = arith.divf %x, %x : f64", "f64", "f64"), np.ones(N), "f64", F.astype(np.float64))
shape("math", guarded("%a = math.absf %x : f32\n %s = math.sqrt %a : f32\n %e = math.exp %s : f32\n"
                      " %y = math.log %e : f32"), np.sqrt(abs(F)))
shape("math-tanh", guarded("%a = math.tanh %x : f32\n %c = math.cos %a : f32\n %y = math.fma %a, %c, %x : f32"),
      np.tanh(F) * np.cos(np.tanh(F)) + F)
shape("i64", guarded("%y = arith.muli %x, %x : i64", "i64", "i64"), I.astype(np.int64) ** 2, "i64", I.astype(np.int64))
shape("i8", guarded("%w = arith.extsi %x : i8 to i32\n %m = arith.muli %w, %w : i32\n %y = arith.trunci %m : i32 to i8",
                    "i8", "i8"), (I.astype(np.int8).astype(np.int32) ** 2).astype(np.int8), "i8", I.astype(np.int8))
shape("selects", guarded("%z = arith.constant 0 : i32\n %p = arith.cmpi sgt, %x, %z : i32\n"
                         " %y = arith.select %p, %x, %z : i32", "i32", "i32"), np.maximum(I, 0), "i32", I)
shape("vector", """%c4 = arith.constant 4 : index
      %at = arith.muli %i, %c4 : index
      %behind = arith.addi %at, %c4 : index
      %whole = arith.cmpi ule, %behind, %n : index
      scf.if %whole {
        %x = vector.load %in[%at] : memref<?xf32>, vector<4xf32>
        %y = arith.addf %x, %x : vector<4xf32>
        vector.store %y, %out[%at] : memref<?xf32>, vector<4xf32>
      }""", 2 * F[:148], source=F[:148])
shape("subview", """scf.if %ok {
        %s = memref.subview %in[%i] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
        %x = memref.load %s[%c0] : memref<1xf32, strided<[1], offset: ?>>
        memref.store %x, %out[%i] : memref<?xf32>
      }""", F)
shape("loop-carried", guarded("""%c9 = arith.constant 9 : index
        %y = scf.for %j = %c0 to %c9 step %c1 iter_args(%a = %x) -> (f32) {
          %m = arith.addf %a, %x : f32
          scf.yield %m : f32
        }"""), 10 * F)
shape("two-kernels", guarded("%y = arith.addf %x, %x : f32"), 2 * F,
      outer="gpu.func @other(%in: memref<?xf32>) kernel { gpu.return }")
shape("two-modules", guarded("%y = arith.addf %x, %x : f32"), 2 * F,
      more="gpu.module @more { gpu.func @k(%in: memref<?xi32>) kernel { gpu.return } }")
shape("known-block-size", guarded("%y = arith.addf %x, %x : f32"), 2 * F)
SHAPES["known-block-size"]["attributes"] = "attributes {known_block_size = array<i32: 64, 1, 1>}"


def insert_barriers(arr_opt, text):
    """The module with other barriers, and what is wrong with them."""
    bare = "\n".join(line for line in text.split("\n") if line.strip() != "gpu.barrier")
    done = subprocess.run([arr_opt, "-", "--gpu-insert-barriers"], input=bare, capture_output=True, text=True)
    races = subprocess.run([arr_opt, "-", "--gpu-print-races", "-o", os.devnull], input=done.stdout,
                           capture_output=True, text=True).stderr
    found = [line for line in races.split("\n") if ("race" in line or "not known" in line) and "another" not in line]
    problem = done.stderr.strip() or "; ".join(found)
    if done.stdout.count("gpu.barrier") > text.count("gpu.barrier"):
        problem += " more barriers than before"
    return done.stdout, problem


def main() -> int:
    given = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    arrc, arr_opt = given["arrc"], given.get("arr-opt")
    names = [word for word in sys.argv[1:] if not word.startswith("--")] or list(SHAPES)
    problems, ran = [], 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in names:
            s = SHAPES[name]
            text = module(name, s)
            if "attributes" in s:
                text = text.replace(" kernel {", f" kernel {s['attributes']} {{")
            if arr_opt and "gpu.barrier" not in text:
                continue
            ran += 1
            if arr_opt:
                text, problem = insert_barriers(arr_opt, text)
                if problem:
                    problems.append(f"{name}: {problem}")
            (folder / "k.mlir").write_text(text)
            np.save(folder / "in.npy", s["source"])
            env = dict(os.environ)
            # MLIR has it read without an atomic before it compares and swaps.
            if name == "generic-atomic" and "ARRC_EMULATOR_CHECK" in env:
                env["ARRC_EMULATOR_CHECK"] = "init"
            done = subprocess.run([arrc, "run", str(folder / "k.mlir"), "--target=cuda", f"in0=@{folder}/in.npy",
                                   f"--output=out0=@{folder}/out.npy"], capture_output=True, text=True, env=env)
            if done.returncode:
                problems.append(f"{name}: {done.stderr.strip()}")
                continue
            got, expected = np.load(folder / "out.npy"), s["expected"]
            close = np.allclose(got, expected, 1e-5, 1e-5) if got.dtype.kind == "f" else np.array_equal(got, expected)
            if got.dtype != TYPES[s["out"]] or not close:
                problems.append(f"{name}: wrong: {got[:8]}.. instead of {expected[:8]}..")
    print("\n".join(problems) or f"{ran} forms of kernels are right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
