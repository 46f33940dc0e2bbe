// What of a launch becomes tasks, and what the host does.
// RUN: arr-opt %s --convert-kernel-to-scf --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_tensors(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @+1 {{is on tensors; bufferize it first}}
  %r = kernel.launch @f (%N = %n : index) outs (%Y[%N] = %x : tensor<?xf32>) {
  }
  return %r : tensor<?xf32>
}

// -----

// The operator has no neutral element that is known: one task, in order.
// CHECK-LABEL: func @no_copies_without_neutral
// CHECK-NOT: scf.if
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[ONE]])
// CHECK:   scf.for
// CHECK:     memref.load
// CHECK:     arith.addi
// CHECK:     memref.store
func.func @no_copies_without_neutral(%x: memref<?xindex>, %h: memref<8xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xindex>, %N = %n : index) outs (%H[8] = %h : memref<8xi64>) {
    %one = arith.constant 1 : i64
    kernel.for "i" (%i) in %N {
      %b = kernel.load %X[%i] : memref<?xindex>
      kernel.update %one, %H[%b] : memref<8xi64> by (%p: i64, %q: i64) {
        %s = arith.addi %p, %q : i64
        %t = arith.addi %s, %one : i64
        kernel.yield %t : i64
      }
    }
  }
  return
}

// -----

// What is updated is read, or updated by another operator: the same.
// CHECK-LABEL: func @no_copies_of_what_is_read
// CHECK-NOT: scf.if
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[ONE]])
func.func @no_copies_of_what_is_read(%x: memref<?xindex>, %h: memref<8xi64>, %g: memref<8xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xindex>, %N = %n : index) outs (%H[8] = %h : memref<8xi64>, %G[8] = %g : memref<8xi64>) {
    %one = arith.constant 1 : i64
    kernel.for "i" (%i) in %N {
      %b = kernel.load %X[%i] : memref<?xindex>
      kernel.update %one, %H[%b] : memref<8xi64> by arith.addi
      kernel.update %one, %H[%i] : memref<8xi64> by arith.maxsi
    }
    kernel.for "j" (%j) in %N {
      %b = kernel.load %X[%j] : memref<?xindex>
      %v = kernel.load %G[%j] : memref<8xi64>
      kernel.update %v, %G[%b] : memref<8xi64> by arith.addi
    }
  }
  return
}

// -----

// Updates of an array that others see go to copies, as many as sizes allow;
// these are added up in their order, by tasks.
// CHECK-LABEL: func @copies
// CHECK-SAME: (%[[X:.*]]: memref<?xindex>, %[[H:.*]]: memref<8xi64>, %[[N:.*]]: index)
// CHECK: %[[SHORT:.*]] = arith.divsi %c65536
// CHECK: %[[FEW:.*]] = arith.maxsi %[[SHORT]], %c256
// CHECK: %[[MOST:.*]] = arith.minsi %[[FEW]], %c1024
// CHECK: %[[BY_WORK:.*]] = arith.divsi %[[N]], %c16384
// CHECK: arith.minsi %[[MOST]], %[[BY_WORK]]
// CHECK: %[[BY_SIZE:.*]] = arith.divsi %{{.*}}, %{{.*}} : index
// CHECK: arith.minsi %{{.*}}, %[[BY_SIZE]]
// CHECK: %[[SEVERAL:.*]] = arith.cmpi sgt
// CHECK: scf.if %[[SEVERAL]] {
// CHECK:   %[[C:.*]] = memref.alloc(%[[W:.*]], %{{.*}}) : memref<?x?xi64>
// CHECK:   scf.parallel (%[[K:.*]]) = (%{{.*}}) to (%[[W]])
// CHECK:     memref.store %c0_i64, %[[C]][%[[K]], %{{.*}}]
// CHECK:     %[[LO:.*]] = arith.muli %[[K]]
// CHECK:     scf.for %[[I:.*]] = %[[LO]]
// CHECK:       %[[BIN:.*]] = memref.load %[[X]][%[[I]]]
// CHECK:       memref.load %[[C]][%[[K]], %[[BIN]]]
// CHECK:       memref.store %{{.*}}, %[[C]][%[[K]], %[[BIN]]]
// CHECK:   scf.parallel
// CHECK:     scf.for %[[FROM:.*]] = %{{.*}} to %[[W]]
// CHECK:       scf.for %[[E:.*]] =
// CHECK:         memref.load %[[H]][%[[E]]]
// CHECK:         memref.load %[[C]][%[[FROM]], %[[E]]]
// CHECK:         memref.store %{{.*}}, %[[H]][%[[E]]]
// CHECK:   memref.dealloc %[[C]]
// CHECK: } else {
// CHECK:   scf.parallel
// CHECK:     memref.store %{{.*}}, %[[H]]
func.func @copies(%x: memref<?xindex>, %h: memref<8xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xindex>, %N = %n : index) outs (%H[8] = %h : memref<8xi64>) {
    %one = arith.constant 1 : i64
    kernel.for "i" (%i) in %N {
      %b = kernel.load %X[%i] : memref<?xindex>
      kernel.update %one, %H[%b] : memref<8xi64> by arith.addi
    }
  }
  return
}

