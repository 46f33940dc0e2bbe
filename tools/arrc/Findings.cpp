//===- Findings.cpp - Where a program loses time --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Findings are made of the kernels that are launched, after schedules: what a
// tile mends is no finding. A block in the middle of the grid speaks for all.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "KernelTraffic.h"

#include "arrc/Analysis/GPU/Dependences.h"
#include "arrc/Analysis/SourceNames.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace arrc;
using namespace arrc::tool;
using namespace arrc::lanes;
using mlir::FileLineColLoc;
using mlir::Operation;

/// Shares of a kernel's traffic, and of lanes, that are worth a word.
static constexpr double kShare = 0.1, kIdle = 0.25;

static void setPlace(Finding &finding, mlir::Location loc) {
  FileLineColLoc place = findPlace(loc);
  if (!place)
    return;
  finding.file = place.getFilename().str();
  finding.line = place.getLine();
  finding.column = place.getColumn();
}

static std::string sizeText(int64_t bytes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (bytes >= int64_t(1) << 20)
    os << llvm::format("%.4g MiB", double(bytes) / double(1 << 20));
  else if (bytes >= 1024)
    os << llvm::format("%.4g KiB", double(bytes) / 1024);
  else
    os << bytes << " bytes";
  return text;
}

std::string arrc::tool::timeText(double seconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (seconds >= 1e-3)
    os << llvm::format("%.3g ms", 1e3 * seconds);
  else
    os << llvm::format("%.3g us", 1e6 * seconds);
  return text;
}

static std::string shareText(double share) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.0f%%", 100 * share);
  return text;
}

/// What the program calls an array of a kernel.
static std::string nameOf(const Trace &trace, unsigned buffer,
                          mlir::gpu::LaunchFuncOp launch) {
  const Buffer &is = trace.buffers[buffer];
  if (is.kind == Buffer::Shared)
    return "a tile on chip";
  auto argument = dyn_cast<mlir::BlockArgument>(is.root);
  if (!argument || argument.getArgNumber() >= launch.getNumKernelOperands())
    return "an array";
  mlir::Value operand = launch.getKernelOperand(argument.getArgNumber());
  while (auto cast = operand.getDefiningOp<mlir::UnrealizedConversionCastOp>())
    operand = cast.getOperand(0);
  return describeArray(operand);
}

const char *arrc::tool::verbOf(bool reads, bool writes) {
  return reads && writes ? "updates" : writes ? "writes" : "reads";
}

std::string arrc::tool::gridText(const KernelReport &kernel) {
  std::string text;
  for (unsigned d = 0; d < 3; ++d) {
    bool isLast = true;
    for (unsigned e = d; e < 3; ++e)
      isLast &= kernel.blocks[e] == 1;
    if (d > 0 && isLast)
      break;
    text += (d ? "x" : "") +
            (kernel.blocks[d] ? std::to_string(*kernel.blocks[d]) : "?");
  }
  text += " blocks of ";
  for (unsigned d = 0; d < 3; ++d)
    if (d == 0 || kernel.threads[d] > 1 || kernel.threads[2] > 1)
      text += (d ? "x" : "") + std::to_string(kernel.threads[d]);
  return text + " threads";
}

/// What to write where lanes are far apart.
static std::string adviceFor(const AccessVerdict &verdict) {
  if (verdict.worst.walk == Walk::DataDependent)
    return "order what is read by its place (sort the indices), or read it "
           "into the loop that makes the indices";
  return "let the innermost index of the loop be the last index of the array, "
         "or store the array the other way round (transpose it once)";
}

namespace {
class KernelReader {
public:
  KernelReader(const HostLaunch &launch, kernel::DeviceAttr device,
               ProgramReport &program)
      : launch(launch), device(device), program(program) {}
  void read();

private:
  void readAccesses(const Trace &trace);
  void readBranches(const Trace &trace);
  void readOrder(const Trace &trace);
  Finding begin(Operation *op, const char *rule);
  /// Says what a kernel that asks for `better` would take less.
  void setSeconds(Finding &finding, const kernel::Demand &better) const;

  const HostLaunch &launch;
  kernel::DeviceAttr device;
  ProgramReport &program;
  KernelReport kernel;
  int64_t blocks = 1;
};
} // namespace

