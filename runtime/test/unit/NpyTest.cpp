//===- NpyTest.cpp - .npy files, good and hostile -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "IO/Crc32.h"
#include "IO/OutputPlace.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using Npy = arrt_test::ContextTest;

namespace {

/// A file of version 1 to 3 with this dict literal and data.
std::string npy(const std::string &dict, const std::string &data,
                int version = 1) {
  std::string front = "\x93NUMPY";
  front += char(version);
  front += '\0';
  uint32_t length = uint32_t(dict.size());
  for (int b = 0; b < (version == 1 ? 2 : 4); ++b)
    front += char(length >> (8 * b) & 0xff);
  return front + dict + data;
}

std::string dict(const std::string &descr, const std::string &shape,
                 const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

template <typename T> std::string bytesOf(const std::vector<T> &values) {
  return std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T));
}

template <typename T> std::vector<T> valuesOf(const arrt_array *array) {
  auto *data = static_cast<const T *>(arrt_array_data(array));
  return std::vector<T>(data, data + arrt_array_count(array));
}

} // namespace

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST_F(Npy, no_HostileFile) {
  std::string four(4, '\0'), eight(8, '\0');
  struct Case {
    std::string bytes, why;
  } cases[] = {
      {"", "it is empty"},
      {"hello", "it is not a .npy file"},
      {std::string(100, '\0'), "it is not a .npy file"},
      {"PK\3\4zip", ".npz archive"},
      {"\x93NUMPY", "it ends inside its header"},
      {std::string("\x93NUMPY\1\0\xff", 9), "it ends inside its header"},
      {std::string("\x93NUMPY\1\0\xff\xff", 10), "it ends inside its header"},
      {std::string("\x93NUMPY\4\0\x10\0\0\0", 12), "version 4.0"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12), "4294967295 bytes"},
      {npy("", ""), "is not a dict"},
      {npy("[]", ""), "is not a dict"},
      {npy("{", ""), "a key that is not a string"},
      {npy("{}", ""), "has no 'descr'"},
      {npy("{'descr' '<f4'}", ""), "no ':' after 'descr'"},
      {npy("{'x': 1}", ""), "unknown key 'x'"},
      {npy("{'descr': '<f4', 'descr': '<f4'}", ""), "'descr' twice"},
      {npy("{'descr': '<f4' 'shape': ()}", ""), "no ',' after the value"},
      {npy(dict("<f4", "(1,)") + "x", four), "goes on after the dict"},
      {npy(dict("<f4", "(1,)") + std::string(1, '\0'), four),
       "goes on after the dict"},
      {npy(dict("<f4", "1"), four), "not a tuple"},
      {npy(dict("<f4", "(1)"), four), "not a tuple"},
      {npy(dict("<f4", "(1 1)"), four), "no ',' between"},
      {npy(dict("<f4", "(-1,)"), four), "something that is not a size"},
      {npy(dict("<f4", "(1.5,)"), four), "no ',' between"},
      {npy(dict("<f4", "(01,)"), four), "leading 0"},
      {npy(dict("<f4", "((1,),)"), four), "something that is not a size"},
      {npy(dict("<f4", std::string(20000, '(')), four),
       "something that is not a size"},
      {npy(dict("<f4", "(1,1,1,1,1,1,1,1,1)"), four), "more than 8 dimensions"},
      {npy(dict("<f4", "(9223372036854775808,)"), four), "above 2^63 - 1"},
      {npy(dict("<f4", "(99999999999999999999999999,)"), four),
       "above 2^63 - 1"},
      {npy(dict("<f4", "(9223372036854775807,)"), four),
       "asks for more than 2^63 - 1 bytes"},
      {npy(dict("<f4", "(4294967296, 4294967296)"), four),
       "asks for more than 2^63 - 1 bytes"},
      {npy(dict("<f4", "(1099511627776,)"), four),
       "asks for 4398046511104 bytes of data, it holds 4"},
      {npy(dict("<f4", "(1,)"), ""), "asks for 4 bytes of data, it holds 0"},
      {npy(dict("<f4", "(1,)"), eight), "asks for 4 bytes of data, it holds 8"},
      {npy(dict("<f4", "(1,)", "Maybe"), four), "neither True nor False"},
      {npy(dict("", "(1,)"), four), "'descr' is empty"},
      {npy(dict("<", "(1,)"), four), "'descr' is empty"},
      {npy(dict("<U4", "(1,)"), four), "which is text"},
      {npy(dict("|O", "(1,)"), four), "Python objects"},
      {npy(dict("<M8[ns]", "(1,)"), eight), "dates or times"},
      {npy(dict("<f3", "(1,)"), four), "the language does not have"},
      {npy(dict("<f99999999999", "(1,)"), four), "the language does not have"},
      {npy(dict("<f4x", "(1,)"), four), "the language does not have"},
      {npy(dict("<c32", "(1,)"), four), "the language does not have"},
      {npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}",
           four),
       "it holds records"},
      {npy("{'descr': 4, 'fortran_order': False, 'shape': (1,)}", four),
       "'descr' is not a string"},
      {npy("{'de\\x73cr': '<f4'}", four), "a key that is not a string"},
      {npy("{'descr", four), "a key that is not a string"},
  };
  for (const Case &c : cases) {
    arrt_array *array = arrt_load(ctx, write("bad.npy", c.bytes).c_str());
    EXPECT_EQ(array, nullptr) << c.why;
    EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_IO) << c.why;
    EXPECT_NE(message().find(c.why), std::string::npos)
        << message() << "\nwanted: " << c.why;
    arrt_array_release(array);
  }
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
  EXPECT_EQ(arrt_memory_peak(ctx), 0) << "allocated before the checks";
}

