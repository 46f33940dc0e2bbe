//===- FuzzValues.cpp - Any words go through a program's command line -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each line of the input is a word. Whatever the words are, they end as the
// arguments of an export or with a message; a list has the elements that its
// sizes promise. Files are left out: their reader has a target of its own.
//
//===----------------------------------------------------------------------===//

#include "Run/Arguments.h"
#include "Run/Expression.h"
#include "Run/Options.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>

using namespace arrt;

namespace {
const float half = 0.5F;
const char *const dimsN[] = {"n"};
const char *const dimsNM[] = {"n", "m"};
const char *const dimsMore[] = {"2*n+1", "3"};
constexpr arrt_param params[] = {
    {"x", "f32[n]", ARRT_F32, 1, dimsN, nullptr},
    {"y", "int[n, m]", ARRT_I64, 2, dimsNM, nullptr},
    {"z", "c64[2*n+1, 3]", ARRT_C64, 2, dimsMore, nullptr},
    {"n", "int", ARRT_I64, 0, nullptr, nullptr},
    {"b", "bool", ARRT_BOOL, 0, nullptr, nullptr},
    {"k", "u8", ARRT_U8, 0, nullptr, nullptr},
    {"h", "f16", ARRT_F16, 0, nullptr, nullptr},
    {"a", "f32", ARRT_F32, 0, nullptr, &half}};
constexpr int32_t numParams = sizeof params / sizeof *params;
/// A list with more elements than this is none that the words spell out.
constexpr int64_t mostElements = 1 << 16;

int32_t runNothing(arrt_context *, void **) { return ARRT_STATUS_OK; }
} // namespace

/// Evaluates one value as every element type.
static void evaluateAll(const std::string &text) {
  for (int32_t element = 0; arrt_element_name(element); ++element) {
    Value value;
    Names names = [](const std::string &name, int64_t &size) {
      size = 7;
      return name == "n";
    };
    if (!evaluate(text, element, names, value).empty())
      continue;
    if (describe(value).empty())
      std::abort();
    std::vector<int64_t> sizes;
    if (!listSizes(value, sizes).empty())
      continue;
    int64_t count = 1;
    for (int64_t size : sizes)
      if (size < 0 || (count *= size) > mostElements)
        return;
    std::vector<char> data(
        std::max<int64_t>(count * arrt_element_bytes(element), 1));
    (void)storeValue(value, element, data.data());
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static arrt_context *context = arrt_context_create(nullptr);
  std::istringstream lines(std::string(data, data + size));
  std::vector<std::string> words = {"program"};
  for (std::string word; std::getline(lines, word);)
    words.push_back(word.c_str()); // up to a zero, as a command line has it
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  Options options;
  std::string help;
  if (!parseOptions(static_cast<int>(argv.size()), argv.data(), options, help)
           .empty())
    return 0;
  auto isFile = [](const Assignment &input) { return input.isFile; };
  options.inputs.erase(
      std::remove_if(options.inputs.begin(), options.inputs.end(), isFile),
      options.inputs.end());
  options.outputs.clear();
  for (const Assignment &input : options.inputs)
    evaluateAll(input.text);
  // The parameters that are named, so that none is missing.
  std::vector<arrt_param> wanted;
  for (int32_t p = 0; p < numParams; ++p)
    for (const Assignment &input : options.inputs)
      if (input.name == params[p].name) {
        wanted.push_back(params[p]);
        break;
      }
  arrt_entry entry = {"f", runNothing,    static_cast<int32_t>(wanted.size()),
                      0,   wanted.data(), nullptr};
  Arguments arguments(context, entry);
  if (arguments.read(options) && !*arrt_message(context))
    std::abort();
  arrt_clear_error(context);
  return 0;
}