Finding KernelReader::begin(Operation *op, const char *rule) {
  Finding finding;
  setPlace(finding, op->getLoc());
  mlir::gpu::GPUFuncOp function = launch.kernel;
  if (finding.line == 0)
    setPlace(finding, function.getLoc());
  finding.rule = rule;
  finding.kernel = kernel.name;
  return finding;
}

void KernelReader::setSeconds(Finding &finding,
                              const kernel::Demand &better) const {
  if (!kernel.estimate)
    return;
  finding.kernelSeconds = kernel.estimate->seconds;
  finding.seconds = std::max(0.0, kernel.estimate->seconds -
                                      estimate(better, device).seconds);
}

void KernelReader::readAccesses(const Trace &trace) {
  kernel::Roof roof = kernel::getRoof(device);
  auto mend = [&](Finding &finding, const AccessVerdict &verdict) {
    setSeconds(finding, getDemand(trace, launch, roof, [&](const Event &event) {
                 return event.op->getLoc() == verdict.op->getLoc() &&
                        event.buffer == verdict.buffer &&
                        event.writes == verdict.writes;
               }));
  };
  // A loop that is unrolled has an access several times: they are one.
  std::vector<AccessVerdict> verdicts;
  std::map<std::tuple<std::string, unsigned, bool, Walk>, size_t> places;
  for (const AccessVerdict &verdict : getAccessVerdicts(trace)) {
    std::string place;
    llvm::raw_string_ostream(place) << verdict.op->getLoc();
    auto [at, isNew] = places.try_emplace(
        {place, verdict.buffer, verdict.writes, verdict.worst.walk},
        verdicts.size());
    if (isNew) {
      verdicts.push_back(verdict);
      continue;
    }
    AccessVerdict &sum = verdicts[at->second];
    sum.requests += verdict.requests;
    sum.pieces += verdict.pieces;
    sum.leastPieces += verdict.leastPieces;
    sum.bytes += verdict.bytes;
  }
  int64_t sectors = 0, turns = 0;
  for (const AccessVerdict &verdict : verdicts)
    (verdict.isShared ? turns : sectors) += verdict.pieces;
  // Copies of a loop for whole tiles and for edges say the same once.
  std::map<std::tuple<unsigned, std::string, bool, std::string>, KernelAccess>
      accesses;
  for (const AccessVerdict &verdict : verdicts) {
    KernelAccess access;
    FileLineColLoc place = findPlace(verdict.op->getLoc());
    access.line = place ? place.getLine() : 0;
    access.array = nameOf(trace, verdict.buffer, launch.op);
    access.walk = describe(verdict.worst, verdict.isShared, trace.symbols);
    access.isShared = verdict.isShared;
    access.reads = verdict.reads;
    access.writes = verdict.writes;
    access.lanes = getLanePlaces(trace, verdict.op, verdict.buffer);
    access.laneBytes = verdict.elementBytes * verdict.vector;
    KernelAccess &sum =
        accesses
            .try_emplace(
                {access.line, access.array, access.writes, access.walk}, access)
            .first->second;
    sum.requests += blocks * verdict.requests;
    sum.pieces += blocks * verdict.pieces;
    sum.bytes += blocks * verdict.bytes;

    double share =
        double(verdict.pieces) /
        double(std::max<int64_t>(verdict.isShared ? turns : sectors, 1));
    int64_t fewest = std::max<int64_t>(verdict.worst.fewestPieces, 1);
    if (verdict.isShared) {
      if (verdict.worst.walk != Walk::Conflicting || share < kShare)
        continue;
      Finding finding = begin(verdict.op, "bank-conflict");
      finding.what = "threads of a warp meet in the banks of shared memory: " +
                     access.walk;
      finding.cost = std::to_string(verdict.worst.pieces) +
                     " turns a request where " + std::to_string(fewest) +
                     " would do; " + shareText(share) +
                     " of the kernel's turns";
      finding.advice = "another order of the loop's indices has another tile; "
                       "'--without=kernel-stage-operands' leaves it out";
      mend(finding, verdict);
      program.findings.push_back(finding);
      continue;
    }
    bool isFar = verdict.worst.walk == Walk::Strided ||
                 verdict.worst.walk == Walk::Serialised ||
                 verdict.worst.walk == Walk::DataDependent;
    if (!isFar || share < kShare || verdict.pieces < 2 * fewest)
      continue;
    // Checks that fail write to arrays that have no name.
    if (verdict.worst.walk == Walk::DataDependent && verdict.writes &&
        !llvm::StringRef(access.array).starts_with("'"))
      continue;
    double each =
        double(verdict.pieces) / double(std::max<int64_t>(verdict.requests, 1));
    if (each < 2 * double(fewest) && verdict.worst.walk != Walk::DataDependent)
      continue;
    Finding finding =
        begin(verdict.op, verdict.worst.walk == Walk::DataDependent
                              ? "gathered-access"
                              : "strided-access");
    finding.what =
        std::string(verbOf(verdict.reads, verdict.writes)) + " " +
        access.array + " " +
        (verdict.worst.walk == Walk::DataDependent
             ? "wherever values say"
             : "with neighbouring threads far apart (" + access.walk + ")");
    llvm::raw_string_ostream os(finding.cost);
    os << (verdict.worst.walk == Walk::DataDependent ? "up to " : "")
       << llvm::format("%.3g", each) << " sectors a request where " << fewest
       << " would do: " << sizeText(32 * blocks * verdict.pieces)
       << " a launch for " << sizeText(blocks * verdict.bytes) << ", "
       << shareText(share) << " of what the kernel moves";
    finding.advice = adviceFor(verdict);
    mend(finding, verdict);
    program.findings.push_back(finding);
  }
  for (auto &[key, access] : accesses)
    kernel.accesses.push_back(access);
}

