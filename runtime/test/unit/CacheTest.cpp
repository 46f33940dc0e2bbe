//===- CacheTest.cpp - compiled code on the disk --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Cache.h"
#include "Core/TrustedFolder.h"
#include "Fixture.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace arrt;

namespace {

class CacheFolder : public arrt_test::FolderTest {
protected:
  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  /// What another user may change on the way to the cache; "" if nothing.
  static std::string dangerOf(const std::string &path) {
    std::string danger;
    int opened = openTrustedFolder(path, /*make=*/false, danger);
    if (opened >= 0)
      ::close(opened);
    return danger;
  }
  size_t files() const {
    return size_t(
        std::distance(std::filesystem::directory_iterator(folder), {}));
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST_F(CacheFolder, no_FolderThatOthersMayWrite) {
  EXPECT_EQ(dangerOf(folder), "");
  for (mode_t mode : {0770, 0707, 0777, 01777}) {
    ::chmod(folder.c_str(), mode);
    EXPECT_NE(dangerOf(folder).find("may be written by others"),
              std::string::npos);
    Cache cache(folder);
    EXPECT_FALSE(cache.isUsable());
    cache.write("object-x", "x");
    EXPECT_EQ(files(), 0u);
  }
  // A folder on the way counts as well, unless only owners replace names in it.
  ::mkdir(path("in").c_str(), 0700);
  ::chmod(folder.c_str(), 0777);
  EXPECT_NE(dangerOf(path("in")).find("may be written by others"),
            std::string::npos);
  ::chmod(folder.c_str(), 01777);
  EXPECT_EQ(dangerOf(path("in")), "");
  // So does one that a link leads through.
  ::mkdir(path("open").c_str(), 0700);
  ::chmod(path("open").c_str(), 0777);
  ::mkdir(path("open/cache").c_str(), 0700);
  ASSERT_EQ(::symlink("open/cache", path("link").c_str()), 0);
  EXPECT_NE(dangerOf(path("link")), "");
  ::chmod(path("open").c_str(), 0755);
  EXPECT_EQ(dangerOf(path("link")), "");
  EXPECT_EQ(dangerOf(path("link/../cache")), "");
}

TEST_F(CacheFolder, no_FolderOfAnotherUser) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root makes files of others";
  ::mkdir(path("theirs").c_str(), 0700);
  ASSERT_EQ(::chown(path("theirs").c_str(), 12345, 12345), 0);
  EXPECT_NE(dangerOf(path("theirs")).find("belongs to another user"),
            std::string::npos);
  ASSERT_EQ(::symlink("mine", path("link").c_str()), 0);
  ::mkdir(path("mine").c_str(), 0700);
  EXPECT_EQ(dangerOf(path("link")), "");
  ASSERT_EQ(::lchown(path("link").c_str(), 12345, 12345), 0);
  EXPECT_NE(dangerOf(path("link")), "");
}

TEST_F(CacheFolder, no_EntryThatIsNoFileOfOnesOwn) {
  Cache cache(folder);
  std::string bytes;
  cache.write("object-a", "code");
  ASSERT_TRUE(cache.read("object-a", bytes));
  EXPECT_EQ(bytes, "code");
  ::chmod(path("object-a").c_str(), 0666);
  EXPECT_FALSE(cache.read("object-a", bytes));
  ::chmod(path("object-a").c_str(), 0600);
  ASSERT_EQ(::symlink("object-a", path("object-b").c_str()), 0);
  EXPECT_FALSE(cache.read("object-b", bytes));
  ASSERT_EQ(::mkfifo(path("object-c").c_str(), 0600), 0);
  EXPECT_FALSE(cache.read("object-c", bytes));
  ASSERT_EQ(::mkdir(path("object-d").c_str(), 0700), 0);
  EXPECT_FALSE(cache.read("object-d", bytes));
  // What is in the way is replaced, and not what it leads to.
  cache.write("object-b", "other");
  cache.write("object-c", "other");
  cache.write("object-d", "other");
  EXPECT_TRUE(cache.read("object-b", bytes));
  EXPECT_TRUE(cache.read("object-c", bytes));
  EXPECT_FALSE(cache.read("object-d", bytes));
  ASSERT_TRUE(cache.read("object-a", bytes));
  EXPECT_EQ(bytes, "code");
}

TEST_F(CacheFolder, no_DamagedEntry) {
  Cache cache(folder);
  std::string code = "some code of a program", bytes;
  cache.write("object-a", code);
  std::ifstream file(path("object-a"), std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  auto put = [&](const std::string &text) {
    std::ofstream(path("object-a"), std::ios::binary) << text;
  };
  for (size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = char(bad[at] ^ (1 << bit));
      put(bad);
      EXPECT_FALSE(cache.read("object-a", bytes)) << at;
    }
  for (size_t n = 0; n < good.size(); ++n) {
    put(good.substr(0, n));
    EXPECT_FALSE(cache.read("object-a", bytes)) << n;
  }
  put(good + "x");
  EXPECT_FALSE(cache.read("object-a", bytes));
  put(good);
  EXPECT_TRUE(cache.read("object-a", bytes));
  EXPECT_EQ(bytes, code);
}

//===----------------------------------------------------------------------===//
// Order in the folder
//===----------------------------------------------------------------------===//

TEST_F(CacheFolder, IsMadeWhenSomethingIsKept) {
  std::string deep = path("a/b/c"), bytes;
  Cache cache(deep);
  EXPECT_TRUE(cache.isUsable());
  EXPECT_FALSE(cache.read("object-x", bytes));
  EXPECT_FALSE(std::filesystem::exists(path("a")));
  cache.write("object-x", "x");
  EXPECT_TRUE(cache.read("object-x", bytes));
  struct stat info;
  ASSERT_EQ(::stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(CacheFolder, TheOldestEntriesMakeRoom) {
  for (int i = 0; i < 1000; ++i) {
    std::string name = path("image-" + std::to_string(i));
    std::ofstream(name) << "old";
    timespec times[2] = {{i, 0}, {i, 0}};
    ::utimensat(AT_FDCWD, name.c_str(), times, 0);
  }
  std::ofstream(path("mine.txt")) << "mine";
  Cache cache(folder);
  cache.write("object-new", "new");
  EXPECT_EQ(files(), 502u);
  EXPECT_FALSE(std::filesystem::exists(path("image-0")));
  EXPECT_TRUE(std::filesystem::exists(path("image-999")));
  EXPECT_TRUE(std::filesystem::exists(path("mine.txt")));
}
