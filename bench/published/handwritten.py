"""Kernels as people write them, in the gpu dialect: sums, scans of rows, bitonic sorts."""

MODULE = """module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
{kernels}
  }}
  func.func @f(%in: memref<?{dims}x{type}>) -> memref<{result}> attributes {{arrc.export,
      arrc.params = [{{dims = [{names}], element = "{type}", name = "in0", rank = {rank} : i64, type = "{type}[..]"}}],
      arrc.results = [{{dims = [{shape}], element = "{type}", name = "out0", rank = {rank} : i64, type = "{type}[..]"}}]}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = arith.constant {threads} : index
    %n = memref.dim %in, %c0 : memref<?{dims}x{type}>
{host}
  }}
}}
"""
HEAD = """      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x"""


def level(condition: str, k: int, threads: int, barrier: bool) -> str:
    """s[t] += s[t + k] where the condition holds."""
    return f"""      scf.if {condition} {{
        %k = arith.constant {k} : index
        %o = arith.addi %t, %k : index
        %x = memref.load %s[%t] : memref<{threads}xf32, 3>
        %y = memref.load %s[%o] : memref<{threads}xf32, 3>
        %z = arith.addf %x, %y : f32
        memref.store %z, %s[%t] : memref<{threads}xf32, 3>
      }}""" + ("\n      gpu.barrier" if barrier else "")


def tree(threads: int, halves: bool, warps: bool) -> str:
    """Adds up what the threads of a block have in %s, to s[0]."""
    text, steps, k = [], [], 1
    while k < threads:
        steps.append(k)
        k *= 2
    if warps:  # 32 neighbours by shuffles, then what they leave by another warp's
        text.append(f"      %mine = memref.load %s[%t] : memref<{threads}xf32, 3>\n      %w32 = arith.constant 32 : i32")
        value = "%mine"
        for k in (1, 2, 4, 8, 16):
            text.append(f"      %o{k} = arith.constant {k} : i32\n      %g{k}, %v{k} = gpu.shuffle xor {value}, %o{k}, %w32"
                        f" : f32\n      %a{k} = arith.addf {value}, %g{k} : f32")
            value = f"%a{k}"
        text.append(f"      memref.store {value}, %s[%t] : memref<{threads}xf32, 3>\n      gpu.barrier")
        steps = [k for k in steps if k >= 32]
    for k in reversed(steps) if halves else steps:
        if halves:
            text.append(f"      %h{k} = arith.constant {k} : index\n      %i{k} = arith.cmpi ult, %t, %h{k} : index")
        else:
            text.append(f"      %h{k} = arith.constant {2 * k} : index\n      %m{k} = arith.remui %t, %h{k} : index\n"
                        f"      %i{k} = arith.cmpi eq, %m{k}, %c0 : index")
        text.append(level(f"%i{k}", k, threads, True))
    return "\n".join(text)


def reduction(threads: int, halves: bool, warps: bool, elements: int) -> str:
    """A sum: each block adds up `elements` values a thread and step, then one block the rest."""
    loads = "\n".join(f"""        %at{e} = arith.constant {e * threads} : index
        %j{e} = arith.addi %j, %at{e} : index
        %ok{e} = arith.cmpi ult, %j{e}, %n : index
        %x{e} = scf.if %ok{e} -> f32 {{
          %v = memref.load %in[%j{e}] : memref<?xf32>
          scf.yield %v : f32
        }} else {{
          scf.yield %zero : f32
        }}
        %s{e + 1} = arith.addf %s{e}, %x{e} : f32""" for e in range(elements))
    kernel = f"""    gpu.func @sum(%in: memref<?xf32>, %out: memref<?xf32>) workgroup(%s: memref<{threads}xf32, 3>) kernel {{
{HEAD}
      %zero = arith.constant 0.0 : f32
      %n = memref.dim %in, %c0 : memref<?xf32>
      %grid = gpu.grid_dim x
      %tile = arith.constant {threads * elements} : index
      %first = arith.muli %b, %tile : index
      %start = arith.addi %first, %t : index
      %step = arith.muli %grid, %tile : index
      %mysum = scf.for %j = %start to %n step %step iter_args(%s0 = %zero) -> (f32) {{
{loads}
        scf.yield %s{elements} : f32
      }}
      memref.store %mysum, %s[%t] : memref<{threads}xf32, 3>
      gpu.barrier
{tree(threads, halves, warps)}
      %first_thread = arith.cmpi eq, %t, %c0 : index
      scf.if %first_thread {{
        %all = memref.load %s[%c0] : memref<{threads}xf32, 3>
        memref.store %all, %out[%b] : memref<?xf32>
      }}
      gpu.return
    }}"""
    host = f"""    %tile = arith.constant {threads * elements} : index
    %most = arith.constant 1056 : index
    %wanted = arith.ceildivui %n, %tile : index
    %blocks = arith.minui %wanted, %most : index
    %parts = memref.alloc(%blocks) : memref<?xf32>
    %out = memref.alloc(%c1) : memref<?xf32>
    gpu.launch_func @kernels::@sum blocks in (%blocks, %c1, %c1) threads in (%t, %c1, %c1)
      args(%in : memref<?xf32>, %parts : memref<?xf32>)
    gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%t, %c1, %c1)
      args(%parts : memref<?xf32>, %out : memref<?xf32>)
    memref.dealloc %parts : memref<?xf32>
    return %out : memref<?xf32>"""
    return MODULE.format(kernels=kernel, dims="", type="f32", result="?xf32", rank=1, names='"n"', shape='"1"', threads=threads, host=host)


