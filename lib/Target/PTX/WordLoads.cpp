//===- WordLoads.cpp - Neighbouring bytes by the words that hold them -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A row of bytes begins anywhere, and PTX has no access that is not aligned: a
// thread that takes four neighbours asks for each alone. The words that hold
// them are aligned, and their bytes are a shift away:
//
//   %a = load i32 (%p & ~3)        %b = load i32 ((%p + 3) & ~3)
//   %s = 8 * (%p & 3)
//   bytes 0 to 3 of %p = fshr(%b, %a, %s)
//
// Two accesses and a shift for four bytes, five and four for sixteen; halves
// that are aligned to two bytes likewise. The words begin and end with bytes
// that nobody asked for, up to three on each side. No word is without a byte
// that was asked for, so none lies in another page, and that others write
// these bytes does not matter, as nobody looks at them. What is asked for
// itself must stay the same while the kernel runs: all accesses are made where
// the first one was.
//
// Where one of the accesses is known to be aligned, so are the words at
// constant distances: no masks, and shifts by constants.
//
// Pays where there are fewer words than accesses. Words that lie a multiple of
// four bytes apart share the shift.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"

#include <optional>

using namespace llvm;

/// Bytes of a word.
static constexpr int64_t kWord = 4;

namespace {
/// A load of bytes at a constant distance from some address.
struct Piece {
  LoadInst *load;
  int64_t begin, end;
};

/// The alignment of what is at a distance from some address.
struct Aligned {
  Align align;
  int64_t at;

  Align get(int64_t other) const {
    return commonAlignment(align, other > at ? other - at : at - other);
  }
};

/// The loads of one basic block from one address on.
struct Group {
  SmallVector<Piece> pieces;
  /// The best alignment that is known of one of them, if it is that of words.
  std::optional<Aligned> aligned;
};

/// Joins the loads of a group.
class WordReader {
public:
  WordReader(Value *base, const Group &group)
      : base(base), known(group.aligned), pieces(group.pieces),
        first(pieces.front().load) {}

  void join();

private:
  void join(ArrayRef<Piece> run);
  int64_t countWords(ArrayRef<Piece> run) const;
  /// The word that holds the byte `at`.
  Value *getWord(IRBuilder<> &builder, int64_t at);
  /// Where the word begins that holds the byte `residue` of the address.
  Value *getAligned(int64_t residue);
  /// The bits by which the byte `at` is behind the beginning of its word.
  Value *getShift(int64_t at);
  Value *getAddress(IRBuilder<> &builder, int64_t at);

  Value *base;
  std::optional<Aligned> known;
  SmallVector<Piece> pieces;
  /// The first load of the block, in front of which masks are computed.
  LoadInst *first;
  DenseMap<int64_t, Value *> aligned, shifts;
};
} // namespace

/// The distance from the last multiple of a word.
static int64_t getResidue(int64_t at) { return at & (kWord - 1); }

Value *WordReader::getAddress(IRBuilder<> &builder, int64_t at) {
  return builder.CreateConstGEP1_64(builder.getInt8Ty(), base, at);
}

Value *WordReader::getAligned(int64_t residue) {
  Value *&result = aligned[residue];
  if (!result) {
    // As numbers: LLVM takes what `ptrmask` gives for the pointer itself.
    IRBuilder<> builder(first);
    Value *number = builder.CreatePtrToInt(getAddress(builder, residue),
                                           builder.getInt64Ty());
    result = builder.CreateIntToPtr(
        builder.CreateAnd(number, ~uint64_t(kWord - 1)), base->getType());
  }
  return result;
}

Value *WordReader::getShift(int64_t at) {
  IRBuilder<> builder(first);
  if (known)
    return builder.getInt32(8 * getResidue(at - known->at));
  Value *&result = shifts[getResidue(at)];
  if (!result) {
    Value *address = builder.CreatePtrToInt(getAddress(builder, getResidue(at)),
                                            builder.getInt64Ty());
    Value *low = builder.CreateTrunc(address, builder.getInt32Ty());
    result = builder.CreateShl(builder.CreateAnd(low, kWord - 1), 3);
  }
  return result;
}

Value *WordReader::getWord(IRBuilder<> &builder, int64_t at) {
  int64_t residue = getResidue(at);
  Value *address;
  Align align(kWord);
  if (known) {
    int64_t begin = at - getResidue(at - known->at);
    address = getAddress(builder, begin);
    align = known->get(begin);
  } else {
    address = builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                         getAligned(residue), at - residue);
  }
  LoadInst *word =
      builder.CreateAlignedLoad(builder.getInt32Ty(), address, align);
  word->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(word->getContext(), {}));
  return word;
}

int64_t WordReader::countWords(ArrayRef<Piece> run) const {
  int64_t begin = run.front().begin, end = run.back().end;
  // Anywhere: with the first byte at the end of a word.
  if (!known)
    return (end - begin - 1 + kWord - 1) / kWord + 1;
  auto getFirst = [&](int64_t at) { return at - getResidue(at - known->at); };
  return (getFirst(end - 1) - getFirst(begin)) / kWord + 1;
}