/// Whether something below is worth waiting for.
static bool holdsWork(mlir::Region &region) {
  unsigned count = 0;
  region.walk([&](Operation *) { ++count; });
  return count > 4;
}

void KernelReader::readBranches(const Trace &trace) {
  for (const BranchVerdict &verdict : getBranchVerdicts(trace)) {
    auto branch = dyn_cast<mlir::scf::IfOp>(verdict.op);
    bool isLoop = isa<mlir::scf::WhileOp, mlir::scf::ForOp>(verdict.op);
    bool isKnown =
        verdict.kind == BranchVerdict::Divergent && verdict.idle >= kIdle;
    bool isOfData = verdict.kind == BranchVerdict::MayDiverge && verdict.isData;
    if (!isKnown && !isOfData)
      continue;
    // Lanes that skip something wait no longer than without a branch; a check
    // of an index is no choice of the program's.
    if (!isLoop && (!branch || !holdsWork(branch.getThenRegion()) ||
                    !holdsWork(branch.getElseRegion())))
      continue;
    Finding finding = begin(verdict.op, "divergent-branch");
    finding.what =
        isLoop    ? "threads of a warp leave this loop at different times"
        : isKnown ? "threads of a warp take both ways, one after the other"
                  : "threads of a warp may take both ways, as values decide";
    finding.cost = isKnown ? shareText(verdict.idle) + " of the lanes wait"
                           : "a warp takes as long as all of its ways together";
    finding.advice =
        isLoop
            ? "give neighbouring elements the same number of steps, or bound "
              "the steps and mask the rest"
        : isKnown
            ? "let the condition depend on something that 32 neighbouring "
              "elements have in common, or split the loop in two"
            : "compute both values and choose one of them, or sort elements "
              "by the condition";
    if (isKnown && kernel.demand) {
      // The lanes that wait would do the work of others.
      kernel::Demand better = *kernel.demand;
      better.instructions *= 1 - verdict.idle;
      setSeconds(finding, better);
    }
    program.findings.push_back(finding);
  }
}

void KernelReader::readOrder(const Trace &trace) {
  for (const BarrierVerdict &verdict : getBarrierVerdicts(trace)) {
    ++kernel.barriers;
    kernel.needlessBarriers += verdict.isNeedless;
  }
  // Whoever writes kernels by hand has sizes, and no compiler that proves.
  for (const BoundVerdict &verdict : getBoundVerdicts(trace)) {
    if (verdict.kind != BoundVerdict::Outside)
      continue;
    Finding finding = begin(verdict.op, "out-of-bounds");
    finding.isError = true;
    finding.what = "an index is outside of its array: " +
                   std::to_string(verdict.range.low) + " to " +
                   std::to_string(verdict.range.high) + " of " +
                   std::to_string(verdict.size.value_or(0));
    program.findings.push_back(finding);
  }
}