TEST_F(Npy, no_EveryTruncationOfAGoodFile) {
  std::string good = npy(dict("<f8", "(2, 3)"), std::string(48, 'x'), 2);
  for (size_t n = 0; n < good.size(); ++n)
    ASSERT_EQ(arrt_load(ctx, write("t.npy", good.substr(0, n)).c_str()),
              nullptr)
        << n;
  arrt_array *whole = arrt_load(ctx, write("t.npy", good).c_str());
  EXPECT_NE(whole, nullptr);
  arrt_array_release(whole);
}

TEST_F(Npy, no_EveryFlippedHeaderByteIsReadOrRefused) {
  std::string good = npy(dict("<f4", "(2,)"), std::string(8, 'x'));
  for (size_t at = 0; at < good.size() - 8; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = char(bad[at] ^ (1 << bit));
      // Must not crash; if it is read, it has what the file holds.
      arrt_array *array = arrt_load(ctx, write("f.npy", bad).c_str());
      if (array)
        EXPECT_LE(arrt_array_bytes(array), int64_t(bad.size()));
      arrt_array_release(array);
    }
}

TEST_F(Npy, no_MissingFilesFoldersAndPipes) {
  EXPECT_EQ(arrt_load(ctx, path("none.npy").c_str()), nullptr);
  EXPECT_NE(message().find("No such file"), std::string::npos);
  EXPECT_EQ(arrt_load(ctx, folder.c_str()), nullptr);
  EXPECT_NE(message().find("it is a directory"), std::string::npos);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(arrt_load(ctx, path("pipe").c_str()), nullptr);
  EXPECT_NE(message().find("not a regular file"), std::string::npos);
}

TEST_F(Npy, no_bf16IsWritten) {
  arrt_array *array = arrt_array_alloc(ctx, ARRT_BF16, 0, nullptr, -1);
  EXPECT_EQ(arrt_save(ctx, path("b.npy").c_str(), array), ARRT_STATUS_USAGE);
  EXPECT_NE(message().find("has no bf16"), std::string::npos);
  arrt_array_release(array);
}