void WordReader::join(ArrayRef<Piece> run) {
  const Piece &earliest =
      *llvm::min_element(run, [](const Piece &a, const Piece &b) {
        return a.load->comesBefore(b.load);
      });
  IRBuilder<> builder(earliest.load);
  int64_t begin = run.front().begin, count = run.back().end - begin;
  SmallVector<Value *> words;
  for (int64_t at = 0; at < count; at += kWord)
    words.push_back(getWord(builder, begin + at));
  // The last byte is in the last of these words or in the next one.
  bool isKnownLast =
      count % kWord == 1 ||
      (known && countWords(run) == static_cast<int64_t>(words.size()));
  Value *last =
      isKnownLast ? words.back() : getWord(builder, begin + count - 1);
  Value *shift = getShift(begin);
  SmallVector<Value *> shifted;
  for (auto [number, word] : llvm::enumerate(words)) {
    Value *next = number + 1 < words.size() ? words[number + 1] : last;
    shifted.push_back(builder.CreateIntrinsic(
        Intrinsic::fshr, {word->getType()}, {next, word, shift}));
  }
  // The part at `at`, of all that are as wide.
  auto getPart = [&](int64_t at, Type *type) {
    auto size = static_cast<int64_t>(type->getScalarSizeInBits() / 8);
    Value *parts = builder.CreateBitCast(
        shifted[at / kWord], FixedVectorType::get(type, kWord / size));
    return builder.CreateExtractElement(parts, at % kWord / size);
  };
  for (const Piece &piece : run) {
    int64_t at = piece.begin - begin, size = piece.end - piece.begin;
    Value *value;
    if (kWord % size == 0 && at % size == 0) {
      value = getPart(at, builder.getIntNTy(8 * size));
    } else {
      value = PoisonValue::get(FixedVectorType::get(builder.getInt8Ty(), size));
      for (int64_t k = 0; k < size; ++k)
        value = builder.CreateInsertElement(
            value, getPart(at + k, builder.getInt8Ty()), k);
    }
    piece.load->replaceAllUsesWith(
        builder.CreateBitCast(value, piece.load->getType()));
  }
}

void WordReader::join() {
  llvm::sort(pieces,
             [](const Piece &a, const Piece &b) { return a.begin < b.begin; });
  SmallVector<LoadInst *> joined;
  for (ArrayRef<Piece> rest = pieces; !rest.empty();) {
    unsigned length = 1;
    while (length < rest.size() && rest[length].begin == rest[length - 1].end)
      ++length;
    ArrayRef<Piece> run = rest.take_front(length);
    rest = rest.drop_front(length);
    if (countWords(run) >= static_cast<int64_t>(length))
      continue;
    join(run);
    for (const Piece &piece : run)
      joined.push_back(piece.load);
  }
  for (LoadInst *load : joined)
    load->eraseFromParent();
}

/// Whether `load` is of whole bytes, fewer than a word has.
static bool isNarrow(const LoadInst &load) {
  const DataLayout &layout = load.getDataLayout();
  Type *type = load.getType();
  auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(type));
  return bytes < kWord && type->isFirstClassType() &&
         !type->isAggregateType() &&
         layout.getTypeSizeInBits(type) == static_cast<uint64_t>(bytes) * 8;
}

/// Adds `load` to the group of its address, if what it reads stays the same.
static void add(LoadInst &load, MapVector<Value *, Group> &groups) {
  const DataLayout &layout = load.getDataLayout();
  Value *pointer = load.getPointerOperand();
  if (!load.isSimple() || !arrc::ptx::isConstantMemory(pointer))
    return;
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  int64_t begin = offset.getSExtValue();
  Group &group = groups[base];
  if (load.getAlign() >= Align(kWord) &&
      (!group.aligned || load.getAlign() > group.aligned->align))
    group.aligned = {load.getAlign(), begin};
  if (isNarrow(load)) {
    auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(load.getType()));
    group.pieces.push_back({&load, begin, begin + bytes});
  }
}

void arrc::ptx::loadWords(Module &module, TargetMachine &machine) {
  // Addresses are taken apart into what neighbours share and numbers.
  PassBuilder builder(&machine);
  FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  FunctionPassManager shareAddresses;
  shareAddresses.addPass(SeparateConstOffsetFromGEPPass());
  shareAddresses.addPass(EarlyCSEPass());
  for (Function &function : module) {
    // Few kernels load bytes.
    if (llvm::none_of(instructions(function), [](const Instruction &op) {
          auto *load = dyn_cast<LoadInst>(&op);
          return load && isNarrow(*load);
        }))
      continue;
    shareAddresses.run(function, analyses);
    for (BasicBlock &block : function) {
      MapVector<Value *, Group> groups;
      for (Instruction &op : block)
        if (auto *load = dyn_cast<LoadInst>(&op))
          add(*load, groups);
      for (auto &[base, group] : groups)
        if (!group.pieces.empty())
          WordReader(base, group).join();
    }
    analyses.clear(function, function.getName());
  }
}
