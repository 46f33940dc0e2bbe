"""Prints a module of kernels with more and fewer blocks in turn; the first and the
last one, and two between them, are the same."""

COUNTS = [3, 1, 7, 2, 9, 4, 1, 8, 3, 6, 2, 5, 9, 1, 3, 7, 4, 2, 8, 1, 5, 6, 9, 3]


def kernel(number, branches):
    lines = [f"  gpu.module @k{number} {{",
             "    gpu.func @f(%x: memref<1xf32, #global>, %n: i32) kernel attributes {arrc.args = \"p4\"} {",
             "      %i = gpu.thread_id x"]
    for k in range(branches):
        lines += [f"      %c{k} = arith.constant {k + 1} : i32",
                  f"      %is{k} = arith.cmpi slt, %n, %c{k} : i32",
                  f"      scf.if %is{k} {{",
                  "        %v = memref.load %x[%i] : memref<1xf32, #global>",
                  "        %w = math.exp %v : f32",
                  "        memref.store %w, %x[%i] : memref<1xf32, #global>",
                  "      }"]
    return "\n".join(lines + ["      gpu.return", "    }", "  }"])


print("#global = #gpu.address_space<global>")
print("module attributes {kernel.device = #kernel.device<\"opencl\", {f64 = 1, f16 = 1}>} {")
for number, branches in enumerate(COUNTS):
    print(kernel(number, branches))
print("}")