TEST_F(Npy, no_BrokenArchive) {
  const int64_t size = 3;
  float data[3] = {1, 2, 3};
  arrt_array *array = arrt_array_borrow(ctx, data, ARRT_F32, 1, &size);
  const char *name = "x";
  const arrt_array *list[] = {array};
  ASSERT_EQ(arrt_save_members(ctx, path("g.npz").c_str(), 1, &name, list), 0);
  arrt_array_release(array);
  std::string good = read("g.npz");
  for (size_t n = 0; n < good.size(); ++n)
    ASSERT_EQ(
        arrt_load_member(ctx, write("t.npz", good.substr(0, n)).c_str(), "x"),
        nullptr)
        << n;
  for (size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; bit += 3) {
      std::string bad = good;
      bad[at] = char(bad[at] ^ (1 << bit));
      arrt_array *read =
          arrt_load_member(ctx, write("f.npz", bad).c_str(), "x");
      // Its check sum tells a change of the elements.
      if (read)
        EXPECT_EQ(valuesOf<float>(read), (std::vector<float>{1, 2, 3})) << at;
      arrt_array_release(read);
    }
  EXPECT_EQ(arrt_load(ctx, path("g.npz").c_str()), nullptr);
  EXPECT_NE(message().find("it is a .npz archive"), std::string::npos);
  EXPECT_EQ(arrt_load_member(ctx, path("g.npz").c_str(), "y"), nullptr);
  EXPECT_NE(message().find("it has no member 'y.npy'"), std::string::npos);
  arrt_array *back = arrt_load_member(ctx, path("g.npz").c_str(), "x");
  ASSERT_NE(back, nullptr) << message();
  EXPECT_EQ(valuesOf<float>(back), (std::vector<float>{1, 2, 3}));
  arrt_array_release(back);
}

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

TEST_F(Npy, AllVersionsAndSpellings) {
  std::string data = bytesOf<float>({1.5f, -2});
  for (const std::string &file :
       {npy(dict("<f4", "(2,)"), data, 1), npy(dict("<f4", "(2,)"), data, 2),
        npy(dict("<f4", "(2,)"), data, 3), npy(dict("=f4", "(2L,)"), data),
        npy("  {\"shape\":(2 ,),\"fortran_order\":True,\"descr\":\"<f4\"}  ",
            data)}) {
    arrt_array *array = arrt_load(ctx, write("a.npy", file).c_str());
    ASSERT_NE(array, nullptr) << message();
    EXPECT_EQ(valuesOf<float>(array), (std::vector<float>{1.5f, -2}));
    arrt_array_release(array);
  }
}

TEST_F(Npy, BigEndianIsTurned) {
  std::string file =
      npy(dict(">i4", "(2,)"), std::string("\0\0\1\2\xff\xff\xff\xfe", 8));
  arrt_array *array = arrt_load(ctx, write("a.npy", file).c_str());
  ASSERT_NE(array, nullptr) << message();
  EXPECT_EQ(valuesOf<int32_t>(array), (std::vector<int32_t>{258, -2}));
  arrt_array_release(array);
  // A complex number is two floats, each turned by itself.
  file = npy(dict(">c8", "()"), std::string("\x3f\x80\0\0\x40\0\0\0", 8));
  array = arrt_load(ctx, write("a.npy", file).c_str());
  ASSERT_NE(array, nullptr) << message();
  auto *parts = static_cast<float *>(arrt_array_data(array));
  EXPECT_EQ(parts[0], 1.0f);
  EXPECT_EQ(parts[1], 2.0f);
  arrt_array_release(array);
}

TEST_F(Npy, FortranOrderIsTurned) {
  const int64_t n = 70, m = 3, k = 5;
  std::vector<int32_t> columnMajor(size_t(n * m * k));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      for (int64_t l = 0; l < k; ++l)
        columnMajor[size_t(i + n * (j + m * l))] =
            int32_t(i * 100 + j * 10 + l);
  arrt_array *array =
      arrt_load(ctx, write("f.npy", npy(dict("<i4", "(70, 3, 5)", "True"),
                                        bytesOf(columnMajor)))
                         .c_str());
  ASSERT_NE(array, nullptr) << message();
  auto *data = static_cast<int32_t *>(arrt_array_data(array));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      for (int64_t l = 0; l < k; ++l)
        ASSERT_EQ(data[(i * m + j) * k + l], i * 100 + j * 10 + l);
  arrt_array_release(array);
}

TEST_F(Npy, BoolsBecomeZeroOrOne) {
  arrt_array *array = arrt_load(
      ctx, write("b.npy", npy(dict("|b1", "(3,)"), std::string("\0\1\x80", 3)))
               .c_str());
  ASSERT_NE(array, nullptr) << message();
  EXPECT_EQ(valuesOf<uint8_t>(array), (std::vector<uint8_t>{0, 1, 1}));
  arrt_array_release(array);
}