void KernelReader::read() {
  mlir::gpu::GPUFuncOp function = launch.kernel;
  kernel.name = function.getName().str();
  if (FileLineColLoc place = findPlace(function.getLoc()))
    kernel.place =
        (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()))
            .str();
  LaunchFacts facts = launch.facts;
  std::array<int64_t, 3> middle{};
  for (unsigned d = 0; d < 3; ++d) {
    int64_t count = facts.blocks[d].value_or(1);
    blocks *= count;
    middle[d] = count / 2;
  }
  facts.block = middle;
  kernel.threads = facts.threads;
  kernel.blocks = facts.blocks;
  kernel.isInLoop = launch.loop;
  kernel.isPossible = launch.isPossible;
  if (blocks == 0) {
    kernel.problem = "a size is 0: nothing runs";
    program.kernels.push_back(std::move(kernel));
    return;
  }
  Trace trace(function, facts);
  kernel.problem = trace.problem;
  if (trace.problem.empty()) {
    combineNeighbours(trace);
    if (countBlocks(launch)) {
      kernel.demand = getDemand(trace, launch, kernel::getRoof(device),
                                [](const Event &) { return false; });
      kernel.estimate = estimate(*kernel.demand, device);
    }
    readAccesses(trace);
    readBranches(trace);
    readOrder(trace);
    for (const CostRow &row : getCosts(trace))
      kernel.costs.push_back(
          {row.name,
           {row.depth.str(trace.symbols), row.work.str(trace.symbols)}});
  }
  program.kernels.push_back(std::move(kernel));
}

void arrc::tool::report(const HostWay &way, kernel::DeviceAttr device,
                        ProgramReport &program) {
  for (const HostLaunch &launch : way.launches)
    KernelReader(launch, device, program).read();
  kernel::Roof roof = kernel::getRoof(device);
  for (const HostAccess &copy : way.copies) {
    // Constants and scalars are not worth a word.
    if (copy.bytes && *copy.bytes < 4096)
      continue;
    auto op = cast<mlir::memref::CopyOp>(copy.op);
    Finding finding;
    setPlace(finding, op.getLoc());
    finding.rule = "copy";
    finding.what = "copies " + describeArray(op.getSource()) +
                   (copy.loop ? " in every step of a loop" : "");
    finding.cost = copy.bytes ? sizeText(*copy.bytes) + " are read and written"
                              : "all of it is read and written";
    if (copy.bytes)
      finding.seconds = roof.getSeconds(2 * double(*copy.bytes), 0);
    finding.advice = "an array that is used on afterwards cannot be changed in "
                     "place: use the new one only, or make it by a loop";
    program.findings.push_back(finding);
  }
  for (const HostAccess &read : way.reads) {
    if (!read.loop || way.launches.empty())
      continue;
    Finding finding;
    setPlace(finding, read.op->getLoc());
    if (finding.line == 0)
      setPlace(finding, read.loop->getLoc());
    finding.rule = "host-read";
    finding.what = "the host waits for a number of the device in every step";
    finding.cost = "a round trip, and nothing runs meanwhile";
    finding.advice = "ask every so many steps only (an inner 'loop'), or let "
                     "the number of steps be fixed";
    program.findings.push_back(finding);
  }
  // What has no place of its own has that of its kernel; without one of these
  // it is of no use to anybody.
  llvm::erase_if(program.findings,
                 [](const Finding &finding) { return finding.line == 0; });
  llvm::sort(program.findings);
  // Versions and copies of a loop say the same of a line.
  program.findings.erase(
      std::unique(program.findings.begin(), program.findings.end(),
                  [](const Finding &a, const Finding &b) {
                    return a.file == b.file && a.line == b.line &&
                           a.column == b.column && a.rule == b.rule &&
                           a.what == b.what;
                  }),
      program.findings.end());
}
