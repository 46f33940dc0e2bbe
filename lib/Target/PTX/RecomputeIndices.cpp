//===- RecomputeIndices.cpp - Places computed where they are used ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A kernel that keeps elements in registers from a load to a store uses each
// element's place and mask twice: LLVM computes both once, and they stay in
// registers beside the element all the while:
//
//   %i = add (mul %n, 48), %j      %i = add (mul %n, 48), %j
//   %v = load %p[%i]               %v = load %p[%i]
//   ..                             ..
//                                  %n' = opaque %n    %j' = opaque %j
//                                  %i' = add (mul %n', 48), %j'
//   store %w, %q[%i]               store %w, %q[%i']
//
// Here they are computed again behind a point of the kernel that all threads
// pass, from few values. That `%n'` is `%n` must not be seen by the passes of
// the code generator, which would compute `%i` once again; ptxas sees it and
// leaves instructions where they are.
//
// Legal: what is computed again is integer arithmetic on the same values.
// Pays where what waits for its second use would not fit beside what else is
// alive there: a second integer operation or two an element cost less than a
// spilled element, or than threads that have no room.
//
// Source: Briggs, Cooper, Torczon, "Rematerialization" (PLDI 1992).
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <memory>

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Registers of a thread with which 1024 threads have room on a multiprocessor:
/// cards have 65536. A thread that keeps elements has enough under way then.
static constexpr unsigned kRoom = 64;
/// Registers that have to become free for it to pay, and instructions that one
/// of them may cost.
static constexpr unsigned kLeast = 8, kDear = 4;
/// Users from which on a value stays, as what others follow from.
static constexpr unsigned kShared = 4;
/// Points of a kernel at which that is done, and that are tried for each.
static constexpr unsigned kPoints = 4, kTried = 16;

/// Registers of a thread that hold `value`: a whole one for a predicate, of
/// which a thread has seven.
static unsigned getRegisters(const Value &value) {
  llvm::Type *type = value.getType();
  unsigned parts = 1;
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    parts = vector->getNumElements();
    type = vector->getElementType();
  }
  if (type->isPointerTy())
    return 2 * parts;
  unsigned bits = type->getPrimitiveSizeInBits();
  return bits ? parts * llvm::divideCeil(bits, 32) : 0;
}

/// Whether computing `op` again costs an instruction that reads no memory.
static bool isCheap(const Instruction &op) {
  if (!op.getType()->isIntegerTy())
    return false;
  switch (op.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    return llvm::all_of(op.operands(), [](const llvm::Use &operand) {
      return operand->getType()->isIntegerTy();
    });
  case Instruction::ICmp:
    return op.getOperand(0)->getType()->isIntegerTy();
  default:
    return false;
  }
}

/// Whether `op` is a mask, or what a masked value is where the mask is set.
static bool isMask(const Instruction &op) {
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&op))
    return llvm::isa<llvm::Constant>(select->getTrueValue()) ||
           llvm::isa<llvm::Constant>(select->getFalseValue());
  return op.getType()->isIntegerTy(1) && isCheap(op);
}

namespace {
class Recomputer {
public:
  explicit Recomputer(llvm::Function &function)
      : function(function), builder(function.getContext()) {}
  void run();

private:
  /// Numbers the instructions, and counts for each what is alive in front of
  /// it.
  void count();
  /// Instructions in front of which what waits is computed again: all threads
  /// pass them, once.
  llvm::SmallVector<Instruction *> findPoints() const;
  /// Where a use takes place.
  Instruction *getPlace(const llvm::Use &use) const;
  bool isOnce(const Instruction &op) const {
    return !loops->getLoopFor(op.getParent());
  }
  /// What is alive in front of `point` and cheap to compute again behind it.
  llvm::SetVector<Instruction *> findWaiting(Instruction *point) const;
  /// Of those and of what they follow from, what is computed again.
  llvm::SetVector<Instruction *>
  chooseAgain(Instruction *point,
              const llvm::SetVector<Instruction *> &waiting) const;
  /// Computes again behind `point` what waits for it; gives whether that pays.
  bool cut(Instruction *point);
  /// Moves terms of folds, which are masked side by side, to where they are
  /// added: each is alive beside the element that it is made of.
  void sinkTerms();
  /// `value`, as the passes of the code generator do not know it.
  Value *hide(Value *value);

  llvm::Function &function;
  llvm::IRBuilder<> builder;
  std::unique_ptr<llvm::DominatorTree> dominators;
  std::unique_ptr<llvm::LoopInfo> loops;
  llvm::DenseMap<const Instruction *, unsigned> numbers;
  llvm::SmallVector<Instruction *> order;
  /// Registers alive, and those of cheap values, in front of each.
  llvm::SmallVector<unsigned> alive, cheap;
  unsigned hides = 0;
};
} // namespace

