func.func @gather(%x: tensor<?xf32> {bufferization.writable = false}, %k: tensor<?xi64> {bufferization.writable = false}) -> tensor<?xf32>
  attributes {arrc.export,
    arrc.params = [{name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]},
                   {name = "k", element = "i64", rank = 1 : i64, type = "int[m]", dims = ["m"]}],
    arrc.results = [{name = "out", element = "f32", rank = 1 : i64, type = "f32[m]", dims = ["m"]}]} {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %k, %c0 : tensor<?xi64>
  %r = array.map (%i) in (%m) {
    %u = array.at %k[%i] inbounds : tensor<?xi64>
    %j = arith.index_cast %u : i64 to index
    %v = array.at %x[%j] : tensor<?xf32>
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
