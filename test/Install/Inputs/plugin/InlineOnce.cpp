// A pass of the array dialect: maps that are read once, element by element, go
// into the body that reads them, whatever they cost.
#include "NarrowBlocks.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/Strategies.h"
#include "arrc/Pipelines/Plugin.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace arrc;

namespace {
struct InlineOncePass
    : PassWrapper<InlineOncePass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineOncePass)

  InlineOncePass() = default;
  InlineOncePass(const InlineOncePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "demo-inline-once"; }
  StringRef getDescription() const override {
    return "Inline maps that are read at one place";
  }

  Option<int64_t> limit{*this, "limit", llvm::cl::init(1),
                        llvm::cl::desc("places that a map is read at")};

  void runOnOperation() override {
    SmallVector<array::MapOp> maps;
    getOperation().walk([&](array::MapOp map) { maps.push_back(map); });
    for (array::MapOp map : maps) {
      auto users = llvm::to_vector(map->getUsers());
      if (map->getNumResults() != 1 || int64_t(users.size()) > limit ||
          !llvm::all_of(users, llvm::IsaPred<array::AtOp>))
        continue;
      for (Operation *user : users)
        inlineAt(map, cast<array::AtOp>(user));
      map->erase();
    }
  }

  static void inlineAt(array::MapOp map, array::AtOp read) {
    OpBuilder b(read);
    Block &body = map->getRegion(0).front();
    IRMapping values;
    for (auto [index, at] : llvm::zip(body.getArguments(), read.getIndices()))
      values.map(index, at);
    for (Operation &op : body.without_terminator())
      b.clone(op, values);
    read->getResult(0).replaceAllUsesWith(
        values.lookupOrDefault(body.getTerminator()->getOperand(0)));
    read->erase();
  }
};
} // namespace

ARRC_PLUGIN("demo", [] {
  PassRegistration<InlineOncePass>();
  kernel::registerStrategy({"demo-narrow-blocks", planNarrowBlocks});
})
