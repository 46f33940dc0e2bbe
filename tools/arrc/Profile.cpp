//===- Profile.cpp - arrc profile -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A call is observed: one thing is done after the other, so that each has a
// time of its own. What a call takes without an observer, when launches overlap
// and are recorded, stands beside it. Bytes and operations are those of the
// cost model, and the least time is what the rates of the device allow them.
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"
#include "Output.h"
#include "Runner.h"
#include "Table.h"
#include "Verbs.h"

#include "arrc/Support/Printable.h"

#include "Core/Observe.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
struct ProfileOptions {
  std::vector<Variant> variants;
  std::vector<std::string> arguments;
  int calls = 5;
  std::string csv, trace;
};

/// Something that was done, in time.
struct Happening {
  std::string name;
  arrt_event event;
};

/// All that was done under one name.
struct Row {
  std::string place;
  bool isKernel = false;
  int64_t times = 0;
  double seconds = 0;
  std::optional<double> bytes, operations; ///< of all times
  std::optional<double> least;             ///< seconds by the roof
  std::string shape;                       ///< of the last launch
  int32_t registers = 0;                   ///< the most of a thread
};

/// What the calls of a program did.
struct Measured {
  MapVector<std::string, Row, std::map<std::string, unsigned>> rows;
  std::vector<Happening> events;
  double seconds = 0, plain = 0; ///< of a call, observed and not
  int calls = 0;
  double copyRate = 0; ///< of the CPU, measured; 0 for devices
};
} // namespace

static int readOptions(ArrayRef<std::string> words, ProfileOptions &options) {
  WordReader reader(words);
  VariantWords variants;
  while (reader.next()) {
    if (auto number = reader.number("--calls", 1))
      options.calls = int(std::min(*number, 10000.0));
    else if (auto text = reader.value("--csv"))
      options.csv = text->str();
    else if (auto text = reader.value("--trace"))
      options.trace = text->str();
    else
      variants.add(reader.word());
  }
  std::string error = reader.error();
  if (error.empty())
    error = variants.finish(options.variants);
  if (error.empty() && options.variants.size() > 1)
    error = "two programs are given";
  options.arguments = variants.arguments;
  return error.empty() ? Done
                       : complain(WrongUse, error, "see 'arrc help profile'");
}

static StringRef nameOf(int32_t kind) {
  switch (kind) {
  case ARRT_EVENT_COPY:
    return "copy";
  case ARRT_EVENT_COPY_IN:
    return "copy to the device";
  case ARRT_EVENT_COPY_OUT:
    return "copy to the host";
  default:
    return "fill";
  }
}

/// Adds to a sum that is not known where a part of it is not.
static void addTo(std::optional<double> &sum, std::optional<double> part,
                  bool isFirst) {
  if (isFirst)
    sum = part;
  else if (sum)
    sum = part ? std::optional<double>(*sum + *part) : std::nullopt;
}

/// Notes an event of a call.
static void note(const Runner &runner, const arrt_event &event,
                 int32_t registers, Measured &profile) {
  const KernelCost *kernel = nullptr;
  std::string name = nameOf(event.kind).str();
  if (event.kind == ARRT_EVENT_KERNEL) {
    kernel = runner.costs().find(event);
    name = event.name ? event.name : kernel ? kernel->name : "a kernel";
  }
  profile.events.push_back({name, event});
  Row &row = profile.rows[name];
  bool isFirst = row.times++ == 0;
  row.seconds += event.seconds;
  if (event.kind != ARRT_EVENT_KERNEL) {
    addTo(row.bytes, double(event.bytes), isFirst);
    return;
  }
  row.isKernel = true;
  row.registers = std::max(row.registers, registers);
  if (event.block[0])
    row.shape =
        formatv("{0} x {1}", event.grid[0] * event.grid[1] * event.grid[2],
                event.block[0] * event.block[1] * event.block[2]);
  std::optional<double> bytes, operations, least;
  if (kernel) {
    row.place = kernel->place;
    SizeExpression::Parameters parameters = runner.parameters();
    std::optional<double> read =
        kernel->evaluate(kernel->read, parameters, event);
    std::optional<double> written =
        kernel->evaluate(kernel->written, parameters, event);
    if (read && written)
      bytes = *read + *written;
    operations = kernel->evaluate(kernel->work, parameters, event);
    if (const auto &roof = runner.costs().getRoof(); roof && bytes)
      least = roof->getSeconds(*bytes, operations.value_or(0));
    else if (profile.copyRate > 0 && bytes)
      least = *bytes / profile.copyRate;
  }
  addTo(row.bytes, bytes, isFirst);
  addTo(row.operations, operations, isFirst);
  addTo(row.least, least, isFirst);
}

