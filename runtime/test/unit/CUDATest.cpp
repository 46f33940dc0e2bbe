//===- CUDATest.cpp - failures of the CUDA driver, one by one -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CUDA/Driver.h"
#include "Core/Cache.h"
#include "Core/Devices.h"
#include "Fixture.h"
#include "conformance/Conformance.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

using namespace arrt;

namespace {

const arrt_test::Subject subject{true, "", ARRT_TARGET_CUDA, 0};

class CUDA : public arrt_test::StubTest {
protected:
  CUDA() : StubTest("ARRC_CUDA_LIBRARY", ARRT_TEST_CUDA_STUB) {}
};
using CUDADeathTest = CUDA;

/// Uses every function once. Returns "", or what it was told went wrong.
std::string useAll() {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_CUDA, 0, error);
  if (!device)
    return error;
  std::unique_ptr<Device> second = makeDevice(ARRT_TARGET_CUDA, 1, error);
  if (!second)
    return error;
  std::vector<float> host(32, 1);
  void *a = device->allocate(128), *b = device->allocate(128);
  void *c = second->allocate(128), *large = device->allocate(1 << 16);
  auto finish = [&](const std::string &text) {
    for (void *data : {a, b, large})
      if (data)
        device->release(data, 128);
    if (c)
      second->release(c, 128);
    return text;
  };
  if (!a || !b || !c || !large)
    return finish(device->allocationProblem() + second->allocationProblem());
  for (auto *d : {a, b})
    if (device->copyIn(d, host.data(), 128))
      return finish(device->error());
  if (second->copyIn(c, host.data(), 128))
    return finish(second->error());
  if (device->waitForOthers())
    return finish(device->error());
  if (!device->copyFrom(*second, b, c, 128))
    return finish("cuMemcpyPeerAsync between cuEventCreate, cuEventRecord and "
                  "cuStreamWaitEvent");
  std::unique_ptr<Module> module =
      device->load(arrt_test::kernelsFor(subject.target));
  if (!module)
    return finish(device->error());
  Launch launch;
  launch.name = "axpy";
  launch.kernel = module->kernel("axpy");
  if (!launch.kernel)
    return finish("cuModuleGetFunction");
  for (int d = 0; d < 3; ++d)
    launch.grid[d] = launch.block[d] = 1;
  launch.block[0] = 32;
  launch.shared = 64;
  launch.letters = "pp48";
  float factor = 2;
  int64_t n = 32;
  void *args[] = {&a, &b, &factor, &n};
  launch.args = args;
  if (device->launch(launch) || device->synchronize() ||
      device->copyOut(host.data(), a, 128))
    return finish(device->error());
  EXPECT_EQ(host, std::vector<float>(32, 3));
  if (device->copy(b, a, 128))
    return finish(device->error());
  n = 0;
  launch.overlaps = true;
  if (device->launch(launch))
    return finish(device->error());
  n = 32;
  launch.overlaps = false;
  auto add = [&] { return device->launch(launch); };
  std::unique_ptr<Graph> graph = device->capture(add);
  if (int32_t status = graph ? graph->launch() : add(); status)
    return finish(device->error());
  // A loop of two phases, which `left` ends.
  if (device->fill(large, 1, 1, 1))
    return finish(device->error());
  int64_t times = 0;
  if (std::unique_ptr<LoopGraph> loop =
          device->captureLoop({{add, large}, {add, large}})) {
    if (loop->run(5, times))
      return finish(device->error());
    EXPECT_EQ(times, 5);
    if (device->copyOut(host.data(), a, 128))
      return finish(device->error());
    // a += 2 b, where b was a copy of a when it was 3.
    EXPECT_EQ(host, std::vector<float>(32, 3 + 6 * 6));
  }
  // Through both halves of the staging memory and round again.
  std::vector<char> piece(1 << 16, 1);
  for (int i = 0; i < 50; ++i)
    if (device->copyIn(large, piece.data(), 1 << 16))
      return finish(device->error());
  for (int32_t width : {1, 2, 4, 8})
    if (device->fill(a, 0x0102030405060708, width, 128))
      return finish(device->error());
  return finish(device->freeMemory() > 0 ? "" : "cuMemGetInfo");
}

