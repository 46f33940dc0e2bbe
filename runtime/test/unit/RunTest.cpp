//===- RunTest.cpp - the command line of a program ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A program written by hand in the packed form:
//   export def axpy(a: f32 = 2, x: f32[n], y: f32[n]) -> (z: f32[n], n2: int)
//   export def swap(p.pos: f32[n, 3], flag: bool) -> ..
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace {

int32_t axpy(arrt_context *ctx, void **args) {
  float a = *static_cast<float *>(args[0]);
  arrt_array *x = *static_cast<arrt_array **>(args[1]);
  arrt_array *y = *static_cast<arrt_array **>(args[2]);
  int64_t n = arrt_array_size(x, 0);
  if (n == 13)
    return arrt_fail_check(ctx, 0, 1, &n);
  void *raw = arrt_buffer_alloc(ctx, n * 4, -1);
  auto *z = static_cast<float *>(raw);
  for (int64_t i = 0; i < n; ++i)
    z[i] = a * static_cast<float *>(arrt_array_data(x))[i] +
           static_cast<float *>(arrt_array_data(y))[i];
  *static_cast<arrt_array **>(args[3]) =
      arrt_array_adopt(ctx, raw, ARRT_F32, 1, &n);
  *static_cast<int64_t *>(args[4]) = n * 2;
  return 0;
}

int32_t shape(arrt_context *, void **) { return 0; }

const float two = 2;
const char *const dimsN[] = {"n"};
const char *const dimsN3[] = {"n", "3"};
const char *const dimsN1[] = {"n+1"};
const arrt_param axpyParams[] = {{"a", "f32", ARRT_F32, 0, nullptr, &two},
                                 {"x", "f32[n]", ARRT_F32, 1, dimsN, nullptr},
                                 {"y", "f32[n]", ARRT_F32, 1, dimsN, nullptr}};
const arrt_param axpyResults[] = {{"z", "f32[n]", ARRT_F32, 1, dimsN, nullptr},
                                  {"n2", "int", ARRT_I64, 0, nullptr, nullptr}};
const arrt_param shapeParams[] = {
    {"p.pos", "f32[n, 3]", ARRT_F32, 2, dimsN3, nullptr},
    {"p.row", "int[n+1]", ARRT_I64, 1, dimsN1, nullptr},
    {"flag", "bool", ARRT_BOOL, 0, nullptr, nullptr},
    {"k", "u8", ARRT_U8, 0, nullptr, nullptr}};
const arrt_entry entries[] = {{"axpy", axpy, 3, 2, axpyParams, axpyResults},
                              {"shape", shape, 4, 0, shapeParams, nullptr}};
const arrt_site sites[] = {
    {"axpy.arr", 3, 5, ARRT_CHECK_ASSERT, 0, "n is {0}", nullptr}};
const arrt_program both = {ARRT_ABI_VERSION, 2, entries, sites, 1, 0,
                           "axpy.arr"};
const arrt_program one = {ARRT_ABI_VERSION, 1, entries, sites, 1, 0,
                          "axpy.arr"};

class Run : public arrt_test::ContextTest {
protected:
  /// Runs and keeps what was printed.
  int run(std::vector<std::string> words, const arrt_program &program = one) {
    std::vector<char *> argv;
    words.insert(words.begin(), "axpy");
    for (std::string &word : words)
      argv.push_back(&word[0]);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int code = arrt_main(int(argv.size()), argv.data(), &program);
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return code;
  }
  std::string save(const std::string &name, std::vector<float> values,
                   int32_t element = ARRT_F32) {
    int64_t size = int64_t(values.size());
    arrt_array *a = arrt_array_borrow(ctx, values.data(), ARRT_F32, 1, &size);
    arrt_array *b = arrt_array_convert(ctx, a, element);
    EXPECT_EQ(arrt_save(ctx, path(name).c_str(), b), 0);
    arrt_array_release(a);
    arrt_array_release(b);
    return "@" + path(name);
  }
  std::string out, err;
};

} // namespace

TEST_F(Run, no_WrongUse) {
  struct Case {
    std::vector<std::string> words;
    std::string error;
  } cases[] = {
      {{"x"},
       "error: 'x' is no argument\nhelp: arguments are NAME=VALUE or "
       "NAME=@file.npy\n"},
      {{"=3"},
       "error: '=3' is no argument\nhelp: arguments are NAME=VALUE or "
       "NAME=@file.npy\n"},
      {{"-x"}, "error: unknown option '-x'\nhelp: see --help\n"},
      {{"--ouput"},
       "error: unknown option '--ouput'\nhelp: did you mean "
       "'--output'?\n"},
      {{"--output"}, "error: '--output' wants a value\n"},
      {{"--output", "z=o.npy"},
       "error: 'z=o.npy' says no output\nhelp: write --output "
       "NAME=@file.npy\n"},
      {{"--threads", "0"},
       "error: '--threads' wants a number from 1 to 1024, not '0'\n"},
      {{"--convert=1"}, "error: '--convert' takes no value\n"},
      {{"x=[1]", "x=[2]"}, "error: 'x' is given twice\n"},
      {{"--entry", "apxy"},
       "error: the program has no export 'apxy'\nhelp: "
       "did you mean 'axpy'?\n"},
      {{"x=[1]"},
       "error: the argument 'y' of type 'f32[n]' is missing\nhelp: "
       "write y=@file.npy\n"},
      {{"x=[1]", "Y=[1]"},
       "error: 'axpy' has no parameter 'Y'\nhelp: did you mean 'y'?\n"},
      {{"x=[1]", "y=[1]", "size=3"},
       "error: 'axpy' has no parameter 'size'\nhelp: its parameters are 'a', "
       "'x', 'y'\n"},
      {{"x=1.5", "y=[1]"},
       "error: 'x' is declared 'f32[n]', but '1.5' is a "
       "float, not an array with 1 dimension\n"},
      {{"x=[1]", "y=[1]", "a=[1]"},
       "error: 'a' is declared 'f32', but '[1]' is a list of 1, not a single "
       "value\n"},
      {{"x=[1]", "y=[1]", "a=true"},
       "error: 'a' is declared 'f32', but 'true' is a bool, not f32\n"},
      {{"x=[1]", "y=[1]", "a=1+"},
       "error: 'a' is declared 'f32', but '1+' is no value: the expression "
       "ends too early\n"},
      {{"x=[1, 2]", "y=[1]"},
       "error: 'y' is declared 'f32[n]', but its dimension 0 is 1, not n with "
       "n = 2 (dimension 0 of 'x')\n"},
      {{"x=[1]", "y=[1]", "--output", "zz=@/tmp/o.npy"},
       "error: 'axpy' has no result 'zz'\nhelp: did you mean 'z'?\n"},
  };
  for (Case &c : cases) {
    EXPECT_EQ(run(c.words), 2) << c.error;
    EXPECT_EQ(err, c.error);
    EXPECT_EQ(out, "");
  }
  EXPECT_EQ(run({}, both), 2);
  EXPECT_EQ(err, "error: the program has several exports\nhelp: choose one by "
                 "--entry: axpy, shape\n");
}

TEST_F(Run, no_FileThatDoesNotFit) {
  std::string x = save("x.npy", {1, 2}, ARRT_F64);
  EXPECT_EQ(run({"x=" + x, "y=[1, 2]"}), 2);
  EXPECT_EQ(err, "error: 'x' is declared 'f32[n]', but '" + x.substr(1) +
                     "' holds f64[2]: its elements are not f32\nhelp: convert "
                     "it to f32, or add --convert to do so on reading\n");
  EXPECT_EQ(run({"a=" + x, "x=[1]", "y=[1]"}), 2);
  EXPECT_EQ(err, "error: 'a' is declared 'f32', but '" + x.substr(1) +
                     "' holds f64[2]: it has 1 dimension and not 0\n");
  EXPECT_EQ(run({"x=x.npy", "y=[1]"}), 2);
  EXPECT_NE(err.find("help: a file is written x=@x.npy"), std::string::npos);
  EXPECT_EQ(run({"x=@" + path("none.npy"), "y=[1]"}), 74);
  EXPECT_EQ(run({"x=[1]", "y=[1]", "--output", "z=@" + path("no/o.npy")}), 74);
}

TEST_F(Run, no_StructsSizesAndRanges) {
  std::vector<std::string> words = {"--entry", "shape", "flag=true", "k=3",
                                    "p.pos=[[1,2,3]]"};
  auto with = [&](const std::string &word) {
    auto all = words;
    all.push_back(word);
    return all;
  };
  EXPECT_EQ(run(with("p=@x.npy"), both), 2);
  EXPECT_EQ(err, "error: 'p' is a struct: give its fields 'p.pos', "
                 "'p.row'\nhelp: or all of them at once by p=@file.npz\n");
  EXPECT_EQ(run(with("p=@x.npz"), both), 2);
  EXPECT_EQ(err, "error: 'p.pos' is given twice, by itself and with 'p'\n");
  EXPECT_EQ(run(with("p.row=[1]"), both), 2);
  EXPECT_EQ(err, "error: 'p.row' is declared 'int[n+1]', but its dimension 0 "
                 "is 1, not n+1 with n = 1 (dimension 0 of 'p.pos')\n");
  EXPECT_EQ(run(with("p.row=[0, 1]"), both), 0) << err;
  words[4] = "p.pos=[[1, 2]]";
  EXPECT_EQ(run(with("p.row=[0, 1]"), both), 2);
  EXPECT_EQ(err, "error: 'p.pos' is declared 'f32[n, 3]', but its dimension 1 "
                 "is 2, not 3\n");
  words[4] = "p.pos=[]";
  EXPECT_EQ(run(with("p.row=[0]"), both), 0) << err; // 0 x 3
  words[3] = "k=256";
  EXPECT_EQ(run(with("p.row=[0]"), both), 2);
  EXPECT_EQ(err, "error: 'k' is declared 'u8', but '256' is an integer that "
                 "does not fit u8\n");
}

TEST_F(Run, AFailingCheckEndsWithThree) {
  EXPECT_EQ(run({"x=zeros(13)", "y=ones(13)"}), 3);
  EXPECT_EQ(err, "axpy.arr:3:5: error: n is 13\n");
  EXPECT_EQ(out, "");
}

TEST_F(Run, ComputesSavesAndSummarizes) {
  std::string x = save("x.npy", {1, 2, 3});
  EXPECT_EQ(run({"x=" + x, "--output", "z=@" + path("z.npy"), "y=[1, 1, 1]",
                 "--output=n2=@" + path("n.npy")}),
            0)
      << err;
  EXPECT_EQ(out, "z: f32[3] [3, 5, 7]\nn2: i64 6\n");
  EXPECT_EQ(err, "");
  arrt_array *z = arrt_load(ctx, path("z.npy").c_str());
  ASSERT_NE(z, nullptr);
  EXPECT_EQ(static_cast<float *>(arrt_array_data(z))[2], 7);
  arrt_array_release(z);
  arrt_array *n = arrt_load(ctx, path("n.npy").c_str());
  ASSERT_NE(n, nullptr);
  EXPECT_EQ(arrt_array_rank(n), 0);
  EXPECT_EQ(*static_cast<int64_t *>(arrt_array_data(n)), 6);
  arrt_array_release(n);
}

TEST_F(Run, LargeResultsAreSummarized) {
  EXPECT_EQ(run({"x=iota(101)", "y=zeros(101)", "a=-1", "--threads", "2"}), 0);
  EXPECT_EQ(out, "z: f32[101]  min -100  mean -50  max 0\nn2: i64 202\n");
  std::string holes = save("y.npy", std::vector<float>(70, NAN));
  EXPECT_EQ(run({"x=zeros(70)", "y=" + holes}), 0);
  EXPECT_EQ(out, "z: f32[70]  nan 70\nn2: i64 140\n");
  EXPECT_EQ(run({"x=[]", "y=[]"}), 0);
  EXPECT_EQ(out, "z: f32[0] []\nn2: i64 0\n");
}

TEST_F(Run, ConvertsOnReadingWhenAsked) {
  std::string x = save("x.npy", {1, 2}, ARRT_I16);
  EXPECT_EQ(run({"x=" + x, "y=[0, 0]", "--convert", "a=0.5"}), 0) << err;
  EXPECT_EQ(out, "z: f32[2] [0.5, 1]\nn2: i64 4\n");
}

TEST_F(Run, StructsAreReadFromAndResultsWrittenToArchives) {
  int64_t sizes[] = {2, 3}, three = 3;
  float positions[6] = {1, 2, 3, 4, 5, 6};
  int64_t rows[3] = {0, 1, 2};
  arrt_array *pos = arrt_array_borrow(ctx, positions, ARRT_F32, 2, sizes);
  arrt_array *row = arrt_array_borrow(ctx, rows, ARRT_I64, 1, &three);
  const char *names[] = {"pos", "row"};
  const arrt_array *arrays[] = {pos, row};
  ASSERT_EQ(arrt_save_members(ctx, path("p.npz").c_str(), 2, names, arrays), 0);
  EXPECT_EQ(run({"--entry", "shape", "p=@" + path("p.npz"), "flag=true", "k=1"},
                both),
            0)
      << err;
  ASSERT_EQ(arrt_save_members(ctx, path("p.npz").c_str(), 1, names, arrays), 0);
  EXPECT_EQ(run({"--entry", "shape", "p=@" + path("p.npz"), "flag=true", "k=1"},
                both),
            74);
  EXPECT_NE(err.find("it has no member 'row.npy'"), std::string::npos);
  arrt_array_release(pos);
  arrt_array_release(row);

  EXPECT_EQ(run({"x=[1]", "y=[4]", "--output", "z=@" + path("z.npz")}), 0);
  arrt_array *z = arrt_load_member(ctx, path("z.npz").c_str(), "z");
  ASSERT_NE(z, nullptr) << message();
  EXPECT_EQ(*static_cast<float *>(arrt_array_data(z)), 6);
  arrt_array_release(z);
}

TEST_F(Run, HelpNamesParametersAndDefaults) {
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_NE(out.find("  a: f32 = 2\n  x: f32[n]\n"), std::string::npos);
  EXPECT_NE(out.find("  -> z: f32[n]\n"), std::string::npos);
}

TEST_F(Run, HooksSeeTheArgumentsAndMayEndTheRun) {
  struct Seen {
    float first = 0;
  } seen;
  arrt_run_hooks hooks = {
      &seen,
      [](void *user, arrt_context *ctx, const arrt_entry *,
         void **args) -> int32_t {
        arrt_array *z = *static_cast<arrt_array **>(args[3]);
        static_cast<Seen *>(user)->first =
            *static_cast<float *>(arrt_array_data(z));
        return arrt_fail(ctx, ARRT_STATUS_COMPARE, "error: they differ");
      }};
  std::string words[] = {"axpy", "x=[1]", "y=[4]"};
  char *argv[] = {&words[0][0], &words[1][0], &words[2][0]};
  testing::internal::CaptureStderr();
  EXPECT_EQ(arrt_run(3, argv, &one, &hooks), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "error: they differ\n");
  EXPECT_EQ(seen.first, 6);
}
