//===- Print.cpp - What is known of a kernel, in words --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/Print.h"

#include "arrc/Analysis/GPU/Accesses.h"
#include "arrc/Analysis/GPU/Dependences.h"
#include "arrc/Analysis/SourceNames.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::lanes;

static std::string placeOf(Operation *op) {
  FileLineColLoc place = findPlace(op->getLoc());
  return place ? " at line " + std::to_string(place.getLine()) : "";
}

static StringRef nameOf(const Event &event) {
  return event.reads && event.writes ? "update"
         : event.writes              ? "store"
                                     : "load";
}

std::string arrc::lanes::describeOp(const Trace &trace, Operation *op) {
  for (const Event &event : trace.events)
    if (event.op == op)
      return (nameOf(event) + " of " + trace.buffers[event.buffer].name).str() +
             placeOf(op);
  StringRef name = isa<gpu::BarrierOp>(op) ? "barrier"
                   : isa<scf::IfOp>(op)    ? "branch"
                   : isa<scf::ForOp, scf::WhileOp>(op)
                       ? "loop"
                       : op->getName().getStringRef();
  return name.str() + placeOf(op);
}

void arrc::lanes::printHead(raw_ostream &os, const Trace &trace) {
  gpu::GPUFuncOp kernel = trace.kernel;
  os << "kernel @" << kernel.getName() << ", blocks of "
     << trace.facts.threads[0];
  for (unsigned d = 1; d < 3; ++d)
    if (trace.facts.threads[d] > 1 || trace.facts.threads[2] > 1)
      os << 'x' << trace.facts.threads[d];
  os << " threads\n";
  if (!trace.problem.empty())
    os << "  " << trace.problem << '\n';
}

void arrc::lanes::printAccesses(raw_ostream &os, const Trace &trace) {
  printHead(os, trace);
  for (const AccessVerdict &verdict : getAccessVerdicts(trace)) {
    os << "  " << describeOp(trace, verdict.op) << ": "
       << describe(verdict.worst, verdict.isShared, trace.symbols);
    if (verdict.isMixed)
      os << " at worst";
    if (verdict.vector > 1)
      os << ", " << verdict.vector << " at once";
    double requests = double(verdict.requests);
    auto each = [&](int64_t pieces) {
      return llvm::format("%.4g", double(pieces) / requests);
    };
    os << "; ";
    if (verdict.leastPieces != verdict.pieces)
      os << each(verdict.leastPieces) << " to ";
    os << each(verdict.pieces);
    if (verdict.isShared) {
      os << (verdict.pieces == verdict.requests ? " turn" : " turns")
         << " a request\n";
      continue;
    }
    os << (verdict.pieces == verdict.requests ? " sector" : " sectors")
       << " a request";
    os << ", "
       << llvm::format("%.0f%%",
                       100.0 * double(verdict.bytes) /
                           double(32 * std::max<int64_t>(verdict.pieces, 1)))
       << " of their bytes used\n";
  }
}

void arrc::lanes::printBranches(raw_ostream &os, const Trace &trace) {
  printHead(os, trace);
  for (const BranchVerdict &verdict : getBranchVerdicts(trace)) {
    os << "  " << describeOp(trace, verdict.op) << ": ";
    switch (verdict.kind) {
    case BranchVerdict::UniformInBlock:
      os << "uniform in the block";
      break;
    case BranchVerdict::UniformInWarp:
      os << "uniform in warps";
      break;
    case BranchVerdict::Divergent:
      os << "divergent, " << llvm::format("%.0f%%", 100 * verdict.idle)
         << " of lanes idle";
      break;
    case BranchVerdict::MayDiverge:
      os << (verdict.isData ? "divergent where values that were read differ"
                            : "may be divergent");
      break;
    }
    os << '\n';
  }
}

void arrc::lanes::printRaces(raw_ostream &os, const Trace &trace) {
  printHead(os, trace);
  for (const RaceVerdict &verdict : getRaceVerdicts(trace)) {
    os << "  " << describeOp(trace, verdict.a->op) << " and "
       << (verdict.a->op == verdict.b->op && !verdict.isAcrossBlocks
               ? "itself"
               : describeOp(trace, verdict.b->op));
    if (verdict.isAcrossBlocks)
      os << " of another block";
    os << ": ";
    switch (verdict.meeting.kind) {
    case Meeting::Never:
      os << "independent (" << verdict.meeting.test << ")";
      break;
    case Meeting::Surely:
      os << "race of threads " << verdict.meeting.first << " and "
         << verdict.meeting.second << " (" << verdict.meeting.test << ")";
      break;
    case Meeting::Maybe:
      os << "not known";
      break;
    }
    os << '\n';
  }
}

void arrc::lanes::printBarriers(raw_ostream &os, const Trace &trace) {
  printHead(os, trace);
  for (const BarrierVerdict &verdict : getBarrierVerdicts(trace)) {
    os << "  " << describeOp(trace, verdict.op) << ": ";
    if (verdict.isDivergent)
      os << "in divergent code; ";
    else if (verdict.mayBeDivergent)
      os << "in code that may be divergent; ";
    if (verdict.isNeedless)
      os << "needless";
    else if (verdict.before)
      os << "needed, between " << describeOp(trace, verdict.before->op)
         << " and " << describeOp(trace, verdict.after->op);
    else
      os << "kept, as not all is followed";
    if (!verdict.isNeedless && verdict.needed < verdict.times)
      os << ", " << verdict.needed << " times of " << verdict.times;
    os << '\n';
  }
  for (const RaceVerdict &verdict : getRaceVerdicts(trace))
    if (verdict.meeting.kind == Meeting::Surely &&
        trace.buffers[verdict.a->buffer].kind == Buffer::Shared)
      os << "  missing between " << describeOp(trace, verdict.a->op) << " and "
         << describeOp(trace, verdict.b->op) << '\n';
}

void arrc::lanes::printBounds(raw_ostream &os, const Trace &trace) {
  printHead(os, trace);
  for (const BoundVerdict &verdict : getBoundVerdicts(trace)) {
    os << "  " << describeOp(trace, verdict.op) << ", index " << verdict.dim
       << ": "
       << (verdict.kind == BoundVerdict::Inside    ? "inside"
           : verdict.kind == BoundVerdict::Outside ? "certainly outside"
                                                   : "kept as a check");
    if (verdict.range.low > Span::kLow && verdict.range.high < Span::kHigh)
      os << ", range (" << verdict.range.low << ", " << verdict.range.high
         << ")";
    if (verdict.size)
      os << " of " << *verdict.size;
    if (verdict.kind != BoundVerdict::Kept)
      os << " (" << verdict.test << ")";
    os << '\n';
  }
}

void arrc::lanes::printCosts(raw_ostream &os, const Trace &trace) {
  printHead(os, trace);
  for (const CostRow &row : getCosts(trace))
    os << "  " << row.name << ": depth " << row.depth.str(trace.symbols)
       << ", work " << row.work.str(trace.symbols) << '\n';
}
