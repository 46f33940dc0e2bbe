//===- Arguments.h - the values that an export is called with --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_RUN_ARGUMENTS_H
#define ARRT_RUN_ARGUMENTS_H

#include "Core/Sizes.h"
#include "IO/File.h"
#include "Run/Expression.h"
#include "Run/Options.h"
#include "arrt/arrt.h"

#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace arrt {

/// The arguments and results of one call: reads them, owns them, and holds the
/// pointers of the packed form.
class Arguments {
public:
  Arguments(arrt_context *ctx, const arrt_entry &entry);
  /// Releases all arrays.
  ~Arguments();
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  /// Reads every parameter from the options. Returns a status; a failure's
  /// message is in the context, with lines of help behind it.
  int32_t read(const Options &options);
  /// Who makes an array that is missing and has no default: nothing if it
  /// cannot, else an array on the host. `sizes` are those that are known.
  using Maker =
      std::function<arrt_array *(const arrt_param &param, const Sizes &sizes)>;
  void setMaker(Maker maker) { this->maker = std::move(maker); }
  /// Makes the size `name` known to what makes arrays.
  void addSize(const std::string &name, int64_t size) {
    givenSizes.emplace_back(name, size);
  }
  /// Releases what a call gave, for another one.
  void releaseResults();
  /// Checks the names and places of outputs, before anything is computed.
  int32_t checkOutputs(const Options &options);
  /// Copies the arrays that were read to the device of the context.
  int32_t upload();
  /// Copies results to the host and takes the arguments as they were read.
  int32_t download();
  /// Writes the outputs that the options ask for.
  int32_t writeOutputs(const Options &options);

  /// The pointers that the packed form takes.
  void **pointers() { return packed.data(); }
  /// A result after the call: an array, or null for a scalar.
  const arrt_array *resultArray(int32_t result) const;
  /// The value of a scalar result.
  const void *resultScalar(int32_t result) const;

private:
  /// Where an argument or a result lives: 16 bytes hold every scalar.
  struct Slot {
    alignas(16) unsigned char scalar[16] = {};
    arrt_array *array = nullptr;
  };
  /// Compares the names of the inputs with the parameters; structs given as
  /// archives become an input a field.
  int32_t checkNames(const Options &options, std::vector<Assignment> &inputs);
  int32_t expandStruct(const Assignment &input,
                       std::vector<Assignment> &inputs);
  /// The results that an output means: one, or the fields of a struct.
  std::vector<int32_t> resultsOf(const Assignment &output) const;
  int32_t checkResults(const Assignment &output);
  int32_t writeOutput(const Assignment &output, OutputFile &file);
  int32_t readOne(const arrt_param &param, const Assignment *from, Slot &slot,
                  bool convert);
  int32_t readFile(const arrt_param &param, const Assignment &from, Slot &slot,
                   bool convert);
  int32_t readValue(const arrt_param &param, const Assignment &from,
                    Slot &slot);
  int32_t readDefault(const arrt_param &param, Slot &slot);
  int32_t refuse(const arrt_param &param, const std::string &what,
                 const std::string &help = "");

  arrt_context *ctx;
  const arrt_entry &entry;
  Maker maker; ///< may be empty
  std::list<std::pair<std::string, int64_t>> givenSizes;
  Room room; ///< for the values of this command line
  std::vector<Slot> slots;
  /// The arrays that were read, between upload and download.
  std::vector<arrt_array *> onHost;
  std::vector<void *> packed;
};

/// All names of parameters or results, for "did you mean".
std::vector<std::string> namesOf(const arrt_param *params, int32_t count);

} // namespace arrt

#endif // ARRT_RUN_ARGUMENTS_H
