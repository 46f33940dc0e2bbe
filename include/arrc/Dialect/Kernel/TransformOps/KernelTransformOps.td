//===- KernelTransformOps.td - Steps of scripts ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMOPS_KERNELTRANSFORMOPS_TD
#define ARRC_DIALECT_KERNEL_TRANSFORMOPS_KERNELTRANSFORMOPS_TD

include "arrc/Dialect/Kernel/IR/KernelAttributes.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Kernel_Step<string name, list<Trait> traits = []>
    : Op<Transform_Dialect, "kernel." # name,
         !listconcat([DeclareOpInterfaceMethods<TransformOpInterface>,
                      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>],
                     traits)> {
  let cppNamespace = "::arrc::kernel::script";
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

def MatchLaunchesOp : Kernel_Step<"match_launches"> {
  let summary = "Find launches";
  let description = [{
    The launches below `root` to which all that is said applies: `kernel` is a
    name, in which `*` stands for any letters; `line` a line of the program that
    the launch is made of; `op` an operation and `kind` the kind of a loop in it
    (`parallel`, `reduce`, `scan`). To find none is an error, unless `optional`.

    ```mlir
    %sums = transform.kernel.match_launches in %root {kind = "reduce", line = 4}
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$root,
                       OptionalAttr<StrAttr>:$kernel,
                       OptionalAttr<StrAttr>:$op, OptionalAttr<StrAttr>:$kind,
                       OptionalAttr<I64Attr>:$line, UnitAttr:$optional);
  let results = (outs TransformHandleTypeInterface:$launches);
  let assemblyFormat =
      "`in` $root attr-dict `:` functional-type(operands, results)";
}

def MatchLoopsOp : Kernel_Step<"match_loops"> {
  let summary = "Find loops of launches";
  let description = [{
    As `match_launches`: `dim` is the name of the dimension, `level` where the
    loop runs (`block.0`, `thread.x`, ..), for loops that are scheduled.

    ```mlir
    %rows = transform.kernel.match_loops in %launch {dim = "i"}
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$root,
                       OptionalAttr<StrAttr>:$dim, OptionalAttr<StrAttr>:$op,
                       OptionalAttr<StrAttr>:$kind,
                       OptionalAttr<StrAttr>:$level,
                       OptionalAttr<I64Attr>:$line, UnitAttr:$optional);
  let results = (outs TransformHandleTypeInterface:$loops);
  let assemblyFormat =
      "`in` $root attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

class Kernel_ScheduleStep<string name> : Kernel_Step<name> {
  code common = [{
    /// What the step makes of a schedule of `launch`; an error text if nothing.
    ::llvm::Expected<::arrc::kernel::ScheduleAttr>
    change(::arrc::kernel::LaunchOp launch, ::mlir::Operation *target,
           ::arrc::kernel::ScheduleAttr schedule);
  }];
  let extraClassDeclaration = common;
}

def TileOp : Kernel_ScheduleStep<"tile"> {
  let summary = "Give a dimension its digits";
  let description = [{
    The dimension of each loop gets these digits, most significant first, as a
    schedule writes them; those that it had go. The loops have no levels yet.

    ```mlir
    transform.kernel.tile %rows [block.0, seq 4, thread.x 64] : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$loops, ArrayAttr:$digits);
  let assemblyFormat = "$loops custom<Digits>($digits) attr-dict `:` type($loops)";
}

def UnrollOp : Kernel_ScheduleStep<"unroll"> {
  let summary = "Unroll a dimension";
  let description = [{
    A digit at `unroll` of this size, in front of those at thread and vector, so
    that neighbouring threads stay neighbours. One that is there gets the size.

    ```mlir
    transform.kernel.unroll %rows by 4 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$loops,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let assemblyFormat = "$loops `by` $size attr-dict `:` type($loops)";
}

def VectorizeOp : Kernel_ScheduleStep<"vectorize"> {
  let summary = "Run a dimension as vectors";
  let description = [{
    The last digit of the dimension becomes `vector` of this size.

    ```mlir
    transform.kernel.vectorize %columns by 4 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$loops,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let assemblyFormat = "$loops `by` $size attr-dict `:` type($loops)";
}

def InterchangeOp : Kernel_ScheduleStep<"interchange"> {
  let summary = "Put the loops of launches in another order";
  let description = [{
    The digits that are named take the places that they have together, in this
    order, outermost first.

    ```mlir
    transform.kernel.interchange %launch to [j.0, i.1] : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$launches, ArrayAttr:$order);
  let assemblyFormat =
      "$launches `to` custom<Names>($order) attr-dict `:` type($launches)";
}

def StageOp : Kernel_ScheduleStep<"stage"> {
  let summary = "Copy on chip what a block reads of an array";
  let description = [{
    What is read of the array below the digit is copied into shared memory
    first. The array is called as in the text of the launch or, a parameter or
    result, as in the program. `pad`, `turned` and `ahead` are those of the
    clause `stage` of schedules.

    ```mlir
    transform.kernel.stage %launch "x" at "i.0" {pad = 1 : i64} : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$launches, StrAttr:$array,
                       StrAttr:$digit,
                       DefaultValuedOptionalAttr<I64Attr, "0">:$pad,
                       UnitAttr:$turned, UnitAttr:$ahead);
  let assemblyFormat = "$launches $array `at` $digit attr-dict `:` type($launches)";
}

def PrivatizeOp : Kernel_ScheduleStep<"privatize"> {
  let summary = "Give blocks bins of their own";
  let description = [{
    Updates of the array below the digit go to copies in shared memory, which are
    added to it at the end of the block: as many as `copies` says, for its threads
    by turns. With `ranges` a block has one copy, of the bins of a range, and as
    many blocks as there are ranges take the same iterations. The array is called
    as in the text of the launch or, a result, as in the program.

    ```mlir
    transform.kernel.privatize %launch "bins" at "i.1" {copies = 4 : i64}
      : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$launches, StrAttr:$array,
      StrAttr:$digit,
      DefaultValuedOptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$copies,
      UnitAttr:$ranges);
  let assemblyFormat = "$launches $array `at` $digit attr-dict `:` type($launches)";
}

def SetScheduleOp : Kernel_ScheduleStep<"set_schedule"> {
  let summary = "Give launches a schedule";
  let description = [{
    It takes the place of all versions, or of the one of this number; then the
    condition of the version stays.

    ```mlir
    transform.kernel.set_schedule #kernel.schedule<i = [block.0, thread.x 128]>
      to %launch : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$launches,
                       Kernel_ScheduleAttr:$schedule,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$version);
  let assemblyFormat = "$schedule `to` $launches attr-dict `:` type($launches)";
}

def ClearScheduleOp : Kernel_Step<"clear_schedule"> {
  let summary = "Take the schedules of launches away";
  let description = [{
    What the planner chose goes; the steps behind begin with loops as they were
    written.

    ```mlir
    transform.kernel.clear_schedule %launch : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$launches);
  let assemblyFormat = "$launches attr-dict `:` type($launches)";
}

//===----------------------------------------------------------------------===//
// Loops and launches
//===----------------------------------------------------------------------===//

def MergeOp : Kernel_Step<"merge"> {
  let summary = "Make one loop of two";
  let description = [{
    Both handles stand for as many loops, which are siblings in pairs; they are
    gone afterwards. It is refused where the ranges differ or a dependence would
    be turned round.

    ```mlir
    %one = transform.kernel.merge %first with %second
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$first,
                       TransformHandleTypeInterface:$second);
  let results = (outs TransformHandleTypeInterface:$merged);
  let assemblyFormat =
      "$first `with` $second attr-dict `:` functional-type(operands, results)";
}

def SplitOp : Kernel_Step<"split"> {
  let summary = "Make two loops of one";
  let description = [{
    Each loop, whose iterations are independent, ends behind the store with this
    number (from 1), and a second one does the rest. What the second needs of
    computations in the first is computed again; it is refused where that reads
    what the first writes, or the result of a loop.

    ```mlir
    %a, %b = transform.kernel.split %loop behind 1
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$loops,
                       ConfinedAttr<I64Attr, [IntPositive]>:$store);
  let results = (outs TransformHandleTypeInterface:$first,
                      TransformHandleTypeInterface:$second);
  let assemblyFormat =
      "$loops `behind` $store attr-dict `:` functional-type(operands, results)";
}

def FuseOp : Kernel_Step<"fuse"> {
  let summary = "Make one launch of two";
  let description = [{
    Both handles stand for one launch of arrays (`tensor`s); they are gone
    afterwards. It is refused where `kernel-fuse-launches` may not do it; that it
    does not pay is no reason.

    ```mlir
    %one = transform.kernel.fuse %first with %second
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$first,
                       TransformHandleTypeInterface:$second);
  let results = (outs TransformHandleTypeInterface:$fused);
  let assemblyFormat =
      "$first `with` $second attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

def ApplyPDLOp : Kernel_Step<"apply_pdl", [NoTerminator, SymbolTable]> {
  let summary = "Rewrite by patterns of PDL";
  let description = [{
    The patterns in the region are applied to what is below the target, again
    and again until none fits.

    ```mlir
    transform.kernel.apply_pdl to %root {
      pdl.pattern : benefit(1) { .. pdl.rewrite %op { .. } }
    } : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$root);
  let regions = (region SizedRegion<1>:$patterns);
  let assemblyFormat = "`to` $root $patterns attr-dict `:` type($root)";
}

#endif // ARRC_DIALECT_KERNEL_TRANSFORMOPS_KERNELTRANSFORMOPS_TD
