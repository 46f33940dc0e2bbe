//===- PartsTest.cpp ------------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include "CPU/Device.h"
#include "Parts/Owners.h"
#include "Parts/Table.h"

#include <cstdlib>
#include <set>
#include <vector>

using namespace arrt;

static std::vector<Owners::Segment> segments(const Owners &owners) {
  return owners.get();
}

TEST(Owners, SegmentsThatAreAlikeAreOne) {
  Owners owners(100);
  EXPECT_EQ(segments(owners), (std::vector<Owners::Segment>{{0, 100, 0}}));
  owners.set(0, 50, 1);
  owners.set(50, 100, 2);
  EXPECT_EQ(segments(owners),
            (std::vector<Owners::Segment>{{0, 50, 1}, {50, 100, 2}}));
  owners.add(40, 60, 4);
  EXPECT_EQ(segments(owners),
            (std::vector<Owners::Segment>{
                {0, 40, 1}, {40, 50, 5}, {50, 60, 6}, {60, 100, 2}}));
  owners.set(0, 100, 1);
  EXPECT_EQ(segments(owners), (std::vector<Owners::Segment>{{0, 100, 1}}));
}

TEST(Owners, AreWhatAnArrayOfBytesSays) {
  std::srand(7);
  for (int round = 0; round < 200; ++round) {
    constexpr int64_t bytes = 40;
    Owners owners(bytes);
    std::vector<uint64_t> wanted(bytes, 0);
    for (int step = 0; step < 20; ++step) {
      int64_t begin = std::rand() % (bytes + 4) - 2;
      int64_t end = begin + std::rand() % 12;
      uint64_t devices = uint64_t(std::rand() % 4);
      bool adds = std::rand() % 2;
      adds ? owners.add(begin, end, devices) : owners.set(begin, end, devices);
      for (int64_t i = std::max<int64_t>(begin, 0); i < std::min(end, bytes);
           ++i)
        wanted[size_t(i)] = adds ? wanted[size_t(i)] | devices : devices;
      int64_t next = 0;
      uint64_t last = ~uint64_t(0);
      for (const Owners::Segment &segment : owners.get()) {
        ASSERT_EQ(segment.begin, next);
        ASSERT_NE(segment.devices, last);
        for (int64_t i = segment.begin; i < segment.end; ++i)
          ASSERT_EQ(segment.devices, wanted[size_t(i)]);
        next = segment.end, last = segment.devices;
      }
      ASSERT_EQ(next, bytes);
    }
  }
}

/// x[offset + i] = offset + i, for `extent` numbers.
static int32_t startCount(arrt_context *, void **args) {
  auto *x = *static_cast<int64_t **>(args[0]);
  int64_t offset = *static_cast<int64_t *>(args[1]);
  int64_t extent = *static_cast<int64_t *>(args[2]);
  for (int64_t i = offset; i < offset + extent; ++i)
    x[i] = i;
  return ARRT_STATUS_OK;
}

TEST(CPUParts, KernelsAreFunctionsOfTheProgram) {
  std::unique_ptr<Device> one = makeCPUDevice(1), other = makeCPUDevice(1);
  arrt_host_kernel list[] = {{"count", startCount}};
  arrt_image image = {ARRT_IMAGE_HOST, sizeof list, list, nullptr};
  ASSERT_TRUE(one->takes(image.format));
  std::unique_ptr<arrt::Module> module = one->load(image);
  EXPECT_EQ(module->kernel("other"), nullptr);
  EXPECT_NE(one->error().find("no kernel 'other'"), std::string::npos);
  std::vector<int64_t> x(8, -1);
  int64_t *data = x.data(), offset = 2, extent = 3;
  void *args[] = {&data, &offset, &extent};
  Launch launch;
  launch.kernel = module->kernel("count");
  launch.args = args;
  ASSERT_NE(launch.kernel, nullptr);
  EXPECT_EQ(one->launch(launch), ARRT_STATUS_OK);
  EXPECT_EQ(x, (std::vector<int64_t>{-1, -1, 2, 3, 4, -1, -1, -1}));

  // What joins copies is there for every kernel.
  std::vector<int64_t> from(8, 10);
  int64_t *source = from.data(), first = 1, count = 2;
  void *joined[] = {&data, &source, &first, &count};
  launch.kernel = module->kernel("count_maxs64");
  launch.args = joined;
  ASSERT_NE(launch.kernel, nullptr);
  EXPECT_EQ(one->launch(launch), ARRT_STATUS_OK);
  EXPECT_EQ(x, (std::vector<int64_t>{-1, 10, 10, 3, 4, -1, -1, -1}));

  EXPECT_TRUE(other->copyFrom(*one, from.data(), x.data(), 16));
  EXPECT_EQ(from[0], -1);
}

