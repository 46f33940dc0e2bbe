//===- ArrayBase.td - The array dialect, its enums and base classes -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_ARRAYBASE_TD
#define ARRC_DIALECT_ARRAY_IR_ARRAYBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Array_Dialect : Dialect {
  let name = "array";
  let cppNamespace = "::arrc::array";
  let summary = "what is computed: values over index spaces";
  let description = [{
    Operations return tensors and scalars; there is no memory and no order.
    Index-space operations run a body for every point of a box of indices and
    nest freely. Sizes are `index` values: two sizes are equal when they are the
    same value, and facts about them are results of `array.assume`.

    Types are ranked tensors of `i1 i8..i64 f16 bf16 f32 f64 complex`, these as
    scalars, and `index` for loop indices and sizes. Unsigned integers are the
    same types with unsigned operations.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
}

def Array_BoundaryMode : I32EnumAttr<"BoundaryMode",
    "what an index outside of an array reads", [
      I32EnumAttrCase<"None", 0, "none">,
      I32EnumAttrCase<"Clamp", 1, "clamp">,
      I32EnumAttrCase<"Wrap", 2, "wrap">,
      I32EnumAttrCase<"Mirror", 3, "mirror">,
      I32EnumAttrCase<"Reflect", 4, "reflect">,
      I32EnumAttrCase<"Fill", 5, "fill">]> {
  let cppNamespace = "::arrc::array";
  let genSpecializedAttr = 0;
}
def Array_BoundaryModeAttr
    : EnumAttr<Array_Dialect, Array_BoundaryMode, "mode">;
def Array_BoundaryModes
    : TypedArrayAttrBase<Array_BoundaryModeAttr, "one boundary mode a dimension">;

def Array_OutOfBounds : I32EnumAttr<"OutOfBounds",
    "what a scatter does with an index outside", [
      I32EnumAttrCase<"Fail", 0, "fail">,
      I32EnumAttrCase<"Drop", 1, "drop">,
      I32EnumAttrCase<"Clamp", 2, "clamp">]> {
  let cppNamespace = "::arrc::array";
  let genSpecializedAttr = 0;
}
def Array_OutOfBoundsAttr
    : EnumAttr<Array_Dialect, Array_OutOfBounds, "oob">;

def Array_CheckKind : I32EnumAttr<"CheckKind", "what a check guards", [
      I32EnumAttrCase<"Input", 0, "input">,
      I32EnumAttrCase<"Assert", 1, "assert">,
      I32EnumAttrCase<"Index", 2, "index">,
      I32EnumAttrCase<"Size", 3, "size">,
      I32EnumAttrCase<"Divide", 4, "divide">]> {
  let cppNamespace = "::arrc::array";
  let genSpecializedAttr = 0;
}
def Array_CheckKindAttr : EnumAttr<Array_Dialect, Array_CheckKind, "check"> {
  let assemblyFormat = "$value";
}

#endif // ARRC_DIALECT_ARRAY_IR_ARRAYBASE_TD
