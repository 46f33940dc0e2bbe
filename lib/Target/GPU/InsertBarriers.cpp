//===- InsertBarriers.cpp - Barriers that threads need --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Where a thread touches what another one touched, and one of them
// stores, a barrier has to stand between.
//
// Before   s[t] = x[t]              After   s[t] = x[t]
//          y[t] = s[n - t]                  barrier
//                                           y[t] = s[n - t]
//
// A barrier is put at every place first: in front of what touches memory and at
// the end of blocks that do. Those that not all threads of the block reach go.
// The kernel is followed without any of them; each two accesses that may meet
// ask for a barrier between them, and of the places those are taken that answer
// all with the fewest barriers for a thread to come by
// (Analysis/GPU/BarrierPlaces.h). With them the kernel is followed again, until
// no two accesses meet.
//
// Legal. A barrier that all threads of a block reach changes no result of a
// kernel that had no race. Nothing is known of other numbers of threads than
// those of the launches, of what is not followed, and of other blocks.
//
// Source: Allen and Kennedy, "Optimizing Compilers for Modern Architectures"
// (2002), barriers between dependent loops; the least hitting set by asking for
// what is still unordered: Moreno-Centeno and Karp, "The implicit hitting set
// approach" (Operations Research 61, 2013).
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/BarrierPlaces.h"
#include "arrc/Analysis/GPU/Dependences.h"
#include "arrc/Analysis/GPU/Print.h"
#include "arrc/Target/GPU/GPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace arrc::target {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

using namespace mlir;
using namespace arrc;

/// Pairs of accesses that are compared each time that a kernel is followed.
static constexpr size_t kMostPairs = 20000;

namespace {
/// A barrier that stands, or not, in front of `next`.
struct Place {
  Operation *barrier, *next;
};

class Inserter {
public:
  Inserter(gpu::GPUFuncOp kernel, const lanes::LaunchFacts &facts)
      : kernel(kernel), facts(facts) {}

  void run();

private:
  void findPlaces(Block &block);
  void dropDivergentPlaces();
  /// Has barriers stand at `chosen` places alone.
  void choose(ArrayRef<unsigned> chosen);
  /// Inserts what the accesses of `everywhere` need.
  void insert(const lanes::Trace &everywhere);
  /// Says why no barrier can order two accesses.
  void refuse(const lanes::Trace &trace, const lanes::UnorderedPair &pair);

  gpu::GPUFuncOp kernel;
  const lanes::LaunchFacts &facts;
  std::vector<Place> places;
  /// Branches and loops that threads take differently, or may.
  llvm::DenseSet<Operation *> divergent;
};
} // namespace

/// Whether `op` touches memory, or something below it does.
static bool touchesMemory(Operation &op) {
  if (op.hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return llvm::any_of(op.getRegions(), [](Region &region) {
      return llvm::any_of(region, [](Block &block) {
        return llvm::any_of(block, touchesMemory);
      });
    });
  return !isMemoryEffectFree(&op);
}

void Inserter::findPlaces(Block &block) {
  auto add = [&](Operation &next) {
    // One that stands there suffices.
    Operation *before = next.getPrevNode();
    if (isa<gpu::BarrierOp>(next) || isa_and_present<gpu::BarrierOp>(before))
      return;
    OpBuilder builder(&next);
    places.push_back(
        {gpu::BarrierOp::create(builder, next.getLoc()).getOperation(), &next});
  };
  bool touches = false;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!op.hasTrait<OpTrait::IsTerminator>() && touchesMemory(op)) {
      touches = true;
      add(op);
    }
    if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          findPlaces(inner);
  }
  if (touches && block.getParentOp() != kernel)
    add(block.back());
}

void Inserter::dropDivergentPlaces() {
  lanes::Trace trace(kernel, facts);
  for (const lanes::BranchEvent &branch : trace.branches)
    if (branch.taken ? !branch.taken->isUniform() : branch.mayDiffer)
      divergent.insert(branch.op);
  // Whether all threads come by; what nobody comes by is no place.
  llvm::DenseMap<Operation *, bool> reached;
  for (const lanes::BarrierEvent &event : trace.barriers) {
    bool &isUniform = reached.try_emplace(event.op, true).first->second;
    isUniform &= !event.isDivergent && event.mask->on.isUniform();
  }
  llvm::erase_if(places, [&](const Place &place) {
    if (reached.lookup(place.barrier))
      return false;
    place.barrier->erase();
    return true;
  });
}

void Inserter::choose(ArrayRef<unsigned> chosen) {
  for (auto [i, place] : llvm::enumerate(places)) {
    bool stands = place.barrier->getBlock();
    if (llvm::is_contained(chosen, i)) {
      if (!stands)
        place.next->getBlock()->getOperations().insert(
            Block::iterator(place.next), place.barrier);
    } else if (stands) {
      place.barrier->remove();
    }
  }
}