TEST_F(Npy, EveryTypeRankAndSizeSurvives) {
  const std::vector<std::vector<int64_t>> shapes = {
      {}, {0}, {1}, {7}, {3, 4}, {2, 0, 5}, {1, 2, 3, 4, 1, 2, 1, 3}};
  for (int32_t e = 0; e < ARRT_NUM_ELEMENTS; ++e) {
    if (e == ARRT_BF16)
      continue;
    for (const auto &shape : shapes) {
      arrt_array *array =
          arrt_array_alloc(ctx, e, int32_t(shape.size()), shape.data(), -1);
      auto *bytes = static_cast<unsigned char *>(arrt_array_data(array));
      for (int64_t i = 0; i < arrt_array_bytes(array); ++i)
        bytes[i] = e == ARRT_BOOL ? i % 2 : (unsigned char)(i * 37);
      ASSERT_EQ(arrt_save(ctx, path("x.npy").c_str(), array), 0) << message();
      EXPECT_EQ(read("x.npy").size() - size_t(arrt_array_bytes(array)), 128u);
      arrt_array *back = arrt_load(ctx, path("x.npy").c_str());
      ASSERT_NE(back, nullptr) << message();
      EXPECT_EQ(arrt_array_element(back), e);
      ASSERT_EQ(arrt_array_rank(back), int32_t(shape.size()));
      for (size_t d = 0; d < shape.size(); ++d)
        EXPECT_EQ(arrt_array_size(back, int32_t(d)), shape[d]);
      EXPECT_EQ(std::memcmp(arrt_array_data(back), bytes,
                            size_t(arrt_array_bytes(array))),
                0);
      arrt_array_release(array);
      arrt_array_release(back);
    }
  }
}

TEST_F(Npy, WritesTheHeaderThatNumPyWrites) {
  const int64_t sizes[] = {2, 3};
  arrt_array *array = arrt_array_alloc(ctx, ARRT_F32, 2, sizes, -1);
  ASSERT_EQ(arrt_save(ctx, path("x.npy").c_str(), array), 0);
  std::string dict =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  std::string expected = std::string("\x93NUMPY\1\0\x76\0", 10) + dict +
                         std::string(118 - dict.size() - 1, ' ') + "\n";
  EXPECT_EQ(read("x.npy").substr(0, 128), expected);
  arrt_array_release(array);
}