Instruction *Recomputer::getPlace(const llvm::Use &use) const {
  auto *user = llvm::cast<Instruction>(use.getUser());
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
    return phi->getIncomingBlock(use)->getTerminator();
  return user;
}

void Recomputer::count() {
  numbers.clear();
  order.clear();
  for (BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
    for (Instruction &op : *block) {
      numbers[&op] = order.size();
      order.push_back(&op);
    }
  llvm::SmallVector<int> all(order.size() + 1), some(order.size() + 1);
  for (Instruction *op : order) {
    unsigned first = numbers[op], last = first;
    for (const llvm::Use &use : op->uses())
      if (auto at = numbers.find(getPlace(use)); at != numbers.end())
        last = std::max(last, at->second);
    if (last <= first + 1)
      continue;
    int registers = getRegisters(*op);
    all[first + 1] += registers;
    all[last] -= registers;
    if (isCheap(*op)) {
      some[first + 1] += registers;
      some[last] -= registers;
    }
  }
  alive.assign(order.size(), 0);
  cheap.assign(order.size(), 0);
  int sum = 0, part = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    alive[i] = sum += all[i];
    cheap[i] = part += some[i];
  }
}

llvm::SmallVector<Instruction *> Recomputer::findPoints() const {
  llvm::SmallVector<Instruction *> points;
  auto store = llvm::find_if(llvm::reverse(order), [](Instruction *op) {
    return llvm::isa<llvm::StoreInst>(op);
  });
  if (store == order.rend())
    return points;
  for (auto *node = dominators->getNode((*store)->getParent()); node;
       node = node->getIDom()) {
    BasicBlock *block = node->getBlock();
    if (loops->getLoopFor(block))
      continue;
    points.push_back(&*block->getFirstInsertionPt());
    bool writes = false;
    for (Instruction &op : *block) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&op);
      if (call && call->isConvergent() && !call->isTerminator())
        points.push_back(op.getNextNode());
      if (llvm::isa<llvm::StoreInst>(op) && !std::exchange(writes, true))
        points.push_back(&op);
    }
  }
  return points;
}

llvm::SetVector<Instruction *>
Recomputer::findWaiting(Instruction *point) const {
  llvm::SetVector<Instruction *> waiting;
  unsigned at = numbers.lookup(point);
  for (unsigned i = 0; i < at; ++i) {
    Instruction *op = order[i];
    if (!isCheap(*op) || !isOnce(*op) || !dominators->dominates(op, point))
      continue;
    bool waits = false, fits = true;
    for (const llvm::Use &use : op->uses()) {
      Instruction *place = getPlace(use);
      auto number = numbers.find(place);
      if (number == numbers.end() || number->second < at)
        continue;
      waits = true;
      fits &= isOnce(*place) && !llvm::isa<llvm::PHINode>(use.getUser()) &&
              dominators->dominates(point, place);
    }
    if (waits && fits)
      waiting.insert(op);
  }
  return waiting;
}

llvm::SetVector<Instruction *>
Recomputer::chooseAgain(Instruction *point,
                        const llvm::SetVector<Instruction *> &waiting) const {
  unsigned at = numbers.lookup(point);
  llvm::SetVector<Instruction *> again = waiting;
  for (size_t i = 0; i < again.size(); ++i)
    for (Value *operand : again[i]->operands())
      if (auto *op = llvm::dyn_cast<Instruction>(operand))
        if (isCheap(*op) && isOnce(*op))
          again.insert(op);
  // What many follow from stays, and what only that follows from with it.
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction *op : llvm::to_vector(again)) {
      unsigned users = llvm::count_if(op->users(), [&](llvm::User *user) {
        auto *other = llvm::cast<Instruction>(user);
        return again.contains(other) ||
               (isCheap(*other) && !other->getType()->isIntegerTy(1) &&
                numbers.contains(other) && numbers.lookup(other) >= at);
      });
      if (users >= kShared || (users == 0 && !waiting.contains(op))) {
        again.remove(op);
        changed = true;
      }
    }
  }
  return again;
}

