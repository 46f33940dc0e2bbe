module attributes {arrc.sites = [{column = 37 : i32, file = "/tmp/promises/seed.arr", kind = "alloc", line = 1 : i32, message = "an array", values = ""}]} {
  llvm.func @arrt_last_status(!llvm.ptr) -> i32
  llvm.func @arrt_buffer_alloc(!llvm.ptr, i64, i32) -> !llvm.ptr
  llvm.func @arrt_array_adopt(!llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr) -> !llvm.ptr
  llvm.func @arrt_array_size(!llvm.ptr, i32) -> i64
  llvm.func @arrt_array_data(!llvm.ptr) -> !llvm.ptr
  llvm.func @arrt_parallel(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  llvm.func internal @f_task0(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: !llvm.ptr, %arg5: !llvm.ptr {llvm.noalias}, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: !llvm.ptr, %arg10: !llvm.ptr {llvm.noalias}, %arg11: i64, %arg12: i64, %arg13: i64) attributes {arrc.noalias, arrc.task, sym_visibility = "private"} {
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %1 = llvm.insertvalue %arg9, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %2 = llvm.insertvalue %arg10, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %3 = llvm.insertvalue %arg11, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %4 = llvm.insertvalue %arg12, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %5 = llvm.insertvalue %arg13, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %6 = llvm.insertvalue %arg4, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %7 = llvm.insertvalue %arg5, %6[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %8 = llvm.insertvalue %arg6, %7[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %9 = llvm.insertvalue %arg7, %8[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %10 = llvm.insertvalue %arg8, %9[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %11 = llvm.mlir.constant(2.000000e+00 : f32) : f32
    %12 = llvm.mlir.constant(8192 : index) : i64
    %13 = llvm.mlir.constant(1 : index) : i64
    llvm.br ^bb1(%arg0 : i64)
  ^bb1(%14: i64):  // 2 preds: ^bb0, ^bb5
    %15 = llvm.icmp "slt" %14, %arg1 : i64
    llvm.cond_br %15, ^bb2, ^bb6
  ^bb2:  // pred: ^bb1
    %16 = llvm.mul %14, %12 : i64
    %17 = llvm.add %16, %12 : i64
    %18 = llvm.intr.smin(%17, %arg3) : (i64, i64) -> i64
    llvm.br ^bb3(%16 : i64)
  ^bb3(%19: i64):  // 2 preds: ^bb2, ^bb4
    %20 = llvm.icmp "slt" %19, %18 : i64
    llvm.cond_br %20, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    %21 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %22 = llvm.getelementptr inbounds|nuw %21[%19] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %23 = llvm.load %22 : !llvm.ptr -> f32
    %24 = llvm.fmul %23, %11 : f32
    %25 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %26 = llvm.getelementptr inbounds|nuw %25[%19] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %24, %26 : f32, !llvm.ptr
    %27 = llvm.add %19, %13 : i64
    llvm.br ^bb3(%27 : i64)
  ^bb5:  // pred: ^bb3
    %28 = llvm.add %14, %13 : i64
    llvm.br ^bb1(%28 : i64)
  ^bb6:  // pred: ^bb1
    llvm.return
  }
  llvm.func internal @f_task0_entry(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64, %arg3: i64) {
    %0 = llvm.getelementptr %arg0[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
    %1 = llvm.load %0 : !llvm.ptr -> i64
    %2 = llvm.getelementptr %arg0[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
    %3 = llvm.load %2 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %4 = llvm.getelementptr %arg0[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
    %5 = llvm.load %4 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %6 = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %7 = llvm.extractvalue %3[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %8 = llvm.extractvalue %3[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %9 = llvm.extractvalue %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %10 = llvm.extractvalue %3[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %11 = llvm.extractvalue %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %12 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %13 = llvm.extractvalue %5[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %14 = llvm.extractvalue %5[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %15 = llvm.extractvalue %5[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    llvm.call @f_task0(%arg1, %arg2, %arg3, %1, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15) : (i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
    llvm.return
  }
  llvm.func @f_packed(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.mlir.constant(11 : i32) : i32
    %2 = llvm.mlir.zero : !llvm.ptr
    %3 = llvm.mlir.constant(-1 : i64) : i64
    %4 = llvm.mlir.constant(0 : i64) : i64
    %5 = llvm.mlir.constant(4 : i64) : i64
    %6 = llvm.mlir.constant(8192 : index) : i64
    %7 = llvm.mlir.addressof @f_task0_entry : !llvm.ptr
    %8 = llvm.mlir.constant(2 : i64) : i64
    %9 = llvm.mlir.constant(0 : index) : i64
    %10 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %11 = llvm.mlir.constant(0 : i32) : i32
    %12 = llvm.mlir.constant(1 : i64) : i64
    %13 = llvm.alloca %12 x i64 : (i64) -> !llvm.ptr
    %14 = llvm.load %arg1 : !llvm.ptr -> !llvm.ptr
    %15 = llvm.load %14 : !llvm.ptr -> !llvm.ptr
    %16 = llvm.call @arrt_array_data(%15) : (!llvm.ptr) -> !llvm.ptr
    %17 = llvm.call @arrt_array_size(%15, %11) : (!llvm.ptr, i32) -> i64
    %18 = llvm.insertvalue %16, %10[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %19 = llvm.insertvalue %16, %18[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %20 = llvm.insertvalue %9, %19[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %21 = llvm.insertvalue %17, %20[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %22 = llvm.insertvalue %12, %21[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %23 = llvm.alloca %12 x !llvm.struct<(i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)> : (i64) -> !llvm.ptr
    %24 = llvm.extractvalue %22[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %25 = llvm.icmp "slt" %24, %4 : i64
    %26 = llvm.zext %24 : i64 to i128
    %27 = llvm.zext %5 : i64 to i128
    %28 = llvm.mul %26, %27 : i128
    %29 = llvm.trunc %28 : i128 to i64
    %30 = llvm.mlir.constant(64 : i128) : i128
    %31 = llvm.lshr %28, %30 : i128
    %32 = llvm.trunc %31 : i128 to i64
    %33 = llvm.icmp "ne" %32, %4 : i64
    %34 = llvm.or %25, %33 : i1
    %35 = llvm.icmp "slt" %29, %4 : i64
    %36 = llvm.or %34, %35 : i1
    %37 = llvm.select %36, %3, %29 : i1, i64
    %38 = llvm.call @arrt_buffer_alloc(%arg0, %37, %11) : (!llvm.ptr, i64, i32) -> !llvm.ptr
    %39 = llvm.icmp "eq" %38, %2 : !llvm.ptr
    llvm.cond_br %39, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %40 = llvm.call @arrt_last_status(%arg0) : (!llvm.ptr) -> i32
    llvm.return %40 : i32
  ^bb2:  // pred: ^bb0
    %41 = llvm.insertvalue %38, %10[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %42 = llvm.insertvalue %38, %41[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %43 = llvm.insertvalue %9, %42[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %44 = llvm.insertvalue %24, %43[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %45 = llvm.insertvalue %12, %44[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %46 = llvm.mlir.constant(1 : index) : i64
    %47 = llvm.sdiv %24, %6 : i64
    %48 = llvm.mul %47, %6 : i64
    %49 = llvm.icmp "ne" %24, %48 : i64
    %50 = llvm.icmp "slt" %24, %9 : i64
    %51 = llvm.mlir.constant(false) : i1
    %52 = llvm.icmp "eq" %50, %51 : i1
    %53 = llvm.and %49, %52 : i1
    %54 = llvm.add %47, %46 : i64
    %55 = llvm.select %53, %54, %47 : i1, i64
    %56 = llvm.getelementptr %23[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
    llvm.store %24, %56 : i64, !llvm.ptr
    %57 = llvm.getelementptr %23[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
    llvm.store %22, %57 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr
    %58 = llvm.getelementptr %23[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
    llvm.store %45, %58 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr
    llvm.call @arrt_parallel(%arg0, %7, %23, %55, %8) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
    %59 = llvm.getelementptr %arg1[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %60 = llvm.load %59 : !llvm.ptr -> !llvm.ptr
    llvm.store %24, %13 : i64, !llvm.ptr
    %61 = llvm.call @arrt_array_adopt(%arg0, %38, %1, %0, %13) : (!llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr) -> !llvm.ptr
    llvm.store %61, %60 : !llvm.ptr, !llvm.ptr
    llvm.return %11 : i32
  }
  llvm.mlir.global internal constant @arrt_data0("n\00") {addr_space = 0 : i32, alignment = 8 : i64}
  llvm.mlir.global internal constant @arrt_data1("a\00") {addr_space = 0 : i32, alignment = 8 : i64}
  llvm.mlir.global internal constant @arrt_data2("f32[n]\00") {addr_space = 0 : i32, alignment = 8 : i64}
  llvm.mlir.global internal constant @arrt_data3() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<1 x struct<(ptr)>> {
    %0 = llvm.mlir.undef : !llvm.array<1 x struct<(ptr)>>
    %1 = llvm.mlir.undef : !llvm.struct<(ptr)>
    %2 = llvm.mlir.addressof @arrt_data0 : !llvm.ptr
    %3 = llvm.insertvalue %2, %1[0] : !llvm.struct<(ptr)> 
    %4 = llvm.insertvalue %3, %0[0] : !llvm.array<1 x struct<(ptr)>> 
    llvm.return %4 : !llvm.array<1 x struct<(ptr)>>
  }
  llvm.mlir.global internal constant @arrt_data4() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>> {
    %0 = llvm.mlir.zero : !llvm.ptr
    %1 = llvm.mlir.addressof @arrt_data3 : !llvm.ptr
    %2 = llvm.mlir.constant(1 : i32) : i32
    %3 = llvm.mlir.constant(11 : i32) : i32
    %4 = llvm.mlir.addressof @arrt_data2 : !llvm.ptr
    %5 = llvm.mlir.undef : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>>
    %6 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)>
    %7 = llvm.mlir.addressof @arrt_data1 : !llvm.ptr
    %8 = llvm.insertvalue %7, %6[0] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %9 = llvm.insertvalue %4, %8[1] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %10 = llvm.insertvalue %3, %9[2] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %11 = llvm.insertvalue %2, %10[3] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %12 = llvm.insertvalue %1, %11[4] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %13 = llvm.insertvalue %0, %12[5] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %14 = llvm.insertvalue %13, %5[0] : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>> 
    llvm.return %14 : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>>
  }
  llvm.mlir.global internal constant @arrt_data5("out\00") {addr_space = 0 : i32, alignment = 8 : i64}
  llvm.mlir.global internal constant @arrt_data6() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<1 x struct<(ptr)>> {
    %0 = llvm.mlir.undef : !llvm.array<1 x struct<(ptr)>>
    %1 = llvm.mlir.undef : !llvm.struct<(ptr)>
    %2 = llvm.mlir.addressof @arrt_data0 : !llvm.ptr
    %3 = llvm.insertvalue %2, %1[0] : !llvm.struct<(ptr)> 
    %4 = llvm.insertvalue %3, %0[0] : !llvm.array<1 x struct<(ptr)>> 
    llvm.return %4 : !llvm.array<1 x struct<(ptr)>>
  }
  llvm.mlir.global internal constant @arrt_data7() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>> {
    %0 = llvm.mlir.zero : !llvm.ptr
    %1 = llvm.mlir.addressof @arrt_data6 : !llvm.ptr
    %2 = llvm.mlir.constant(1 : i32) : i32
    %3 = llvm.mlir.constant(11 : i32) : i32
    %4 = llvm.mlir.addressof @arrt_data2 : !llvm.ptr
    %5 = llvm.mlir.undef : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>>
    %6 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)>
    %7 = llvm.mlir.addressof @arrt_data5 : !llvm.ptr
    %8 = llvm.insertvalue %7, %6[0] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %9 = llvm.insertvalue %4, %8[1] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %10 = llvm.insertvalue %3, %9[2] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %11 = llvm.insertvalue %2, %10[3] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %12 = llvm.insertvalue %1, %11[4] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %13 = llvm.insertvalue %0, %12[5] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %14 = llvm.insertvalue %13, %5[0] : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>> 
    llvm.return %14 : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>>
  }
  llvm.mlir.global internal constant @arrt_data8("f\00") {addr_space = 0 : i32, alignment = 8 : i64}
  llvm.mlir.global internal constant @arrt_data9("/tmp/promises/seed.arr\00") {addr_space = 0 : i32, alignment = 8 : i64}
  llvm.mlir.global internal constant @arrt_data10("an array\00") {addr_space = 0 : i32, alignment = 8 : i64}
  llvm.mlir.global internal constant @arrt_data11() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>> {
    %0 = llvm.mlir.addressof @arrt_data7 : !llvm.ptr
    %1 = llvm.mlir.addressof @arrt_data4 : !llvm.ptr
    %2 = llvm.mlir.constant(1 : i32) : i32
    %3 = llvm.mlir.addressof @f_packed : !llvm.ptr
    %4 = llvm.mlir.undef : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>>
    %5 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)>
    %6 = llvm.mlir.addressof @arrt_data8 : !llvm.ptr
    %7 = llvm.insertvalue %6, %5[0] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %8 = llvm.insertvalue %3, %7[1] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %9 = llvm.insertvalue %2, %8[2] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %10 = llvm.insertvalue %2, %9[3] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %11 = llvm.insertvalue %1, %10[4] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %12 = llvm.insertvalue %0, %11[5] : !llvm.struct<(ptr, ptr, i32, i32, ptr, ptr)> 
    %13 = llvm.insertvalue %12, %4[0] : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>> 
    llvm.return %13 : !llvm.array<1 x struct<(ptr, ptr, i32, i32, ptr, ptr)>>
  }
  llvm.mlir.global internal constant @arrt_data12() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<1 x struct<(ptr, i32, i32, i32, i32, ptr, ptr)>> {
    %0 = llvm.mlir.zero : !llvm.ptr
    %1 = llvm.mlir.addressof @arrt_data10 : !llvm.ptr
    %2 = llvm.mlir.constant(0 : i32) : i32
    %3 = llvm.mlir.constant(5 : i32) : i32
    %4 = llvm.mlir.constant(37 : i32) : i32
    %5 = llvm.mlir.constant(1 : i32) : i32
    %6 = llvm.mlir.undef : !llvm.array<1 x struct<(ptr, i32, i32, i32, i32, ptr, ptr)>>
    %7 = llvm.mlir.undef : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)>
    %8 = llvm.mlir.addressof @arrt_data9 : !llvm.ptr
    %9 = llvm.insertvalue %8, %7[0] : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)> 
    %10 = llvm.insertvalue %5, %9[1] : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)> 
    %11 = llvm.insertvalue %4, %10[2] : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)> 
    %12 = llvm.insertvalue %3, %11[3] : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)> 
    %13 = llvm.insertvalue %2, %12[4] : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)> 
    %14 = llvm.insertvalue %1, %13[5] : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)> 
    %15 = llvm.insertvalue %0, %14[6] : !llvm.struct<(ptr, i32, i32, i32, i32, ptr, ptr)> 
    %16 = llvm.insertvalue %15, %6[0] : !llvm.array<1 x struct<(ptr, i32, i32, i32, i32, ptr, ptr)>> 
    llvm.return %16 : !llvm.array<1 x struct<(ptr, i32, i32, i32, i32, ptr, ptr)>>
  }
  llvm.mlir.global external constant @arrt_program_table() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> {
    %0 = llvm.mlir.zero : !llvm.ptr
    %1 = llvm.mlir.addressof @arrt_data9 : !llvm.ptr
    %2 = llvm.mlir.constant(0 : i32) : i32
    %3 = llvm.mlir.addressof @arrt_data12 : !llvm.ptr
    %4 = llvm.mlir.addressof @arrt_data11 : !llvm.ptr
    %5 = llvm.mlir.constant(1 : i32) : i32
    %6 = llvm.mlir.undef : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)>
    %7 = llvm.mlir.constant(4 : i32) : i32
    %8 = llvm.insertvalue %7, %6[0] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %9 = llvm.insertvalue %5, %8[1] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %10 = llvm.insertvalue %4, %9[2] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %11 = llvm.insertvalue %3, %10[3] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %12 = llvm.insertvalue %5, %11[4] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %13 = llvm.insertvalue %2, %12[5] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %14 = llvm.insertvalue %1, %13[6] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %15 = llvm.insertvalue %2, %14[7] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %16 = llvm.insertvalue %2, %15[8] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %17 = llvm.insertvalue %0, %16[9] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    %18 = llvm.insertvalue %0, %17[10] : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)> 
    llvm.return %18 : !llvm.struct<(i32, i32, ptr, ptr, i32, i32, ptr, i32, i32, ptr, ptr)>
  }
}