// -----

// A fold with updates has a partial result a copy; the inner one of two loops
// is dealt out, too, as the outer one may be short.
// CHECK-LABEL: func @copies_and_partials
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (i64) {
// CHECK:   memref.alloc(%[[W:.*]], %{{.*}}) : memref<?x?xi64>
// CHECK:   %[[P:.*]] = memref.alloc(%[[W]]) : memref<?xi64>
// CHECK:   scf.parallel
// CHECK:     memref.store %{{.*}}, %[[P]]
// CHECK:   scf.while
// CHECK:   scf.yield
// CHECK: memref.store %[[R]]
// CHECK: scf.if
// CHECK:   scf.parallel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %[[WJ:.*]]) step
// CHECK:     %[[ROW:.*]] = arith.muli %[[I]], %[[WJ]]
// CHECK:     arith.addi %[[ROW]], %[[J]]
func.func @copies_and_partials(%x: memref<?xindex>, %h: memref<8xi64>, %s: memref<i64>, %n: index, %m: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xindex>, %N = %n : index) outs (%H[8] = %h : memref<8xi64>, %S = %s : memref<i64>) {
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %sum = kernel.for "i" (%i) in %N reduce (%zero : i64) by arith.addi {
      %b = kernel.load %X[%i] : memref<?xindex>
      kernel.update %one, %H[%b] : memref<8xi64> by arith.addi
      %v = arith.index_cast %b : index to i64
      kernel.yield %v : i64
    }
    kernel.store %sum, %S[] : memref<i64>
  }
  kernel.launch @g (%X[%N] = %x : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%H[8] = %h : memref<8xi64>) {
    %one = arith.constant 1 : i64
    kernel.for "i" (%i) in %N {
      %b = kernel.load %X[%i] : memref<?xindex>
      kernel.for "j" (%j) in %M {
        %k = arith.muli %b, %j : index
        kernel.update %one, %H[%k] : memref<8xi64> by arith.addi
      }
    }
  }
  return
}

// -----