ROWS = """    %m = memref.dim %in, %c1 : memref<?x?x{type}>
    %out = memref.alloc(%n, %m) : memref<?x?x{type}>
    gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1) threads in (%t, %c1, %c1)
      args(%in : memref<?x?x{type}>, %out : memref<?x?x{type}>)
    return %out : memref<?x?x{type}>"""


def of_rows(type: str, threads: int, first: list, steps: list) -> str:
    """A block a row, an element a thread: `steps` change the row in shared memory, `%s`."""
    body = "\n".join([HEAD, *first, f"""      %mine = memref.load %in[%b, %t] : memref<?x?x{type}>
      memref.store %mine, %s[%t] : memref<{threads}x{type}, 3>
      gpu.barrier""", *steps])
    kernel = f"""    gpu.func @k(%in: memref<?x?x{type}>, %out: memref<?x?x{type}>) workgroup(%s: memref<{threads}x{type}, 3>) kernel {{
{body}
      %y = memref.load %s[%t] : memref<{threads}x{type}, 3>
      memref.store %y, %out[%b, %t] : memref<?x?x{type}>
      gpu.return
    }}"""
    return MODULE.format(kernels=kernel, dims="x?", type=type, result=f"?x?x{type}", rank=2, names='"n", "m"', shape='"n", "m"',
                         threads=threads, host=ROWS.format(type=type))


def scan(threads: int) -> str:
    """Prefix sums of rows of as many elements as a block has threads, by doubling steps."""
    steps, k = [], 1
    while k < threads:
        steps.append(f"""      %k{k} = arith.constant {k} : index
      %has{k} = arith.cmpi uge, %t, %k{k} : index
      %x{k} = scf.if %has{k} -> f32 {{
        %from = arith.subi %t, %k{k} : index
        %v = memref.load %s[%from] : memref<{threads}xf32, 3>
        scf.yield %v : f32
      }} else {{
        scf.yield %zero : f32
      }}
      gpu.barrier
      %now{k} = memref.load %s[%t] : memref<{threads}xf32, 3>
      %sum{k} = arith.addf %now{k}, %x{k} : f32
      memref.store %sum{k}, %s[%t] : memref<{threads}xf32, 3>
      gpu.barrier""")
        k *= 2
    return of_rows("f32", threads, ["      %zero = arith.constant 0.0 : f32"], steps)


def bitonic(threads: int) -> str:
    """Sorts rows of as many elements as a block has threads: `t ^ j` is the partner."""
    text, k, number = [], 2, 0
    while k <= threads:
        j = k // 2
        while j:
            n = number = number + 1
            text.append(f"""      %j{n} = arith.constant {j} : index
      %k{n} = arith.constant {k} : index
      %p{n} = arith.xori %t, %j{n} : index
      %a{n} = memref.load %s[%t] : memref<{threads}xi32, 3>
      %b{n} = memref.load %s[%p{n}] : memref<{threads}xi32, 3>
      %lo{n} = arith.minsi %a{n}, %b{n} : i32
      %hi{n} = arith.maxsi %a{n}, %b{n} : i32
      %q{n} = arith.andi %t, %k{n} : index
      %r{n} = arith.andi %t, %j{n} : index
      %up{n} = arith.cmpi eq, %q{n}, %c0 : index
      %front{n} = arith.cmpi eq, %r{n}, %c0 : index
      %low{n} = arith.cmpi eq, %up{n}, %front{n} : i1
      %x{n} = arith.select %low{n}, %lo{n}, %hi{n} : i32
      gpu.barrier
      memref.store %x{n}, %s[%t] : memref<{threads}xi32, 3>
      gpu.barrier""")
            j //= 2
        k *= 2
    return of_rows("i32", threads, [], text)
