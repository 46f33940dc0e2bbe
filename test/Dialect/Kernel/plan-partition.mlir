// RUN: arr-opt %s --split-input-file --kernel-plan-partition=all=true | FileCheck %s
// RUN: arr-opt %s --split-input-file --kernel-plan-partition=all=true -o /dev/null --remark-format=emitRemark --remarks-filter='.*' 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: arr-opt %s --split-input-file --kernel-plan-partition | FileCheck %s --check-prefix=OTHER
// RUN: arr-opt %s --split-input-file --kernel-plan-partition=all=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// A device whose launches are not cut keeps them as they are.
// OTHER-NOT: kernel.partition

// One value of all iterations.
// CHECK-LABEL: @no_fold
func.func @no_fold(%n: index, %a: memref<?xf32>, %r: memref<f32>) {
  // REMARK: Reason="it folds into one value", Remark="'fold' runs on one device"
  kernel.launch @fold (%N = %n : index, %A[%N] = %a : memref<?xf32>) outs (%R = %r : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %x = kernel.load %A[%i] : memref<?xf32>
      kernel.yield %x : f32
    }
    kernel.store %s, %R[] : memref<f32>
  }
  // CHECK: cuts = []
  // CHECK-SAME: reason = "it folds into one value"
  return
}

// -----

// Where each part stores depends on data.
// CHECK-LABEL: @no_scatter
func.func @no_scatter(%n: index, %p: memref<?xindex>, %r: memref<?xf32>) {
  // REMARK: Reason="every part would write 'R', {{.*}}", Remark="'scatter' runs on one device"
  kernel.launch @scatter (%N = %n : index, %P[%N] = %p : memref<?xindex>) outs (%R[%N] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %k = kernel.load %P[%i] : memref<?xindex>
      kernel.store %z, %R[%k] : memref<?xf32>
    }
  }
  // CHECK: cuts = []
  // CHECK-SAME: every part would write 'R', at the same places or at places that depend on data
  return
}

// -----

// Places that are data, combined by what no device does in memory: a product of
// floats, and sums that must have their order.
// CHECK-LABEL: @no_updates
func.func @no_updates(%n: index, %p: memref<?xindex>, %v: memref<?xf32>, %r: memref<?xf32>, %q: memref<?xf32>) {
  // REMARK: Reason="every part would write 'R', {{.*}}", Remark="'products' runs on one device"
  kernel.launch @products (%N = %n : index, %P[%N] = %p : memref<?xindex>, %V[%N] = %v : memref<?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %k = kernel.load %P[%i] : memref<?xindex>
      %x = kernel.load %V[%i] : memref<?xf32>
      kernel.update %x, %R[%k] : memref<?xf32> by arith.mulf
    }
  }
  // REMARK: Reason="every part would write 'R', {{.*}}", Remark="'sums' runs on one device"
  kernel.launch @sums (%N = %n : index, %P[%N] = %p : memref<?xindex>, %V[%N] = %v : memref<?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %k = kernel.load %P[%i] : memref<?xindex>
      %x = kernel.load %V[%i] : memref<?xf32>
      kernel.update %x, %R[%k] : memref<?xf32> by arith.addf
    }
  }
  // REMARK: Reason="every part would write 'R', {{.*}}", Remark="'reads' runs on one device"
  kernel.launch @reads (%N = %n : index, %P[%N] = %p : memref<?xindex>, %V[%N] = %v : memref<?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %k = kernel.load %P[%i] : memref<?xindex>
      %x = kernel.load %R[%i] : memref<?xf32>
      kernel.update %x, %R[%k] : memref<?xf32> by arith.addf fastmath<reassoc>
    }
  }
  // CHECK-COUNT-3: cuts = []
  return
}

// -----

