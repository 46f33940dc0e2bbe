//===- Control.cpp - branches, calls and barriers -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Handlers.h"

using namespace emulator;

namespace {
void nothing(Warp &, const Instruction &, Mask) {}

/// Memory is in order: only the search for races is told.
void fence(Warp &warp, const Instruction &, Mask mask) {
  if (warp.launch.races)
    warp.launch.races->fence(warp, mask);
}

void branch(Warp &warp, const Instruction &at, Mask mask) {
  warp.branch(mask, at.target);
}

/// brx.idx: a target of a list.
void branchIndexed(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *index = warp.cells(at.from[0]);
  const auto &list = warp.program.lists[size_t(at.list)];
  uint64_t targets[lanes];
  forLanes(mask, [&](int l) {
    if (uint32_t(index[l]) >= list.size())
      warp.fail(arrt::cuda::launchFailed, at, "there is no such target", l);
    targets[l] = uint64_t(list[uint32_t(index[l])]);
  });
  warp.branchTo(mask, targets);
}

void call(Warp &warp, const Instruction &at, Mask mask) {
  uint64_t *back = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) { back[l] = uint64_t(warp.next()); });
  warp.branch(mask, at.target);
}

void comeBack(Warp &warp, const Instruction &at, Mask mask) {
  warp.branchTo(mask, warp.cells(at.from[0]));
}

void exitLanes(Warp &warp, const Instruction &at, Mask mask) {
  if (warp.launch.isEarly && mask & ~warp.hasWaited)
    warp.fail(arrt::cuda::launchFailed, at,
              "ends without waiting for the launch before",
              __builtin_ctz(mask & ~warp.hasWaited));
  warp.exit(mask);
}

/// griddepcontrol.wait: launches run one after the other, so it has come true.
void waitForLaunch(Warp &warp, const Instruction &, Mask mask) {
  warp.hasWaited |= mask;
}

void trap(Warp &warp, const Instruction &at, Mask mask) {
  if (mask)
    warp.fail(arrt::cuda::launchFailed, at, "trap", __builtin_ctz(mask));
}

/// Parameters of a call, which are in local memory on both sides.
void copyParameter(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *from = warp.cells(at.from[0]), *to = warp.cells(at.from[1]);
  forLanes(mask, [&](int l) {
    std::memcpy(warp.local(l) + to[l], warp.local(l) + from[l],
                size_t(at.offset));
  });
}

/// cudaGraphSetConditional(handle, value): see cuGraphConditionalHandleCreate.
void setConditional(Warp &warp, const Instruction &at, Mask mask) {
  forLanes(mask, [&](int l) {
    uint64_t handle;
    uint32_t value;
    std::memcpy(&handle, warp.local(l) + warp.cells(at.from[0])[l], 8);
    std::memcpy(&value, warp.local(l) + warp.cells(at.from[1])[l], 4);
    *reinterpret_cast<uint64_t *>(uintptr_t(handle)) = value;
  });
}

void emitCopies(Decoder &decoder, const Operand &list, uint8_t kind) {
  uint8_t number = 0;
  for (const Operand &part : list.parts) {
    if (!part.hasVariable || part.variable.space != Space::local)
      decoder.fail("'" + part.text + "' is no .param variable");
    int32_t place = decoder.constant(part.variable.place, Source::local);
    Instruction &made = decoder.emit(copyParameter);
    made.kind = kind;
    made.flags = isControl; // its function is looked up
    made.count = number++;
    made.offset = int64_t(part.variable.bytes);
    made.from[kind == kindArgument ? 0 : 1] = place;
  }
}

void decodeCall(Decoder &decoder) {
  decoder.take("uni");
  decoder.expectOperands(1, 3);
  auto &operands = decoder.operands;
  Operand results, arguments;
  size_t name = operands[0].kind == Operand::list ? 1 : 0;
  if (name)
    results = operands[0];
  if (operands.size() > name + 1)
    arguments = operands[name + 1];
  if (name >= operands.size() || operands[name].kind != Operand::name ||
      (arguments.kind != Operand::none && arguments.kind != Operand::list))
    decoder.fail("the emulator knows calls of named functions alone");
  emitCopies(decoder, arguments, kindArgument);
  Instruction &made = decoder.emit(call);
  made.kind = kindCall;
  made.flags = isControl;
  emitCopies(decoder, results, kindResult);
}