Value *Recomputer::hide(Value *value) {
  llvm::Type *type = value->getType();
  bool isWide = type->isIntegerTy(64);
  auto *form = llvm::FunctionType::get(type, {type}, /*isVarArg=*/false);
  // Two of one value are one, unless their texts differ.
  std::string text = (llvm::Twine(isWide ? "mov.b64" : "mov.b32") +
                      " $0, $1; // again " + llvm::Twine(++hides))
                         .str();
  llvm::CallInst *call = builder.CreateCall(
      form,
      llvm::InlineAsm::get(form, text, isWide ? "=l,l" : "=r,r",
                           /*hasSideEffects=*/false),
      {value});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

bool Recomputer::cut(Instruction *point) {
  llvm::SetVector<Instruction *> waiting = findWaiting(point);
  llvm::SetVector<Instruction *> again = chooseAgain(point, waiting);
  unsigned at = numbers.lookup(point);
  // Registers that become free, less those of what they follow from.
  int saved = 0;
  llvm::SetVector<Value *> roots;
  for (Instruction *op : again) {
    if (waiting.contains(op))
      saved += getRegisters(*op);
    for (Value *operand : op->operands())
      if (!llvm::isa<llvm::Constant>(operand) &&
          !again.contains(llvm::dyn_cast<Instruction>(operand)))
        roots.insert(operand);
  }
  for (Value *root : roots)
    if (llvm::isa<Instruction>(root) &&
        llvm::none_of(root->uses(), [&](const llvm::Use &use) {
          return numbers.lookup(getPlace(use)) >= at;
        }))
      saved -= getRegisters(*root);
  if (saved < int(kLeast) || again.size() > kDear * unsigned(saved))
    return false;

  builder.SetInsertPoint(point);
  llvm::DenseMap<Value *, Value *> hidden;
  for (Value *root : roots)
    if (root->getType()->isIntegerTy(32) || root->getType()->isIntegerTy(64))
      hidden[root] = hide(root);

  // Each block has its own.
  llvm::DenseMap<std::pair<BasicBlock *, Value *>, Value *> copies;
  auto copy = [&](auto &copy, Value *value, Instruction *place) -> Value * {
    auto *op = llvm::dyn_cast<Instruction>(value);
    if (!op || !again.contains(op)) {
      Value *root = hidden.lookup(value);
      return root ? root : value;
    }
    Value *&known = copies[{place->getParent(), value}];
    if (known)
      return known;
    llvm::SmallVector<Value *> operands;
    for (Value *operand : op->operands())
      operands.push_back(copy(copy, operand, place));
    Instruction *made = op->clone();
    for (auto [number, operand] : llvm::enumerate(operands))
      made->setOperand(number, operand);
    made->insertBefore(place->getIterator());
    return copies[{place->getParent(), value}] = made;
  };
  llvm::SmallVector<llvm::Use *> uses;
  for (Instruction *op : waiting)
    if (again.contains(op))
      for (llvm::Use &use : op->uses())
        if (auto number = numbers.find(getPlace(use));
            number != numbers.end() && number->second >= at)
          uses.push_back(&use);
  llvm::sort(uses, [&](llvm::Use *a, llvm::Use *b) {
    return numbers.lookup(getPlace(*a)) < numbers.lookup(getPlace(*b));
  });
  for (llvm::Use *use : uses)
    use->set(copy(copy, use->get(), getPlace(*use)));
  llvm::SmallVector<llvm::WeakTrackingVH> dead(again.begin(), again.end());
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  return true;
}

void Recomputer::sinkTerms() {
  for (BasicBlock &block : function)
    for (Instruction &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (!op.hasOneUse() || !isMask(op))
        continue;
      auto *user = llvm::cast<Instruction>(*op.user_begin());
      if (user->getParent() == &block && !llvm::isa<llvm::PHINode>(user))
        op.moveBefore(user->getIterator());
    }
}

void Recomputer::run() {
  for (unsigned i = 0; i < kPoints; ++i) {
    count();
    if (alive.empty() || *llvm::max_element(alive) < kRoom)
      return;
    if (!dominators) {
      dominators = std::make_unique<llvm::DominatorTree>(function);
      loops = std::make_unique<llvm::LoopInfo>(*dominators);
    }
    // The later, the less is computed before it is used.
    llvm::SmallVector<Instruction *> points = findPoints();
    llvm::sort(points, [&](Instruction *a, Instruction *b) {
      unsigned x = numbers.lookup(a), y = numbers.lookup(b);
      return std::pair(cheap[x], x) > std::pair(cheap[y], y);
    });
    if (points.size() > kTried)
      points.resize(kTried);
    if (llvm::none_of(points, [&](Instruction *point) {
          return cheap[numbers.lookup(point)] >= kLeast && cut(point);
        }))
      return;
    // Where nothing waits, ptxas does well with the order that there is.
    sinkTerms();
  }
}

void arrc::ptx::recomputeIndices(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      Recomputer(function).run();
}
