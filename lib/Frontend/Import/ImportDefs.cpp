//===- ImportDefs.cpp - Functions of a program ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"
#include "LowerRagged.h"

#include "arrc/Frontend/Frontend.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace arrc;
using namespace mlir;

/// The constants of leaf `k` of a default, row-major. Whether all are.
static bool collectConstants(hir::Expr *e, unsigned k,
                             SmallVectorImpl<hir::ConstExpr *> &list) {
  if (auto *c = dyn_cast<hir::ConstExpr>(e)) {
    list.push_back(c);
    return k == 0;
  }
  if (auto *tuple = dyn_cast<hir::TupleExpr>(e)) {
    for (hir::Expr *element : tuple->elements) {
      unsigned count = element->type.leaves().size();
      if (k < count)
        return collectConstants(element, k, list);
      k -= count;
    }
    return false;
  }
  auto *array = dyn_cast<hir::ArrayLitExpr>(e);
  return array && llvm::all_of(array->elements, [&](hir::Expr *element) {
           return collectConstants(element, k, list);
         });
}

/// The default of leaf `k` of a parameter, in the type of its elements: a
/// number, or a list of numbers for an array or a complex number.
static Attribute defaultOf(OpBuilder &b, hir::Expr *e, unsigned k,
                           const arrc::Type::Leaf &leaf, mlir::Type scalar) {
  SmallVector<hir::ConstExpr *> list;
  if (!e || !collectConstants(e, k, list))
    return {};
  bool isBool = leaf.scalar == ScalarKind::Bool;
  bool isList = !leaf.dims.empty() || isComplex(leaf.scalar);
  mlir::Type element = isBool && isList ? b.getI8Type() : scalar;
  if (auto complexType = dyn_cast<ComplexType>(element))
    element = complexType.getElementType();
  SmallVector<Attribute> parts;
  for (hir::ConstExpr *c : list) {
    if (auto type = dyn_cast<FloatType>(element)) {
      parts.push_back(b.getFloatAttr(type, c->floatValue));
      if (isComplex(leaf.scalar))
        parts.push_back(b.getFloatAttr(type, c->imagValue));
      continue;
    }
    parts.push_back(b.getIntegerAttr(
        element, APInt(element.getIntOrFloatBitWidth(), c->intValue,
                       /*isSigned=*/true, /*implicitTrunc=*/true)));
  }
  if (!isList)
    return parts.front();
  return DenseElementsAttr::get(
      RankedTensorType::get(int64_t(parts.size()), element), parts);
}

/// The entry for one leaf of a parameter or result.
static DictionaryAttr describeLeaf(OpBuilder &b, StringRef name,
                                   const arrc::Type::Leaf &leaf,
                                   StringRef typeText,
                                   ArrayRef<std::string> dimTexts,
                                   Attribute defaultValue) {
  std::string fullName = name.str();
  if (!leaf.path.empty())
    fullName += "." + leaf.path;
  // What the user wrote, if the leaf is the whole; else made of the sizes.
  SmallVector<std::string> dims;
  std::string type = arrc::name(leaf.scalar).str();
  for (auto [i, dim] : llvm::enumerate(leaf.dims)) {
    dims.push_back(i < dimTexts.size() ? dimTexts[i] : dim.size.str());
    type += (i ? ", " : "[") + dims.back();
  }
  if (!dims.empty())
    type += "]";
  if (leaf.path.empty() && !typeText.empty())
    type = typeText.str();

  // Constants by their values: the runtime compares what comes with it.
  SmallVector<Attribute> dimAttrs;
  for (auto [i, dim] : llvm::enumerate(leaf.dims)) {
    bool known = !dim.ragged && !StringRef(dims[i]).starts_with("?");
    dimAttrs.push_back(b.getStringAttr(known ? dim.size.str() : dims[i]));
  }
  SmallVector<NamedAttribute> entry{
      b.getNamedAttr("name", b.getStringAttr(fullName)),
      b.getNamedAttr("element", b.getStringAttr(elementName(leaf.scalar))),
      b.getNamedAttr("rank", b.getI64IntegerAttr(leaf.dims.size())),
      b.getNamedAttr("type", b.getStringAttr(type)),
      b.getNamedAttr("dims", b.getArrayAttr(dimAttrs))};
  if (defaultValue)
    entry.push_back(b.getNamedAttr("default", defaultValue));
  return b.getDictionaryAttr(entry);
}