// Forked before this process looks for the driver.
TEST_F(CUDADeathTest, no_DriverThatDoesNotStart) {
  auto tell = [&](const char *call, int result) {
    stub.fail(call, result);
    std::vector<arrt_device_info> infos;
    arrt_device_info all[8];
    int32_t count = arrt_devices(all, 8);
    for (int32_t i = 0; i < count; ++i)
      if (all[i].target == ARRT_TARGET_CUDA)
        std::fprintf(stderr, "%s | %s\n", all[i].problem, all[i].remedy);
    std::exit(7);
  };
  EXPECT_EXIT(tell("cuInit", 100), ::testing::ExitedWithCode(7),
              "cuInit: CUDA_ERROR_NO_DEVICE .* no card is visible");
  EXPECT_EXIT(tell("cuInit", 803), ::testing::ExitedWithCode(7), "restart");
  EXPECT_EXIT(tell("cuDriverGetVersion", 1), ::testing::ExitedWithCode(7),
              "nvidia-smi");
  EXPECT_EXIT(
      (::setenv("ARRC_CUDA_LIBRARY", "libnothing.so.1", 1), tell("none", 0)),
      ::testing::ExitedWithCode(7),
      "libnothing.so.1 is not installed . install NVIDIA's driver");
  EXPECT_EXIT((::setenv("ARRC_CUDA_LIBRARY", "libm.so.6", 1), tell("none", 0)),
              ::testing::ExitedWithCode(7), "has no function 'cuInit'");
}

TEST_F(CUDA, EveryFailureIsNamedAndLeavesNothing) {
  ASSERT_EQ(useAll(), "");
  // Those whose failure has another effect than an error text.
  auto isQuiet = [](const std::string &name) {
    return name == "cuInit" || name == "cuDriverGetVersion" ||
           name == "cuGetErrorName" || name == "cuGetErrorString" ||
           name == "cuDeviceTotalMem" || name == "cuDeviceCanAccessPeer" ||
           name == "cuCtxEnablePeerAccess" || name == "cuFuncGetAttribute";
  };
  // Without these there is no graph, and the work is started as it is.
  auto isGraph = [](const std::string &name) {
    return name == "cuStreamBeginCapture" || name == "cuStreamEndCapture" ||
           name == "cuGraphInstantiate" || name == "cuGraphCreate" ||
           name == "cuGraphGetNodes" || name == "cuGraphAddNode" ||
           name == "cuGraphConditionalHandleCreate" ||
           name == "cuStreamBeginCaptureToGraph";
  };
  // Cleaning up says nothing, and what failed to be given back stays.
  auto isCleanUp = [](const std::string &name) {
    return name == "cuMemFree" || name == "cuStreamDestroy" ||
           name == "cuModuleUnload" || name == "cuLinkDestroy" ||
           name == "cuDevicePrimaryCtxRelease" || name == "cuMemFreeHost" ||
           name == "cuEventDestroy" || name == "cuGraphDestroy" ||
           name == "cuGraphExecDestroy";
  };
  std::vector<std::string> names;
#define CUDA_FUNCTION(name, symbol, parameters) names.push_back(#name);
#include "CUDA/CUDASymbols.def"
  for (const std::string &name : names) {
    // The host's clock does where it fails.
    if (isQuiet(name) || isCleanUp(name) || name == "cuEventElapsedTime")
      continue;
    std::filesystem::remove_all(folder);
    int before = stub.calls(name.c_str());
    stub.fail(name.c_str(), 999);
    std::string text = useAll();
    EXPECT_GT(stub.calls(name.c_str()), before) << name << " is not called";
    if (isGraph(name))
      EXPECT_EQ(text, "") << name;
    else if (name == "cuDeviceGetCount")
      EXPECT_NE(text.find("there is no CUDA device"), std::string::npos);
    else
      EXPECT_NE(text.find(name), std::string::npos) << text;
    EXPECT_EQ(stub.live(), 0) << name;
    std::filesystem::remove_all(folder);
    EXPECT_EQ(useAll(), "") << "after " << name;
  }
}