static int measure(Runner &runner, const ProfileOptions &options,
                   Measured &profile) {
  if (!runner.isDevice())
    profile.copyRate = runner.measureCopies();
  profile.calls = options.calls;
  Samples plain;
  double seconds = 0;
  for (int i = 0; i <= options.calls; ++i) {
    if (int code = runner.call(seconds))
      return code;
    // The first call makes and loads kernels.
    if (i > 0)
      plain.add(seconds);
  }
  profile.plain = plain.median();
  double whole = 0, began = 0;
  for (int i = 0; i < options.calls; ++i) {
    auto observer = [&](const arrt_event &event) {
      arrt_event later = event;
      later.begin += began;
      note(runner, later, arrt::needsOf(event).registers, profile);
    };
    if (int code = runner.observe(observer, seconds))
      return code;
    whole += seconds;
    began += seconds;
  }
  profile.seconds = whole / options.calls;
  return Done;
}

static std::string sayRate(std::optional<double> amount, double seconds) {
  return amount && seconds > 0
             ? formatv("{0:F2}", *amount / seconds * 1e-9).str()
             : "";
}

/// The rows, those that take longest first.
static std::vector<std::pair<std::string, const Row *>>
sorted(const Measured &profile) {
  std::vector<std::pair<std::string, const Row *>> rows;
  for (const auto &[name, row] : profile.rows)
    rows.emplace_back(name, &row);
  llvm::sort(rows, [](const auto &a, const auto &b) {
    return std::pair(-a.second->seconds, a.first) <
           std::pair(-b.second->seconds, b.first);
  });
  return rows;
}

static void print(const Runner &runner, const Measured &profile) {
  double calls = profile.calls, kernels = 0, others = 0;
  for (const auto &[name, row] : profile.rows)
    (row.isKernel ? kernels : others) += row.seconds / calls;
  raw_ostream &os = outs();
  auto share = [&](double seconds) {
    return formatv("{0:F1} %", 100 * seconds / profile.seconds).str();
  };
  os << "a call of " << runner.getEntry().name << " takes "
     << saySeconds(profile.plain) << "; one thing after the other "
     << saySeconds(profile.seconds) << ": kernels " << share(kernels)
     << ", copies and fills " << share(others) << ", the host "
     << share(std::max(profile.seconds - kernels - others, 0.0)) << '\n';
  if (const auto &roof = runner.costs().getRoof())
    os << formatv("roof, by the device's row: {0:F0} GB/s, {1:F0} Gop/s, {2} a "
                  "launch\n",
                  roof->bytesPerSecond * 1e-9, roof->operationsPerSecond * 1e-9,
                  saySeconds(roof->launchSeconds));
  else
    os << formatv("roof, by copying: {0:F1} GB/s\n", profile.copyRate * 1e-9);
  Table table({"kernel", "at", "times", "time", "share", "GB/s", "Gop/s",
               "at least", "of roof", "blocks x threads"});
  for (auto &[name, row] : sorted(profile)) {
    double seconds = row->seconds / calls;
    table.add({name, row->place, std::to_string(row->times / profile.calls),
               saySeconds(seconds), share(seconds),
               sayRate(row->bytes, row->seconds),
               sayRate(row->operations, row->seconds),
               row->least ? saySeconds(*row->least / calls) : "",
               row->least && row->seconds > 0
                   ? formatv("{0:F1} %", 100 * *row->least / row->seconds).str()
                   : "",
               row->shape});
  }
  table.print(os);
  os.flush();
}

