//===- ScheduleSteps.cpp - Steps that change schedules --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A step makes another schedule of the one that a launch has, or of each of its
// versions. It is tried on a copy before the launch gets it (TrySchedule.h).
//
//===----------------------------------------------------------------------===//

#include "TrySchedule.h"

#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Kernel/TransformOps/KernelTransformOps.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;
using namespace arrc::kernel::script;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Schedules in parts
//===----------------------------------------------------------------------===//

namespace {
/// The clauses of a schedule, to be changed one by one.
struct Clauses {
  explicit Clauses(ScheduleAttr schedule)
      : context(schedule.getContext()), dims(schedule.getDims()),
        order(schedule.getOrder()), stage(schedule.getStage()),
        keep(schedule.getKeep()), privates(schedule.getPrivates()),
        roll(schedule.getRoll()), splitBoundary(schedule.getSplitBoundary()),
        indexBits(schedule.getIndexBits()),
        multiplies(schedule.getMultiplies()) {}

  Expected<ScheduleAttr> make() const;

  /// The digits of `dim`, added if it has none.
  SmallVector<DigitAttr> getDigits(StringRef dim) const {
    for (DimDigitsAttr digits : dims)
      if (digits.getDim() == dim)
        return SmallVector<DigitAttr>(digits.getDigits());
    return {};
  }
  /// Gives `dim` these digits. An order that names the old ones goes.
  void setDigits(StringRef dim, ArrayRef<DigitAttr> digits);

  MLIRContext *context;
  SmallVector<DimDigitsAttr> dims;
  SmallVector<StringAttr> order;
  SmallVector<ClauseAttr> stage, keep, privates, roll;
  bool splitBoundary;
  unsigned indexBits;
  bool multiplies;
};
} // namespace

template <typename... Parts> static llvm::Error refuse(Parts &&...parts) {
  std::string text;
  (text.append(parts), ...);
  return llvm::createStringError(text);
}

Expected<ScheduleAttr> Clauses::make() const {
  std::string problem;
  ScopedDiagnosticHandler listen(context, [&](Diagnostic &diagnostic) {
    problem = diagnostic.str();
    return success();
  });
  // Launches that deal threads are the planner's: what is written is meant.
  if (failed(ScheduleAttr::verify(
          [&] { return emitError(UnknownLoc::get(context)); }, dims, order,
          stage, keep, privates, roll, splitBoundary, indexBits,
          /*deals=*/false, multiplies)))
    return refuse(problem);
  return ScheduleAttr::get(context, dims, order, stage, keep, privates, roll,
                           splitBoundary, indexBits, /*deals=*/false,
                           multiplies);
}