TEST_F(CUDA, AFailureThatEndsTheContextSaysSo) {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_CUDA, 0, error);
  std::unique_ptr<Module> module =
      device->load(arrt_test::kernelsFor(subject.target));
  void *data = device->allocate(128);
  float factor = 2;
  int64_t n = 32;
  void *args[] = {&data, &data, &factor, &n};
  Launch launch;
  launch.name = "axpy";
  launch.kernel = module->kernel("axpy");
  for (int d = 0; d < 3; ++d)
    launch.grid[d] = launch.block[d] = 1;
  launch.letters = "pp48";
  launch.args = args;
  ASSERT_EQ(device->launch(launch), 0);
  stub.fail("cuStreamSynchronize", 700);
  EXPECT_EQ(device->synchronize(), ARRT_STATUS_DEVICE);
  EXPECT_EQ(device->error().find("cuda:0: cuStreamSynchronize: "), 0u);
  EXPECT_NE(device->error().find("the last kernel started was 'axpy'\nhelp: "),
            std::string::npos)
      << device->error();
  // What follows names the first.
  stub.fail("cuMemAlloc", 700);
  EXPECT_EQ(device->allocate(64), nullptr);
  EXPECT_NE(device->allocationProblem().find(
                "the first failure was cuStreamSynchronize: "),
            std::string::npos)
      << device->allocationProblem();
  device->release(data, 128);
}

TEST_F(CUDA, KernelsThatWaitMayBeStartedEarly) {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_CUDA, 0, error);
  std::unique_ptr<Module> module =
      device->load(arrt_test::kernelsFor(subject.target));
  void *data = device->allocate(128), *condition = device->allocate(64);
  ASSERT_EQ(device->fill(condition, 1, 1, 64), 0);
  void *args[] = {&data};
  Launch launch;
  launch.name = "one";
  launch.kernel = module->kernel("one");
  for (int d = 0; d < 3; ++d)
    launch.grid[d] = launch.block[d] = 1;
  launch.letters = "p";
  launch.args = args;
  int early = 0, plain = 0;
  auto expectCalls = [&](int moreEarly, int morePlain) {
    early += moreEarly, plain += morePlain;
    EXPECT_EQ(stub.calls("cuLaunchKernelEx"), early);
    EXPECT_EQ(stub.calls("cuLaunchKernel"), plain);
  };
  early = stub.calls("cuLaunchKernelEx"), plain = stub.calls("cuLaunchKernel");
  auto start = [&] { return device->launch(launch); };
  EXPECT_EQ(start(), 0);
  expectCalls(0, 1);
  launch.overlaps = true;
  EXPECT_EQ(start(), 0);
  expectCalls(1, 0);
  EXPECT_NE(device->capture(start), nullptr);
  expectCalls(1, 0);
  EXPECT_NE(device->captureLoop({{start, condition}}), nullptr);
  expectCalls(1, 2);
  // A driver that makes no graph of such launches makes one of plain ones.
  for (const char *call : {"cuLaunchKernelEx", "cuGraphInstantiate"}) {
    stub.fail(call, 900);
    EXPECT_NE(device->capture(start), nullptr);
    expectCalls(1, 1);
    stub.fail(call, 900);
    EXPECT_NE(device->captureLoop({{start, condition}}), nullptr) << call;
    // The kernel of the loop itself is plain.
    expectCalls(1, std::string(call) == "cuGraphInstantiate" ? 5 : 4);
  }
  EXPECT_EQ(start(), 0);
  expectCalls(1, 0);
  stub.fail("cuLaunchKernelEx", 1);
  EXPECT_EQ(start(), ARRT_STATUS_DEVICE);
  EXPECT_NE(device->error().find("cuLaunchKernelEx"), std::string::npos);
  expectCalls(1, 0);
  // Where it is not supported it is not tried again.
  stub.fail("cuLaunchKernelEx", 801);
  EXPECT_EQ(start(), 0);
  expectCalls(1, 1);
  EXPECT_EQ(start(), 0);
  expectCalls(0, 1);
  device->release(data, 128);
  device->release(condition, 64);
}

TEST_F(CUDA, AnAllocationThatFailsOtherwiseIsNotOutOfMemory) {
  arrt_options options = {};
  options.target = ARRT_TARGET_CUDA;
  arrt_context *ctx = arrt_context_create(&options);
  for (int time = 0; time < 2; ++time)
    stub.fail("cuMemAlloc", 3);
  // The pool tries again when it has given its free blocks back.
  EXPECT_NE(arrt_buffer_alloc(ctx, 64, -1), nullptr) << arrt_message(ctx);
  stub.failAlways("cuMemAlloc", 3);
  EXPECT_EQ(arrt_buffer_alloc(ctx, 1000, -1), nullptr);
  stub.failAlways("cuMemAlloc", 0);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_DEVICE);
  EXPECT_EQ(std::string(arrt_message(ctx)),
            "error: cuda:0: cuMemAlloc: CUDA_ERROR_OF_THE_STUB (as the stub "
            "says), for an array");
  arrt_context_destroy(ctx);
}

