//===- Series.h - Files that a run writes while it goes on ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_SERIES_H
#define ARRC_TOOLS_ARRC_SERIES_H

#include "HostValue.h"
#include "Picture.h"

#include "IO/File.h"
#include "arrt/arrt.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace arrc::tool {

/// An output that is not one array in one `.npy` file.
struct SeriesOutput {
  std::string name, path;
  int32_t result = 0;

  bool isPicture() const { return llvm::StringRef(path).ends_with(".png"); }
};

/// The file of a step: `%d` and `%06d` in `path` are its number. Nothing if
/// there is none in it, or something else behind the `%`.
std::optional<std::string> nameOfStep(llvm::StringRef path, int64_t step);

/// Finds the results that outputs mean, and what is wrong with their names.
/// `isSeries` says whether there will be several of each. Returns "" or an
/// error.
std::string checkSeries(std::vector<SeriesOutput> &outputs,
                        const arrt_entry &entry, bool isSeries);

/// Writes arrays to files beside the program's run. Where the disk is slower
/// the program waits, as what is to be written takes memory.
class Series {
public:
  explicit Series(std::optional<ValueRange> range);
  /// Ends the thread; what is not finished is not there.
  ~Series();
  Series(const Series &) = delete;
  Series &operator=(const Series &) = delete;

  /// Has a file written: `path`, one of those that `pattern` stands for.
  void write(std::string path, HostValue value, llvm::StringRef pattern);
  /// Appends to a file that holds all values, one behind the other.
  void append(const std::string &path, HostValue value);
  /// Waits until all is written and completes the files. Returns "" or what was
  /// wrong.
  std::string finish();
  /// What was wrong so far; "" if nothing.
  std::string getProblem();
  /// Seconds that `write` and `append` waited.
  double getWaited() const { return waited; }
  /// A line for each pattern of pictures that were written: their number and
  /// what their first and last colours mean.
  std::vector<std::string> describePictures() const;

private:
  struct Job {
    std::string path;
    HostValue value;
    std::string pattern; ///< "" of what is appended
  };
  /// A file that holds several values.
  struct Stack {
    arrt::OutputFile file;
    int32_t element = 0;
    std::vector<int64_t> shape; ///< of one
    int64_t count = 0;
  };
  void add(Job job);
  void work();
  std::string doJob(const Job &job);
  std::string addTo(Stack &stack, const Job &job);

  std::optional<ValueRange> range;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs; ///< the first is being done
  size_t bytes = 0;     ///< of their values
  bool isEnded = false;
  std::string problem;
  double waited = 0;
  std::map<std::string, std::unique_ptr<Stack>> stacks;
  struct Drawn {
    int64_t count = 0;
    ValueRange range; ///< from the least to the most
  };
  std::map<std::string, Drawn> drawn; ///< by their pattern
  std::thread thread;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_SERIES_H
