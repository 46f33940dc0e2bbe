// RUN: arr-opt %s --split-input-file --gpu-load-steps | FileCheck %s
// RUN: arr-opt %s --split-input-file --gpu-load-steps --outline-time-loops | FileCheck %s --check-prefix=OUT

// A grid that depends on the number stays with the host.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {gpu.container_module, kernel.device = #cuda} {
  // CHECK-LABEL: func.func @no_grid
  // CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<1xf32, #gpu.address_space<global>>, %{{.*}} : index)
  // OUT-LABEL: func.func @no_grid
  // OUT-NOT: call @arrt_loop
  func.func @no_grid(%a: memref<8xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %p = builtin.unrealized_conversion_cast %a : memref<8xf32> to memref<1xf32, #gpu.address_space<global>>
      gpu.launch_func @kernels::@f blocks in (%i, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%p : memref<1xf32, #gpu.address_space<global>>, %i : index)
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    return
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<1xf32, #gpu.address_space<global>>, %i: index) kernel attributes {arrc.args = "p8"} {
      gpu.return
    }
  }
}

// -----

// Nor does the host hand on what it stores itself.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {gpu.container_module, kernel.device = #cuda} {
  // CHECK-LABEL: func.func @no_host_store
  // CHECK: gpu.launch_func {{.*}} args(%{{.*}} : index)
  func.func @no_host_store(%a: memref<8xindex>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %i, %a[%c0] : memref<8xindex>
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%i : index)
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    return
  }
  gpu.module @kernels {
    gpu.func @f(%i: index) kernel attributes {arrc.args = "8"} {
      gpu.return
    }
  }
}

// -----

// The kernel computes what the host made of the number: in 64 bits, as there.
// Another launch of it keeps the kernel that it had.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {gpu.container_module, kernel.device = #cuda} {
  // CHECK-LABEL: func.func @loop
  // CHECK: %[[A:.*]] = memref.alloc() : memref<i64>
  // CHECK: %[[B:.*]] = memref.alloc() : memref<i64>
  // CHECK: memref.store %{{.*}}, %[[A]][] : memref<i64>
  // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[A]], %{{.*}} = %[[B]])
  // CHECK: ^bb0(%{{.*}}: index, %[[CUR:.*]]: memref<i64>, %[[NEXT:.*]]: memref<i64>):
  // CHECK: %[[W:.*]] = arith.index_cast %{{.*}} : index to i64
  // CHECK: gpu.launch_func @kernels::@[[COPY:f_[0-9]+]] {{.*}} args(%{{[^,]*}} : memref<1xf32, #gpu.address_space<global>>, %{{[^,]*}} : memref<1xi64, #gpu.address_space<global>>, %{{[^,]*}} : memref<1xi64, #gpu.address_space<global>>, %[[W]] : i64)
  // CHECK: scf.yield %{{.*}}, %[[NEXT]], %[[CUR]] : index, memref<i64>, memref<i64>
  // CHECK: memref.dealloc
  // CHECK: memref.dealloc
  // CHECK: gpu.launch_func @kernels::@f
  // CHECK: gpu.func @f(%{{.*}}, %{{.*}}: f32, %{{.*}}: index)
  // CHECK: gpu.func @[[COPY]](%[[X:.*]]: memref<1xf32, #gpu.address_space<global>>, %[[FROM:.*]]: memref<1xi64, #gpu.address_space<global>> {llvm.noalias, llvm.readonly}, %[[TO:.*]]: memref<1xi64, #gpu.address_space<global>> {llvm.noalias}, %[[WIDTH:.*]]: i64) kernel attributes {arrc.args = "ppp8"} {
  // CHECK: %[[STEP:.*]] = memref.load %[[FROM]]
  // CHECK: %[[TIME:.*]] = arith.sitofp %[[STEP]] : i64 to f32
  // CHECK: %[[PLACE:.*]] = arith.muli %[[STEP]], %[[WIDTH]] : i64
  // CHECK: %[[INDEX:.*]] = arith.index_cast %[[PLACE]] : i64 to index
  // CHECK: memref.store %[[TIME]], %[[X]][%[[INDEX]]]
  // CHECK: scf.if
  // CHECK:   %[[SUM:.*]] = arith.addi %[[STEP]], %{{.*}} : i64
  // CHECK:   memref.store %[[SUM]], %[[TO]]
  // OUT-LABEL: func.func @loop
  // OUT: call @arrt_loop
  func.func @loop(%a: memref<8xf32>, %w: index, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %p = builtin.unrealized_conversion_cast %a : memref<8xf32> to memref<1xf32, #gpu.address_space<global>>
      %wide = arith.index_cast %i : index to i64
      %time = arith.sitofp %wide : i64 to f32
      %place = arith.muli %i, %w : index
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%p : memref<1xf32, #gpu.address_space<global>>, %time : f32, %place : index)
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    %q = builtin.unrealized_conversion_cast %a : memref<8xf32> to memref<1xf32, #gpu.address_space<global>>
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%q : memref<1xf32, #gpu.address_space<global>>, %zero : f32, %c0 : index)
    return
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<1xf32, #gpu.address_space<global>>, %t: f32, %i: index) kernel attributes {arrc.args = "p48"} {
      memref.store %t, %x[%i] : memref<1xf32, #gpu.address_space<global>>
      gpu.return
    }
  }
}

// -----

// Whether there is another step is asked of the next number.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {gpu.container_module, kernel.device = #cuda} {
  // CHECK-LABEL: func.func @last
  // CHECK: gpu.func @f(
  // CHECK: %[[STEP:.*]] = memref.load
  // CHECK: %[[NEXT:.*]] = arith.addi %[[STEP]], %{{.*}} : i64
  // CHECK: arith.cmpi slt, %[[NEXT]], %{{.*}} : i64
  // CHECK: scf.if
  // OUT-LABEL: func.func @last
  // OUT: call @arrt_loop
  func.func @last(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      %goes = arith.cmpi slt, %next, %n : index
      %byte = arith.extui %goes : i1 to i8
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%byte : i8)
      scf.yield %next : index
    }
    return
  }
  gpu.module @kernels {
    gpu.func @f(%goes: i8) kernel attributes {arrc.args = "1"} {
      gpu.return
    }
  }
}