TEST_F(CUDA, LoopsAreRunByTheCard) {
  arrt_options options = {};
  options.threads = 1;
  options.target = ARRT_TARGET_CUDA;
  arrt_context *ctx = arrt_context_create(&options);
  auto *condition = static_cast<char *>(arrt_buffer_alloc(ctx, 64, -1));
  ASSERT_EQ(arrt_buffer_fill(ctx, condition, 1, 1, 64), 0);
  // Three places take turns; each step sets the condition of the next.
  struct State {
    char *places[3];
  } state = {{condition, condition + 1, condition + 2}};
  auto body = [](arrt_context *ctx, void *, void *place) {
    auto &state = *static_cast<State *>(place);
    std::rotate(state.places, state.places + 1, state.places + 3);
    return arrt_buffer_fill(ctx, state.places[0], 1, 1, 1);
  };
  int64_t times = 0;
  int graphs = stub.calls("cuGraphLaunch");
  int reads = stub.calls("cuMemcpyDtoHAsync");
  ASSERT_EQ(
      arrt_loop(ctx, body, nullptr, &state, sizeof state, 0, 1000, &times), 0)
      << arrt_message(ctx);
  EXPECT_EQ(times, 1000);
  EXPECT_EQ(state.places[0], condition + 1000 % 3);
  EXPECT_EQ(stub.calls("cuGraphLaunch") - graphs, 1);
  EXPECT_LE(stub.calls("cuMemcpyDtoHAsync") - reads, 40);
  arrt_buffer_free(ctx, condition);
  arrt_context_destroy(ctx);
}

TEST_F(CUDA, SmallWritesDoNotWait) {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_CUDA, 0, error);
  void *data = device->allocate(1 << 20);
  std::vector<char> host(1 << 20, 1);
  auto waits = [&] {
    return stub.calls("cuStreamSynchronize") + stub.calls("cuEventSynchronize");
  };
  int before = waits();
  for (int64_t bytes : {1, 8, 64, 4096, 65536})
    EXPECT_EQ(device->copyIn(data, host.data(), bytes), 0);
  EXPECT_EQ(waits(), before);
  device->release(data, 1 << 20);
}

TEST_F(CUDA, MemoryOfOthersIsUsedInPlace) {
  arrt_options options = {};
  options.target = ARRT_TARGET_CUDA;
  arrt_context *other = arrt_context_create(&options);
  arrt_context *ctx = arrt_context_create(&options);
  const int64_t size = 4;
  const float values[] = {1, 2, 3, 4};
  arrt_array *theirs = arrt_array_alloc(other, ARRT_F32, 1, &size, -1);
  EXPECT_EQ(arrt_write(other, arrt_array_data(theirs), values, sizeof values),
            0);
  arrt_array *borrowed = arrt_array_borrow_on_device(
      ctx, arrt_array_data(theirs), ARRT_F32, 1, &size);
  ASSERT_NE(borrowed, nullptr) << arrt_message(ctx);
  EXPECT_EQ(arrt_array_data(borrowed), arrt_array_data(theirs));
  EXPECT_FALSE(arrt_array_is_on_host(borrowed));
  int before = stub.calls("cuCtxSynchronize");
  EXPECT_EQ(arrt_wait_for_others(ctx), 0) << arrt_message(ctx);
  EXPECT_EQ(stub.calls("cuCtxSynchronize"), before + 1);
  arrt_array *same = arrt_array_to_device(ctx, borrowed);
  EXPECT_EQ(same, borrowed);
  arrt_array *host = arrt_array_to_host(ctx, borrowed);
  EXPECT_EQ(static_cast<float *>(arrt_array_data(host))[3], 4);
  for (arrt_array *array : {same, borrowed, host})
    arrt_array_release(array);
  // Kernels read 16 bytes at once: what begins elsewhere is copied.
  const int64_t rest = 3;
  arrt_array *slice = arrt_array_borrow_on_device(
      ctx, static_cast<float *>(arrt_array_data(theirs)) + 1, ARRT_F32, 1,
      &rest);
  ASSERT_NE(slice, nullptr) << arrt_message(ctx);
  arrt_array *copy = arrt_array_to_device(ctx, slice);
  ASSERT_NE(copy, nullptr) << arrt_message(ctx);
  EXPECT_NE(arrt_array_data(copy), arrt_array_data(slice));
  EXPECT_EQ(uintptr_t(arrt_array_data(copy)) % 16, 0u);
  host = arrt_array_to_host(ctx, copy);
  EXPECT_EQ(static_cast<float *>(arrt_array_data(host))[0], 2);
  EXPECT_EQ(static_cast<float *>(arrt_array_data(host))[2], 4);
  for (arrt_array *array : {slice, copy, host})
    arrt_array_release(array);
  arrt_array_release(theirs);
  EXPECT_EQ(arrt_array_borrow_on_device(ctx, nullptr, ARRT_F32, 1, &size),
            nullptr);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_USAGE);
  arrt_context_destroy(ctx);
  arrt_context_destroy(other);
}