// What all parts combine with an array comes together afterwards.
// CHECK-LABEL: @bins
func.func @bins(%n: index, %p: memref<?xindex>, %r: memref<?xi32>, %q: memref<?xf32>) {
  // REMARK: Remark="'bins' is cut along 'i'"
  kernel.launch @bins (%N = %n : index, %P[%N] = %p : memref<?xindex>) outs (%R[%N] = %r : memref<?xi32>, %Q[%N] = %q : memref<?xf32>) {
    %one = arith.constant 1 : i32
    %z = arith.constant 1.0 : f32
    kernel.for "i" (%i) in %N {
      %k = kernel.load %P[%i] : memref<?xindex>
      kernel.update %one, %R[%k] : memref<?xi32> by arith.addi
      kernel.update %z, %Q[%k] : memref<?xf32> by arith.addf fastmath<reassoc>
    }
  }
  // CHECK: cuts = [{boxes = [
  // CHECK-SAME: argument = 2 : i64, combiner = "addi", edges = ["none"], kind = "update"
  // CHECK-SAME: argument = 3 : i64, combiner = "addf", edges = ["none"], kind = "update"
  // CHECK-SAME: loop = 0 : i64}]
  return
}

// -----

// Stretches whose starts are data: only where each iteration loads its own, and
// nothing else is stored.
// CHECK-LABEL: @no_stretch
func.func @no_stretch(%n: index, %w: memref<?xi64>, %r: memref<?xf32>) {
  // REMARK: Reason="every part would write 'R', {{.*}}", Remark="'next' runs on one device"
  kernel.launch @next (%N = %n : index, %W[%N] = %w : memref<?xi64>) outs (%R[%N] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %j = affine.apply affine_map<(i) -> (i + 1)>(%i)
      %s = kernel.load %W[%j] : memref<?xi64>
      %start = arith.index_cast %s : i64 to index
      kernel.for "k" (%k) in 4 {
        %at = arith.addi %start, %k : index
        kernel.store %z, %R[%at] {kernel.stretch} : memref<?xf32>
      }
    }
  }
  // REMARK: Reason="every part would write 'R', {{.*}}", Remark="'also' runs on one device"
  kernel.launch @also (%N = %n : index, %W[%N] = %w : memref<?xi64>) outs (%R[%N] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i" (%i) in %N {
      %s = kernel.load %W[%i] : memref<?xi64>
      %start = arith.index_cast %s : i64 to index
      kernel.for "k" (%k) in 4 {
        %at = arith.addi %start, %k : index
        kernel.store %z, %R[%at] {kernel.stretch} : memref<?xf32>
        kernel.store %z, %R[%c0] : memref<?xf32>
      }
    }
  }
  // CHECK-COUNT-2: cuts = []
  return
}

// -----

// What a filter keeps.
// CHECK-LABEL: @stretch
func.func @stretch(%n: index, %w: memref<?xi64>, %r: memref<?xf32>) {
  // REMARK: Remark="'stretch' is cut along 'i'"
  kernel.launch @stretch (%N = %n : index, %W[%N] = %w : memref<?xi64>) outs (%R[%N] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.load %W[%i] : memref<?xi64>
      %start = arith.index_cast %s : i64 to index
      kernel.for "k" (%k) in 4 {
        %at = arith.addi %start, %k : index
        kernel.store %z, %R[%at] {kernel.stretch} : memref<?xf32>
      }
    }
  }
  // CHECK: cuts = [{boxes = [{argument = 1 : i64, {{.*}}kind = "read", {{.*}}{argument = 2 : i64, {{.*}}kind = "write", {{.*}}starts = 1 : i64, {{.*}}loop = 0 : i64}]
  return
}

// -----

// Rows before columns; `whole` is for the device that runs all of it.
// CHECK: [[$LO:#map[0-9]*]] = affine_map<(d0, d1)[s0, s1, s2, s3] -> (d0 - 1)>
// CHECK-LABEL: @rows
func.func @rows(%n: index, %m: index, %a: memref<?x?xf32>, %r: memref<?x?xf32>) {
  // REMARK: Remark="'rows' is cut along 'i'"
  kernel.launch @rows (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%R[%N, %M] = %r : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %u = affine.apply affine_map<(i) -> (i - 1)>(%i)
        %x = kernel.load %A[%u, %j] edge [wrap, none] : memref<?x?xf32>
        kernel.store %x, %R[%i, %j] : memref<?x?xf32>
      }
    }
  }
  // CHECK: cuts = [{boxes = [{argument = 2 : i64, edges = ["wrap", "none"], kind = "read", lower = {{\[}}[[$LO]], {{.*}}{argument = 3 : i64, {{.*}}kind = "write", {{.*}}loop = 0 : i64}, {boxes = {{.*}}loop = 1 : i64}]
  // CHECK-SAME: whole = [
  return
}