ArrayAttr Importer::describeParams(const hir::Def &def) {
  SmallVector<Attribute> params;
  for (const hir::Param &param : def.params)
    for (auto [k, leaf] : llvm::enumerate(param.var->type.leaves()))
      params.push_back(describeLeaf(
          b, param.var->name, leaf, param.typeText, param.dimTexts,
          defaultOf(b, param.defaultValue, k, leaf, scalarType(leaf.scalar))));
  return b.getArrayAttr(params);
}

ArrayAttr Importer::describeResults(const hir::Def &def) {
  SmallVector<Attribute> results;
  for (const hir::Result &result : def.results)
    for (const Type::Leaf &leaf : result.type.leaves())
      results.push_back(describeLeaf(b, result.name, leaf, result.typeText,
                                     result.dimTexts, Attribute()));
  return b.getArrayAttr(results);
}

DictionaryAttr Importer::describeExtern(const hir::Def &def) {
  return b.getDictionaryAttr({b.getNamedAttr("name", b.getStringAttr(def.name)),
                              b.getNamedAttr("params", describeParams(def)),
                              b.getNamedAttr("results", describeResults(def))});
}

void Importer::importDef(const hir::Def &def) {
  loc = location(def.loc);
  SmallVector<mlir::Type> inputs, outputs;
  SmallVector<Location> inputLocs;
  for (const hir::Param &param : def.params)
    for (const Type::Leaf &leaf : param.var->type.leaves()) {
      inputs.push_back(leafType(leaf));
      inputLocs.push_back(location(param.var->loc));
    }
  for (const hir::Result &result : def.results)
    for (const Type::Leaf &leaf : result.type.leaves())
      outputs.push_back(leafType(leaf));

  b.setInsertionPointToEnd(module.getBody());
  func = func::FuncOp::create(b, loc, def.name,
                              b.getFunctionType(inputs, outputs));
  func->setAttr("arrc.export", b.getUnitAttr());
  func->setAttr("arrc.params", describeParams(def));
  func->setAttr("arrc.results", describeResults(def));
  Block *entry = func.addEntryBlock();
  for (auto [i, type] : llvm::enumerate(inputs)) {
    entry->getArgument(i).setLoc(inputLocs[i]);
    // The caller's arrays: nothing may write into them.
    if (isa<TensorType>(type))
      func.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                      b.getBoolAttr(false));
  }
  b.setInsertionPointToStart(entry);
  env.clear();
  topSizes.clear();

  unsigned next = 0;
  for (const hir::Param &param : def.params) {
    Values leaves;
    for (size_t i = 0, n = param.var->type.leaves().size(); i < n; ++i)
      leaves.push_back(entry->getArgument(next++));
    define(param.var, leaves);
  }
  if (def.entry)
    emitStmts(*def.entry);
  // From here on every size has the name that the entry gave it.
  for (const hir::Param &param : def.params) {
    if (env[param.var].leaves.empty())
      continue;
    Values leaves = leavesOf(param.var);
    At at(*this, param.var->loc);
    for (auto [value, leaf] : llvm::zip(leaves, param.var->type.leaves()))
      value = bind(value, leaf);
    if (leaves != leavesOf(param.var))
      define(param.var, leaves);
  }

  Values values = emitBlock(*def.body);
  for (auto [value, type] : llvm::zip(values, outputs))
    value = coerce(value, type);
  func::ReturnOp::create(b, loc, values);
}

OwningOpRef<ModuleOp> arrc::importProgram(MLIRContext &context,
                                          hir::Program &program,
                                          DiagnosticEngine &diags) {
  context
      .loadDialect<array::ArrayDialect, affine::AffineDialect,
                   arith::ArithDialect, bufferization::BufferizationDialect,
                   complex::ComplexDialect, func::FuncDialect,
                   math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
  bool refused = false;
  RaggedLowering ragged(program, diags);
  for (hir::Def *def : program.exports)
    refused |= !ragged.run(*def);
  if (refused)
    return {};

  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  for (const hir::Def *def : program.exports)
    Importer(*module, diags.sourceMgr()).importDef(*def);
  SmallVector<Attribute> externs;
  for (const hir::Def *def : program.externs)
    externs.push_back(
        Importer(*module, diags.sourceMgr()).describeExtern(*def));
  if (!externs.empty())
    (*module)->setAttr("arrc.externs", ArrayAttr::get(&context, externs));
  if (failed(verify(*module))) {
    llvm::SMRange place;
    if (!program.exports.empty())
      place = program.exports.front()->loc;
    diags.report(diag::import_broken, place);
    return {};
  }
  return module;
}
