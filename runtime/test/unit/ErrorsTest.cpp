//===- ErrorsTest.cpp -----------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Errors.h"
#include "Fixture.h"

#include <cstring>
#include <thread>
#include <vector>

using namespace arrt;

TEST(ErrorRecord, KeepsTheFirstSiteThenTheLowestIndex) {
  ErrorRecord record;
  int64_t value = 1, values[ErrorRecord::maxValues], index;
  int32_t site, count;
  EXPECT_FALSE(record.take(site, index, count, values));
  record.note(3, 10, 1, &value);
  value = 2;
  record.note(2, 900, 1, &value);
  value = 3;
  record.note(2, 50, 1, &value);
  value = 4;
  record.note(2, 51, 1, &value);
  record.note(7, 0, 1, &value);
  ASSERT_TRUE(record.take(site, index, count, values));
  EXPECT_EQ(site, 2);
  EXPECT_EQ(index, 50);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(values[0], 3);
  EXPECT_FALSE(record.isSet());
}

TEST(ErrorRecord, IsTheSameWhateverTheOrderOfThreads) {
  for (int round = 0; round < 20; ++round) {
    ErrorRecord record;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&record, t] {
        for (int64_t i = 0; i < 1000; ++i) {
          int64_t index = (i * 7919 + t * 250) % 4000;
          record.note(1 + int32_t(index % 3), index, 1, &index);
        }
      });
    for (auto &thread : threads)
      thread.join();
    int64_t values[ErrorRecord::maxValues], index;
    int32_t site, count;
    ASSERT_TRUE(record.take(site, index, count, values));
    EXPECT_EQ(site, 1);
    EXPECT_EQ(index, values[0]);
    EXPECT_EQ(index, 0);
  }
}

TEST(ErrorRecord, MessagesTakeTheirValues) {
  double half = 0.5;
  int64_t values[3] = {-7, -1, 0};
  std::memcpy(values + 2, &half, 8);
  arrt_site site = {
      "a.arr", 1, 2, ARRT_CHECK_INDEX, 0, "{0} of {1}, {2}; {3} {x}", "iuf"};
  EXPECT_EQ(formatSite(site, 3, values),
            "-7 of 18446744073709551615, 0.5; {3} {x}");
  site.values = nullptr;
  EXPECT_EQ(formatSite(site, 1, values), "-7 of {1}, {2}; {3} {x}");
}