void Clauses::setDigits(StringRef dim, ArrayRef<DigitAttr> digits) {
  DimDigitsAttr made =
      DimDigitsAttr::get(context, StringAttr::get(context, dim), digits);
  for (DimDigitsAttr &old : dims)
    if (old.getDim() == dim) {
      if (old.getDigits().size() != digits.size())
        order.clear();
      old = made;
      return;
    }
  order.clear();
  dims.push_back(made);
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

static StringRef dimOf(Operation *target) {
  return cast<ForOp>(target).getDim();
}

static DigitAttr digit(MLIRContext *context, LevelKind kind, int64_t size) {
  return DigitAttr::get(context, LevelAttr::get(context, kind, 0), size);
}

Expected<ScheduleAttr> TileOp::change(LaunchOp, Operation *target,
                                      ScheduleAttr schedule) {
  Clauses clauses(schedule);
  SmallVector<DigitAttr> digits(getDigits().getAsRange<DigitAttr>());
  clauses.setDigits(dimOf(target), digits);
  return clauses.make();
}

Expected<ScheduleAttr> UnrollOp::change(LaunchOp, Operation *target,
                                        ScheduleAttr schedule) {
  constexpr uint64_t most = 64;
  if (getSize() > most)
    return refuse("more than 64 copies are not made");
  Clauses clauses(schedule);
  SmallVector<DigitAttr> digits = clauses.getDigits(dimOf(target));
  if (digits.empty())
    digits.push_back(digit(getContext(), LevelKind::Seq, 0));
  DigitAttr made = digit(getContext(), LevelKind::Unroll, getSize());
  auto *old = llvm::find_if(
      digits, [](DigitAttr digit) { return digit.getLevel().isUnroll(); });
  if (old != digits.end()) {
    *old = made;
  } else {
    auto *place = llvm::find_if(digits, [](DigitAttr digit) {
      return digit.getLevel().isThread() || digit.getLevel().isVector();
    });
    // What takes the rest of the dimension stays in front.
    if (place != digits.end() && place == digits.begin())
      ++place;
    digits.insert(place, made);
  }
  clauses.setDigits(dimOf(target), digits);
  return clauses.make();
}

Expected<ScheduleAttr> VectorizeOp::change(LaunchOp, Operation *target,
                                           ScheduleAttr schedule) {
  Clauses clauses(schedule);
  SmallVector<DigitAttr> digits = clauses.getDigits(dimOf(target));
  if (digits.empty())
    digits.push_back(digit(getContext(), LevelKind::Seq, 0));
  DigitAttr made = digit(getContext(), LevelKind::Vector, getSize());
  if (digits.back().getLevel().isVector())
    digits.back() = made;
  else
    digits.push_back(made);
  clauses.setDigits(dimOf(target), digits);
  return clauses.make();
}

Expected<ScheduleAttr> InterchangeOp::change(LaunchOp launch, Operation *,
                                             ScheduleAttr schedule) {
  Trial now = trySchedule(launch, schedule);
  if (!now.problem.empty())
    return refuse(now.problem);
  // What the schedule leaves whole has no digit and no place in an order.
  SmallVector<std::string> order;
  for (const std::string &loop : now.loops)
    if (schedule.lookup(StringRef(loop).rsplit('.').first) &&
        StringRef(loop).contains('.'))
      order.push_back(loop);
  SmallVector<StringRef> wanted;
  for (StringAttr name : getOrder().getAsRange<StringAttr>()) {
    if (!llvm::is_contained(order, name.getValue()))
      return refuse("there is no digit '", name.getValue().str(),
                    "'; there are ", llvm::join(order, ", "));
    if (llvm::is_contained(wanted, name.getValue()))
      return refuse("'", name.getValue().str(), "' is named twice");
    wanted.push_back(name);
  }
  Clauses clauses(schedule);
  clauses.order.clear();
  auto next = wanted.begin();
  for (const std::string &loop : order)
    clauses.order.push_back(StringAttr::get(
        getContext(), llvm::is_contained(wanted, loop) ? *next++ : loop));
  return clauses.make();
}

/// Whether a schedule of `launch` speaks of an array by this name.
static bool isUsed(LaunchOp launch, StringRef name) {
  auto speaks = [&](ScheduleAttr schedule) {
    if (!schedule)
      return false;
    for (ArrayRef<ClauseAttr> clauses :
         {schedule.getStage(), schedule.getKeep(), schedule.getPrivates(),
          schedule.getRoll()})
      for (ClauseAttr clause : clauses)
        if (clause.getArray() == name)
          return true;
    return false;
  };
  if (ArrayAttr versions = launch.getVersionsAttr())
    for (auto version : versions.getAsRange<VersionAttr>())
      if (speaks(version.getSchedule()))
        return true;
  return speaks(launch.getScheduleAttr());
}

/// The array of `launch` that a person calls `name`, in the text of the launch
/// or in the program.
static BlockArgument findNamed(LaunchOp launch, StringRef name) {
  if (BlockArgument array = findArray(launch, name))
    return array;
  std::string spelled = ("'" + name + "'").str();
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    if (isa<MemRefType>(argument.getType()) &&
        describeArray(launch.getOperandOf(argument).get()) == spelled)
      return argument;
  return {};
}

/// What clauses call the array that a person calls `name`: the launch gets that
/// name for it unless its schedules speak of another.
static Expected<StringAttr> getClauseName(LaunchOp launch, StringRef name) {
  BlockArgument array = findNamed(launch, name);
  if (!array)
    return refuse("the kernel has no array '", name.str(), "'");
  unsigned number = array.getArgNumber();
  StringRef known = launch.getArgName(number);
  if (known.empty() || !isUsed(launch, known))
    launch.setArgName(number, name);
  return StringAttr::get(launch.getContext(), launch.getArgName(number));
}

/// Puts a clause in the place of the one about the same array.
static void setClause(SmallVectorImpl<ClauseAttr> &clauses, ClauseAttr made) {
  llvm::erase_if(clauses, [&](ClauseAttr clause) {
    return clause.getArray() == made.getArray();
  });
  clauses.push_back(made);
}

Expected<ScheduleAttr> StageOp::change(LaunchOp launch, Operation *,
                                       ScheduleAttr schedule) {
  Expected<StringAttr> name = getClauseName(launch, getArray());
  if (!name)
    return name.takeError();
  Clauses clauses(schedule);
  setClause(clauses.stage,
            ClauseAttr::get(getContext(), *name, getDigitAttr(),
                            StringAttr::get(getContext(), "shared"), getPad(),
                            getTurned(), getAhead()));
  return clauses.make();
}

Expected<ScheduleAttr> PrivatizeOp::change(LaunchOp launch, Operation *,
                                           ScheduleAttr schedule) {
  Expected<StringAttr> name = getClauseName(launch, getArray());
  if (!name)
    return name.takeError();
  Clauses clauses(schedule);
  StringRef space = getRanges() ? "ranges" : "shared";
  setClause(clauses.privates,
            ClauseAttr::get(getContext(), *name, getDigitAttr(),
                            StringAttr::get(getContext(), space),
                            getRanges() ? 0 : int64_t(getCopies())));
  return clauses.make();
}

Expected<ScheduleAttr> SetScheduleOp::change(LaunchOp, Operation *,
                                             ScheduleAttr) {
  return getSchedule();
}

//===----------------------------------------------------------------------===//
// Applying them
//===----------------------------------------------------------------------===//

static Value targetsOf(Operation *step) { return step->getOperand(0); }

/// The launch that a target is or is in; null if there is none.
static LaunchOp launchOf(Operation *target, bool isLoop) {
  if (isLoop)
    return isa<ForOp>(target) ? target->getParentOfType<LaunchOp>()
                              : LaunchOp();
  return dyn_cast<LaunchOp>(target);
}

/// Changes the schedule of `launch`, or those of its versions (`only` is one of
/// them, from 1 on; 0: all).
template <typename Step>
static DiagnosedSilenceableFailure
changeLaunch(Step step, LaunchOp launch, Operation *target, uint64_t only) {
  MLIRContext *context = launch.getContext();
  auto fail = [&](const Twine &why, std::optional<Location> place) {
    auto error = step.emitSilenceableError();
    error << why;
    error.attachNote(place.value_or(launch.getLoc()))
        << "in kernel '" << launch.getKernelName() << "'";
    return DiagnosedSilenceableFailure(std::move(error));
  };
  ArrayAttr versions = launch.getVersionsAttr();
  size_t count = versions ? versions.size() : 0;
  if (only > count)
    return fail("the kernel has " + Twine(count) + " versions", {});

  auto changeOne = [&](ScheduleAttr old, ScheduleAttr &made) {
    Expected<ScheduleAttr> changed = step.change(launch, target, old);
    if (!changed)
      return fail(llvm::toString(changed.takeError()), {});
    Trial trial = trySchedule(launch, *changed);
    if (!trial.problem.empty())
      return fail(trial.problem, trial.place);
    made = *changed;
    return DiagnosedSilenceableFailure::success();
  };
  ScheduleAttr made;
  if (!count || (std::is_same_v<Step, SetScheduleOp> && !only)) {
    ScheduleAttr old = launch.getScheduleAttr();
    if (!old)
      old = ScheduleAttr::get(context, {}, {}, {}, {}, {}, {}, false, 64);
    DiagnosedSilenceableFailure done = changeOne(old, made);
    if (!done.succeeded())
      return done;
    launch.removeVersionsAttr();
    launch.removeVersionSizesAttr();
    launch.setScheduleAttr(made);
    return DiagnosedSilenceableFailure::success();
  }
  SmallVector<Attribute> changed(versions.begin(), versions.end());
  for (size_t i = 0; i < count; ++i) {
    if (only && only != i + 1)
      continue;
    auto version = cast<VersionAttr>(changed[i]);
    DiagnosedSilenceableFailure done = changeOne(version.getSchedule(), made);
    if (!done.succeeded())
      return done;
    changed[i] = VersionAttr::get(context, version.getWhen(), made);
  }
  launch.setVersionsAttr(ArrayAttr::get(context, changed));
  return DiagnosedSilenceableFailure::success();
}

template <typename Step>
static DiagnosedSilenceableFailure changeAll(Step step, bool isLoop,
                                             transform::TransformState &state,
                                             uint64_t only = 0) {
  SmallVector<std::pair<LaunchOp, StringRef>> done;
  for (Operation *target : state.getPayloadOps(targetsOf(step))) {
    LaunchOp launch = launchOf(target, isLoop);
    if (!launch) {
      auto error = step.emitSilenceableError();
      error << "'" << target->getName() << "' is no "
            << (isLoop ? "loop of a kernel" : "kernel.launch");
      return error;
    }
    // Loops over one dimension have one set of digits.
    std::pair<LaunchOp, StringRef> which(launch,
                                         isLoop ? dimOf(target) : StringRef());
    if (llvm::is_contained(done, which))
      continue;
    done.push_back(which);
    DiagnosedSilenceableFailure result =
        changeLaunch(step, launch, target, only);
    if (!result.succeeded())
      return result;
  }
  return DiagnosedSilenceableFailure::success();
}

#define SCHEDULE_STEP(STEP, IS_LOOP, ONLY)                                     \
  DiagnosedSilenceableFailure STEP::apply(transform::TransformRewriter &,      \
                                          transform::TransformResults &,       \
                                          transform::TransformState &state) {  \
    return changeAll(*this, IS_LOOP, state, ONLY);                             \
  }                                                                            \
  void STEP::getEffects(                                                       \
      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {               \
    transform::onlyReadsHandle(getOperation()->getOpOperands(), effects);      \
    transform::modifiesPayload(effects);                                       \
  }
SCHEDULE_STEP(TileOp, true, 0)
SCHEDULE_STEP(UnrollOp, true, 0)
SCHEDULE_STEP(VectorizeOp, true, 0)
SCHEDULE_STEP(InterchangeOp, false, 0)
SCHEDULE_STEP(StageOp, false, 0)
SCHEDULE_STEP(PrivatizeOp, false, 0)
SCHEDULE_STEP(SetScheduleOp, false, getVersion().value_or(0))
#undef SCHEDULE_STEP

DiagnosedSilenceableFailure
ClearScheduleOp::apply(transform::TransformRewriter &,
                       transform::TransformResults &,
                       transform::TransformState &state) {
  for (Operation *target : state.getPayloadOps(getLaunches())) {
    auto launch = dyn_cast<LaunchOp>(target);
    if (!launch) {
      auto error = emitSilenceableError();
      error << "'" << target->getName() << "' is no kernel.launch";
      return error;
    }
    launch.removeScheduleAttr();
    launch.removeVersionsAttr();
    launch.removeVersionSizesAttr();
  }
  return DiagnosedSilenceableFailure::success();
}

void ClearScheduleOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getOperation()->getOpOperands(), effects);
  transform::modifiesPayload(effects);
}
