//===- WordLoads.cpp - Neighbouring bytes and halves by words -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A thread that reads neighbours of 8 or 16 bits in rows which begin anywhere
// asks for each with an instruction of its own: nothing is known of where the
// first of them lies in its word. What limits it is how fast the first cache
// answers. The words that hold the bytes are aligned wherever the bytes are:
//
//   %0 = ld.b8 [p]                  w0 = ld.b32 [p & ~3]
//   %1 = ld.b8 [p + 1]              w1 = ld.b32 [(p & ~3) + 4]
//   ..                              w2 = ld.b32 [(p + 7) & ~3]
//   %7 = ld.b8 [p + 7]              a0 = shf.r (w1:w0), 8 * p
//                                   a1 = shf.r (w2:w1), 8 * p
//
// `a0` holds the first four bytes, `a1` the others. A window reads each word
// once, however many of its taps lie in it.
//
// Legal, because each of these words holds a byte that is read: it lies in the
// page of that byte, and pages are what a card protects. It may hold up to
// three bytes in front of an array or behind it, of which nothing is used.
// Where eight bytes lie in two words, `w2` is `w1` once more and not the word
// behind it. All is memory that nobody writes to while the kernel runs.
//
// Pays, if it saves more requests than it adds instructions: those are a
// quarter of a cycle of a multiprocessor for a warp, a request whose lanes are
// further apart than its bytes takes two and more.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"

#include <optional>

using namespace llvm;

/// Memory of the device.
static constexpr unsigned kGlobal = 1;
static constexpr int64_t kWord = 4;
/// Bytes between neighbours of a run that nobody asks for.
static constexpr int64_t kMostGap = 4;
/// What a request costs, in instructions; instructions that find the words.
static constexpr int64_t kRequest = 8, kFrame = 6;
/// Fewer loads are not worth looking at.
static constexpr unsigned kLeastLoads = 4;
/// Groups of a block that a load is compared with.
static constexpr unsigned kMostGroups = 32;

namespace {
/// A load, and where it begins: bytes behind the first load of its group.
struct Piece {
  LoadInst *load;
  int64_t offset, bytes;
};
/// A place in an array: `offset` bytes behind `scale * index` of `base`, where
/// the index has fewer bits than addresses; no index where it is not of that
/// form.
struct Place {
  const SCEV *address, *index = nullptr;
  const Value *base = nullptr;
  int64_t scale = 1, offset = 0;
};
/// Loads of one block at places that differ by numbers, in their order.
struct Group {
  Place place;
  SmallVector<Piece> pieces;
};
} // namespace

bool arrc::ptx::isConstantMemory(const Value *pointer) {
  auto *argument = dyn_cast<Argument>(getUnderlyingObject(pointer));
  return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
}

static int64_t getElementBytes(const Type *type) {
  return type->getScalarSizeInBits() / 8;
}

static bool isCandidate(const LoadInst &load) {
  Type *type = load.getType();
  unsigned bits = type->getScalarSizeInBits();
  return load.isSimple() && load.getPointerAddressSpace() == kGlobal &&
         !isa<ScalableVectorType>(type) && (bits == 8 || bits == 16) &&
         load.getAlign().value() >= bits / 8 &&
         arrc::ptx::isConstantMemory(load.getPointerOperand());
}

