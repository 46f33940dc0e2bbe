//===- Passes.td - Passes of the reference evaluator ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_REFERENCE_PASSES_TD
#define ARRC_REFERENCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def EvaluatePass : Pass<"arr-evaluate", "::mlir::ModuleOp"> {
  let summary = "Evaluate a function and print its results";
  let description = [{
    Runs a function with the reference evaluator and prints one line a result on
    the standard output. The program stays as it is, so that the pass can stand
    before and after others in one pipeline: a pass that changes nothing in what
    a program means prints the same lines.

    Arguments come from `args`, values separated by `;` (`2; [1, 2, 3]; true`), or are
    random by `seed`. Sizes of random arguments are taken from `sizes` in order, one
    for each size name of `arrc.params`, else one for each dynamic dimension of each
    argument; the last counts for all that follow.

    An error of the program is an error at its place.

    ```mlir
    // arr-opt -arr-evaluate="args=[1,2,3]" prints: result 0: i64 6
    func.func @main(%a: tensor<3xi64>) -> i64 {
      %z = arith.constant 0 : i64
      %s = array.reduce (%k "k") in (3) init (%z : i64) {
        %x = array.at %a[%k] : tensor<3xi64>
        array.yield %x : i64
      } by arith.addi
      return %s : i64
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"",
           "The function to run">,
    Option<"args", "args", "std::string", "\"\"",
           "Its arguments, separated by ';'">,
    Option<"seed", "seed", "int64_t", "0",
           "Random arguments; the same seed gives the same ones">,
    ListOption<"sizes", "sizes", "int64_t", "Sizes of random arguments">,
    Option<"lowest", "lowest", "int64_t", "0", "The smallest random integer">,
    Option<"highest", "highest", "int64_t", "9", "The largest random integer">,
    Option<"wholeFloats", "whole-floats", "bool", "false",
           "Random floats are whole numbers, too, so that sums are exact">,
    Option<"exact", "exact", "bool", "false",
           "Compute floats in double, whatever their type">,
    Option<"deviations", "deviations", "bool", "false",
           "Print how far a correct target may be away from each result">,
    Option<"maxBytes", "max-bytes", "int64_t", "1073741824",
           "The memory that arrays may take">
  ];
}

#endif // ARRC_REFERENCE_PASSES_TD
