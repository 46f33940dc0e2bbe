//===- Devices.cpp - arrc devices -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Verbs.h"

#include "arrt/arrt.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc::tool;

/// Bytes as whole MiB or GiB, as vendors count memory.
static std::string sizeText(int64_t bytes) {
  bool isLarge = bytes >= int64_t(1) << 31;
  return std::to_string(bytes >> (isLarge ? 30 : 20)) +
         (isLarge ? " GiB" : " MiB");
}

int arrc::tool::devices() {
  std::vector<arrt_device_info> infos(64);
  int32_t count = arrt_devices(infos.data(), int32_t(infos.size()));
  infos.resize(std::min<size_t>(infos.size(), size_t(count)));
  for (const arrt_device_info &info : infos) {
    std::string target = arrt_target_name(info.target);
    if (info.device >= 0 && info.target != ARRT_TARGET_CPU)
      target += ":" + std::to_string(info.device);
    outs() << left_justify(target, 10) << ' ';
    if (*info.problem) {
      if (*info.name)
        outs() << info.name << ": ";
      outs() << info.problem << "\n           help: " << info.remedy << '\n';
      continue;
    }
    outs() << info.name << ", " << info.arch << ", " << info.units << " units, "
           << sizeText(info.memory) << '\n';
  }
  return Done;
}
