//===- Matrices.cpp - what a warp multiplies together ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// mma.sync.aligned of f64, f16 and bf16. Fragments: PTX ISA, "Warp Level Matrix
// Multiply-Accumulate Instructions".
//
//===----------------------------------------------------------------------===//

#include "emulator/Floats.h"
#include "emulator/Handlers.h"

#include <cmath>

using namespace emulator;

namespace {
/// Steps of the largest shape.
constexpr int mostSteps = 16;

/// Element `u` of a register of an operand.
template <typename T> double element(uint64_t cell, int u) {
  if constexpr (sizeof(T) == 8)
    return get<double>(cell);
  else
    return toDouble(T{uint16_t(cell >> 16 * u)});
}

/// Operands of type T, sums of type R: kind is the number of rows, count that
/// of steps. The slots are those of results, rows, columns and addends.
template <typename T, typename R>
void multiply(Warp &warp, const Instruction &at, Mask mask) {
  if (!warp.gather(mask, warp.cells(at.from[0])))
    return;
  if (mask != allLanes)
    warp.fail(arrt::cuda::launchFailed, at,
              "not all lanes of the warp are here");
  constexpr int packed = sizeof(T) == 8 ? 1 : 2, columns = 8;
  int rows = at.kind, steps = at.count, halves = rows / 8,
      groups = steps / (4 * packed);
  const int32_t *slots = warp.program.operands[size_t(at.operands)].data();
  const int32_t *results = slots, *left = results + 2 * halves,
                *right = left + halves * groups, *addends = right + groups;
  double a[16][mostSteps], b[mostSteps][columns];
  for (int lane = 0; lane < lanes; ++lane) {
    int group = lane / 4, first = lane % 4 * packed;
    for (int k = 0; k < groups; ++k)
      for (int u = 0; u < packed; ++u) {
        int step = k * 4 * packed + first + u;
        for (int half = 0; half < halves; ++half)
          a[half * 8 + group][step] =
              element<T>(warp.cells(left[k * halves + half])[lane], u);
        b[step][group] = element<T>(warp.cells(right[k])[lane], u);
      }
  }
  // Results may be where addends are, of the same lane.
  for (int lane = 0; lane < lanes; ++lane)
    for (int k = 0; k < 2 * halves; ++k) {
      int row = k / 2 * 8 + lane / 4, column = lane % 4 * 2 + k % 2;
      R sum = get<R>(warp.cells(addends[k])[lane]);
      for (int step = 0; step < steps; ++step)
        sum = R(std::fma(a[row][step], b[step][column], double(sum)));
      warp.cells(results[k])[lane] = put(canonical(sum));
    }
}

void decodeMultiply(Decoder &decoder) {
  for (const char *part : {"sync", "aligned"})
    if (!decoder.take(part))
      decoder.fail(std::string("expected .") + part);
  struct Shape {
    int rows, steps;
    bool isWide, isNarrow; ///< whether there is one of f64, of 16 bits
  };
  static constexpr Shape shapes[] = {{8, 4, true, false},
                                     {16, 4, true, false},
                                     {16, 8, true, true},
                                     {16, 16, true, true}};
  int number = decoder.takeOne({"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"});
  if (number < 0 || !decoder.take("row") || !decoder.take("col"))
    decoder.fail("the emulator knows .m8n8k4, .m16n8k4, .m16n8k8 and "
                 ".m16n8k16, .row.col");
  Type result = decoder.takeType(), left = decoder.takeType(),
       right = decoder.takeType(), addend = decoder.takeType();
  bool isWide = result == Type::f64;
  const Shape &shape = shapes[number];
  Handler handler = left == Type::f64    ? multiply<double, double>
                    : left == Type::f16  ? multiply<Half, float>
                    : left == Type::bf16 ? multiply<BFloat, float>
                                         : nullptr;
  if (!(isWide ? shape.isWide : shape.isNarrow) || !handler || left != right ||
      result != addend || (isWide ? left : Type::f32) != result)
    decoder.fail("the emulator multiplies f64, and f16 or bf16 for f32");
  decoder.expectOperands(4, 4);
  int halves = shape.rows / 8, groups = shape.steps / (isWide ? 4 : 8);
  const int counts[] = {2 * halves, halves * groups, groups, 2 * halves};
  const Type types[] = {result, isWide ? Type::f64 : Type::b32,
                        isWide ? Type::f64 : Type::b32, result};
  std::vector<int32_t> slots;
  for (size_t k = 0; k < 4; ++k) {
    const Operand &operand = decoder.operands[k];
    std::vector<Operand> parts = operand.kind == Operand::vector
                                     ? operand.parts
                                     : std::vector<Operand>{operand};
    if (int(parts.size()) != counts[k])
      decoder.fail("an operand has another number of registers");
    for (const Operand &part : parts)
      slots.push_back(k ? decoder.sourceOf(part, types[k])
                        : decoder.resultOf(part));
  }
  int32_t members = decoder.constant(allLanes);
  Instruction &made = decoder.emit(handler);
  made.from[0] = members;
  made.kind = uint8_t(shape.rows);
  made.count = uint8_t(shape.steps);
  made.operands = int32_t(decoder.function.operands.size());
  decoder.function.operands.push_back(std::move(slots));
}
} // namespace

void emulator::addMatrices(Decoders &all) { all["mma"] = decodeMultiply; }
