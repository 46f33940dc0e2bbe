//===- OclgrindIL.cpp - Oclgrind as a device that takes SPIR-V ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Oclgrind simulates a device and reports races and accesses out of bounds, but
// it takes only LLVM 14's bitcode. This library is Oclgrind's with
// clCreateProgramWithIL: llvm-spirv-14 makes bitcode of SPIR-V. It is found by
// the runtime as ARRC_OPENCL_LIBRARY; what it does not define, the runtime
// finds in Oclgrind's library, which this one needs.
//
// LLVM 14's reader stops at scalar constants that are written as
// OpConstantNull, as newer LLVMs do; these become zeros.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace {
constexpr uint32_t deviceILVersion = 0x105B;
constexpr int32_t success = 0, invalidValue = -30, invalidBinary = -42;

enum Opcode : uint32_t {
  typeBool = 20,
  typeInt = 21,
  typeFloat = 22,
  constantFalse = 42,
  constant = 43,
  constantNull = 46
};

/// A function of Oclgrind's library, not the one of the same name here.
template <typename Function> Function *find(const char *name) {
  static void *library = dlopen(OCLGRIND_LIBRARY, RTLD_NOW);
  return reinterpret_cast<Function *>(library ? dlsym(library, name) : nullptr);
}

/// The module with scalar null constants written as numbers.
std::vector<uint32_t> withoutScalarNulls(const std::vector<uint32_t> &in) {
  std::vector<uint32_t> out(in.begin(), in.begin() + 5);
  std::map<uint32_t, uint32_t> widths;
  std::set<uint32_t> bools;
  for (size_t i = 5; i < in.size();) {
    uint32_t words = in[i] >> 16, opcode = in[i] & 0xffff;
    if (words == 0 || i + words > in.size())
      return in;
    if (opcode == typeInt || opcode == typeFloat)
      widths[in[i + 1]] = in[i + 2];
    if (opcode == typeBool)
      bools.insert(in[i + 1]);
    auto width = opcode == constantNull ? widths.find(in[i + 1]) : widths.end();
    if (width != widths.end()) {
      uint32_t numbers = width->second == 64 ? 2 : 1;
      out.push_back((3 + numbers) << 16 | constant);
      out.push_back(in[i + 1]);
      out.push_back(in[i + 2]);
      out.insert(out.end(), numbers, 0);
    } else if (opcode == constantNull && bools.count(in[i + 1])) {
      out.insert(out.end(), {3u << 16 | constantFalse, in[i + 1], in[i + 2]});
    } else {
      out.insert(out.end(), in.begin() + long(i), in.begin() + long(i + words));
    }
    i += words;
  }
  return out;
}

/// LLVM 14's bitcode of a SPIR-V module; empty if it cannot be made.
std::string toBitcode(const void *code, size_t bytes) {
  std::vector<uint32_t> words(bytes / 4);
  std::memcpy(words.data(), code, words.size() * 4);
  words = withoutScalarNulls(words);
  char name[] = "/tmp/arrc-oclgrind-XXXXXX";
  int file = mkstemp(name);
  if (file < 0)
    return "";
  close(file);
  std::string from = name, to = from + ".bc";
  std::ofstream(from, std::ios::binary)
      .write(reinterpret_cast<const char *>(words.data()),
             long(words.size() * 4));
  std::string command = std::string(LLVM_SPIRV) + " -r " + from + " -o " + to;
  std::string bitcode;
  if (std::system(command.c_str()) == 0) {
    std::ifstream in(to, std::ios::binary);
    bitcode.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::remove(from.c_str());
  std::remove(to.c_str());
  return bitcode;
}
} // namespace

extern "C" {

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t bytes, void *value,
                        size_t *needed) {
  if (what == deviceILVersion) {
    static const char text[] = "SPIR-V_1.2";
    if (needed)
      *needed = sizeof text;
    if (!value)
      return success;
    if (bytes < sizeof text)
      return invalidValue;
    std::memcpy(value, text, sizeof text);
    return success;
  }
  auto *real = find<decltype(clGetDeviceInfo)>("clGetDeviceInfo");
  return real(device, what, bytes, value, needed);
}

void *clCreateProgramWithIL(void *context, const void *code, size_t bytes,
                            int32_t *result) {
  std::string bitcode;
  if (bytes >= 20)
    bitcode = toBitcode(code, bytes);
  if (bitcode.empty()) {
    if (result)
      *result = invalidBinary;
    return nullptr;
  }
  using Get = int32_t(void *, uint32_t, size_t, void *, size_t *);
  constexpr uint32_t contextDevices = 0x1081;
  void *device = nullptr;
  find<Get>("clGetContextInfo")(context, contextDevices, sizeof device, &device,
                                nullptr);
  using Create = void *(void *, uint32_t, void *const *, const size_t *,
                        const unsigned char *const *, int32_t *, int32_t *);
  auto *data = reinterpret_cast<const unsigned char *>(bitcode.data());
  size_t size = bitcode.size();
  int32_t status;
  return find<Create>("clCreateProgramWithBinary")(context, 1, &device, &size,
                                                   &data, &status, result);
}

} // extern "C"