/// Whether `load` is known to begin with a word.
static bool isAligned(const LoadInst &load) {
  return load.getAlign().value() >= kWord;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static Place findPlace(const LoadInst &load, ScalarEvolution &evolution) {
  const DataLayout &layout = load.getDataLayout();
  const Value *pointer = load.getPointerOperand();
  Place place;
  place.address = evolution.getSCEV(const_cast<Value *>(pointer));
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  pointer = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  auto *step = dyn_cast<GetElementPtrInst>(pointer);
  if (!step || step->getNumIndices() != 1)
    return place;
  auto *wide = dyn_cast<SExtInst>(step->getOperand(1));
  if (!wide)
    return place;
  place.base = step->getPointerOperand();
  place.index = evolution.getSCEV(wide->getOperand(0));
  place.scale = layout.getTypeAllocSize(step->getSourceElementType());
  place.offset = offset.getSExtValue();
  return place;
}

/// Bytes from `from` to `to`, if that is a number. The difference of two
/// indices of one array, neither of which is negative, is what it is modulo
/// 2^32, if that is small: no addition has to be known not to wrap.
static std::optional<int64_t> getDistance(const Place &to, const Place &from,
                                          ScalarEvolution &evolution) {
  constexpr unsigned small = 24;
  std::optional<APInt> distance =
      evolution.computeConstantDifference(to.address, from.address);
  if (distance && distance->getSignificantBits() <= small)
    return distance->getSExtValue();
  if (!to.index || !from.index || to.base != from.base ||
      to.scale != from.scale || to.index->getType() != from.index->getType())
    return std::nullopt;
  distance = evolution.computeConstantDifference(to.index, from.index);
  if (!distance || distance->getSignificantBits() > small)
    return std::nullopt;
  return distance->getSExtValue() * to.scale + to.offset - from.offset;
}

static void addLoad(LoadInst &load, ScalarEvolution &evolution,
                    SmallVectorImpl<Group> &groups, size_t first) {
  Place place = findPlace(load, evolution);
  int64_t bytes =
      load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  auto near = MutableArrayRef<Group>(groups).drop_front(first);
  for (Group &group : llvm::reverse(near.take_back(kMostGroups))) {
    LoadInst *other = group.pieces.front().load;
    if (getElementBytes(other->getType()) != getElementBytes(load.getType()))
      continue;
    if (std::optional<int64_t> distance =
            getDistance(place, group.place, evolution)) {
      group.pieces.push_back({&load, *distance, bytes});
      return;
    }
  }
  groups.push_back({place, {{&load, 0, bytes}}});
}

/// The loads of a block that may be asked for with the first of their group.
static SmallVector<Group, 0> collectGroups(BasicBlock &block,
                                           ScalarEvolution &evolution) {
  SmallVector<Group, 0> groups;
  size_t first = 0;
  for (Instruction &op : block) {
    if (auto *load = dyn_cast<LoadInst>(&op); load && isCandidate(*load))
      addLoad(*load, evolution, groups, first);
    else if (!isGuaranteedToTransferExecutionToSuccessor(&op))
      first = groups.size();
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// Pieces without gaps to speak of, from the first byte to the last.
struct Run {
  ArrayRef<Piece> pieces;
  int64_t begin = 0, end = 0;

  int64_t getBytes() const { return end - begin; }
  /// Words that hold a byte of the run wherever it begins: all that its
  /// elements need once they are shifted.
  int64_t countWords() const { return (getBytes() - 1) / kWord + 1; }
  /// Whether there may be one more before they are shifted.
  bool hasOneMore() const {
    int64_t element = getElementBytes(pieces.front().load->getType());
    return kWord - element + getBytes() > countWords() * kWord;
  }
  bool pays() const {
    int64_t saved = int64_t(pieces.size()) - countWords() - hasOneMore();
    return saved * kRequest >
           countWords() + int64_t(pieces.size()) / 2 + kFrame;
  }
};
} // namespace

static Run takeRun(ArrayRef<Piece> &sorted) {
  Run run{sorted, sorted.front().offset, sorted.front().offset};
  size_t count = 0;
  for (const Piece &piece : sorted) {
    if (piece.offset > run.end + kMostGap)
      break;
    run.end = std::max(run.end, piece.offset + piece.bytes);
    ++count;
  }
  run.pieces = sorted.take_front(count);
  sorted = sorted.drop_front(count);
  return run;
}

/// The element at `byte` of the words, as `type`.
static Value *extract(IRBuilder<> &builder, ArrayRef<Value *> words,
                      int64_t byte, Type *type) {
  Value *bits = words[byte / kWord];
  if (byte % kWord)
    bits = builder.CreateLShr(bits, 8 * (byte % kWord));
  bits = builder.CreateTrunc(
      bits, builder.getIntNTy(type->getPrimitiveSizeInBits().getFixedValue()));
  return builder.CreateBitCast(bits, type);
}

static void replaceByWords(const Run &run) {
  const Piece *first = &run.pieces.front();
  for (const Piece &piece : run.pieces)
    if (piece.load->comesBefore(first->load))
      first = &piece;
  IRBuilder<> builder(first->load);
  Type *word = builder.getInt32Ty();
  Value *pointer = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), first->load->getPointerOperand(),
      run.begin - first->offset);
  auto getWordAt = [&](Value *place) {
    return builder.CreateIntrinsic(Intrinsic::ptrmask,
                                   {place->getType(), builder.getInt64Ty()},
                                   {place, builder.getInt64(-kWord)});
  };
  Value *begin = getWordAt(pointer);
  auto load = [&](Value *place) -> Value * {
    LoadInst *made = builder.CreateAlignedLoad(word, place, Align(kWord));
    made->copyMetadata(*first->load,
                       {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    made->setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(builder.getContext(), {}));
    return made;
  };
  SmallVector<Value *> loaded, words;
  for (int64_t k = 0; k < run.countWords(); ++k)
    loaded.push_back(load(
        builder.CreateConstGEP1_64(builder.getInt8Ty(), begin, k * kWord)));
  if (run.hasOneMore())
    loaded.push_back(load(getWordAt(builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), pointer, run.getBytes() - 1))));
  // Shifts look at the lowest five bits of this.
  Value *shift = builder.CreateShl(
      builder.CreateTrunc(builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
                          word),
      3);
  for (int64_t k = 0; k < run.countWords(); ++k)
    words.push_back(builder.CreateIntrinsic(
        Intrinsic::fshr, {word},
        {loaded[std::min<size_t>(k + 1, loaded.size() - 1)], loaded[k],
         shift}));
  for (const Piece &piece : run.pieces) {
    builder.SetInsertPoint(piece.load);
    int64_t byte = piece.offset - run.begin;
    Type *type = piece.load->getType();
    Value *value = nullptr;
    if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      value = PoisonValue::get(type);
      for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
        value = builder.CreateInsertElement(
            value,
            extract(builder, words, byte + lane * getElementBytes(type),
                    vector->getElementType()),
            lane);
    } else {
      value = extract(builder, words, byte, type);
    }
    piece.load->replaceAllUsesWith(value);
  }
  for (const Piece &piece : run.pieces)
    piece.load->eraseFromParent();
}