TEST_F(CUDA, WorkIsStartedOnAStreamOfTheCaller) {
  arrt_options options = {};
  options.target = ARRT_TARGET_CUDA;
  // Another context makes the card's own current.
  arrt_context *other = arrt_context_create(&options);
  std::string problem, remedy;
  const cuda::Driver *driver = cuda::findDriver(problem, remedy);
  ASSERT_NE(driver, nullptr) << problem;
  cuda::StreamRef stream = nullptr;
  ASSERT_EQ(driver->cuStreamCreate(&stream, 0), cuda::success);
  int destroyed = stub.calls("cuStreamDestroy");
  arrt_context *ctx = arrt_context_create_on(&options, stream);
  ASSERT_EQ(arrt_last_status(ctx), 0) << arrt_message(ctx);
  void *data = arrt_buffer_alloc(ctx, 64, -1);
  float value = 3, back = 0;
  EXPECT_EQ(arrt_write(ctx, data, &value, sizeof value), 0);
  EXPECT_EQ(arrt_read(ctx, &back, data, sizeof back), 0);
  EXPECT_EQ(back, 3);
  arrt_buffer_free(ctx, data);
  arrt_context_destroy(ctx);
  // Its own one went, the caller's is there.
  EXPECT_EQ(stub.calls("cuStreamDestroy"), destroyed + 1);
  EXPECT_EQ(driver->cuStreamDestroy(stream), cuda::success);
  ctx = arrt_context_create_on(&options, nullptr);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_USAGE);
  arrt_context_destroy(ctx);
  options.target = ARRT_TARGET_CPU;
  ctx = arrt_context_create_on(&options, &value);
  EXPECT_STREQ(arrt_message(ctx), "error: only contexts on CUDA have streams");
  arrt_context_destroy(ctx);
  arrt_context_destroy(other);
}

TEST_F(CUDA, NumbersForTheHostAreLeftThere) {
  arrt_options options = {};
  options.threads = 1;
  options.target = ARRT_TARGET_CUDA;
  arrt_context *ctx = arrt_context_create(&options);
  // More than there are slots: the last ones are memory of the card.
  std::vector<void *> numbers;
  for (int i = 0; i < 70; ++i) {
    numbers.push_back(arrt_result_alloc(ctx, 8, -1));
    ASSERT_NE(numbers.back(), nullptr);
    int64_t value = 1000 + i, got = 0;
    // The stub's memory is that of the process.
    std::memcpy(numbers.back(), &value, sizeof value);
    ASSERT_EQ(arrt_read(ctx, &got, numbers.back(), 8), 0);
    EXPECT_EQ(got, value);
  }
  EXPECT_EQ(std::set<void *>(numbers.begin(), numbers.end()).size(), 70u);
  for (void *number : numbers)
    arrt_buffer_free(ctx, number);
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
  EXPECT_EQ(arrt_result_alloc(ctx, 8, -1), numbers[0]);
  arrt_buffer_free(ctx, numbers[0]);
  // Larger ones have no slot.
  void *large = arrt_result_alloc(ctx, 4096, -1);
  EXPECT_GT(arrt_memory_in_use(ctx), 0);
  arrt_buffer_free(ctx, large);
  arrt_context_destroy(ctx);
}

