//===- Passes.td - Passes of the array dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD
#define ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def UnrollSmallArraysPass
    : Pass<"arr-unroll-small-arrays", "::mlir::func::FuncOp"> {
  let summary = "turn small arrays of constant shape in bodies into scalars";
  let description = [{
    Clones operations of constant extents in bodies for each element, so that
    small arrays become scalars: reads at constant indices pick one, tables of
    constants fold, `scf` operations and accumulators carry scalars. What is left
    is `tensor.from_elements` where a body yields an array.

    **Legal when** the shape is constant; bodies are pure, and a chain in index
    order is one bracketing of a fold.

    **Pays when** the array has at most 64 elements and unrolling gives at most
    4096 operations. A run-time index is a chain of selects up to 16 elements;
    above, the array stays and a remark says so. Not where a loop of a body replaces
    elements of an array of more than `most-selected` at run-time indices (an elimination,
    bins, an insertion sort), nor where a body only folds,
    scans and maps rows of more than `scalar-row` elements of arrays in memory:
    those are for several lanes, as rows are whose length is a symbol.

    **Example**
    ```mlir
    %s = array.reduce (%q) in (2) init (%z : f32) {
      %v = array.at %p[%q] : tensor<2xf32>
      array.yield %v : f32
    } by arith.addf
    // becomes
    %s = arith.addf %p0, %p1 : f32
    ```

    **Reference** scalar replacement of aggregates.
  }];
  let options = [
    Option<"scalarRow", "scalar-row", "int64_t", /*default=*/"8",
           "elements of a row in memory up to which one iteration has all">,
    Option<"mostSelected", "most-selected", "int64_t", /*default=*/"16",
           "elements up to which a loop replaces one at a run-time index by selections">
  ];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def MergeEqualPass : Pass<"arr-merge-equal"> {
  let summary = "merge equal operations, told apart by their bodies";
  let description = [{
    Eliminates common subexpressions as `cse` does. Operations with regions, of
    which a program may have thousands with the same operands, are looked for by
    what is in their regions as well: the time grows with the program, not with
    its square.

    **Legal when** `cse` is: the operations are equal, and what lies between them
    changes nothing of what they read.

    **Pays when** something is computed twice.

    **Example**
    ```mlir
    %a = array.map (%i) in (%n) { .. %x .. }
    %b = array.map (%i) in (%n) { .. %x .. }
    %c = array.map (%i) in (%n) { .. %b .. }
    // becomes
    %a = array.map (%i) in (%n) { .. %x .. }
    %c = array.map (%i) in (%n) { .. %a .. }
    ```

    **Reference** value numbering; `mlir/lib/Transforms/CSE.cpp`.
  }];
  let options = [
    Option<"few", "few", "unsigned", /*default=*/"64",
           "operations with regions up to which all are compared with all">
  ];
}

def ExpandRowFoldsPass : Pass<"arr-expand-row-folds", "::mlir::func::FuncOp"> {
  let summary = "write folds, scans and histograms of rows by elements";
  let description = [{
    Replaces `array.reduce` and `array.scan` whose accumulators are rows that no
    scalars can stand for, and histograms of rows, by ones of elements: the
    dimensions of the row become indices around a fold or a scan, and behind those
    of a histogram. Accumulators that an element depends on are folded with it.
    Operators that mix elements of a row combine whole rows in a loop.

    **Legal when** always: elements are combined in the order in which rows are.

    **Pays when** it is the only way to have them.

    **Example**
    ```mlir
    %h = array.scatter (%i) in (%n) into (%h0 : tensor<?x?xf32>) { ..
      array.yield %row : tensor<?xf32> at [%b]
    } by arith.addf
    // becomes
    %h = array.scatter (%i, %e) in (%n, %m) into (%h0 : tensor<?x?xf32>) { ..
      array.yield %x : f32 at [%b, %e]
    } by arith.addf
    ```

    **Reference** Henriksen et al., Futhark, PLDI 2017.
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExpandFiltersPass : Pass<"arr-expand-filters", "::mlir::func::FuncOp"> {
  let summary = "write filters of bodies and of rows as scans and scatters";
  let description = [{
    Replaces `array.filter` in bodies, and those that keep rows, by a scan that
    counts what is kept and a scatter that puts it at its number.

    **Legal when** always.

    **Pays when** the filter stands in a body or keeps rows: others are one launch
    that stores what it keeps. All of them with `all`.

    **Example**
    ```mlir
    %count, %r = array.filter (%i) in (%n) { ..
      array.yield %keep, %x : i1, f32
    } : tensor<?xf32>
    // becomes
    %at, %total = array.scan (%i) in (%n) init (%c0 : i64) exclusive { ..
      array.yield %one : i64
    } by arith.addi
    %r = array.scatter (%i) in (%n) into (%zeros : tensor<?xf32>) { ..
      array.yield %x : f32 at [%place]
    } oob drop
    ```

    **Reference** Blelloch, Prefix sums and their applications, 1990.
  }];
  let options = [
    Option<"all", "all", "bool", /*default=*/"false",
           "also filters of the host">
  ];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseFiltersPass : Pass<"arr-fuse-filters", "::mlir::func::FuncOp"> {
  let summary = "fold what a filter keeps without storing it";
  let description = [{
    A fold of an array that a filter made goes over all points of the filter;
    those that are dropped give the neutral element.

    **Legal when** the fold uses its index for nothing but to read the arrays of
    the filter there.

    **Pays when** folds, up to four, are all that reads these arrays.

    **Example**
    ```mlir
    %count, %r = array.filter (%i) in (%n) { ..
      array.yield %keep, %x : i1, f32
    } : tensor<?xf32>
    %s = array.reduce (%k) in (%count) init (%z : f32) {
      %v = array.at %r[%k] inbounds : tensor<?xf32>
      array.yield %v : f32
    } by arith.addf
    // becomes
    %s = array.reduce (%i) in (%n) init (%z : f32) { ..
      %v = scf.if %keep -> f32 { scf.yield %x : f32 }
           else { scf.yield %z : f32 }
      array.yield %v : f32
    } by arith.addf
    ```

    **Reference** Gill, Launchbury, Peyton Jones, A short cut to deforestation,
    FPCA 1993.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect",
                           "::mlir::scf::SCFDialect"];
}

def BatchSortsPass : Pass<"arr-batch-sorts", "::mlir::func::FuncOp"> {
  let summary = "sort the rows of all points of a body together";
  let description = [{
    Replaces an `array.sort` in a body by one in front of it, of an array that
    has the body's indices as its first dimensions.

    **Legal when** what the rows are computed of is pure and their length is
    known in front of the body.

    **Pays when** nothing but index spaces is around the sort, so that it comes to
    stand on the host, which has launches for it; and rows are longer than what
    `arr-expand-sorts` sorts in registers. The array of all rows takes memory.

    **Example**
    ```mlir
    %r = array.map (%i) in (%n) {
      %x = array.view %a (d0)[s0] -> (s0, d0) [%i] in (%m) : ..
      %s = array.sort %x : tensor<?xf32>
      array.yield %s : tensor<?xf32>
    } : tensor<?x?xf32>
    // becomes
    %s = array.sort %a : tensor<?x?xf32>
    ```

    **Reference** flattening of nested parallelism; Blelloch, Vector models for
    data-parallel computing, 1990.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect"];
}

def ExpandSortsPass : Pass<"arr-expand-sorts", "::mlir::func::FuncOp"> {
  let summary = "write sorts of bodies as networks of comparisons";
  let description = [{
    Replaces `array.sort` in bodies by a bitonic network: a loop of maps over the
    numbers of the elements, and maps that read the arrays in that order. Rows of
    a constant number of up to 32 elements become comparisons of scalars.

    **Legal when** always.

    **Pays when** the sort stands in a body, where no launches can; all of them
    with `all`.

    **Example**
    ```mlir
    %s = array.sort %x : tensor<?xf32>
    // becomes
    %p = scf.while (..) { scf.while (..) { array.map (..) { .. } } }
    %s = array.map (%i) in (%n) {
      %k = array.at %p[%i] inbounds : tensor<?xi64>
      %j = arith.index_cast %k : i64 to index
      %v = array.at %x[%j] inbounds : tensor<?xf32>
      array.yield %v : f32
    } : tensor<?xf32>
    ```

    **Reference** Batcher, Sorting networks and their applications, 1968.
  }];
  let options = [
    Option<"all", "all", "bool", /*default=*/"false",
           "also sorts outside of bodies">
  ];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def HoistInvariantsPass
    : Pass<"arr-hoist-invariants", "::mlir::func::FuncOp"> {
  let summary = "compute what is the same in all iterations before them";
  let description = [{
    Moves what does not depend on the indices or on what a loop carries in front
    of the loop; folds that depend on some indices of an index space become a map
    over these. As upstream's `loop-invariant-code-motion`, which moves remainders
    by what may be zero there; these get a guard.

    **Legal when** the operation is pure and speculatable, and all that it reads is
    inside of its arrays even if the loop never runs.

    **Pays when** always.

    **Example**
    ```mlir
    %r = array.map (%i) in (%n) {
      %x = arith.remsi %k, %n : index
      array.yield %x : index
    } : tensor<?xindex>
    // becomes
    %ok = arith.cmpi ne, %n, %c0 : index
    %d = arith.select %ok, %n, %c1 : index
    %x = arith.remsi %k, %d : index
    %r = array.map (%i) in (%n) {
      array.yield %x : index
    } : tensor<?xindex>
    ```

    **Reference** loop-invariant code motion (Aho, Sethi, Ullman, 1986).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandPowersPass
    : Pass<"arr-expand-powers", "::mlir::func::FuncOp"> {
  let summary = "powers with written exponents by products and roots";
  let description = [{
    `x ** 2.5` is `x * x * sqrt(x)`, `x ** -3` is `r * r * r` with `r = 1 / x`.

    **Legal when** the numbers are f32 or f64 and twice the exponent is an integer
    from -12 to 24: products are as exact then as a power has to be. What -0 and
    minus infinity give is what the power gives.
    **Pays** always: a power is some hundred instructions.

    **Example**
    ```mlir
    %p = math.powf %x, %half : f32
    // becomes
    %y = arith.addf %x, %zero : f32
    %s = math.sqrt %y : f32
    %i = arith.cmpf oeq, %x, %lowest : f32
    %p = arith.select %i, %infinity, %s : f32
    ```
    **Reference** Knuth, The Art of Computer Programming, volume 2, 4.6.3.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def SinkLoopsPass : Pass<"arr-sink-loops", "::mlir::func::FuncOp"> {
  let summary = "time loops whose elements are alone, element by element";
  let description = [{
    A counted loop whose steps are maps over the same points, which read of the
    loop's arrays their own element only, becomes one map: each element takes
    its steps in a loop of its body. Numbers that a step reads of other arrays,
    and that steps hand on, go along. A `while` that ends when a counter has
    reached a number is a counted loop.

    **Legal when** all arrays of the state have the points of the maps, nothing in
    a step can fail or has an effect, and what else is read does not change.
    **Pays** always: arrays go over memory once. Bodies with folds or loops stay.
    **Example** test/Dialect/Array/sink-loops.mlir
    **Reference** Allen and Kennedy, "Automatic loop interchange" (1984).
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect",
                           "::mlir::scf::SCFDialect"];
}

def BatchUpdatesPass : Pass<"arr-batch-updates", "::mlir::func::FuncOp"> {
  let summary = "histograms of all points of a map as one";
  let description = [{
    A histogram in the body of a map, which yields it, is one histogram in front
    of it, whose bins are numbered by the point besides. For devices.

    **Legal when** the values that it is made of are scalars of pure operations,
    and as many at each point: they meet at a bin in the same order.
    **Pays** unless a point has up to 1024 values, and how many is a number.
    **Example** test/Dialect/Array/batch-updates.mlir
    **Reference** segmented operations as flat ones: Blelloch, "Vector Models for
    Data-Parallel Computing" (1990).
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect"];
}

def FlattenBranchesPass
    : Pass<"arr-flatten-branches", "::mlir::func::FuncOp"> {
  let summary = "compute both sides of pure cheap branches in bodies";
  let description = [{
    Moves both sides of an `scf.if` in front of it and takes the results by
    `arith.select`, so that a body is straight-line code.

    **Legal when** nothing on either side can fail where it was not run: reads are
    `inbounds`, divisors not zero, no effects but checks, which are made to hold
    on the other side.

    **Pays when** both sides together cost at most `max-cost` additions; a loop
    never does. A fold whose every read the points of the map around it share along
    some index (a product) is not counted, if the condition is affine in the
    indices and leaves a good part of the points: tiles of points compute such a
    fold in a fraction of the time.

    **Example**
    ```mlir
    %v = scf.if %c -> f32 {
      %x = arith.mulf %a, %b : f32
      scf.yield %x : f32
    } else {
      scf.yield %a : f32
    }
    // becomes
    %x = arith.mulf %a, %b : f32
    %v = arith.select %c, %x, %a : f32
    ```

    **Reference** if-conversion (Allen et al., POPL 1983).
  }];
  let options = [
    Option<"maxCost", "max-cost", "int64_t", /*default=*/"256",
           "most additions that both sides may cost">
  ];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect"
  ];
}

def ProveBoundsPass : Pass<"arr-prove-bounds", "::mlir::func::FuncOp"> {
  let summary = "mark the reads that cannot be out of bounds";
  let description = [{
    Marks `array.at` as `inbounds`, drops `array.extend` from reads that stay
    inside, and reports reads that are always outside.

    **Legal when** the linear facts about indices, sizes, assumes and checks at the
    entry leave no index outside. A read that is inside only because of a branch
    around it goes through `clamp`.

    **Pays when** anything is proved: a check in the kernel goes, and the read may
    be moved.

    **Example**
    ```mlir
    %r = array.map (%i) in (%n) {            // %a = array.bind %a0 [%n]
      %x = array.at %a[%i] : tensor<?xf32>   // becomes inbounds
      array.yield %x : f32
    } : tensor<?xf32>
    ```

    **Reference** linear programs over indices, as in polyhedral analysis;
    presburger library of MLIR.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect"];
}

def FindBoundariesPass : Pass<"arr-find-boundaries", "::mlir::func::FuncOp"> {
  let summary = "make boundaries of indices that wrap or are clamped";
  let description = [{
    A read at an index modulo the size of its dimension reads through `wrap`, one
    whose index is bounded by 0 or the last through `clamp`.

    **Legal when** the read is `inbounds`: of all numbers that are congruent to one
    modulo the size, one is inside.

    **Pays when** there is such a read: inside nothing is left of a boundary, and
    what is beside one is told from what is read anywhere.

    **Example**
    ```mlir
    %k = arith.remsi %j, %n : index               // %j is %i + 1
    %x = array.at %a[%k] inbounds : tensor<?xf32>
    // becomes
    %e = array.extend %a [wrap] : tensor<?xf32>
    %x = array.at %e[%j] inbounds : tensor<?xf32>
    ```

    **Reference** boundary modes of the language page.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect"];
}

def CheckStencilsPass : Pass<"arr-check-stencils", "::mlir::func::FuncOp"> {
  let summary = "check the promise of stencils and fill their reach";
  let description = [{
    In every read of an array made outside of an `array.stencil`, a subscript that
    depends on an index of the stencil is that index plus a constant, indices in
    their order and none twice; all else is an error. Constants are numbers and
    indices of inner loops of constant extents. The smallest and largest constant
    of each index become `reach`.

    **Legal when** the promise holds.

    **Pays when** a later pass asks for the halo.

    **Example**
    ```mlir
    array.stencil (%i) in (%n) {                        // reach [-1 to 1]
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %l = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %x = array.at %u[%k] : tensor<?xf32>
      %y = array.at %u[%l] : tensor<?xf32>
    ```

    **Reference** the language page, section on stencils.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect"];
}

def FuseProducersPass : Pass<"arr-fuse-producers", "::mlir::func::FuncOp"> {
  let summary = "compute elements where they are read";
  let description = [{
    Replaces reads of the results of `array.map` and `array.stencil` by their
    bodies, so that the array is not made. Reads may go through `array.extend`.
    Nested maps without work between them become one first.

    **Legal when** every read is `inbounds`, nothing needs the array itself, and no
    `assert` belongs to its elements.

    **Pays when** no element is computed twice: all points of the places that read it
    read different elements, as in `e[2 * i] + e[2 * i + 1]`; or what is computed
    again is cheap: no loop, at most `max-repeated-work` additions and two reads at
    several places, or two additions and one read in a loop. A reduction goes to one
    place only, where each index decides a subscript of its own. With `work-per-byte`
    a stencil of a stencil, too, as long as the elements that it computes again cost
    no more than writing and reading them: so many additions a byte. One that is
    needed as well, at the end of its block, is copied to maps beside it that read
    neighbours, if that costs no more than reading it and what both read.

    **Example**
    ```mlir
    %t = array.map (%i) in (%n) { .. %x = array.at %a[%i] .. array.yield %y }
    %s = array.reduce (%k) in (%n) init (%z : f32) {
      %u = array.at %t[%k] inbounds : tensor<?xf32>   // becomes the body of %t
      array.yield %u : f32
    } by arith.addf
    ```

    **Reference** producer-consumer fusion (Henriksen et al., FHPC 2013); Halide.
  }];
  let options = [
    Option<"maxRepeatedWork", "max-repeated-work", "int64_t", /*default=*/"8",
           "most additions in a body that is computed more than once">,
    Option<"workPerByte", "work-per-byte", "int64_t", /*default=*/"0",
           "additions that take as long as memory takes for a byte">
  ];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect"
  ];
}

def JoinStepsPass : Pass<"arr-join-steps", "::mlir::func::FuncOp"> {
  let summary = "take two steps of a time loop in one pass over memory";
  let description = [{
    A counted loop whose step is maps and stencils of its state alone takes two
    steps at a time, which `arr-fuse-producers` makes one loop: the state between
    them is in no array. What is left of an odd number is a loop of one step.

    **Legal when** a step is pure and reads nothing of the host; nothing is done in
    another order.

    **Pays when** the elements between the steps that are computed again cost less
    than to write all of them and to read them (`work-per-byte`, as in
    `arr-fuse-producers`), and nothing of the state between is needed by itself.

    **Example**
    ```mlir
    %r = scf.for %t = %c0 to %n step %c1 iter_args(%u = %u0) -> tensor<?xf32> {
      %v = array.stencil (%i) in (%m) { .. %u[i - 1] .. %u[i + 1] .. }
      scf.yield %v
    }
    // becomes
    %h = arith.divui %n, %c2
    %s = scf.for %t = %c0 to %h step %c1 iter_args(%u = %u0) -> tensor<?xf32> {
      %v = array.stencil (%i) in (%m) { .. %u[i - 1] .. %u[i + 1] .. }
      %w = array.stencil (%i) in (%m) { .. %v[i - 1] .. %v[i + 1] .. }
      scf.yield %w
    }
    %r = scf.for %t = 2 * %h to %n step %c1 iter_args(%u = %s) .. // as before
    ```

    **Reference** temporal blocking of stencils (Wonnacott, IPDPS 2000); overlapped
    tiling (Krishnamoorthy et al., PLDI 2007).
  }];
  let options = [
    Option<"workPerByte", "work-per-byte", "int64_t", /*default=*/"8",
           "additions that take as long as memory takes for a byte">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def SerializeBodiesPass
    : Pass<"arr-serialize-bodies", "::mlir::func::FuncOp"> {
  let summary = "run bodies whose arrays change size in loops of the host";
  let description = [{
    A body that holds an array whose size changes from step to step of a loop, or
    from branch to branch, becomes the body of an `scf.for`; what it holds are
    operations of the host then. Folds, scans and scatters read what such a loop
    computed.

    **Legal when** always: bodies are pure, and their order is free.

    **Pays when** never; a kernel gives out no memory while it runs, so there is
    no other way. A remark names the place.

    **Example**
    ```mlir
    %r = array.map (%b) in (%n) {
      %x = scf.while (%v = %v0) : (tensor<?xi64>) -> tensor<?xi64> { .. }
      %s = array.reduce (%i) in (%d) init (%z : i64) { .. } by arith.addi
      array.yield %s : i64
    } : tensor<?xi64>
    // becomes
    %e = tensor.empty(%n) : tensor<?xi64>
    %r = scf.for %b = %c0 to %n step %c1 iter_args(%a = %e) -> (tensor<?xi64>) {
      %x = scf.while (%v = %v0) : (tensor<?xi64>) -> tensor<?xi64> { .. }
      %s = array.reduce (%i) in (%d) init (%z : i64) { .. } by arith.addi
      %w = tensor.insert %s into %a[%b] : tensor<?xi64>
      scf.yield %w : tensor<?xi64>
    }
    ```

    **Reference** test/Dialect/Array/serialize-bodies.mlir.
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def BracketFoldsPass : Pass<"arr-bracket-folds", "::mlir::func::FuncOp"> {
  let summary = "fold floats in an order that follows from sizes alone";
  let description = [{
    Sums, products and other folds of floats, whose bits depend on how they are
    bracketed, become maps of partial folds in order, stage by stage; scans
    likewise. What stands in bodies and reads elements several times becomes a
    loop. No schedule can bracket what is left in another way.

    Flags that allow other roundings go, products that are added become `fma`.

    Histograms fill copies of their bins in order, a range of the points each.
    Those outside of bodies whose floats are sums of f32, least or largest values
    stay: the function is marked `arrc.same_bits`, for which every target adds
    them up exactly.

    **Legal when** always: any bracketing of an associative operator is right.
    Functions that are not rounded correctly on every target are errors.

    **Pays when** the same bits are asked for on every target: `--reproducible`
    puts it into the pipeline.

    **Example**
    ```mlir
    %s = array.reduce (%i) in (%n) init (%z : f32) {
      %x = array.at %a[%i] inbounds : tensor<?xf32>
      array.yield %x : f32
    } by arith.addf
    // becomes, and so on until one element is left
    %p = array.map (%c, %l) in (%blocks, 32) {
      %t = scf.for %k = %c0 to %c64 step %c1 iter_args(%u = %z) -> (f32) {
        %i = affine.apply affine_map<(c, k, l) -> (c * 2048 + k * 32 + l)>
               (%c, %k, %l)
        %x = array.at %a[%i] inbounds : tensor<?xf32>
        %v = arith.addf %u, %x : f32
        scf.yield %v : f32
      }
      array.yield %t : f32
    } : tensor<?x32xf32>
    ```

    **Reference** test/Dialect/Array/bracket-folds.mlir; Villa et al., "Effects
    of floating-point non-associativity on numerical computations on massively
    multithreaded systems", 2009.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"products", "products", "bool", /*default=*/"true",
           "products of matrices and their kin stay folds, which launches then "
           "have to run in order">
  ];
}

def SplitScansPass : Pass<"arr-split-scans", "::mlir::func::FuncOp"> {
  let summary = "compute what a scan takes in by loops before the scan";
  let description = [{
    The body of a scan that holds a loop becomes a map of its own, whose elements
    the scan reads.

    **Legal when** always: bodies are pure.

    **Pays when** the body holds a loop and is not itself in a body. A parallel
    scan computes its body two or three times, in an order that follows from the
    scan alone.

    **Example**
    ```mlir
    %p, %t = array.scan (%i) in (%n) init (%z : f32) {
      %s = array.reduce (%j) in (%m) init (%z : f32) { .. } by arith.addf
      array.yield %s : f32
    } by arith.addf
    // becomes
    %e = array.map (%i) in (%n) {
      %s = array.reduce (%j) in (%m) init (%z : f32) { .. } by arith.addf
      array.yield %s : f32
    } : tensor<?xf32>
    %p, %t = array.scan (%i) in (%n) init (%z : f32) {
      %s = array.at %e[%i] inbounds : tensor<?xf32>
      array.yield %s : f32
    } by arith.addf
    ```

    **Reference** test/Dialect/Array/split-scans.mlir; the opposite of producer
    fusion where that repeats work.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect"];
}

def RotateLoopsPass : Pass<"arr-rotate-loops", "::mlir::func::FuncOp"> {
  let summary = "move updates from the head of a step to the end of the one before";
  let description = [{
    A slice that a counted loop puts into its state before it computes the next
    state from neighbours is put into the state that the step before has made, and
    into the first one in front of the loop. The last step leaves it out, by a
    condition on the number of the step. `arr-fuse-slices` then makes the slice
    part of the loop that computes the state.

    **Legal when** the slice reads nothing of the state but what it replaces, and
    else what no step changes, and nothing in it can fail.

    **Pays when** the next state is made by a map or a stencil, and all who read it
    read their own element.

    **Example**
    ```mlir
    %r = scf.for %t = %c0 to %n step %c1 iter_args(%f = %f0) -> tensor<?xf32> {
      %s = array.map .. %f ..
      %g = tensor.insert_slice %s into %f[%k] [%w] [1]
      %h = array.stencil .. %g ..
      scf.yield %h
    }
    // becomes
    %s0 = array.map .. select %isOne, .. %f0 ..
    %g0 = tensor.insert_slice %s0 into %f0[%k] [%w] [1]
    %r = scf.for %t = %c0 to %n step %c1 iter_args(%g = %g0) -> tensor<?xf32> {
      %h = array.stencil .. %g ..
      %s = array.map .. select %isNotLast, .. %h ..
      %i = tensor.insert_slice %s into %h[%k] [%w] [1]
      scf.yield %i
    }
    ```

    **Reference** software pipelining (Lam, PLDI 1988), on arrays.
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def FuseSlicesPass : Pass<"arr-fuse-slices", "::mlir::func::FuncOp"> {
  let summary = "compute slices with the arrays that they are put into";
  let description = [{
    Replaces `tensor.insert_slice` by a map over the whole array that computes an
    element of the slice where it is one, else reads the old array. Concatenated
    arrays, which are slices put into a filled array, become maps that other
    passes compute where they are read. Who else reads the slice reads the new
    array; a fold over the slice goes over the whole array, of which the rest
    gives the neutral element.

    A slice that follows from the elements which it replaces in an array that was
    just made is computed with that array, also if it is a row, or of small
    vectors.

    A slice that is a number, another array, or follows from one element of the
    array for each of its own (edges, periodic copies, reflections) becomes a map
    that reads the array once a point, at an index that is selected: the point, or
    where the slice has it from. It is one loop with what has just made the array,
    and computed where the array is read if bodies alone read it; a chain of such
    slices is a chain of selections, so that corners come out as they do in order.

    **Legal when** the slice has unit strides and the sizes of the array are
    known. Reads of the slice's body lose `inbounds`: they hold in the branch
    alone, and are proved again, or guarded.

    **Pays when** the array must be copied anyway: it is an argument, or the slice
    is computed from its other elements; or when it is filled and then only read
    by bodies; or when all who read it before can be in one loop with what makes
    it; or when the map of one read goes away; or, with `with-partners`, when the
    slice is all of the array but its edges and another loop over arrays of these
    sizes can be one with the map (with `work-per-byte`, also if neighbours that it
    reads cost less to compute again). Else an array that dies here is updated in place.

    **Example**
    ```mlir
    %s = array.map (%i) in (%k) { .. array.yield %v }
    %r = tensor.insert_slice %s into %a[1] [%k] [1]
    // becomes
    %r = array.map (%i) in (%n) {
      %v = scf.if %inside -> f32 { .. } else { .. array.at %a[%i] inbounds .. }
      array.yield %v
    }
    ```

    **Reference** in-place updates (Henriksen et al., PLDI 2017), and where they
    do not pay.
  }];
  let options = [
    Option<"withPartners", "with-partners", "bool", /*default=*/"false",
           "ask for loops beside updates in place">,
    Option<"workPerByte", "work-per-byte", "int64_t", /*default=*/"0",
           "additions that take as long as memory takes for a byte">
  ];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def TransposeReductionsPass
    : Pass<"arr-transpose-reductions", "::mlir::func::FuncOp"> {
  let summary = "make reductions one nest in the order of memory";
  let description = [{
    A reduction of reductions by the same operator becomes one over all their
    indices; indices take the order of the dimensions that they read, weighted by
    bytes; a reduction in the body of another that is the same for all points of
    the map around both is computed in front of that map.

    **Legal when** operators and initial values are the same and nothing between
    two reductions is work or may fail; in another order when the operator
    commutes and nothing in the body may fail.

    **Pays** always. A remark says where an intermediate reduction is also needed
    in another order, so that two kernels are left.

    **Example**
    ```mlir
    %s = array.reduce (%l) in (%m) init (%z : f32) {
      %t = array.reduce (%k) in (%n) init (%z : f32) {
        %x = array.at %a[%k, %l] inbounds : tensor<?x?xf32> ..
    // becomes
    %s = array.reduce (%k, %l) in (%n, %m) init (%z : f32) { .. }
    ```

    **Reference** Allen and Kennedy, "Optimizing Compilers for Modern
    Architectures", 5.
  }];
  let dependentDialects = ["::arrc::array::ArrayDialect"];
}

def ChooseLayoutsPass : Pass<"arr-choose-layouts", "::mlir::func::FuncOp"> {
  let summary = "carry arrays of small vectors by component";
  let description = [{
    In host loops, arrays whose last dimension is a small constant are carried as
    one array a component; a map before the loop takes them apart and one after it
    puts them together. Neighbouring points then read neighbouring memory.

    **Legal when** every read in the loop picks a component by a constant, and what is
    carried is an array of before or made by a map of small vectors with the sizes of
    the initial one. Slices, rows and elements may be put into either, if constants say
    which components they have: each goes into its own array.

    **Pays when** the sectors of 32 bytes that the steps save are at least those
    of the copies before and behind the loop, by the measure that schedules are
    chosen by (`Coalescing.h`); a loop whose steps are no constant repeats. The
    last dimension has 2 to 16 elements, and the loop is not inside of another.
    A loop that keeps its vectors says why.

    **Example**
    ```mlir
    scf.for .. iter_args(%f = %f0) -> (tensor<?x2xf32>) { .. }
    // becomes
    scf.for .. iter_args(%a = %a0, %b = %b0) -> (tensor<?xf32>, tensor<?xf32>) { .. }
    ```

    **Reference** structure of arrays (Wellein et al., Computers & Fluids 2006).
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def StepTimeLoopsPass : Pass<"arr-step-time-loops", "::mlir::ModuleOp"> {
  let summary = "let a host stop time loops between steps";
  let description = [{
    An export whose last loop carries arrays becomes three: `f__begin` is what
    stands before the loop, `f__step` at most so many of its steps, `f__end` what
    stands behind it, its results those of the export. Whoever runs them sees what
    the results would be after any step. Is no part of a pipeline: `arrc run
    --every` and `--progress` put it in front.

    **Legal when** the condition of a `while` passes on what it was asked about,
    and what the parts exchange is arrays with dimensions and numbers.

    **Pays** where somebody watches; a remark says why a loop cannot be stepped.

    **Example**
    ```mlir
    func.func @f(%x) -> y { a; %s = scf.for .. iter_args(%t = %x) { .. }; b }
    // becomes
    func.func @f__begin(%x) -> (total, next, state, kept) { a }
    func.func @f__step(%count, %next, %state, %kept) -> (taken, next, state) { .. }
    func.func @f__end(%next, %state, %kept) -> y { b }
    ```

    **Reference** loop outlining.
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD
