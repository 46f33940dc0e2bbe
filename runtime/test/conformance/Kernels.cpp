//===- Kernels.cpp - what every device with kernels must do ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include <cstring>
#include <vector>

using arrt_test::Conformance;

namespace {

class Kernels : public Conformance {
protected:
  void SetUp() override {
    Conformance::SetUp();
    if (!device)
      return;
    arrt_image image = arrt_test::kernelsFor(subject.target);
    if (!image.data)
      GTEST_SKIP() << "runs no kernels";
    ASSERT_TRUE(device->takes(image.format));
    module = device->load(image);
    ASSERT_NE(module, nullptr) << device->error();
  }
  void TearDown() override {
    module.reset();
    for (auto [data, bytes] : blocks)
      device->release(data, bytes);
  }
  /// Memory with this content, until the end of the test.
  template <typename T> T *upload(const std::vector<T> &host) {
    auto bytes = int64_t(host.size() * sizeof(T));
    void *data = device->allocate(bytes);
    blocks.push_back({data, bytes});
    EXPECT_EQ(device->copyIn(data, host.data(), bytes), 0) << device->error();
    return static_cast<T *>(data);
  }
  template <typename T> std::vector<T> download(const T *data, size_t count) {
    std::vector<T> host(count);
    EXPECT_EQ(device->copyOut(host.data(), data, int64_t(count * sizeof(T))), 0)
        << device->error();
    return host;
  }
  int32_t launch(const char *name, const char *letters, int64_t blocks,
                 int32_t threads, std::vector<void *> args, int64_t shared = 0,
                 int64_t gridY = 1, int32_t blockY = 1, int64_t gridZ = 1,
                 int32_t blockZ = 1) {
    arrt::Launch launch;
    launch.name = name;
    launch.kernel = module->kernel(name);
    if (!launch.kernel) {
      ADD_FAILURE() << "no kernel " << name;
      return ARRT_STATUS_INTERNAL;
    }
    launch.grid[0] = blocks, launch.grid[1] = gridY, launch.grid[2] = gridZ;
    launch.block[0] = threads, launch.block[1] = blockY,
    launch.block[2] = blockZ;
    launch.shared = shared;
    launch.letters = letters;
    launch.args = args.data();
    return device->launch(launch);
  }