TEST(CPUParts, RefuseAProgramForOneDevice) {
  arrt_options options = {};
  options.target = ARRT_TARGET_CPU;
  options.devices = "cpu:0,1";
  arrt_context *ctx = arrt_context_create(&options);
  ASSERT_EQ(arrt_last_status(ctx), ARRT_STATUS_OK) << arrt_message(ctx);
  EXPECT_STREQ(arrt_context_device(ctx), "cpu+cpu");
  arrt_program program = {};
  program.version = ARRT_ABI_VERSION;
  program.target = ARRT_TARGET_CPU;
  EXPECT_EQ(arrt_program_load(ctx, &program), ARRT_STATUS_DEVICE);
  EXPECT_NE(std::string(arrt_message(ctx)).find("compile it with --parts=1"),
            std::string::npos);
  arrt_context_destroy(ctx);
}

static std::vector<PartCut> read(const char *text) {
  std::vector<PartCut> cuts;
  std::string reason;
  EXPECT_TRUE(readPartTable(text, cuts, reason)) << text;
  return cuts;
}

TEST(PartTable, HasAReason) {
  std::vector<PartCut> cuts;
  std::string reason;
  EXPECT_TRUE(readPartTable("cut -1 box 0 r 4 0 , because it cuts box 0", cuts,
                            reason));
  EXPECT_EQ(cuts.size(), 1u);
  EXPECT_EQ(reason, "it cuts box 0");
}

TEST(PartTable, RefusesWhatIsOfAnotherForm) {
  for (const char *text :
       {"box 0 r 4 0 ,", "cut", "cut -2", "cut 0 box 0 x 4 0 ,",
        "cut 0 box 0 r 0 0 ,", "cut 0 box 0 r 4 1 , a1 , 1 , ,",
        "cut 0 box 0 r 4 1 , a1 , 1 , , , q", "cut 0 box 0 r 4 0 + ,",
        "cut 0 box 0 r 4 0 1 2 ,", "cut 0 box 0 r 4 1 , , 1 , , , n",
        "cut 0 box 0 u 4 1 ,", "cut 0 box 0 r 4 1 , a1 , 1 , l g0 , , n",
        "cut 0 box 0 r 4 0 9x ,", "cut 0 box 0 r 4 0 1 2 +"}) {
    std::vector<PartCut> cuts;
    std::string reason;
    EXPECT_FALSE(readPartTable(text, cuts, reason)) << text;
  }
}

TEST(PartTable, SaysWhatUpdatesAreCombinedBy) {
  PartCut cut = read("cut 0 box 0 u addi32 4 0 , box 1 r 4 0 ,")[0];
  ASSERT_EQ(cut.boxes.size(), 2u);
  EXPECT_EQ(cut.boxes[0].kind, 'u');
  EXPECT_EQ(cut.boxes[0].combiner, "addi32");
  EXPECT_EQ(cut.boxes[1].combiner, "");
}