void Inserter::refuse(const lanes::Trace &trace,
                      const lanes::UnorderedPair &pair) {
  const lanes::Event &a = trace.events[pair.first],
                     &b = trace.events[pair.second];
  bool isSure = pair.meeting.kind == lanes::Meeting::Surely;
  // What one access does to itself is not what barriers are for.
  if (pair.first == pair.second && !isSure)
    return;
  InFlightDiagnostic message =
      isSure ? b.op->emitWarning() : b.op->emitRemark();
  if (isSure)
    message << "threads " << pair.meeting.first << " and "
            << pair.meeting.second << " meet";
  else
    message << "threads may meet";
  if (a.op == b.op)
    message << " in the " << lanes::describeOp(trace, b.op);
  else
    message << " in the " << lanes::describeOp(trace, a.op) << " and the "
            << lanes::describeOp(trace, b.op);
  message << ", and no barrier can order them: ";
  if (pair.first == pair.second) {
    message << "they do it at once";
    return;
  }
  for (const lanes::Event *event : {&b, &a})
    for (Operation *op = event->op->getParentOp(); op != kernel;
         op = op->getParentOp())
      if (divergent.contains(op)) {
        message << "not all threads take the " << lanes::describeOp(trace, op);
        return;
      }
  message << "no place between is reached by all threads";
}

void Inserter::insert(const lanes::Trace &everywhere) {
  SmallVector<Operation *> barriers;
  for (const Place &place : places)
    barriers.push_back(place.barrier);
  lanes::BarrierPlaces needed(everywhere, barriers);
  std::vector<unsigned> chosen;
  std::vector<lanes::UnorderedPair> refused;
  while (true) {
    choose(chosen);
    lanes::Trace trace(kernel, facts);
    std::optional<std::vector<lanes::UnorderedPair>> pairs =
        lanes::getUnorderedPairs(trace, kMostPairs);
    if (!pairs || trace.events.size() != everywhere.events.size()) {
      choose({});
      kernel.emitWarning("no barriers are inserted: threads touch memory more "
                         "often than can be compared");
      return;
    }
    refused.clear();
    std::vector<lanes::UnorderedPair> later;
    for (const lanes::UnorderedPair &pair : *pairs) {
      const lanes::Event &a = everywhere.events[pair.first],
                         &b = everywhere.events[pair.second];
      // Any two iterations of a loop without barriers are compared, but only
      // neighbours of one that has them: these decide first.
      if (pair.first != pair.second &&
          meet(everywhere, a, b).kind == lanes::Meeting::Never)
        later.push_back(pair);
      else if (!needed.separate(pair.first, pair.second))
        refused.push_back(pair);
    }
    if (!needed.isChanged())
      for (const lanes::UnorderedPair &pair : later)
        if (!needed.separate(pair.first, pair.second))
          refused.push_back(pair);
    if (!needed.isChanged()) {
      llvm::DenseSet<std::pair<Operation *, Operation *>> said;
      for (const lanes::UnorderedPair &pair : refused)
        if (said.insert(
                    {trace.events[pair.first].op, trace.events[pair.second].op})
                .second)
          refuse(trace, pair);
      return;
    }
    chosen = needed.findLeast();
  }
}

void Inserter::run() {
  findPlaces(kernel.getBody().front());
  dropDivergentPlaces();
  lanes::Trace everywhere(kernel, facts);
  if (!everywhere.problem.empty()) {
    choose({});
    kernel.emitWarning("no barriers are inserted: ") << everywhere.problem;
  } else {
    for (Operation *op : llvm::SetVector<Operation *>(everywhere.opaque.begin(),
                                                      everywhere.opaque.end()))
      op->emitRemark("what this does to memory is not followed, and not "
                     "ordered by barriers");
    insert(everywhere);
  }
  for (const Place &place : places)
    if (!place.barrier->getBlock())
      place.barrier->destroy();
}

/// Whether there are two accesses to one array, of which one stores.
static bool hasOrder(const lanes::Trace &trace) {
  std::vector<unsigned> accesses(trace.buffers.size()),
      stores(trace.buffers.size());
  for (const lanes::Event &event : trace.events) {
    ++accesses[event.buffer];
    stores[event.buffer] += event.writes && !event.isAtomic;
  }
  return !trace.problem.empty() ||
         llvm::any_of(llvm::zip(accesses, stores), [](auto counts) {
           return std::get<0>(counts) > 1 && std::get<1>(counts) > 0;
         });
}

namespace {
struct InsertBarriersPass
    : target::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using InsertBarriersPassBase::InsertBarriersPassBase;

  void runOnOperation() override {
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel() || kernel.getBody().empty())
        return;
      lanes::LaunchFacts facts = lanes::LaunchFacts::of(kernel);
      if (!facts.isBlockKnown && !block.empty()) {
        for (auto [d, extent] : llvm::enumerate(facts.threads))
          extent = d < block.size() ? block[d] : 1;
      } else if (!facts.isBlockKnown) {
        if (hasOrder(lanes::Trace(kernel, facts)))
          kernel.emitWarning(
              "no barriers are inserted: how many threads a block "
              "has is not said by 'known_block_size', by a launch "
              "or by the option 'block'");
        return;
      }
      Inserter(kernel, facts).run();
    });
  }
};
} // namespace
