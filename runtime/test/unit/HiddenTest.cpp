//===- HiddenTest.cpp - addresses that the host cannot touch --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "stub/Hidden.h"

#include "gtest/gtest.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace {

TEST(HiddenDeathTest, TouchesEndWithAMessage) {
  auto data = stub::hide(100);
  ASSERT_NE(data, 0u);
  auto *bytes = reinterpret_cast<volatile char *>(uintptr_t(data));
  EXPECT_DEATH(bytes[5] = 1, "the host touched device memory at 0x[0-9a-f]+, "
                             "byte 5 of an allocation of 100");
  EXPECT_DEATH((void)bytes[99], "byte 99 of an allocation of 100");
  stub::unhide(data);
}

TEST(HiddenTest, SystemCallsFail) {
  auto data = stub::hide(16);
  ASSERT_NE(data, 0u);
  int file = open("/dev/zero", O_RDONLY);
  ASSERT_GE(file, 0);
  EXPECT_EQ(read(file, reinterpret_cast<void *>(uintptr_t(data)), 16), -1);
  EXPECT_EQ(errno, EFAULT);
  close(file);
  stub::unhide(data);
}

} // namespace