// -----

// From the larger of two numbers to the lesser of two: what is the larger of two
// is never below what neither of them is, and where it is not the one that is
// taken away it is the other.
// CHECK: [[$LO:#map[0-9]*]] = affine_map<(d0, d1)[s0, s1, s2, s3] -> (d0 * 16)>
// CHECK: [[$HI:#map[0-9]*]] = affine_map<(d0, d1)[s0, s1, s2, s3] -> ({{.*}}d1 * 16, s0 - 1)>
// CHECK-LABEL: @interior
func.func @interior(%n: index, %blocks: index, %a: memref<?xf32>, %r: memref<?xf32>) {
  // REMARK: Remark="'interior' is cut along 'i'"
  kernel.launch @interior (%N = %n : index, %B = %blocks : index, %A[%N] = %a : memref<?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    kernel.for "i" (%i) in %B {
      %left = affine.apply affine_map<(i)[n] -> (n - i * 16)>(%i)[%N]
      %some = arith.maxsi %left, %c0 : index
      %most = arith.minsi %some, %c16 : index
      %first = affine.apply affine_map<(i) -> (1 - i * 16)>(%i)
      %early = arith.maxsi %first, %c0 : index
      %from = arith.minsi %early, %most : index
      %last = affine.apply affine_map<(i)[n] -> (n - 1 - i * 16)>(%i)[%N]
      %late = arith.minsi %last, %most : index
      %to = arith.maxsi %late, %from : index
      %count = arith.subi %to, %from : index
      kernel.for "j" (%j) in %count {
        %at = affine.apply affine_map<(i, j)[from] -> (i * 16 + from + j)>(%i, %j)[%from]
        %x = kernel.load %A[%at] : memref<?xf32>
        kernel.store %x, %R[%at] : memref<?xf32>
      }
    }
  }
  // CHECK: cuts = [{boxes = [{argument = 2 : i64, edges = ["none"], kind = "read", lower = {{\[}}[[$LO]]], upper = {{\[}}[[$HI]]]}, {argument = 3 : i64, edges = ["none"], kind = "touch", lower = {{\[}}[[$LO]]], upper = {{\[}}[[$HI]]]}], loop = 0 : i64}
  return
}

// -----

// What is read at most at the last element is read as a clamped edge does.
// CHECK-LABEL: @at_most
func.func @at_most(%n: index, %a: memref<?xf32>, %r: memref<?xf32>) {
  kernel.launch @at_most (%N = %n : index, %A[%N] = %a : memref<?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %last = arith.subi %N, %c1 : index
    kernel.for "i" (%i) in %N {
      %next = affine.apply affine_map<(i) -> (i + 3)>(%i)
      %at = arith.minsi %next, %last : index
      %x = kernel.load %A[%at] : memref<?xf32>
      kernel.store %x, %R[%i] : memref<?xf32>
    }
  }
  // CHECK: cuts = [{boxes = [{argument = 1 : i64, edges = ["clamp"], kind = "read"
  return
}

// -----