TEST(PartTable, ReadsNumbersInMemory) {
  PartBox box =
      read("cut 0 box 0 w 4 1 , a1 , 1 , l 3 g2 , h 3 g2 , n")[0].boxes[0];
  auto argument = [](int) { return int64_t(100); };
  const int64_t starts[] = {0, 10, 30};
  auto row = [&](int pointer, int64_t index, int64_t length) {
    EXPECT_EQ(pointer, 2);
    EXPECT_EQ(length, 3);
    return starts[index];
  };
  auto get = [&](int64_t low, int64_t high, const ReadNumber &read) {
    Ranges ranges;
    EXPECT_EQ(box.getRanges(argument, low, high, ranges, read),
              PartBox::Fit::Exact);
    EXPECT_EQ(ranges.get().size(), 1u);
    return std::make_pair(ranges.get()[0].begin, ranges.get()[0].end);
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(get(0, 2, row), Pair(0, 120));
  // Behind the last one is the end of the array.
  EXPECT_EQ(get(2, 3, row), Pair(120, 400));
  EXPECT_EQ(get(1, 2, {}), Pair(132, 264));
}

/// The bytes of a box for sizes 5 x 4 of 2 bytes.
static std::vector<std::pair<int64_t, int64_t>>
rangesOf(const std::string &box, int64_t low, int64_t high) {
  PartBox one = read(("cut 0 box 0 r 2 2 , " + box).c_str())[0].boxes[0];
  Ranges ranges;
  EXPECT_NE(one.getRanges([](int number) { return number == 0 ? 5 : 4; }, low,
                          high, ranges),
            PartBox::Fit::Around);
  ranges.settle();
  std::vector<std::pair<int64_t, int64_t>> found;
  for (const Range &range : ranges.get())
    found.push_back({range.begin, range.end});
  return found;
}

TEST(PartTable, BoxesAreBytes) {
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  std::string all = " a1 , 1 , , , n";
  // Rows lie behind each other.
  EXPECT_EQ(rangesOf("a0 , a1 , l , h , n" + all, 1, 3), (Pairs{{8, 24}}));
  EXPECT_EQ(rangesOf("a0 , a1 , l 1 + -1 * , h 1 + , c" + all, 0, 1),
            (Pairs{{0, 16}}));
  EXPECT_EQ(rangesOf("a0 , a1 , l -1 + , h 1 + , w" + all, 0, 1),
            (Pairs{{0, 16}, {32, 40}}));
  EXPECT_EQ(rangesOf("a0 , a1 , l -2 + , h , m" + all, 0, 1),
            (Pairs{{0, 24}})); // one row more than it must
  EXPECT_EQ(rangesOf("a0 , a1 , l -2 + , h , r" + all, 0, 1), (Pairs{{0, 24}}));
  EXPECT_EQ(rangesOf("a0 , a1 , l , h , n" + all, 5, 9), Pairs{});
  // Six elements from the start of a row on: two rows, as a whole.
  EXPECT_EQ(rangesOf("a0 , a1 , l , h , n a1 , 1 , 0 , 6 , o", 1, 2),
            (Pairs{{8, 24}}));
  EXPECT_EQ(rangesOf("a0 , a1 , l , h , n a1 , 1 , 0 , 3 , o", 1, 2),
            (Pairs{{8, 14}}));
  // Columns do not.
  EXPECT_EQ(rangesOf("a0 , a1 , , , n a1 , 1 , l , h , n", 1, 2),
            (Pairs{{2, 4}, {10, 12}, {18, 20}, {26, 28}, {34, 36}}));
  EXPECT_EQ(rangesOf("a0 , a1 , , , n a1 , 1 , l , h , n", 0, 4),
            (Pairs{{0, 40}}));
}

TEST(PartTable, EdgesMapAsLoadsDo) {
  // Every index of the interval, mapped, is inside; each end is exact enough
  // that nothing else than what lies between them is added.
  for (char edge : {'c', 'w', 'm', 'r'})
    for (int64_t low = -5; low < 10; ++low)
      for (int64_t high = low + 1; high <= low + 8 && high < 11; ++high) {
        std::string text =
            std::string("cut 0 box 0 r 1 1 , 5 , 1 , l , h , ") + edge;
        Ranges ranges;
        read(text.c_str())[0].boxes[0].getRanges([](int) { return 0; }, low,
                                                 high, ranges);
        std::set<int64_t> in;
        for (const Range &range : ranges.get())
          for (int64_t i = range.begin; i < range.end; ++i)
            in.insert(i);
        for (int64_t i = low; i < high; ++i) {
          int64_t at = i;
          if (edge == 'c')
            at = std::min<int64_t>(std::max<int64_t>(i, 0), 4);
          else if (edge == 'w')
            at = ((i % 5) + 5) % 5;
          else if (edge == 'm')
            at = i < 0 ? -1 - i : i >= 5 ? 9 - i : i;
          else
            at = i < 0 ? -i : i >= 5 ? 8 - i : i;
          if (at >= 0 && at < 5) {
            EXPECT_TRUE(in.count(at))
                << edge << ' ' << low << ' ' << high << ' ' << i;
          }
        }
      }
}
