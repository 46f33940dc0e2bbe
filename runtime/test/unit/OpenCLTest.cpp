//===- OpenCLTest.cpp - failures of OpenCL, one by one --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Devices.h"
#include "Fixture.h"
#include "conformance/Conformance.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

using namespace arrt;

namespace {

class OpenCL : public arrt_test::StubTest {
protected:
  OpenCL() : StubTest("ARRC_OPENCL_LIBRARY", ARRT_TEST_OPENCL_STUB) {}
};
using OpenCLDeathTest = OpenCL;

/// Uses every function once. Returns "", or what it was told went wrong.
std::string useAll() {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_OPENCL, 0, error);
  if (!device)
    return error;
  std::vector<float> host(64, 1);
  void *a = device->allocate(256), *b = device->allocate(256);
  auto finish = [&](const std::string &text) {
    for (void *data : {a, b})
      if (data)
        device->release(data, 256);
    return text;
  };
  if (!a || !b)
    return finish(device->allocationProblem());
  for (auto *d : {a, b})
    if (device->copyIn(d, host.data(), 256) ||
        device->copyIn(d, host.data(), 128))
      return finish(device->error());
  std::unique_ptr<Module> module =
      device->load(arrt_test::kernelsFor(ARRT_TARGET_OPENCL));
  if (!module)
    return finish(device->error());
  Launch launch;
  launch.name = "axpy";
  launch.kernel = module->kernel("axpy");
  if (!launch.kernel)
    return finish("clCreateKernel");
  for (int d = 0; d < 3; ++d)
    launch.grid[d] = launch.block[d] = 1;
  launch.block[0] = 32;
  launch.letters = "pp48";
  float factor = 2;
  int64_t n = 32;
  void *part = static_cast<char *>(b) + 128;
  void *args[] = {&a, &part, &factor, &n};
  launch.args = args;
  if (device->launch(launch) || device->synchronize() ||
      device->copyOut(host.data(), a, 256))
    return finish(device->error());
  for (size_t i = 0; i < 64; ++i)
    EXPECT_EQ(host[i], i < 32 ? 3 : 1);
  if (device->copy(b, a, 128) || device->fill(a, 7, 8, 128))
    return finish(device->error());
  return finish(device->freeMemory() > 0 ? "" : "freeMemory");
}

TEST_F(OpenCL, EveryFailureIsNamedAndLeavesNothing) {
  ASSERT_EQ(useAll(), "");
  auto isIn = [](const std::string &name,
                 std::initializer_list<const char *> names) {
    for (const char *other : names)
      if (name == other)
        return true;
    return false;
  };
  std::vector<std::string> names;
#define OPENCL_FUNCTION(result, name, parameters) names.push_back(#name);
#define OPENCL_OPTIONAL(result, name, parameters)
#include "OpenCL/OpenCLSymbols.def"
  for (const std::string &name : names) {
    // Cleaning up says nothing, and what failed to be given back stays.
    if (name.rfind("clRelease", 0) == 0)
      continue;
    // The binary is read from the cache, then made again.
    if (name != "clCreateProgramWithBinary")
      std::filesystem::remove_all(folder);
    int before = stub.calls(name.c_str());
    stub.fail(name.c_str(), -9999);
    std::string text = useAll();
    // Without a binary there is no cache, without a log no text of it.
    if (isIn(name, {"clCreateProgramWithBinary", "clGetProgramInfo",
                    "clGetPlatformInfo", "clGetDeviceInfo"}))
      EXPECT_EQ(text, "") << name;
    else if (isIn(name, {"clGetPlatformIDs", "clGetDeviceIDs"}))
      EXPECT_NE(text.find("there is no OpenCL device"), std::string::npos);
    else if (name != "clGetProgramBuildInfo")
      EXPECT_NE(text.find(name), std::string::npos) << name << ": " << text;
    if (name != "clGetProgramBuildInfo")
      EXPECT_GT(stub.calls(name.c_str()), before) << name << " is not called";
    stub.fail(name.c_str(), 0);
    EXPECT_EQ(stub.live(), 0) << name;
    EXPECT_EQ(useAll(), "") << "after " << name;
  }
}

TEST_F(OpenCL, TheCompilersLogIsShown) {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_OPENCL, 0, error);
  const uint32_t code[8] = {0x07230203};
  arrt_image image = {ARRT_IMAGE_SPIRV, sizeof code, code, nullptr};
  EXPECT_EQ(device->load(image), nullptr);
  EXPECT_NE(device->error().find("clBuildProgram: CL_BUILD_PROGRAM_FAILURE"),
            std::string::npos);
  EXPECT_NE(device->error().find("no kernel 'axpy'"), std::string::npos);
}

