// axpy at the level of arrays, as import makes it.
func.func @axpy(%a: f32, %x0: tensor<?xf32> {bufferization.writable = false}, %y0: tensor<?xf32> {bufferization.writable = false}) -> tensor<?xf32>
  attributes {arrc.export,
    arrc.params = [{name = "a", element = "f32", rank = 0 : i64, type = "f32", dims = [], default = 2.0 : f32},
                   {name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]},
                   {name = "y", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}],
    arrc.results = [{name = "out", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x0, %c0 : tensor<?xf32>
  %m = tensor.dim %y0, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %n, %m : index
  array.check input %ok, "'y' has {0} elements and 'x' {1}" [%m, %n : index, index]
  %x = array.bind %x0 [%n] : tensor<?xf32>
  %y = array.bind %y0 [%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %u = array.at %x[%i] inbounds : tensor<?xf32>
    %v = array.at %y[%i] inbounds : tensor<?xf32>
    %w = arith.mulf %a, %u fastmath<contract> : f32
    %t = arith.addf %w, %v fastmath<contract> : f32
    array.yield %t : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
