//===- Fixture.h - what the runtime's tests share --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_FIXTURE_H
#define ARRT_TEST_FIXTURE_H

#include "arrt/arrt.h"
#include "stub/Control.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace arrt_test {

/// A test with a folder that is removed at the end.
class FolderTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "arrtXXXXXX";
    ASSERT_NE(::mkdtemp(&pattern[0]), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  std::string folder;
};

/// A context with two workers, and a folder.
class ContextTest : public FolderTest {
protected:
  void SetUp() override {
    arrt_options options{2, 0, 0};
    ctx = arrt_context_create(&options);
    ASSERT_NE(ctx, nullptr);
    FolderTest::SetUp();
  }
  void TearDown() override {
    arrt_context_destroy(ctx);
    FolderTest::TearDown();
  }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string read(const std::string &name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string message() const { return arrt_message(ctx); }

  arrt_context *ctx = nullptr;
};

/// A stub in the place of a driver, and a cache of its own. What the stub
/// handed out must be back at the end.
class StubTest : public FolderTest {
protected:
  StubTest(const char *variable, const char *library)
      : stub(variable, library) {}
  void SetUp() override {
    FolderTest::SetUp();
    ::setenv("ARRC_CACHE", folder.c_str(), 1);
  }
  void TearDown() override {
    EXPECT_EQ(stub.live(), 0);
    FolderTest::TearDown();
  }

  Stub stub;
};

} // namespace arrt_test

#endif // ARRT_TEST_FIXTURE_H