// A block copies its rows as one stretch of memory, by fours: from the first
// element on past the end of the row, up to that of the last row.
// CHECK: [[$LAST:#map[0-9]*]] = affine_map<(d0, d1)[s0, s1, s2] -> (d1 * 128 - 127)>
// CHECK: [[$ALL:#map[0-9]*]] = affine_map<(d0, d1)[s0, s1, s2] -> (1152)>
// CHECK-LABEL: @stretch
func.func @stretch(%n: index, %blocks: index, %r: memref<?x9xf32>) {
  kernel.launch @stretch (%N = %n : index, %B = %blocks : index) outs (%R[%N, 9] = %r : memref<?x9xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    kernel.for "i" (%i) in %B {
      %row = affine.apply affine_map<(i) -> (i * 128)>(%i)
      %left = arith.subi %N, %row : index
      %some = arith.minsi %left, %c128 : index
      %rows = arith.maxsi %some, %c0 : index
      %elements = affine.apply affine_map<(r) -> (r * 9)>(%rows)
      %rest = arith.remui %elements, %c4 : index
      %whole = arith.subi %elements, %rest : index
      kernel.for "k" (%k) in 288 {
        %at = affine.apply affine_map<(k) -> (k * 4)>(%k)
        %in = arith.cmpi slt, %at, %whole : index
        %next = affine.apply affine_map<(k) -> (k * 4 + 3)>(%k)
        kernel.store %z, %R[%row, %at] if %in : memref<?x9xf32>
        kernel.store %z, %R[%row, %next] if %in : memref<?x9xf32>
      }
    }
  }
  // CHECK: edges = ["none", "carry"], kind = "touch", lower = [{{.*}}], upper = {{\[}}[[$LAST]], [[$ALL]]]
  return
}

// -----

// Rows are cheaper; columns are what is asked for.
// CHECK-LABEL: @asked
func.func @asked(%n: index, %m: index, %a: memref<?x?xf32>, %r: memref<?x?xf32>) {
  // REMARK: Remark="'asked' is cut along 'j'"
  kernel.launch @asked (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%R[%N, %M] = %r : memref<?x?xf32>) attributes {kernel.split = "j"} {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %x = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.store %x, %R[%i, %j] : memref<?x?xf32>
      }
    }
  }
  // CHECK: cuts = [{boxes = [
  // CHECK-NOT: loop = 0
  // CHECK-SAME: loop = 1 : i64}], whole = [
  return
}

// -----

// What forbids it is said; the rest stays as it is.
// CHECK-LABEL: @no_such_cut
func.func @no_such_cut(%n: index, %m: index, %a: memref<?x?xf32>, %r: memref<?xf32>) {
  // SAID: warning: '@split' is not obeyed: every part would write 'R', at the same places or at places that depend on data; the compiler chooses
  kernel.launch @same (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%R[%N] = %r : memref<?xf32>) attributes {kernel.split = "j"} {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %x = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.store %x, %R[%i] : memref<?xf32>
      }
    }
  }
  // CHECK: cuts = [{boxes = [
  // CHECK-NOT: loop = 1
  // CHECK-SAME: loop = 0 : i64}], whole
  // SAID: warning: '@split' is not obeyed: the kernel has no loop of its own for it; the compiler chooses
  kernel.launch @other (%N = %n : index) outs (%R[%N] = %r : memref<?xf32>) attributes {kernel.split = "k"} {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.store %z, %R[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Of a row whose length is a multiple of two, pairs that begin inside end inside,
// too: two parts store into no element both.
// CHECK: [[$END:#map[0-9]*]] = affine_map<(d0, d1)[s0, s1, s2] -> (d1 * 512 - 1, s1 - 1)>
// CHECK-LABEL: @pairs
func.func @pairs(%n: index, %m0: index, %r: memref<?x?xf32>) {
  %m = array.assume %m0 multiple 2 : index
  kernel.launch @pairs (%N = %n : index, %M = %m : index) outs (%R[%N, %M] = %r : memref<?x?xf32>) attributes {kernel.split = "j"} {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %blocks = affine.apply affine_map<(m) -> (m ceildiv 512)>(%M)
      kernel.for "j" (%j) in %blocks {
        kernel.for "k" (%k) in 256 {
          %at = affine.apply affine_map<(j, k) -> (j * 512 + k * 2)>(%j, %k)
          %next = affine.apply affine_map<(j, k) -> (j * 512 + k * 2 + 1)>(%j, %k)
          %in = arith.cmpi slt, %at, %M : index
          scf.if %in {
            kernel.store %z, %R[%i, %at] : memref<?x?xf32>
            kernel.store %z, %R[%i, %next] : memref<?x?xf32>
          }
        }
      }
    }
  }
  // CHECK: edges = ["none", "none"], kind = "touch", lower = {{\[[^]]*\]}}, upper = {{\[[^]]*}}[[$END]]]}, {argument = 2 : i64, edges = ["none", "none"], kind = "touch"
  return
}