TEST_F(CUDA, no_CardOfThisNumber) {
  std::string error;
  EXPECT_EQ(makeDevice(ARRT_TARGET_CUDA, 2, error), nullptr);
  EXPECT_NE(error.find("there is no CUDA device 2: the last one is 1"),
            std::string::npos)
      << error;
  arrt_options options = {};
  options.target = ARRT_TARGET_CUDA;
  options.device = 5;
  arrt_context *ctx = arrt_context_create(&options);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_DEVICE);
  EXPECT_NE(std::string(arrt_message(ctx)).find("arrc devices"),
            std::string::npos);
  arrt_context_destroy(ctx);
}

TEST_F(CUDA, TheCompilersLogIsShown) {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_CUDA, 0, error);
  arrt_image image = {ARRT_IMAGE_PTX, 4, "bad", nullptr};
  EXPECT_EQ(device->load(image), nullptr);
  EXPECT_NE(device->error().find("cuLinkAddData: CUDA_ERROR_INVALID_PTX"),
            std::string::npos);
  EXPECT_NE(device->error().find("line 1: expected .version"),
            std::string::npos);
}

TEST_F(CUDA, CompiledKernelsAreCached) {
  std::string error;
  std::unique_ptr<Device> device = makeDevice(ARRT_TARGET_CUDA, 0, error);
  arrt_image image = arrt_test::kernelsFor(subject.target);
  auto loadCountsLinks = [&](const arrt_image &image) {
    int before = stub.calls("cuLinkCreate");
    std::unique_ptr<Module> module = device->load(image);
    EXPECT_NE(module, nullptr) << device->error();
    if (module)
      EXPECT_NE(module->kernel("axpy"), nullptr);
    return stub.calls("cuLinkCreate") - before;
  };
  EXPECT_EQ(loadCountsLinks(image), 1);
  EXPECT_EQ(loadCountsLinks(image), 0);
  // Another option is another entry.
  arrt_image other = image;
  other.options = "sm_90";
  EXPECT_EQ(loadCountsLinks(other), 1);
  EXPECT_EQ(loadCountsLinks(image), 0);
  // A damaged entry counts as missing, however it is damaged, and is replaced.
  std::vector<std::filesystem::path> files;
  for (auto &file : std::filesystem::directory_iterator(folder))
    files.push_back(file.path());
  EXPECT_EQ(files.size(), 2u);
  auto damageAll = [&](auto damage) {
    for (auto &path : files)
      damage(path);
    EXPECT_EQ(loadCountsLinks(image), 1);
    EXPECT_EQ(loadCountsLinks(image), 0);
  };
  damageAll([](auto &path) { std::filesystem::resize_file(path, 0); });
  damageAll([](auto &path) {
    if (auto bytes = std::filesystem::file_size(path))
      std::filesystem::resize_file(path, bytes - 1);
  });
  damageAll([](auto &path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-7, std::ios::end);
    file.put('#');
  });
  // One that the driver refuses is made again.
  stub.fail("cuModuleLoadData", 200);
  EXPECT_EQ(loadCountsLinks(image), 1);
  ::setenv("ARRC_CACHE", "off", 1);
  EXPECT_EQ(loadCountsLinks(image), 1);
  EXPECT_EQ(loadCountsLinks(image), 1);
}

TEST_F(CUDA, ProgramsUploadAndDownloadOnce) {
  // Two launches on the same arrays: one copy each way a call.
  arrt_options options = {};
  options.target = ARRT_TARGET_CUDA;
  arrt_context *ctx = arrt_context_create(&options);
  ASSERT_EQ(arrt_last_status(ctx), 0) << arrt_message(ctx);
  int64_t n = 100;
  arrt_array *x = arrt_array_alloc_host(ctx, ARRT_F32, 1, &n);
  std::memset(arrt_array_data(x), 0, 400);
  int in = stub.calls("cuMemcpyHtoDAsync");
  arrt_array *there = arrt_array_to_device(ctx, x);
  arrt_array *same = arrt_array_to_device(ctx, there);
  EXPECT_EQ(same, there);
  EXPECT_EQ(stub.calls("cuMemcpyHtoDAsync") - in, 1);
  for (arrt_array *array : {x, there, same})
    arrt_array_release(array);
  // The pool keeps the card's memory for the next array.
  int allocations = stub.calls("cuMemAlloc");
  arrt_array *again = arrt_array_alloc(ctx, ARRT_F32, 1, &n, -1);
  EXPECT_EQ(stub.calls("cuMemAlloc"), allocations);
  arrt_array_release(again);
  arrt_context_destroy(ctx);
}

} // namespace
