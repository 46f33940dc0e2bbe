//===- Follower.h - From a kernel to its trace ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Follower.cpp follows control flow, FollowOps.cpp single operations.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_ANALYSIS_GPU_FOLLOWER_H
#define ARRC_LIB_ANALYSIS_GPU_FOLLOWER_H

#include "Arithmetic.h"

#include "arrc/Analysis/GPU/Trace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace arrc::lanes {

/// How far threads may differ in what is not known of them.
enum class Variance { Block, Warp, Thread };

/// What is known of a value.
struct Content {
  std::optional<Form> form;
  /// Without a form: how far threads may differ.
  Variance variance = Variance::Thread;
  /// Whether it was computed of something that was read.
  bool isData = false;
  /// Of a bool: what holds where it is true, if that can be said.
  std::vector<Constraint> guards;
  bool hasGuards = false;

  static Content of(Form form) {
    Content content;
    content.form = std::move(form);
    return content;
  }

  /// How far threads may differ.
  Variance getVariance() const {
    if (!form)
      return variance;
    return form->isUniform()          ? Variance::Block
           : form->isUniformInWarps() ? Variance::Warp
                                      : Variance::Thread;
  }
};

/// An array that accesses name, as a part of its buffer.
struct View {
  unsigned buffer = 0;
  /// Bytes from the beginning of the buffer; strides in bytes.
  std::optional<Form> offset;
  std::vector<std::optional<Form>> strides, sizes;
  int64_t elementBytes = 1;
  /// Whether the sizes are those of the array.
  bool hasSizes = false;
};

class Follower {
public:
  explicit Follower(Trace &trace) : trace(trace) {}
  void run();

private:
  // Control flow (Follower.cpp).
  void follow(mlir::Block &block);
  void followIf(mlir::scf::IfOp op);
  void followFor(mlir::scf::ForOp op);
  void followWhile(mlir::scf::WhileOp op);
  void followUnknownRegions(mlir::Operation *op);
  /// Iterations of each thread that is there, if they are known.
  std::optional<Lanes> countTrips(const Form &low, const Form &high,
                                  const Form &step) const;
  /// Iteration by iteration; false if a number of iterations is not known, in
  /// which case nothing was done.
  bool tryIterations(mlir::scf::ForOp op);
  void followOnce(mlir::scf::ForOp op);
  /// What carried values are in any iteration: found by a run that notes
  /// nothing. `counter` counts iterations from 0.
  std::vector<Content> generalize(llvm::ArrayRef<Content> initial,
                                  mlir::Block::BlockArgListType carried,
                                  const Form &counter,
                                  llvm::function_ref<mlir::ValueRange()> body);
  void noteBranch(mlir::Operation *op, const Content &condition,
                  std::optional<Lanes> taken);
  /// The mask inside of a branch on `condition`.
  std::shared_ptr<const Mask> narrow(const Content &condition, bool isThen,
                                     std::optional<Lanes> taken);
  /// Which threads have `condition` true, if that is known.
  std::optional<Lanes> decide(const Content &condition);
  Content merge(const std::optional<Lanes> &taken, const Content &condition,
                const Content &a, const Content &b, mlir::Type type);
  Content makeUnknown(mlir::Type type, Variance variance, bool isData,
                      llvm::StringRef name);

  // Operations (FollowOps.cpp).
  void followOp(mlir::Operation &op);
  void followIds(mlir::Operation &op);
  /// A number as `type` holds it, with its sign or without: what does not fit
  /// into a narrow one wraps.
  Content fit(Content content, mlir::Type type, bool isSigned);
  bool followInteger(mlir::Operation &op);
  bool followView(mlir::Operation &op);
  void followAccess(mlir::Operation *op, mlir::Value array,
                    mlir::ValueRange indices, mlir::Type accessed, bool reads,
                    bool writes, mlir::Value stored);
  void followCompare(mlir::arith::CmpIOp op);
  Content evaluate(mlir::AffineExpr expr, llvm::ArrayRef<Content> operands,
                   unsigned numDims);
  Content apply(Binary op, const Content &a, const Content &b);
  /// The result of an operation on operands of which no form is known.
  void setUnknown(mlir::Operation &op);
  std::optional<Form> getForm(mlir::OpFoldResult value);
  void setArgument(mlir::BlockArgument argument, unsigned number);
  /// Whether an access is an addition that hands out numbers, one a block.
  bool isTicket(const Event &event) const;
  /// The number that the block that is looked at gets.
  Content takeTicket();
  /// Notes what `event` leaves in shared memory, `value` if it is not null.
  void holdStored(const Event &event, const Content *value);
  /// What `event` finds there, if that is known.
  const Content *findHeld(const Event &event) const;
  /// The view that `array` is; made where it is seen first.
  View &getView(mlir::Value array);
  unsigned addBuffer(mlir::Value root, Buffer::Kind kind, std::string name,
                     int64_t alignment);
  void setContiguous(View &view, mlir::MemRefType type,
                     llvm::ArrayRef<std::optional<Form>> sizes);

  const Content &get(mlir::Value value);
  void set(mlir::Value value, Content content) {
    contents[value] = std::move(content);
  }
  void charge(mlir::Operation &op);
  bool notes() const { return dry == 0; }

  Trace &trace;
  llvm::DenseMap<mlir::Value, Content> contents;
  llvm::DenseMap<mlir::Value, View> views;
  std::shared_ptr<const Mask> mask = std::make_shared<Mask>();
  unsigned epoch = 0, run_ = 0, runs = 0;
  Form times = Form(1);
  /// Runs that note nothing; iterations that count for races only; branches
  /// that threads may take differently, around.
  unsigned dry = 0, shadow = 0, divergent = 0;
  /// Operations that were followed.
  int64_t steps = 0;
  std::optional<unsigned> dynamicShared;
  /// What places of shared memory hold where that is the same for all threads:
  /// by buffer and address, with the epoch of the store and its bytes. Kept
  /// where one block is looked at.
  struct Held {
    Content content;
    unsigned epoch;
    int64_t bytes;
  };
  std::map<std::pair<unsigned, int64_t>, Held> held;
};

} // namespace arrc::lanes

#endif // ARRC_LIB_ANALYSIS_GPU_FOLLOWER_H