TEST_F(OpenCL, DevicesWithoutSPIRVAreListedAndNotUsed) {
  std::vector<arrt_device_info> infos(64);
  infos.resize(size_t(arrt_devices(infos.data(), 64)));
  int usable = 0, refused = 0;
  for (const arrt_device_info &info : infos) {
    if (info.target != ARRT_TARGET_OPENCL)
      continue;
    if (!*info.problem) {
      EXPECT_EQ(info.device, usable++);
      EXPECT_STREQ(info.name, "Stub Device");
      continue;
    }
    ++refused;
    EXPECT_EQ(info.device, -1);
    EXPECT_STREQ(info.name, "Old Device");
    EXPECT_STREQ(info.problem, "takes no SPIR-V");
    EXPECT_STRNE(info.remedy, "");
  }
  EXPECT_EQ(usable, 2);
  EXPECT_EQ(refused, 1);
  std::string error;
  EXPECT_EQ(makeDevice(ARRT_TARGET_OPENCL, 2, error), nullptr);
  EXPECT_NE(error.find("arrc devices"), std::string::npos);
}

TEST_F(OpenCL, AnAllocationNamesTheLimitThatItMeets) {
  arrt_options options = {};
  options.threads = 1;
  options.target = ARRT_TARGET_OPENCL;
  arrt_context *ctx = arrt_context_create(&options);
  ASSERT_EQ(arrt_last_status(ctx), 0) << arrt_message(ctx);
  EXPECT_EQ(arrt_buffer_alloc(ctx, int64_t(1) << 33, -1), nullptr);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_MEMORY);
  EXPECT_EQ(std::string(arrt_message(ctx)),
            "error: out of memory on opencl:0: an array needs 8.0 GiB, 4.0 GiB "
            "are free");
  EXPECT_EQ(arrt_buffer_alloc(ctx, int64_t(1) << 31, -1), nullptr);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_DEVICE);
  EXPECT_EQ(std::string(arrt_message(ctx)),
            "error: opencl:0: no array can be larger than 1073741824 bytes on "
            "this device, for an array");
  stub.failAlways("clCreateBuffer", -4);
  EXPECT_EQ(arrt_buffer_alloc(ctx, 64, -1), nullptr);
  stub.failAlways("clCreateBuffer", 0);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_MEMORY);
  void *data = arrt_buffer_alloc(ctx, 64, -1);
  EXPECT_NE(data, nullptr);
  arrt_buffer_free(ctx, data);
  arrt_context_destroy(ctx);
}

TEST_F(OpenCL, ArgumentsAreSetWhenTheyChange) {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_OPENCL, 0, error);
  std::unique_ptr<Module> module =
      device->load(arrt_test::kernelsFor(ARRT_TARGET_OPENCL));
  ASSERT_NE(module, nullptr) << device->error();
  Launch launch;
  launch.name = "axpy";
  launch.kernel = module->kernel("axpy");
  for (int d = 0; d < 3; ++d)
    launch.grid[d] = launch.block[d] = 1;
  launch.letters = "pp48";
  void *a = device->allocate(64), *b = device->allocate(64);
  float factor = 1;
  int64_t n = 1;
  void *args[] = {&a, &b, &factor, &n};
  launch.args = args;
  auto sets = [&] {
    int before = stub.calls("clSetKernelArg");
    EXPECT_EQ(device->launch(launch), 0) << device->error();
    return stub.calls("clSetKernelArg") - before;
  };
  EXPECT_EQ(sets(), 4);
  EXPECT_EQ(sets(), 0);
  factor = 2;
  EXPECT_EQ(sets(), 1);
  // Memory that came and went may have taken an argument's place.
  device->release(device->allocate(64), 64);
  EXPECT_EQ(sets(), 2);
  // What failed to be set is set again.
  n = 0;
  stub.fail("clSetKernelArg", -51);
  EXPECT_NE(device->launch(launch), 0);
  EXPECT_NE(device->error().find("clSetKernelArg: CL_INVALID_ARG_SIZE for "
                                 "argument 3 of 'axpy'"),
            std::string::npos)
      << device->error();
  EXPECT_EQ(sets(), 1);
  device->release(a, 64);
  device->release(b, 64);
}

// Forked: this process has its loader.
TEST_F(OpenCLDeathTest, no_LoaderThatIsNotThere) {
  auto tell = [&](const char *library) {
    ::setenv("ARRC_OPENCL_LIBRARY", library, 1);
    arrt_device_info info;
    arrt_device_facts(ARRT_TARGET_OPENCL, 0, &info);
    std::fprintf(stderr, "%s | %s\n", info.problem, info.remedy);
    std::exit(7);
  };
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(tell("libnothing.so.1"), ::testing::ExitedWithCode(7),
              "libnothing.so.1 is not installed . install ocl-icd");
  EXPECT_EXIT(tell("libm.so.6"), ::testing::ExitedWithCode(7),
              "has no function 'clGetPlatformIDs' . install a loader");
}

} // namespace
