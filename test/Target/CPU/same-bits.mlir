// A sum of floats is the same to the last bit for any number of threads, and an
// elementwise result for any way in which the tasks fall.
// RUN: arrc run %s n=300001 --threads 1 > %t.1
// RUN: arrc run %s n=300001 --threads 2 > %t.2
// RUN: arrc run %s n=300001 --threads 5 > %t.5
// RUN: diff %t.1 %t.2
// RUN: diff %t.1 %t.5
// RUN: arrc run %s n=300001 -O0 --threads 1 > %t.1
// RUN: arrc run %s n=300001 -O0 --threads 5 > %t.5
// RUN: diff %t.1 %t.5
// RUN: arrc run %s n=0 | FileCheck %s --check-prefix=EMPTY
// RUN: arrc run %s n=1 | FileCheck %s --check-prefix=ONE
// EMPTY: total: f32 0
// EMPTY: largest: f32 -inf
// ONE: total: f32 0.01009982
// ONE: largest: f32 0.01009982

func.func @f(%n0: i64) -> (f32, f32) attributes {arrc.export,
    arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []}],
    arrc.results = [{name = "total", element = "f32", rank = 0 : i64, type = "f32", dims = []},
                    {name = "largest", element = "f32", rank = 0 : i64, type = "f32", dims = []}]} {
  %n = arith.index_cast %n0 : i64 to index
  %step = arith.constant 1.01e-2 : f32
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %v = array.map (%i "i") in (%n) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f32
    %x = arith.mulf %f, %step : f32
    %y = arith.addf %x, %step : f32
    %s = math.sin %y : f32
    array.yield %s : f32
  } : tensor<?xf32>
  %t = array.reduce (%i "i") in (%n) init (%z : f32) {
    %x = array.at %v[%i] inbounds : tensor<?xf32>
    array.yield %x : f32
  } by arith.addf
  %l = array.reduce (%i "i") in (%n) init (%low : f32) {
    %x = array.at %v[%i] inbounds : tensor<?xf32>
    array.yield %x : f32
  } by arith.maximumf
  return %t, %l : f32, f32
}
