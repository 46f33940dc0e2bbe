//===- Sizes.cpp - the sizes that inputs agree on -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Sizes.h"
#include "Run/Expression.h"
#include "Run/Text.h"

using namespace arrt;

static bool isName(const std::string &text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9'))
    return false;
  for (char c : text)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
          (c >= '0' && c <= '9') || c == '_'))
      return false;
  return true;
}

void Sizes::addScalar(const arrt_param &param, const void *data) {
  if (param.rank || param.element < ARRT_I8 || param.element > ARRT_U64)
    return;
  std::string text = elementText(param.element, data);
  if (text.size() < 19)
    known[param.name] = {std::stoll(text), ""};
}

void Sizes::bind(const arrt_param &param, const arrt_array *array) {
  for (int32_t d = 0; param.dims && d < param.rank; ++d)
    if (isName(param.dims[d]))
      known.insert(
          {param.dims[d],
           {arrt_array_size(array, d),
            "dimension " + std::to_string(d) + " of '" + param.name + "'"}});
}

std::string Sizes::check(const arrt_param &param,
                         const arrt_array *array) const {
  for (int32_t d = 0; param.dims && d < param.rank; ++d) {
    std::string text = param.dims[d];
    if (text.empty() || text[0] == '?')
      continue;
    std::string used;
    Names names = [&](const std::string &name, int64_t &value) {
      auto it = known.find(name);
      if (it == known.end())
        return false;
      value = it->second.value;
      used += (used.empty() ? " with " : ", ") + name + " = " +
              std::to_string(value);
      if (!it->second.from.empty())
        used += " (" + it->second.from + ")";
      return true;
    };
    Value value;
    if (!evaluate(text, ARRT_F64, names, value).empty() ||
        value.kind != Value::Int)
      continue;
    int64_t size = arrt_array_size(array, d);
    if (value.integer == size)
      continue;
    return "its dimension " + std::to_string(d) + " is " +
           std::to_string(size) + ", not " + text + used;
  }
  return "";
}