void decodeBranch(Decoder &decoder) {
  bool isIndexed = decoder.take("idx");
  decoder.take("uni");
  decoder.expectOperands(isIndexed ? 2 : 1, isIndexed ? 2 : 1);
  int32_t index = isIndexed ? decoder.source(0, Type::u32) : -1;
  if (decoder.operands.back().kind != Operand::name)
    decoder.fail("the target is no label");
  Instruction &made = decoder.emit(isIndexed ? branchIndexed : branch);
  made.from[0] = index;
  made.flags = isControl;
}

void decodeReturn(Decoder &decoder) {
  decoder.take("uni");
  decoder.expectOperands(0, 0);
  bool isEntry = decoder.function.isEntry;
  Instruction &made = decoder.emit(isEntry ? exitLanes : comeBack);
  made.from[0] = isEntry ? -1 : decoder.function.returnSlot;
}

/// bar.sync a{, b}; kind 1: bar.arrive, which does not wait.
void barrier(Warp &warp, const Instruction &at, Mask mask) {
  if (!mask)
    return;
  int first = __builtin_ctz(mask);
  uint64_t number = warp.cells(at.from[0])[first];
  uint64_t count = at.from[1] < 0 ? 0 : uint32_t(warp.cells(at.from[1])[first]);
  if (number > 15)
    warp.fail(arrt::cuda::launchFailed, at, "there is no such barrier", first);
  if (at.kind == 0)
    warp.wait(mask, int32_t(number));
  warp.block.arrive(int32_t(number), __builtin_popcount(mask), count);
}

void warpBarrier(Warp &warp, const Instruction &at, Mask mask) {
  // Orders what the lanes did if all of them are here.
  if (warp.gather(mask, warp.cells(at.from[0])) && mask == warp.alive)
    ++warp.epoch;
}

void decodeBarrier(Decoder &decoder) {
  if (decoder.take("warp")) {
    decoder.take("sync");
    int32_t members = decoder.source(0, Type::b32);
    decoder.emit(warpBarrier).from[0] = members;
    return;
  }
  decoder.take("cta");
  int kind = decoder.takeOne({"sync", "arrive"});
  decoder.take("aligned");
  if (kind < 0)
    decoder.fail("expected .sync or .arrive");
  decoder.expectOperands(1 + kind, 2);
  int32_t number = decoder.source(0, Type::u32);
  int32_t count =
      decoder.operands.size() > 1 ? decoder.source(1, Type::u32) : -1;
  Instruction &made = decoder.emit(barrier);
  made.kind = uint8_t(kind);
  made.from[0] = number;
  made.from[1] = count;
}
} // namespace

Handler emulator::findBuiltin(const std::string &name) {
  return name == "cudaGraphSetConditional" ? setConditional : nullptr;
}

void emulator::addControl(Decoders &all) {
  all["bra"] = all["brx"] = decodeBranch;
  all["call"] = decodeCall;
  all["ret"] = decodeReturn;
  all["exit"] = [](Decoder &decoder) { decoder.emit(exitLanes); };
  all["trap"] = [](Decoder &decoder) { decoder.emit(trap); };
  all["bar"] = all["barrier"] = decodeBarrier;
  all["fence"] = [](Decoder &decoder) {
    decoder.takeOne({"sc", "acq_rel", "acquire", "release"});
    decoder.takeOne({"gpu", "sys", "cta", "cluster"});
    decoder.emit(fence);
  };
  all["membar"] = [](Decoder &decoder) {
    decoder.takeOne({"gl", "sys", "cta"});
    decoder.emit(fence);
  };
  all["griddepcontrol"] = [](Decoder &decoder) {
    int kind = decoder.takeOne({"wait", "launch_dependents"});
    if (kind < 0)
      decoder.fail("expected .wait or .launch_dependents");
    decoder.expectOperands(0, 0);
    decoder.emit(kind ? nothing : waitForLaunch);
  };
  all["nanosleep"] = [](Decoder &decoder) {
    decoder.take("u32");
    decoder.emit(nothing);
  };
}