PreservedAnalyses
arrc::ptx::JoinNarrowLoads::run(Function &function,
                                FunctionAnalysisManager &analyses) {
  unsigned candidates = 0;
  for (Instruction &op : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&op))
      candidates += isCandidate(*load) && !isAligned(*load);
  if (candidates < kLeastLoads)
    return PreservedAnalyses::all();
  // What neighbours have in common in front of what they differ in, as the code
  // generator would have it.
  FunctionPassManager prepare;
  prepare.addPass(SeparateConstOffsetFromGEPPass());
  prepare.addPass(EarlyCSEPass());
  analyses.invalidate(function, prepare.run(function, analyses));
  SmallVector<Group, 0> groups;
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (BasicBlock &block : function)
    llvm::append_range(groups, collectGroups(block, evolution));
  for (Group &group : groups) {
    // Where words begin is known: LLVM's vectorizer loads these.
    if (llvm::any_of(group.pieces,
                     [](const Piece &piece) { return isAligned(*piece.load); }))
      continue;
    llvm::sort(group.pieces, [](const Piece &a, const Piece &b) {
      return a.offset < b.offset;
    });
    for (ArrayRef<Piece> left(group.pieces); !left.empty();)
      if (Run run = takeRun(left); run.pays())
        replaceByWords(run);
  }
  return PreservedAnalyses::none();
}