  std::unique_ptr<arrt::Module> module;
  std::vector<std::pair<void *, int64_t>> blocks;
};

TEST_F(Kernels, no_KernelOfAnotherName) {
  ARRT_PROVOKES();
  EXPECT_EQ(module->kernel("nothing"), nullptr);
}

TEST_F(Kernels, no_ImageThatIsNone) {
  ARRT_PROVOKES();
  arrt_image image = arrt_test::kernelsFor(subject.target);
  std::vector<char> bad(64, 'x');
  image.data = bad.data();
  image.bytes = 64;
  EXPECT_EQ(device->load(image), nullptr);
  EXPECT_NE(device->error(), "");
  // The device still works.
  std::vector<float> x(8, 1);
  float *out = upload(x), *in = upload(x), a = 2;
  int64_t n = 8;
  EXPECT_EQ(launch("axpy", "pp48", 1, 8, {&out, &in, &a, &n}), 0);
  EXPECT_EQ(download(out, 8), std::vector<float>(8, 3));
}

TEST_F(Kernels, LaunchesRunInOrder) {
  for (int64_t n : {1, 31, 257, 100003}) {
    std::vector<float> x(size_t(n), 1);
    float *out = upload(x), *in = upload(x), a = 1;
    // 1, 2, 3, .. and then twice what there is
    for (int step = 0; step < 5; ++step)
      EXPECT_EQ(
          launch("axpy", "pp48", (n + 127) / 128, 128, {&out, &in, &a, &n}), 0)
          << device->error();
    EXPECT_EQ(device->copy(in, out, n * 4), 0);
    EXPECT_EQ(launch("axpy", "pp48", (n + 127) / 128, 128, {&out, &in, &a, &n}),
              0);
    EXPECT_EQ(download(out, size_t(n)), std::vector<float>(size_t(n), 12));
  }
}

TEST_F(Kernels, ArgumentsMayPointIntoMemory) {
  // Rows of 1024 floats: what the memory plan makes of one block.
  std::vector<float> host(4096, 0);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = float(i);
  float *data = upload(host), a = 1;
  int64_t n = 1000;
  float *second = data + 1024, *fourth = data + 3072;
  ASSERT_EQ(launch("axpy", "pp48", 8, 128, {&second, &fourth, &a, &n}), 0)
      << device->error();
  std::vector<float> back = download(data, 4096);
  for (size_t i = 0; i < 4096; ++i) {
    bool isWritten = i >= 1024 && i < 2024;
    ASSERT_EQ(back[i], isWritten ? float(i) + float(i + 2048) : float(i)) << i;
  }
}

TEST_F(Kernels, DynamicSharedMemory) {
  std::vector<int32_t> in(4 * 128), expected;
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int32_t(i);
  for (int b = 0; b < 4; ++b)
    for (int t = 127; t >= 0; --t)
      expected.push_back(b * 128 + t);
  int32_t *from = upload(in), *to = upload(std::vector<int32_t>(in.size()));
  const char *letters = subject.target == ARRT_TARGET_OPENCL ? "ppl" : "pp";
  ASSERT_EQ(launch("turn", letters, 4, 128, {&to, &from, nullptr}, 512), 0)
      << device->error();
  EXPECT_EQ(download(to, in.size()), expected);
}

TEST_F(Kernels, ScalarsOfEverySize) {
  int64_t *out = upload(std::vector<int64_t>(4, 0));
  int8_t a = -1;
  int16_t b = -300;
  int32_t c = 1 << 30;
  int64_t d = -(int64_t(1) << 40);
  ASSERT_EQ(launch("scalars", "p1248", 1, 32, {&out, &a, &b, &c, &d}), 0)
      << device->error();
  EXPECT_EQ(download(out, 4), (std::vector<int64_t>{a, b, c, d}));
}

TEST_F(Kernels, ThreeDimensions) {
  int32_t *out = upload(std::vector<int32_t>(8 * 6 * 4, 0));
  ASSERT_EQ(launch("grid", "p", 2, 4, {&out}, 0, 3, 2, 4, 1), 0)
      << device->error();
  std::vector<int32_t> back = download(out, 8 * 6 * 4);
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 8; ++i)
        ASSERT_EQ(back[size_t((k * 6 + j) * 8 + i)], 100 * k + 10 * j + i);
}

TEST_F(Kernels, no_LaunchThatIsTooLarge) {
  ARRT_PROVOKES();
  std::vector<float> x(8, 1);
  float *out = upload(x), *in = upload(x), a = 1;
  int64_t n = 8;
  EXPECT_NE(launch("axpy", "pp48", 1, 1 << 20, {&out, &in, &a, &n}), 0);
  EXPECT_NE(device->error().find("'axpy'"), std::string::npos)
      << device->error();
  EXPECT_EQ(launch("axpy", "pp48", 1, 8, {&out, &in, &a, &n}), 0);
  EXPECT_EQ(download(out, 8), std::vector<float>(8, 2));
}

TEST_F(Kernels, FillsByPatternsOfEveryWidth) {
  std::vector<unsigned char> host(96, 0xaa);
  unsigned char *data = upload(host);
  int64_t pattern = 0x0102030405060708;
  for (int32_t width : {1, 2, 4, 8}) {
    ASSERT_EQ(device->fill(data + 16, pattern, width, 64), 0)
        << device->error();
    std::vector<unsigned char> back = download(data, 96);
    for (size_t i = 0; i < 96; ++i) {
      bool isFilled = i >= 16 && i < 80;
      ASSERT_EQ(back[i], isFilled ? 8 - (i - 16) % size_t(width) : 0xaa)
          << width << " at " << i;
    }
  }
  EXPECT_EQ(device->fill(data, 0x0505050505050505, 8, 96), 0);
  EXPECT_EQ(download(data, 96), std::vector<unsigned char>(96, 5));
}

TEST_F(Kernels, CopiesFromASecondDeviceOfTheKind) {
  std::unique_ptr<arrt::Device> other = arrt_test::makeDevice(subject);
  ASSERT_NE(other, nullptr);
  std::vector<int32_t> host = {1, 2, 3, 4};
  int32_t *here = upload(std::vector<int32_t>(4, 0));
  void *there = other->allocate(16);
  ASSERT_EQ(other->copyIn(there, host.data(), 16), 0);
  if (device->copyFrom(*other, here, there, 16))
    EXPECT_EQ(download(here, 4), host);
  other->release(there, 16);
}

} // namespace