static std::string asCSV(const Measured &profile) {
  std::string text;
  raw_string_ostream os(text);
  os << "name,kind,place,times,seconds,share,bytes,operations,gb_per_s,"
        "gop_per_s,least_s,launch,registers\n";
  for (auto &[name, row] : sorted(profile)) {
    double calls = profile.calls;
    auto number = [&](std::optional<double> value, double over) {
      return value ? formatv("{0:E6}", *value / over).str() : std::string();
    };
    os << quoteCSV(name) << ',' << (row->isKernel ? "kernel" : "copy") << ','
       << quoteCSV(row->place) << ',' << row->times / profile.calls << ','
       << number(row->seconds, calls) << ','
       << formatv("{0:F4}", row->seconds / calls / profile.seconds) << ','
       << number(row->bytes, calls) << ',' << number(row->operations, calls)
       << ',' << sayRate(row->bytes, row->seconds) << ','
       << sayRate(row->operations, row->seconds) << ','
       << number(row->least, calls) << ',' << quoteCSV(row->shape) << ',';
    if (row->registers)
      os << row->registers;
    os << '\n';
  }
  return text;
}

/// Events as Perfetto and Chrome read them: the compiler's stages, then the
/// calls.
static std::string asTrace(const Runner &runner, const Measured &profile) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream to(os);
  auto track = [&](int64_t number, StringRef name) {
    to.object([&] {
      to.attribute("ph", "M");
      to.attribute("name", "thread_name");
      to.attribute("pid", 1);
      to.attribute("tid", number);
      to.attributeObject("args", [&] { to.attribute("name", name); });
    });
  };
  auto span = [&](int64_t number, StringRef name, double begin, double seconds,
                  function_ref<void()> arguments) {
    to.object([&] {
      to.attribute("ph", "X");
      to.attribute("name", name);
      to.attribute("pid", 1);
      to.attribute("tid", number);
      to.attribute("ts", begin * 1e6);
      to.attribute("dur", seconds * 1e6);
      to.attributeObject("args", arguments);
    });
  };
  to.object([&] {
    to.attribute("displayTimeUnit", "ns");
    to.attributeArray("traceEvents", [&] {
      track(1, "compiler");
      track(2, "kernels");
      track(3, "copies and fills");
      double at = 0;
      for (const auto &[stage, milliseconds] : runner.getTimer().all()) {
        span(1, stage, at, milliseconds / 1000, [] {});
        at += milliseconds / 1000;
      }
      for (const Happening &done : profile.events) {
        const arrt_event &event = done.event;
        bool isKernel = event.kind == ARRT_EVENT_KERNEL;
        span(isKernel ? 2 : 3, done.name, at + event.begin, event.seconds, [&] {
          if (!isKernel)
            to.attribute("bytes", event.bytes);
          else if (auto it = profile.rows.find(done.name);
                   !it->second.place.empty())
            to.attribute("place", it->second.place);
        });
      }
    });
  });
  os << '\n';
  return text;
}

int arrc::tool::profile(const CommandLine &line) {
  ProfileOptions options;
  if (int code = readOptions(line.rest, options))
    return code;
  Runner runner(options.variants.front());
  if (int code = runner.load(/*notes=*/true))
    return code;
  if (int code = runner.prepare("", options.arguments))
    return code;
  Measured profile;
  if (int code = measure(runner, options, profile))
    return code;
  if (options.csv != "-" && options.trace != "-")
    print(runner, profile);
  if (!options.csv.empty())
    if (int code = writeOutput(options.csv, asCSV(profile)))
      return code;
  if (!options.trace.empty())
    if (int code = writeOutput(options.trace, asTrace(runner, profile)))
      return code;
  return Done;
}