// Without levels: a flat loop in chunks of a fixed size, whatever the threads.
// CHECK-LABEL: func @flat
// CHECK: arith.ceildivsi %{{.*}}, %c8192
// CHECK: scf.parallel (%[[T:.*]]) =
// CHECK:   %[[LO:.*]] = arith.muli %[[T]], %c8192
// CHECK:   scf.for %{{.*}} = %[[LO]] to
func.func @flat(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %u = kernel.load %X[%i] : memref<?xf32>
      kernel.store %u, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Block loops inside of each other are one space of tasks.
// CHECK-LABEL: func @blocks
// CHECK-SAME: %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) to (%[[N]], %[[M]])
// CHECK-NOT: scf.for
// CHECK:   memref.store
func.func @blocks(%y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @f (%N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.1 {
      kernel.for "j" (%j) in %M at block.0 {
        kernel.store %z, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// A fold: one partial a task, combined in order by the host: neighbours in
// pairs until one is left, the seed with that one.
// CHECK-LABEL: func @fold
// CHECK: %[[PART:.*]] = memref.alloc(%[[COUNT:.*]]) : memref<?xi64>
// CHECK: scf.parallel (%[[T:.*]]) = (%{{.*}}) to (%[[COUNT]])
// CHECK:   %[[P:.*]] = scf.for
// CHECK:   memref.store %[[P]], %[[PART]][%[[T]]]
// CHECK: scf.while (%[[LEFT:.*]] = %[[COUNT]])
// CHECK:   %[[HALF:.*]] = arith.divui
// CHECK:   scf.for %[[K:.*]] = %{{.*}} to %[[HALF]]
// CHECK:     %[[A:.*]] = memref.load %[[PART]]
// CHECK:     %[[B:.*]] = memref.load %[[PART]]
// CHECK:     %[[AB:.*]] = arith.addi %[[A]], %[[B]]
// CHECK:     memref.store %[[AB]], %[[PART]][%[[K]]]
// CHECK: %[[ANY:.*]] = arith.minsi %[[COUNT]]
// CHECK: scf.for %[[F:.*]] = %{{.*}} to %[[ANY]] {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (i64)
// CHECK:   %[[Q:.*]] = memref.load %[[PART]][%[[F]]]
// CHECK:   arith.addi %[[ACC]], %[[Q]]
// CHECK: memref.dealloc %[[PART]]
func.func @fold(%x: memref<?xi64>, %s: memref<i64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%S = %s : memref<i64>) {
    %z = arith.constant 5 : i64
    %t = kernel.for "i" (%i) in %N reduce (%z : i64) by arith.addi {
      %u = kernel.load %X[%i] : memref<?xi64>
      kernel.yield %u : i64
    }
    kernel.store %t, %S[] : memref<i64>
  }
  return
}

// -----

// What blocks have left for each of many columns is folded in chunks of columns.
// CHECK-LABEL: func @fold_of_blocks
// CHECK-SAME: %{{[a-z0-9]+}}: index, %[[K:[a-z0-9]+]]: index)
// CHECK: %[[LEFT:.*]] = memref.alloc(%[[K]]) {{.*}}: memref<4x?xi64>
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%c4{{.*}})
// CHECK:   scf.for
// CHECK:     memref.store %{{.*}}, %[[LEFT]]
// CHECK: %[[CHUNKS:.*]] = arith.ceildivsi %{{.*}}, %c64{{.*}}
// CHECK: scf.parallel (%[[T:.*]]) = (%{{.*}}) to (%[[CHUNKS]])
// CHECK:   %[[BEGIN:.*]] = arith.muli %[[T]], %c64{{.*}}
// CHECK:   %[[BEHIND:.*]] = arith.addi %[[BEGIN]], %c64{{.*}}
// CHECK:   %[[END:.*]] = arith.minsi %[[BEHIND]], %[[K]]
// CHECK:   scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:     scf.for {{.*}} iter_args
// CHECK:       memref.load %[[LEFT]][%{{.*}}, %[[I]]]
// CHECK:     memref.store %{{.*}}[%[[I]]]
func.func @fold_of_blocks(%x: memref<?x?xi64>, %y: memref<?xi64>, %n: index, %k: index) {
  kernel.launch @f (%X[%N, %K] = %x : memref<?x?xi64>, %N = %n : index, %K = %k : index) outs (%Y[%K] = %y : memref<?xi64>)
      schedule #kernel.schedule<l = [block.0 4, seq], i = [seq], order = [l.0, l.1, i.0]> {
    %z = arith.constant 0 : i64
    %c4 = arith.constant 4 : index
    %w = kernel.local (%K) : memref<4x?xi64>
    kernel.for "l.0" (%l) in 4 at block.0 {
      kernel.for "i" (%i) in %K at seq {
        %s = kernel.for "l.1" (%m) in %N at seq reduce (%z : i64) by arith.addi {
          %u = kernel.load %X[%m, %i] : memref<?x?xi64>
          kernel.yield %u : i64
        }
        kernel.store %s, %w[%l, %i] : memref<4x?xi64>
      }
    }
    kernel.for "i" (%i) in %K at seq {
      %s = kernel.for "l.0" (%l) in 4 at seq reduce (%z : i64) by arith.addi {
        %u = kernel.load %w[%l, %i] : memref<4x?xi64>
        kernel.yield %u : i64
      }
      kernel.store %s, %Y[%i] : memref<?xi64>
    }
  }
  return
}

// -----

// A scan is one task; the prefix is what came before.
// CHECK-LABEL: func @scan
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (i64)
// CHECK:   %[[V:.*]] = memref.load
// CHECK:   %[[NEXT:.*]] = arith.addi %[[ACC]], %[[V]]
// CHECK:   memref.store %[[ACC]]
// CHECK:   scf.yield %[[NEXT]]
func.func @scan(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>) {
    %z = arith.constant 0 : i64
    %t = kernel.for "i" (%i) in %N scan (%z : i64) by arith.addi {
      %u = kernel.load %X[%i] : memref<?xi64>
      %p = kernel.prefix exclusive %u : i64
      kernel.store %p, %Y[%i] : memref<?xi64>
    }
  }
  return
}

// -----

// A local of a task: on the stack if small, else marked for its worker.
// CHECK-LABEL: func @locals
// CHECK: scf.parallel
// CHECK-DAG: memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK-DAG: %[[L:.*]] = memref.alloc(%{{.*}}) {arrc.local} : memref<?xf32>
// CHECK: memref.dealloc %[[L]]
// CHECK: llvm.call @arrt_poll_error
func.func @locals(%y: memref<?xf32>, %n: index) {
  kernel.launch @f (%N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i" (%i) in %N at block.0 {
      %a = kernel.local : memref<4xf32>
      %b = kernel.local (%N) : memref<?xf32>
      kernel.store %z, %a[%c0] : memref<4xf32>
      kernel.store %z, %b[%i] : memref<?xf32>
      %u = kernel.load %a[%c0] : memref<4xf32>
      kernel.store %u, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A check records its site and where it was; the host asks afterwards.
// CHECK-LABEL: func @checks
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr {arrc.context},
// CHECK: scf.parallel
// CHECK:   scf.if
// CHECK:     func.call @arrc_check_0(%[[CTX]], %{{.*}}, %{{.*}})
// CHECK: llvm.call @arrt_poll_error(%[[CTX]])
// CHECK: func private @arrc_check_0
// CHECK:   llvm.call @arrt_record_check
func.func @checks(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>) {
    %z = arith.constant 0 : i64
    kernel.for "i" (%i) in %N {
      %u = kernel.load %X[%i] : memref<?xi64>
      %ok = arith.cmpi sge, %u, %z : i64
      kernel.check assert %ok, "{0} is negative" [%u : i64]
      kernel.store %u, %Y[%i] : memref<?xi64>
    }
  }
  return
}

// -----

// Edges: the nearest element, or the one from the other side.
// CHECK-LABEL: func @edges
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: arith.remsi
func.func @edges(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @f (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
        %u = kernel.load %X[%k, %k] edge [clamp, wrap] : memref<?x?xf32>
        kernel.store %u, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// A scan in blocks, as many at a time as the caches hold by what a block reads:
// tasks fold a block of the next group and scan one of this group, from the
// total in front of it.
// CHECK-LABEL: func @scan_in_blocks
// CHECK: %[[WORKERS:.*]] = arith.index_cast
// CHECK: %[[BLOCK:.*]] = arith.ceildivsi
// CHECK: %[[LEAST:.*]] = arith.maxsi %[[BLOCK]]
// CHECK: arith.divsi %c524288{{.*}}, %[[LEAST]]
// CHECK: %[[EACH:.*]] = arith.maxsi
// CHECK: %[[GROUP:.*]] = arith.muli %[[WORKERS]], %[[EACH]]
// CHECK: %[[START:.*]] = arith.subi %{{.*}}, %[[GROUP]]
// CHECK: scf.for %[[G:.*]] = %[[START]] to %[[N:.*]] step %[[GROUP]] iter_args(%[[ACC:.*]] = %{{.*}}) -> (i64)
// CHECK:   %[[NEXT:.*]] = arith.addi %[[G]], %[[GROUP]]
// CHECK:   %[[FROM:.*]] = arith.maxsi %[[G]]
// CHECK:   %[[TO:.*]] = arith.minsi %[[NEXT]], %[[N]]
// CHECK:   %[[S:.*]] = scf.for %{{.*}} = %[[FROM]] to %[[TO]] {{.*}} iter_args(%{{.*}} = %[[ACC]])
// CHECK:   scf.parallel (%[[ID:.*]]) =
// CHECK:     %[[FOLDED:.*]] = arith.addi %[[NEXT]], %[[ID]]
// CHECK:     %[[MORE:.*]] = arith.cmpi slt, %[[FOLDED]], %[[N]]
// CHECK:     scf.if %[[MORE]]
// CHECK:       memref.store %{{.*}}, %[[TOTALS:.*]][%[[FOLDED]]]
// CHECK:     %[[SCANNED:.*]] = arith.addi %[[G]], %[[ID]]
// CHECK:     %[[ANY:.*]] = arith.cmpi sge, %[[SCANNED]]
// CHECK:     scf.if %[[ANY]]
// CHECK:       memref.load %[[TOTALS]][%[[SCANNED]]]
// CHECK:   scf.yield %[[S]]
func.func @scan_in_blocks(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>) {
    %z = arith.constant 0 : i64
    %t = kernel.for "i.0" (%b) in %N at block.0 scan (%z : i64) by arith.addi attributes {kernel.repeats} {
      %f = kernel.for "i.1" (%k) in 4 at seq reduce (%z : i64) by arith.addi {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%b, %k)
        %u = kernel.load %X[%i] : memref<?xi64>
        kernel.yield %u : i64
      }
      %p = kernel.prefix exclusive %f : i64
      %s = kernel.for "i.1" (%k) in 4 at seq scan (%p : i64) by arith.addi {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%b, %k)
        %u = kernel.load %X[%i] : memref<?xi64>
        %q = kernel.prefix %u : i64
        kernel.store %q, %Y[%i] : memref<?xi64>
      }
    }
  }
  return
}

// -----

// Each step of the fold of a block folds a vector: one vector of accumulators,
// whose lanes are folded at the end. Not if order counts.
// CHECK-LABEL: func @blocks_in_lanes
// CHECK: scf.parallel
// CHECK:   %[[V:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (vector<4xi64>)
// CHECK:     %[[U:.*]] = vector.load
// CHECK:     %[[B:.*]] = arith.addi %[[A]], %[[U]] : vector<4xi64>
// CHECK:     scf.yield %[[B]]
// CHECK:   vector.shuffle %[[V]], %[[V]] [0, 2]
// CHECK: scf.parallel
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i64)
// CHECK:     vector.load
func.func @blocks_in_lanes(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>) {
    %z = arith.constant 0 : i64
    %t = kernel.for "i.0" (%b) in %N at block.0 scan (%z : i64) by arith.addi attributes {kernel.repeats} {
      %f = kernel.for "i.1" (%k) in 8 at seq reduce (%z : i64) by arith.addi {
        %g = kernel.for "i.2" (%v) in 4 at vector reduce (%z : i64) by arith.addi {
          %i = affine.apply affine_map<(d0, d1, d2) -> (d0 * 32 + d1 * 4 + d2)>(%b, %k, %v)
          %u = kernel.load %X[%i] : memref<?xi64>
          kernel.yield %u : i64
        }
        kernel.yield %g : i64
      }
      %p = kernel.prefix exclusive %f : i64
      kernel.store %p, %Y[%b] : memref<?xi64>
    }
    %s = kernel.for "j.0" (%b) in %N at block.0 scan (%z : i64) by (%p: i64, %q: i64) {
      kernel.yield %q : i64
    } attributes {kernel.repeats} {
      %f = kernel.for "j.1" (%k) in 8 at seq reduce (%z : i64) by (%p: i64, %q: i64) {
        kernel.yield %q : i64
      } {
        %g = kernel.for "j.2" (%v) in 4 at vector reduce (%z : i64) by (%p: i64, %q: i64) {
          kernel.yield %q : i64
        } {
          %i = affine.apply affine_map<(d0, d1, d2) -> (d0 * 32 + d1 * 4 + d2)>(%b, %k, %v)
          %u = kernel.load %X[%i] : memref<?xi64>
          kernel.yield %u : i64
        }
        kernel.yield %g : i64
      }
      %p = kernel.prefix exclusive %f : i64
      kernel.store %p, %Y[%b] : memref<?xi64>
    }
  }
  return
}
