//===- Series.cpp - Files that a run writes while it goes on --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Series.h"

#include "IO/NpyHeader.h"

#include "arrc/Support/Printable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Bytes that may wait to be written, if there is more than one array.
static constexpr size_t mostWaiting = size_t(256) << 20;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<std::string> arrc::tool::nameOfStep(StringRef path,
                                                  int64_t step) {
  auto [front, rest] = path.split('%');
  if (front.size() == path.size())
    return std::nullopt;
  StringRef digits = rest.take_while(isDigit);
  StringRef behind = rest.drop_front(digits.size());
  unsigned width = 0;
  if (!behind.consume_front("d") || behind.contains('%') ||
      (!digits.empty() && (digits.getAsInteger(10, width) || width > 20)))
    return std::nullopt;
  std::string number = std::to_string(step);
  if (number.size() < width)
    number.insert(0, width - number.size(), digits[0] == '0' ? '0' : ' ');
  return (front + number + behind).str();
}

static std::string joinNames(const arrt_entry &entry) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < entry.num_results; ++i)
    names.push_back("'" + std::string(entry.results[i].name) + "'");
  return join(names, ", ");
}

std::string arrc::tool::checkSeries(std::vector<SeriesOutput> &outputs,
                                    const arrt_entry &entry, bool isSeries) {
  for (SeriesOutput &output : outputs) {
    std::string shown = "'" + printable(output.path) + "'";
    const arrt_param *result = nullptr;
    for (int32_t i = 0; i < entry.num_results; ++i)
      if (output.name == entry.results[i].name) {
        result = &entry.results[i];
        output.result = i;
      }
    if (!result)
      return "'" + std::string(entry.name) + "' has no result '" +
             printable(output.name) + "': its results are " + joinNames(entry);
    bool hasNumber = nameOfStep(output.path, 0).has_value();
    std::string file = isSeries
                           ? nameOfStep(output.path, 0).value_or(output.path)
                           : output.path;
    arrt::OutputPlace place = arrt::findOutputPlace(file);
    if (place.kind == arrt::OutputPlace::Refused)
      return "cannot write " + shown + ": " + place.problem;
    if (isSeries && place.kind != arrt::OutputPlace::File)
      return shown + " is no file, and several arrays go into one of their own";
    if (isSeries && StringRef(output.path).contains('%') && !hasNumber)
      return shown + " has something else than one %d, or %06d, behind a '%'";
    if (output.isPicture()) {
      if (std::string wrong = findPictureProblem(result->rank); !wrong.empty())
        return shown + ": " + wrong;
      if (isSeries && !hasNumber)
        return shown + " is one picture of many: write a number into its name, "
                       "as u-%06d.png";
    } else if (!StringRef(output.path).ends_with(".npy")) {
      return shown + " is no .npy or .png file, as those of '--every' are";
    } else if (result->element == ARRT_BF16) {
      return "'" + output.name +
             "' has elements of bf16, which NumPy's format "
             "has not: return f32 from the program";
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (outputs[i].path == outputs[j].path)
        return "two outputs are to be written to '" +
               printable(outputs[i].path) + "'";
  return "";
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Series::Series(std::optional<ValueRange> range)
    : range(range), thread([this] { work(); }) {}

Series::~Series() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isEnded = true;
    if (jobs.size() > 1)
      jobs.erase(jobs.begin() + 1, jobs.end());
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void Series::write(std::string path, HostValue value, StringRef pattern) {
  add({std::move(path), std::move(value), pattern.str()});
}

void Series::append(const std::string &path, HostValue value) {
  add({path, std::move(value), ""});
}

void Series::add(Job job) {
  auto start = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] {
    return jobs.empty() || bytes + job.value.bytes.size() <= mostWaiting;
  });
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  waited += took.count();
  bytes += job.value.bytes.size();
  jobs.push_back(std::move(job));
  changed.notify_all();
}

void Series::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return isEnded || !jobs.empty(); });
    if (jobs.empty())
      return;
    Job &job = jobs.front();
    if (problem.empty()) {
      lock.unlock();
      std::string wrong = doJob(job);
      lock.lock();
      problem = std::move(wrong);
    }
    bytes -= job.value.bytes.size();
    jobs.pop_front();
    changed.notify_all();
  }
}

