// Loops of a few lines as values over index spaces.
func.func @saxpy(%a: f32, %x0: tensor<?xf32> {bufferization.writable = false}, %y0: tensor<?xf32> {bufferization.writable = false}) -> tensor<?xf32> attributes {arrc.export,
  arrc.params = [{name = "a", element = "f32", rank = 0 : i64, type = "f32", dims = []},
                 {name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]},
                 {name = "y", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}],
  arrc.results = [{name = "result", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x0, %c0 : tensor<?xf32>
  %m = tensor.dim %y0, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %n, %m : index
  array.check input %ok, "x has {0} elements, y has {1}" [%n, %m : index, index]
  %x = array.bind %x0 [%n] : tensor<?xf32>
  %y = array.bind %y0 [%n] : tensor<?xf32>
  %r = array.map (%i "i") in (%n) {
    %u = array.at %x[%i] inbounds : tensor<?xf32>
    %v = array.at %y[%i] inbounds : tensor<?xf32>
    %w = math.fma %a, %u, %v : f32
    array.yield %w : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @chain(%x0: tensor<?xf32> {bufferization.writable = false}, %y0: tensor<?xf32> {bufferization.writable = false}) -> tensor<?xf32> attributes {arrc.export,
  arrc.params = [{name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]},
                 {name = "y", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}],
  arrc.results = [{name = "result", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x0, %c0 : tensor<?xf32>
  %m = tensor.dim %y0, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %n, %m : index
  array.check input %ok, "x has {0} elements, y has {1}" [%n, %m : index, index]
  %x = array.bind %x0 [%n] : tensor<?xf32>
  %y = array.bind %y0 [%n] : tensor<?xf32>
  %q = arith.constant 0.25 : f32
  %f = arith.constant 4.0 : f32
  %h = arith.constant 0.5 : f32
  %r = array.map (%i "i") in (%n) {
    %u = array.at %x[%i] inbounds : tensor<?xf32>
    %v = array.at %y[%i] inbounds : tensor<?xf32>
    %1 = arith.addf %u, %v : f32
    %nv = arith.negf %v : f32
    %2 = math.fma %1, %u, %nv : f32
    %3 = math.absf %2 : f32
    %4 = arith.maximumf %3, %q : f32
    %5 = arith.minimumf %4, %f : f32
    %6 = math.sqrt %5 : f32
    %7 = math.fma %6, %h, %u : f32
    array.yield %7 : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @total(%x0: tensor<?xf32> {bufferization.writable = false}) -> f32 attributes {arrc.export,
  arrc.params = [{name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}],
  arrc.results = [{name = "result", element = "f32", rank = 0 : i64, type = "f32", dims = []}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x0, %c0 : tensor<?xf32>
  %x = array.bind %x0 [%n] : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%k "i") in (%n) init (%z : f32) {
    %u = array.at %x[%k] inbounds : tensor<?xf32>
    array.yield %u : f32
  } by arith.addf fastmath<contract>
  return %s : f32
}
func.func @rows(%a0: tensor<?x?xf32> {bufferization.writable = false}) -> tensor<?xf32> attributes {arrc.export,
  arrc.params = [{name = "a", element = "f32", rank = 2 : i64, type = "f32[n, m]", dims = ["n", "m"]}],
  arrc.results = [{name = "result", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a0, %c1 : tensor<?x?xf32>
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %r = array.map (%i "i") in (%n) {
    %s = array.reduce (%j "j") in (%m) init (%z : f32) {
      %u = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %u : f32
    } by arith.addf fastmath<contract>
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @columns(%a0: tensor<?x?xf32> {bufferization.writable = false}) -> tensor<?xf32> attributes {arrc.export,
  arrc.params = [{name = "a", element = "f32", rank = 2 : i64, type = "f32[n, m]", dims = ["n", "m"]}],
  arrc.results = [{name = "result", element = "f32", rank = 1 : i64, type = "f32[m]", dims = ["m"]}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a0, %c1 : tensor<?x?xf32>
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %r = array.map (%j "j") in (%m) {
    %s = array.reduce (%i "i") in (%n) init (%z : f32) {
      %u = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %u : f32
    } by arith.addf fastmath<contract>
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @blur(%a0: tensor<?x?xf32> {bufferization.writable = false}) -> tensor<?x?xf32> attributes {arrc.export,
  arrc.params = [{name = "a", element = "f32", rank = 2 : i64, type = "f32[n, m]", dims = ["n", "m"]}],
  arrc.results = [{name = "result", element = "f32", rank = 2 : i64, type = "f32[n, m]", dims = ["n", "m"]}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a0, %c1 : tensor<?x?xf32>
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  %e = array.extend %a [clamp, clamp] : tensor<?x?xf32>
  %f = arith.constant 0.2 : f32
  %r = array.stencil (%i "i", %j "j") in (%n, %m) reach [-1 to 1, -1 to 1] {
    %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %jm = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
    %jp = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
    %c = array.at %e[%i, %j] inbounds : tensor<?x?xf32>
    %u = array.at %e[%im, %j] inbounds : tensor<?x?xf32>
    %d = array.at %e[%ip, %j] inbounds : tensor<?x?xf32>
    %l = array.at %e[%i, %jm] inbounds : tensor<?x?xf32>
    %q = array.at %e[%i, %jp] inbounds : tensor<?x?xf32>
    %1 = arith.addf %c, %u : f32
    %2 = arith.addf %1, %d : f32
    %3 = arith.addf %2, %l : f32
    %4 = arith.addf %3, %q : f32
    %5 = arith.mulf %f, %4 : f32
    array.yield %5 : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
