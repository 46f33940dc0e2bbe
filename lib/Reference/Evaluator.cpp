//===- Evaluator.cpp - The reference evaluator of array programs ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Evaluator.h"

#include "Interpreter.h"

using namespace mlir;
using namespace arrc::reference;

/// An argument as a cell of the mode.
static std::optional<Cell> toCell(Interpreter &interp, Location loc, Type type,
                                  const Tensor &tensor) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  std::optional<Element> element = elementOf(type);
  bool matches = element && tensor.element() == *element &&
                 tensor.rank() == (shaped ? shaped.getRank() : 0);
  if (matches && shaped)
    for (auto [have, want] : llvm::zip_equal(tensor.shape(), shaped.getShape()))
      matches &= ShapedType::isDynamic(want) || want == have;
  if (!matches) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    (void)interp.fail(loc, "input", "an argument does not have type " + text);
    return std::nullopt;
  }
  if (!shaped)
    return Cell(tensor.get(0));
  auto copy = interp.allocate(loc, type, tensor.shape());
  if (!copy)
    return std::nullopt;
  for (int64_t k = 0; k < tensor.size(); ++k)
    copy->set(k, tensor.get(k));
  return interp.finish(std::move(copy));
}

Outcome arrc::reference::evaluate(func::FuncOp function,
                                  llvm::ArrayRef<Tensor> arguments,
                                  const Options &options) {
  Interpreter interp(options);
  Outcome outcome;
  auto finish = [&] {
    outcome.failure = interp.failure;
    outcome.uncertainAt = interp.uncertainAt;
    if (outcome.failure) {
      outcome.results.clear();
      outcome.origins.clear();
    }
    return std::move(outcome);
  };

  FunctionType type = function.getFunctionType();
  Location loc = function.getLoc();
  if (arguments.size() != type.getNumInputs()) {
    (void)interp.fail(loc, "input",
                      "expected " + std::to_string(type.getNumInputs()) +
                          " arguments, got " +
                          std::to_string(arguments.size()));
    return finish();
  }
  llvm::SmallVector<Cell> cells, results;
  for (auto [argument, t] : llvm::zip_equal(arguments, type.getInputs())) {
    std::optional<Cell> cell = toCell(interp, loc, t, argument);
    if (!cell)
      return finish();
    cells.push_back(*cell);
  }

  llvm::SmallVector<Location> origins;
  if (failed(interp.call(function, cells, results, &origins)))
    return finish();
  outcome.origins.assign(origins.begin(), origins.end());
  for (auto [cell, t, origin] :
       llvm::zip_equal(results, type.getResults(), origins)) {
    if (!cell.array) {
      std::optional<Element> e = interp.storedElement(t);
      outcome.results.push_back(Tensor::scalar(*e, cell.number));
      continue;
    }
    auto dense = interp.densify(origin, cell.array);
    if (!dense)
      return finish();
    outcome.results.push_back(*dense);
  }
  return finish();
}

/// The first place in a file that a location holds.
static FileLineColLoc findPlace(Location location) {
  FileLineColLoc found;
  location->walk([&](Location inner) {
    if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

std::string arrc::reference::describeLocation(Location location) {
  FileLineColLoc place = findPlace(location);
  if (!place)
    return "an unknown place";
  return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()) +
          ":" + llvm::Twine(place.getColumn()))
      .str();
}