static std::string complainOf(StringRef path, StringRef why) {
  return ("cannot write '" + printable(path) + "': " + why).str();
}

static std::string complainOf(StringRef path, const arrt::OutputFile &file) {
  return complainOf(path, StringRef(file.problem()));
}

std::string Series::doJob(const Job &job) {
  if (job.pattern.empty()) {
    std::unique_ptr<Stack> &stack = stacks[job.path];
    if (!stack)
      stack = std::make_unique<Stack>();
    return addTo(*stack, job);
  }
  const HostValue &value = job.value;
  std::string front;
  if (StringRef(job.path).ends_with(".png")) {
    std::optional<ValueRange> colors = range;
    if (std::string wrong = drawPicture(value, colors, front); !wrong.empty())
      return complainOf(job.path, wrong);
    if (colors) {
      Drawn &all = drawn[job.pattern];
      all.range = all.count++
                      ? ValueRange(std::min(all.range.first, colors->first),
                                   std::max(all.range.second, colors->second))
                      : *colors;
    }
  } else {
    front = arrt::npyFormat(value.element, int32_t(value.shape.size()),
                            value.shape.data()) +
            std::string(value.bytes.begin(), value.bytes.end());
  }
  arrt::OutputFile file;
  if (!file.open(job.path) ||
      !file.write(front.data(), int64_t(front.size())) || !file.finish() ||
      !file.publish())
    return complainOf(job.path, file);
  return "";
}

/// The front of a file of `count` arrays. However many there are it is as long:
/// blanks stand where a longer number would.
static std::string frontOf(int32_t element, ArrayRef<int64_t> shape,
                           int64_t count) {
  std::vector<int64_t> sizes = {INT64_MAX};
  append_range(sizes, shape);
  auto rank = int32_t(sizes.size());
  size_t length = arrt::npyFormat(element, rank, sizes.data()).size();
  sizes[0] = count;
  std::string front = arrt::npyFormat(element, rank, sizes.data());
  // It ends with a newline, and says behind the magic how long it is.
  front.insert(front.size() - 1, length - front.size(), ' ');
  front[8] = char((length - 10) & 0xff);
  front[9] = char((length - 10) >> 8);
  return front;
}

std::string Series::addTo(Stack &stack, const Job &job) {
  const HostValue &value = job.value;
  if (stack.count == 0) {
    stack.element = value.element;
    stack.shape = value.shape;
    std::string front = frontOf(stack.element, stack.shape, 0);
    if (!stack.file.open(job.path) ||
        !stack.file.write(front.data(), int64_t(front.size())))
      return complainOf(job.path, stack.file);
  }
  if (value.shape != stack.shape)
    return complainOf(job.path, "the sizes of the array change: write a number "
                                "into the name, as u-%06d.npy");
  ++stack.count;
  if (!stack.file.write(value.bytes.data(), int64_t(value.bytes.size())))
    return complainOf(job.path, stack.file);
  return "";
}

std::string Series::getProblem() {
  std::lock_guard<std::mutex> lock(mutex);
  return problem;
}

std::string Series::finish() {
  {
    std::unique_lock<std::mutex> lock(mutex);
    isEnded = true;
    changed.notify_all();
  }
  thread.join();
  for (auto &[path, stack] : stacks) {
    if (!problem.empty())
      break;
    std::string front = frontOf(stack->element, stack->shape, stack->count);
    if (!stack->file.writeAt(0, front.data(), int64_t(front.size())) ||
        !stack->file.finish() || !stack->file.publish())
      problem = complainOf(path, stack->file);
  }
  return problem;
}

std::vector<std::string> Series::describePictures() const {
  std::vector<std::string> lines;
  for (const auto &[pattern, all] : drawn) {
    std::string line = printable(pattern) + ": ";
    raw_string_ostream os(line);
    if (all.count > 1)
      os << all.count << " pictures, ";
    os << format("%.6g to %.6g", all.range.first, all.range.second);
    lines.push_back(line);
  }
  return lines;
}
