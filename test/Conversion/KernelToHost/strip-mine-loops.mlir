// RUN: arr-opt %s --split-input-file --gpu-strip-mine-loops | FileCheck %s
// RUN: arr-opt %s --split-input-file --gpu-strip-mine-loops --canonicalize --gpu-load-steps --outline-time-loops | FileCheck %s --check-prefix=OUT

// Steps that fill a workspace, and a launch that empties it when it is full and
// after the last step: the steps up to there are a loop of their own, which the
// runtime can have. Arrays take turns in both.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {gpu.container_module, kernel.device = #cuda} {
  // CHECK-LABEL: func.func @history
  // CHECK: scf.while (%[[K:.*]] = %c0, %[[A0:.*]] = %{{.*}}, %[[B0:.*]] = %{{.*}})
  // CHECK:   arith.cmpi slt, %[[K]], %arg0
  // CHECK: ^bb0(%[[FIRST:.*]]: index, %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>):
  // CHECK:   %[[DONE:.*]] = arith.remui %[[FIRST]], %arg1
  // CHECK:   %[[START:.*]] = arith.subi %[[FIRST]], %[[DONE]]
  // CHECK:   %[[FULL:.*]] = arith.addi %[[START]], %arg1
  // CHECK:   %[[TO:.*]] = arith.minsi %[[FULL]], %arg0
  // CHECK:   %[[R:.*]]:3 = scf.while (%[[J:.*]] = %[[FIRST]], %{{.*}} = %[[A]], %{{.*}} = %[[B]])
  // CHECK:     arith.cmpi slt, %[[J]], %[[TO]]
  // CHECK:   ^bb0(%[[STEP:.*]]: index,
  // CHECK:     %[[ROW:.*]] = arith.subi %[[STEP]], %[[START]]
  // CHECK:     gpu.launch_func @kernels::@f {{.*}}%[[ROW]] : index)
  // CHECK-NOT: scf.if
  // CHECK:     scf.yield
  // CHECK:   %[[LAST:.*]] = arith.subi %[[R]]#0, %c1
  // CHECK:   %[[SIZES:.*]] = arith.cmpi sgt, %arg0
  // CHECK:   scf.if %[[SIZES]] {
  // CHECK:     gpu.launch_func @kernels::@g {{.*}} args({{.*}}, %[[LAST]] : index)
  // CHECK:   scf.yield %[[R]]#0, %[[R]]#1, %[[R]]#2
  // OUT-LABEL: func.func @history
  // OUT: scf.while
  // OUT:   call @arrt_loop
  // OUT:   gpu.launch_func @kernels::@g
  func.func @history(%n: index, %m: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %w = memref.alloc() : memref<64xf32>
    %e = memref.alloc(%n) : memref<?xf32>
    %r:3 = scf.while (%k = %c0, %x = %a, %y = %b) : (index, memref<8xf32>, memref<8xf32>) -> (index, memref<8xf32>, memref<8xf32>) {
      %more = arith.cmpi slt, %k, %n : index
      scf.condition(%more) %k, %x, %y : index, memref<8xf32>, memref<8xf32>
    } do {
    ^bb0(%k: index, %x: memref<8xf32>, %y: memref<8xf32>):
      %next = arith.addi %k, %c1 : index
      %sizes = arith.cmpi sgt, %n, %c5 : index
      scf.if %sizes {
        %row = arith.remui %k, %m : index
        %px = builtin.unrealized_conversion_cast %x : memref<8xf32> to memref<1xf32, #gpu.address_space<global>>
        %py = builtin.unrealized_conversion_cast %y : memref<8xf32> to memref<1xf32, #gpu.address_space<global>>
        %pw = builtin.unrealized_conversion_cast %w : memref<64xf32> to memref<1xf32, #gpu.address_space<global>>
        gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
            args(%px : memref<1xf32, #gpu.address_space<global>>, %py : memref<1xf32, #gpu.address_space<global>>, %pw : memref<1xf32, #gpu.address_space<global>>, %row : index)
        %rest = arith.remui %next, %m : index
        %full = arith.cmpi eq, %rest, %c0 : index
        %last = arith.cmpi eq, %next, %n : index
        %ends = arith.ori %full, %last : i1
        scf.if %ends {
          %pe = builtin.unrealized_conversion_cast %e : memref<?xf32> to memref<1xf32, #gpu.address_space<global>>
          gpu.launch_func @kernels::@g blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
              args(%pw : memref<1xf32, #gpu.address_space<global>>, %pe : memref<1xf32, #gpu.address_space<global>>, %k : index)
        }
      }
      scf.yield %next, %y, %x : index, memref<8xf32>, memref<8xf32>
    }
    return
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<1xf32, #gpu.address_space<global>>, %y: memref<1xf32, #gpu.address_space<global>>, %w: memref<1xf32, #gpu.address_space<global>>, %i: index) kernel attributes {arrc.args = "ppp8"} {
      gpu.return
    }
    gpu.func @g(%w: memref<1xf32, #gpu.address_space<global>>, %e: memref<1xf32, #gpu.address_space<global>>, %i: index) kernel attributes {arrc.args = "pp8"} {
      gpu.return
    }
  }
}

// -----

// What comes after the branch in a step reads what it writes: it stays there.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {gpu.container_module, kernel.device = #cuda} {
  // CHECK-LABEL: func.func @read_later
  // CHECK-COUNT-1: scf.while
  // CHECK-NOT: scf.while
  func.func @read_later(%n: index, %m: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = memref.alloc(%n) : memref<?xf32>
    %r = scf.while (%k = %c0) : (index) -> index {
      %more = arith.cmpi slt, %k, %n : index
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      %next = arith.addi %k, %c1 : index
      %rest = arith.remui %next, %m : index
      %full = arith.cmpi eq, %rest, %c0 : index
      %last = arith.cmpi eq, %next, %n : index
      %ends = arith.ori %full, %last : i1
      %pe = builtin.unrealized_conversion_cast %e : memref<?xf32> to memref<1xf32, #gpu.address_space<global>>
      scf.if %ends {
        gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%pe : memref<1xf32, #gpu.address_space<global>>)
      }
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%pe : memref<1xf32, #gpu.address_space<global>>)
      scf.yield %next : index
    }
    return
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<1xf32, #gpu.address_space<global>>) kernel attributes {arrc.args = "p"} {
      gpu.return
    }
  }
}

// -----

// A loop that a flag may end does not reach its last step.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {gpu.container_module, kernel.device = #cuda} {
  // CHECK-LABEL: func.func @flag
  // CHECK-COUNT-1: scf.while
  // CHECK-NOT: scf.while
  func.func @flag(%n: index, %m: index, %go: memref<i1>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = memref.alloc(%n) : memref<?xf32>
    %r = scf.while (%k = %c0) : (index) -> index {
      %less = arith.cmpi slt, %k, %n : index
      %goes = memref.load %go[] : memref<i1>
      %more = arith.andi %less, %goes : i1
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      %next = arith.addi %k, %c1 : index
      %rest = arith.remui %next, %m : index
      %full = arith.cmpi eq, %rest, %c0 : index
      %last = arith.cmpi eq, %next, %n : index
      %ends = arith.ori %full, %last : i1
      scf.if %ends {
        %pe = builtin.unrealized_conversion_cast %e : memref<?xf32> to memref<1xf32, #gpu.address_space<global>>
        gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%pe : memref<1xf32, #gpu.address_space<global>>)
      }
      scf.yield %next : index
    }
    return
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<1xf32, #gpu.address_space<global>>) kernel attributes {arrc.args = "p"} {
      gpu.return
    }
  }
}