TEST_F(Npy, WritingIsAllOrNothing) {
  const int64_t sizes[] = {2};
  arrt_array *array = arrt_array_alloc(ctx, ARRT_F32, 1, sizes, -1);
  EXPECT_EQ(arrt_save(ctx, path("no/x.npy").c_str(), array), ARRT_STATUS_IO);
  EXPECT_EQ(arrt_save(ctx, folder.c_str(), array), ARRT_STATUS_IO);
  EXPECT_NE(message().find("Is a directory"), std::string::npos);
  // A link stays a link, and nothing is left beside the file.
  write("old.npy", "old");
  ASSERT_EQ(::symlink(path("old.npy").c_str(), path("link.npy").c_str()), 0);
  EXPECT_EQ(arrt_save(ctx, path("link.npy").c_str(), array), 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  EXPECT_EQ(read("old.npy").size(), 136u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
  EXPECT_EQ(arrt_save(ctx, "/dev/null", array), 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  arrt_array_release(array);
}

TEST_F(Npy, RightsAndFormerFilesStay) {
  const int64_t sizes[] = {2};
  arrt_array *array = arrt_array_alloc(ctx, ARRT_F32, 1, sizes, -1);
  write("x.npy", "old");
  ::chmod(path("x.npy").c_str(), 0640);
  EXPECT_EQ(arrt_save(ctx, path("x.npy").c_str(), array), 0);
  struct stat info;
  ASSERT_EQ(::stat(path("x.npy").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  // A link to what is not there yet makes it there.
  ASSERT_EQ(::symlink("made.npy", path("link.npy").c_str()), 0);
  EXPECT_EQ(arrt_save(ctx, path("link.npy").c_str(), array), 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  EXPECT_EQ(read("made.npy").size(), 136u);
  // What is full leaves the former file as it is.
  write("y.npy", "old");
  rlimit former, small;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &former), 0);
  small = former;
  small.rlim_cur = 100;
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  int32_t status = arrt_save(ctx, path("y.npy").c_str(), array);
  ::setrlimit(RLIMIT_FSIZE, &former);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(status, ARRT_STATUS_IO);
  EXPECT_NE(message().find("File too large"), std::string::npos);
  EXPECT_EQ(read("y.npy"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 4);
  arrt_array_release(array);
}

TEST_F(Npy, AnOpenFileIsWrittenAndNotReplaced) {
  const int64_t sizes[] = {2};
  arrt_array *array = arrt_array_alloc(ctx, ARRT_F32, 1, sizes, -1);
  int file = ::open(path("out").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::write(file, "front", 5), 5);
  std::string name = "/dev/fd/" + std::to_string(file);
  EXPECT_EQ(arrt_save(ctx, name.c_str(), array), 0) << message();
  EXPECT_EQ(::write(file, "back", 4), 4);
  ::close(file);
  EXPECT_EQ(read("out").substr(0, 7), "front\x93N");
  EXPECT_EQ(read("out").size(), 5u + 136 + 4);
  EXPECT_EQ(arrt_save(ctx, name.c_str(), array), ARRT_STATUS_IO);
  arrt_array_release(array);
}

TEST_F(Npy, OutputPlacesAreCompared) {
  write("a.npy", "");
  std::filesystem::create_directory(path("in"));
  ASSERT_EQ(::symlink("a.npy", path("b.npy").c_str()), 0);
  ASSERT_EQ(::symlink("new.npy", path("c.npy").c_str()), 0);
  auto isSame = [&](const std::string &a, const std::string &b) {
    return arrt::findOutputPlace(path(a)).isSame(
        arrt::findOutputPlace(path(b)));
  };
  EXPECT_TRUE(isSame("a.npy", "./a.npy"));
  EXPECT_TRUE(isSame("a.npy", "in/../a.npy"));
  EXPECT_TRUE(isSame("a.npy", "b.npy"));
  EXPECT_TRUE(isSame("new.npy", "in/../new.npy"));
  EXPECT_TRUE(isSame("new.npy", "c.npy"));
  EXPECT_FALSE(isSame("new.npy", "in/new.npy"));
  EXPECT_FALSE(isSame("a.npy", "new.npy"));
  EXPECT_FALSE(arrt::findOutputPlace("/dev/null")
                   .isSame(arrt::findOutputPlace("/dev/null")));
}

TEST(Crc32, OfPartsIsThatOfTheWhole) {
  std::string text(100003, '\0');
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = char(i * i >> 3);
  auto sum = [&](size_t lo, size_t hi, uint32_t before = 0) {
    return arrt::crc32(before, text.data() + lo, int64_t(hi - lo));
  };
  EXPECT_EQ(arrt::crc32(0, "123456789", 9), 0xcbf43926u);
  for (size_t cut :
       {size_t(0), size_t(1), size_t(7), size_t(50000), text.size()}) {
    EXPECT_EQ(sum(cut, text.size(), sum(0, cut)), sum(0, text.size()));
    EXPECT_EQ(arrt::joinCrc32(sum(0, cut), sum(cut, text.size()),
                              int64_t(text.size() - cut)),
              sum(0, text.size()));
  }
}

TEST_F(Npy, LargeFilesAreReadInParallel) {
  const int64_t count = 3000017;
  arrt_array *array = arrt_array_alloc(ctx, ARRT_I32, 1, &count, -1);
  auto *data = static_cast<int32_t *>(arrt_array_data(array));
  for (int64_t i = 0; i < count; ++i)
    data[i] = int32_t(i * 2654435761u);
  ASSERT_EQ(arrt_save(ctx, path("x.npy").c_str(), array), 0);
  arrt_array *back = arrt_load(ctx, path("x.npy").c_str());
  ASSERT_NE(back, nullptr);
  EXPECT_EQ(std::memcmp(data, arrt_array_data(back), size_t(count) * 4), 0);
  arrt_array_release(array);
  arrt_array_release(back);
}
