//===- EmulatorFixture.h - PTX of a few lines, run --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_UNIT_EMULATORFIXTURE_H
#define ARRT_TEST_UNIT_EMULATORFIXTURE_H

#include "emulator/Launch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace arrt_test {

/// A kernel whose body is given: %rd0 is the address of `in`, %rd1 of `out`,
/// %r0 the number of the thread, %r1 of the block.
class Emulated {
public:
  explicit Emulated(const std::string &body, const std::string &before = "")
      : text(R"(.version 7.8
.target sm_90
.address_size 64
)" + before +
             R"(
.visible .entry k(.param .u64 k_0, .param .u64 k_1)
{
  .reg .pred %p<16>;
  .reg .b16 %rs<16>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd0, [k_0];
  ld.param.u64 %rd1, [k_1];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
)" + body + "\n  ret;\n}\n") {}

  /// The error of the launch or of loading, or "".
  std::string run() {
    try {
      auto module = emulator::parse(text);
      emulator::Program program = emulator::link(*module, "k");
      emulator::Memory memory;
      memory.add(address(in), in.size() * 8, address(in));
      memory.add(address(out), out.size() * 8, address(out));
      uint64_t values[] = {address(in), address(out)};
      std::vector<char> parameters(sizeof values);
      std::memcpy(parameters.data(), values, sizeof values);
      emulator::Launch launch(program, grid, memory, parameters, options);
      launch.written = written;
      launch.isEarly = isEarly;
      if (hasRaces)
        launch.races = std::make_unique<emulator::Races>();
      launch.run();
      counts = launch.counts;
    } catch (const emulator::Fault &fault) {
      return fault.text;
    }
    return "";
  }

  std::string text;
  std::vector<uint64_t> in = makePiece(), out = makePiece();
  emulator::Grid grid;
  emulator::Options options;
  emulator::Written *written = nullptr;
  emulator::Counts counts;
  bool hasRaces = false, isEarly = false;

private:
  /// 512 bytes, behind which no other piece begins: allocators that keep no
  /// notes of their own there, as a sanitizer's, would put one.
  static std::vector<uint64_t> makePiece() {
    std::vector<uint64_t> piece;
    piece.reserve(128);
    piece.resize(64);
    return piece;
  }

  static uint64_t address(std::vector<uint64_t> &data) {
    return uint64_t(uintptr_t(data.data()));
  }
};

} // namespace arrt_test

#endif // ARRT_TEST_UNIT_EMULATORFIXTURE_H
