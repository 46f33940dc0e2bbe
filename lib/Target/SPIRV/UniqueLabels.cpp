//===- UniqueLabels.cpp - Numbers of their own for labels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's SPIR-V backend keeps the numbers of labels in a static table, by the
// address of the function and the number of the block, and never clears it. The
// functions of a later module may lie at the addresses of earlier ones: then
// their labels have numbers that other things of the new module have, too.
// Labels stand in places where nothing else can, so they are found in the image
// and numbered anew. Their names go, which the image holds by number.
//
// Two labels of one function with the same number cannot be told apart any
// more: the caller tries again, elsewhere in memory.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <cstring>

using namespace llvm;

namespace {
enum Opcode : uint32_t {
  name = 5,
  function = 54,
  functionEnd = 56,
  variable = 59,
  phi = 245,
  loopMerge = 246,
  selectionMerge = 247,
  label = 248,
  branch = 249,
  branchConditional = 250,
  switchOn = 251
};

/// An image as words, and where each instruction begins.
struct Words {
  explicit Words(std::string &image)
      : image(image), words(image.size() / sizeof(uint32_t)) {
    std::memcpy(words.data(), image.data(), words.size() * sizeof(uint32_t));
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
      if (words[at] >> 16 == 0)
        break;
      starts.push_back(at);
    }
  }
  uint32_t opcode(size_t at) const { return words[at] & 0xffff; }
  uint32_t length(size_t at) const { return words[at] >> 16; }
  void write();

  std::string &image;
  SmallVector<uint32_t> words;
  SmallVector<size_t> starts;
};
} // namespace

/// Writes the image, with names of functions and variables only: other names
/// may be those of labels, by their old numbers.
void Words::write() {
  DenseSet<uint32_t> named;
  for (size_t at : starts)
    if (opcode(at) == function || opcode(at) == variable)
      named.insert(words[at + 2]);
  SmallVector<uint32_t> kept(words.begin(), words.begin() + 5);
  for (size_t at : starts)
    if (opcode(at) != name || named.contains(words[at + 1]))
      kept.append(words.begin() + at, words.begin() + at + length(at));
  image.assign(reinterpret_cast<const char *>(kept.data()),
               kept.size() * sizeof(uint32_t));
}

/// The words of the instruction at `at` that name labels.
static SmallVector<size_t> labelsOf(const Words &w, size_t at) {
  switch (w.opcode(at)) {
  case label:
  case branch:
  case selectionMerge:
    return {at + 1};
  case loopMerge:
    return {at + 1, at + 2};
  case branchConditional:
    return {at + 2, at + 3};
  case phi: {
    SmallVector<size_t> result;
    for (size_t k = at + 4; k < at + w.length(at); k += 2)
      result.push_back(k);
    return result;
  }
  default:
    return {};
  }
}

bool arrc::target::opencl::makeLabelsUnique(std::string &image) {
  Words w(image);
  if (w.words.size() < 5)
    return false;
  uint32_t &bound = w.words[3];
  for (size_t first = 0; first < w.starts.size(); ++first) {
    if (w.opcode(w.starts[first]) != function)
      continue;
    size_t last = first;
    DenseMap<uint32_t, uint32_t> numbers;
    for (; last < w.starts.size(); ++last) {
      size_t at = w.starts[last];
      if (w.opcode(at) == functionEnd)
        break;
      if (w.opcode(at) == label &&
          !numbers.try_emplace(w.words[at + 1], bound++).second)
        return false;
      // Switches were made comparisons before.
      if (w.opcode(at) == switchOn)
        return false;
    }
    for (; first < last; ++first)
      for (size_t place : labelsOf(w, w.starts[first])) {
        auto number = numbers.find(w.words[place]);
        if (number == numbers.end())
          return false;
        w.words[place] = number->second;
      }
  }
  w.write();
  return true;
}
