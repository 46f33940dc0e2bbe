//===- MadeArrays.cpp - Arrays for trying a program -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MadeArrays.h"

#include "IO/Stored.h"
#include "Run/Expression.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <cmath>

using namespace llvm;
using namespace arrc::tool;

bool ArrayMaker::isRecipe(StringRef text) {
  return text.ends_with(")") &&
         (text.starts_with("random(") || text.starts_with("fill(") ||
          text.starts_with("range("));
}

std::string ArrayMaker::add(StringRef parameter, StringRef text) {
  auto [name, rest] = text.split('(');
  SmallVector<StringRef> parts;
  rest.drop_back().split(parts, ',', -1, /*KeepEmpty=*/false);
  std::vector<double> numbers;
  for (StringRef part : parts) {
    arrt::Value value;
    std::string wrong = arrt::evaluate(part.trim().str(), ARRT_F64, {}, value);
    bool isNumber =
        value.kind == arrt::Value::Int || value.kind == arrt::Value::Float;
    if (!wrong.empty() || !isNumber)
      return ("'" + part.trim() + "' in '" + text + "' is no number").str();
    numbers.push_back(value.kind == arrt::Value::Int ? double(value.integer)
                                                     : value.re);
  }
  Recipe recipe;
  recipe.kind = name == "fill"    ? Recipe::Fill
                : name == "range" ? Recipe::Range
                                  : Recipe::Random;
  size_t wanted = recipe.kind == Recipe::Random ? 2
                  : recipe.kind == Recipe::Fill ? 1
                                                : 0;
  if (numbers.size() != wanted)
    return ("'" + text + "': write " + parameter +
            "=random(LOW, HIGH), fill(VALUE) or range()")
        .str();
  if (wanted > 0)
    recipe.low = numbers[0];
  if (wanted > 1)
    recipe.high = numbers[1];
  recipes[parameter.str()] = recipe;
  return "";
}

/// Number `k` of a sequence in 0 to 1: SplitMix64.
static double numberAt(uint64_t seed, uint64_t k) {
  uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

namespace {
/// Fills an array with the values of a function of the index.
struct Filler {
  arrt_array *array;
  function_ref<double(int64_t k, bool isInteger)> value;

  template <typename T> int operator()(T) const {
    auto *data = static_cast<T *>(arrt_array_data(array));
    for (int64_t k = 0; k < arrt_array_count(array); ++k) {
      if constexpr (arrt::IsComplex<T>::value) {
        using Part = decltype(data[k].re);
        data[k] = {Part(value(2 * k, false)), Part(value(2 * k + 1, false))};
      } else if constexpr (std::is_same_v<T, arrt::Bool>) {
        data[k].value = value(k, true) != 0;
      } else if constexpr (std::is_same_v<T, arrt::F16>) {
        data[k].bits = arrt::toF16(value(k, false));
      } else if constexpr (std::is_same_v<T, arrt::BF16>) {
        data[k].bits = arrt::toBF16(value(k, false));
      } else {
        data[k] = T(value(k, std::is_integral_v<T>));
      }
    }
    return 0;
  }
};
} // namespace

arrt_array *ArrayMaker::make(arrt_context *ctx, const arrt_param &param,
                             const arrt::Sizes &sizes) const {
  int64_t shape[ARRT_MAX_RANK] = {};
  for (int32_t d = 0; d < param.rank; ++d)
    if (!param.dims || !sizes.evaluate(param.dims[d], shape[d]))
      return nullptr;
  arrt_array *array =
      arrt_array_alloc_host(ctx, param.element, param.rank, shape);
  if (!array)
    return nullptr;
  Recipe recipe;
  if (auto it = recipes.find(param.name); it != recipes.end())
    recipe = it->second;
  uint64_t seed = 0;
  for (const char *c = param.name; *c; ++c)
    seed = seed * 131 + uint64_t(static_cast<unsigned char>(*c));
  auto value = [&](int64_t k, bool isInteger) -> double {
    if (recipe.kind == Recipe::Fill)
      return recipe.low;
    if (recipe.kind == Recipe::Range)
      return double(k);
    double width = recipe.high - recipe.low;
    double at = numberAt(seed, uint64_t(k));
    // Of integers both ends may be.
    return isInteger ? std::floor(recipe.low + at * (width + 1))
                     : recipe.low + at * width;
  };
  arrt::dispatch(param.element, Filler{array, value});
  return array;
}
