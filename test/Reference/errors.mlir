// RUN: arr-opt %s -arr-evaluate="function=checks args=3;4" -verify-diagnostics -o /dev/null --split-input-file -allow-unregistered-dialect > /dev/null

func.func @checks(%n: i64, %m: i64) {
  %ok = arith.cmpi eq, %n, %m : i64
  // expected-error @+1 {{input: size 3 is not 4}}
  array.check input %ok, "size {0} is not {1}" [%n, %m : i64, i64]
  return
}

// -----

func.func @checks(%n: index, %m: index) -> i64 {
  %a = arith.constant dense<[1, 2]> : tensor<2xi64>
  // expected-error @+1 {{index: index 3 is outside of a dimension of size 2}}
  %x = array.at %a[%n] : tensor<2xi64>
  return %x : i64
}

// -----

// A mode of none passes the index on.
func.func @checks(%n: index, %m: index) -> i64 {
  %a = arith.constant dense<[1, 2]> : tensor<2xi64>
  %u = array.extend %a [none] : tensor<2xi64>
  // expected-error @+1 {{index: index 4 is outside of a dimension}}
  %x = array.at %u[%m] : tensor<2xi64>
  return %x : i64
}

// -----

// Nothing can be read of an empty array.
func.func @checks(%n: index, %m: index) -> i64 {
  %a = tensor.empty() : tensor<0xi64>
  %u = array.extend %a [clamp] : tensor<0xi64>
  // expected-error @+1 {{index: index 4 is outside of a dimension}}
  %x = array.at %u[%m] : tensor<0xi64>
  return %x : i64
}

// -----

func.func @checks(%n: index, %m: index) -> tensor<2xi64> {
  %one = arith.constant 1 : i64
  %a = arith.constant dense<[1, 2]> : tensor<2xi64>
  // expected-error @+1 {{index: index 2 is outside of a dimension of size 2}}
  %r = array.scatter (%i "i") in (%n) into (%a : tensor<2xi64>) {
    array.yield %one : i64 at [%i]
  }
  return %r : tensor<2xi64>
}

// -----

func.func @checks(%n: index, %m: index) -> tensor<4xi64> {
  %one = arith.constant 1 : i64
  %a = arith.constant dense<0> : tensor<4xi64>
  // expected-error @+1 {{index: two values are put at the same index, 3}}
  %r = array.scatter (%i "i") in (%m) into (%a : tensor<4xi64>) {
    array.yield %one : i64 at [%n]
  }
  return %r : tensor<4xi64>
}

// -----

func.func @checks(%n: index, %m: index) -> tensor<?xi64> {
  %one = arith.constant 1 : i64
  %d = arith.subi %n, %m : index
  // expected-error @+1 {{size: a range has the negative size -1}}
  %r = array.map (%i "i") in (%d) {
    array.yield %one : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

func.func @checks(%n: i64, %m: i64) -> i64 {
  %z = arith.constant 0 : i64
  // expected-error @+1 {{divide: an integer is divided by zero}}
  %q = arith.divsi %n, %z : i64
  return %q : i64
}

// -----

func.func @checks(%n: index, %m: index) -> tensor<?x?xf32> {
  %big = arith.constant 1000000000 : index
  %x = arith.constant 0.0 : f32
  // expected-error @+1 {{memory: an array of shape [1000000000, 1000000000]}}
  %r = tensor.splat %x[%big, %big] : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

func.func @checks(%n: index, %m: index) -> index {
  %x = arith.constant 0.0 : f32
  // expected-error @+1 {{unsupported: the evaluator does not know 'math.clampf'}}
  %y = math.clampf %x to [%x, %x] : f32
  return %n : index
}

// -----

func.func @checks(%n: index, %m: index) -> index {
  // expected-error @+1 {{size: 3 is not what it was assumed to be}}
  %k = array.assume %n in 4 to 10 : index
  return %k : index
}
