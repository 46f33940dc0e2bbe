//===- Analyze.cpp - arrc analyze -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Compiles for a device, follows the host at the sizes that are given, looks at
// the kernels that it launches, and says where they lose time. Nothing runs.
//
//===----------------------------------------------------------------------===//

#include "AnalyzeHtml.h"
#include "Console.h"
#include "Findings.h"
#include "Output.h"
#include "PartsReport.h"
#include "Target.h"
#include "Verbs.h"
#include "Words.h"

#include "arrc/Support/Printable.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
enum class Format { Text, JSON, SARIF, HTML };

struct AnalyzeOptions {
  Format format = Format::Text;
  /// What is printed of kernels: with `--report=kernels`.
  bool kernels = false;
  std::string output = "-", entry;
  std::map<std::string, int64_t> at;
  DeviceFigures devices;
  /// The words of `arrc build` with the same program and target.
  std::vector<std::string> build;
};

/// A number that was not given.
constexpr int64_t kDefaultSize = 4096;
} // namespace

/// `n=1024,m=2**20`. Returns "" or what is wrong.
static std::string readSizes(StringRef text,
                             std::map<std::string, int64_t> &at) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto [name, value] = part.split('=');
    auto [base, power] = value.split("**");
    int64_t number = 0, exponent = 1;
    bool isPower = value.contains("**");
    if (name.empty() || base.getAsInteger(10, number) ||
        (isPower &&
         (power.getAsInteger(10, exponent) || exponent < 0 || exponent > 62)))
      return "'--at " + part.str() + "' is no size";
    int64_t result = isPower ? 1 : number;
    for (int64_t k = 0; isPower && k < exponent; ++k)
      if (MulOverflow(result, number, result))
        return "'--at " + part.str() + "' is too large";
    at[name.str()] = result;
  }
  return "";
}

static std::string readFigure(StringRef name, StringRef text, double &figure) {
  if (!text.getAsDouble(figure) && figure > 0)
    return "";
  return "'" + name.str() + " " + text.str() + "' is no positive number";
}

static int readOptions(ArrayRef<std::string> words, AnalyzeOptions &options) {
  WordReader reader(words);
  std::string error;
  options.build = {"build", "--emit=gpu"};
  while (reader.next() && error.empty()) {
    if (auto text = reader.value("--format")) {
      if (*text == "text")
        options.format = Format::Text;
      else if (*text == "json")
        options.format = Format::JSON;
      else if (*text == "sarif")
        options.format = Format::SARIF;
      else if (*text == "html")
        options.format = Format::HTML;
      else
        error = "'" + text->str() + "' is no format";
    } else if (auto text = reader.value("--report")) {
      if (*text != "findings" && *text != "kernels")
        error = "'" + text->str() + "' is no report";
      options.kernels = *text == "kernels";
    } else if (auto text = reader.value("--at")) {
      error = readSizes(*text, options.at);
    } else if (auto text = reader.value("--devices")) {
      if (text->getAsInteger(10, options.devices.devices) ||
          options.devices.devices < 1 || options.devices.devices > 1024)
        error = "'--devices " + text->str() + "' is no number from 1 to 1024";
    } else if (auto text = reader.value("--link")) {
      error = readFigure("--link", *text, options.devices.link);
    } else if (auto text = reader.value("--latency")) {
      error = readFigure("--latency", *text, options.devices.latency);
    } else if (auto text = reader.value("--bandwidth")) {
      error = readFigure("--bandwidth", *text, options.devices.bandwidth);
    } else if (auto text = reader.value("--entry")) {
      options.entry = text->str();
    } else if (auto text = reader.value("-o")) {
      options.output = text->str();
    } else {
      options.build.push_back(reader.word().str());
    }
  }
  if (error.empty())
    error = reader.error();
  if (options.devices.devices) {
    bool hasTarget = any_of(options.build, [](StringRef word) {
      return word.starts_with("--target");
    });
    options.build.push_back("--parts=1");
    if (!hasTarget)
      options.build.push_back("--target=cuda");
  }
  if (error.empty() && options.devices.devices &&
      options.format != Format::Text)
    error = "'--devices' goes with '--format=text'";
  return error.empty() ? Done
                       : complain(WrongUse, error, "see 'arrc help analyze'");
}

//===----------------------------------------------------------------------===//
// What is said
//===----------------------------------------------------------------------===//

/// `; about 3.1 us of the kernel's 5.2 us`.
static std::string timesText(const Finding &finding) {
  if (!finding.seconds)
    return "";
  std::string text = "; about " + timeText(*finding.seconds);
  if (finding.kernelSeconds)
    text += " of the kernel's " + timeText(*finding.kernelSeconds);
  return text;
}

static void printText(raw_ostream &os, const ProgramReport &report,
                      const AnalyzeOptions &options,
                      const std::map<std::string, int64_t> &sizes,
                      ArrayRef<std::string> assumed) {
  if (!sizes.empty()) {
    os << "at";
    const char *separator = " ";
    for (auto &[name, number] : sizes) {
      os << separator << name << '=' << number;
      separator = ", ";
    }
    os << (assumed.empty() ? "\n" : " (choose by --at)\n");
  }
  for (const Finding &finding : report.findings) {
    os << printable(finding.file) << ':' << finding.line << ':'
       << finding.column << ": " << (finding.isError ? "error: " : "slow: ")
       << printable(finding.what) << " [" << finding.rule << "]\n";
    if (!finding.cost.empty())
      os << "  cost: " << printable(finding.cost) << timesText(finding) << '\n';
    if (!finding.advice.empty())
      os << "  help: " << finding.advice << '\n';
  }
  if (report.findings.empty())
    os << "nothing that loses time was found in " << report.kernels.size()
       << (report.kernels.size() == 1 ? " kernel\n" : " kernels\n");
  if (!options.kernels)
    return;
  for (const KernelReport &kernel : report.kernels) {
    os << "kernel " << kernel.name;
    if (!kernel.place.empty())
      os << " of " << printable(kernel.place);
    os << ": " << gridText(kernel) << (kernel.isInLoop ? ", in a loop" : "")
       << (kernel.isPossible ? ", if values say so" : "") << '\n';
    if (!kernel.problem.empty())
      os << "  " << kernel.problem << '\n';
    if (kernel.estimate)
      os << "  predicted " << timeText(kernel.estimate->seconds)
         << ", bound by " << kernel.estimate->limit << '\n';
    for (const KernelAccess &access : kernel.accesses) {
      os << "  line " << access.line << ": "
         << verbOf(access.reads, access.writes) << ' ' << access.array << ", "
         << access.walk << ", " << access.requests << " requests, "
         << access.pieces << (access.isShared ? " turns\n" : " sectors\n");
    }
    for (auto &[name, cost] : kernel.costs)
      os << "  a block: " << name << ", depth " << cost.first << ", work "
         << cost.second << '\n';
    if (kernel.barriers)
      os << "  barriers: " << kernel.barriers << ", needless "
         << kernel.needlessBarriers << '\n';
  }
}

/// A number, or null where it is not known.
static json::Value orNull(std::optional<double> number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

/// What a kernel asks for, and how long that takes.
static json::Value predictionOf(const KernelReport &kernel) {
  if (!kernel.demand || !kernel.estimate)
    return nullptr;
  return json::Object{{"seconds", kernel.estimate->seconds},
                      {"bound_by", kernel.estimate->limit},
                      {"memory_bytes", kernel.demand->memoryBytes},
                      {"l2_bytes", kernel.demand->cacheBytes},
                      {"l1_bytes", kernel.demand->requestBytes},
                      {"shared_turns", kernel.demand->turns},
                      {"warp_instructions", kernel.demand->instructions},
                      {"special_functions", kernel.demand->special}};
}

static json::Value toJSON(const KernelReport &kernel) {
  json::Array accesses, blocks, threads;
  for (const KernelAccess &access : kernel.accesses)
    accesses.push_back(
        json::Object{{"line", access.line},
                     {"array", access.array},
                     {"space", access.isShared ? "shared" : "global"},
                     {"reads", access.reads},
                     {"writes", access.writes},
                     {"walk", access.walk},
                     {"requests", access.requests},
                     {access.isShared ? "turns" : "sectors", access.pieces},
                     {"bytes", access.bytes}});
  for (unsigned d = 0; d < 3; ++d) {
    blocks.push_back(kernel.blocks[d] ? json::Value(*kernel.blocks[d])
                                      : json::Value(nullptr));
    threads.push_back(kernel.threads[d]);
  }
  json::Array costs;
  for (auto &[name, cost] : kernel.costs)
    costs.push_back(json::Object{
        {"kind", name}, {"depth", cost.first}, {"work", cost.second}});
  return json::Object{{"name", kernel.name},
                      {"place", kernel.place},
                      {"blocks", std::move(blocks)},
                      {"threads", std::move(threads)},
                      {"in_loop", kernel.isInLoop},
                      {"certain", !kernel.isPossible},
                      {"accesses", std::move(accesses)},
                      {"costs", std::move(costs)},
                      {"prediction", predictionOf(kernel)},
                      {"barriers", kernel.barriers},
                      {"needless_barriers", kernel.needlessBarriers},
                      {"problem", kernel.problem}};
}

static json::Value toJSON(const ProgramReport &report,
                          const std::map<std::string, int64_t> &sizes) {
  json::Array findings, kernels;
  json::Object at;
  for (const Finding &finding : report.findings)
    findings.push_back(
        json::Object{{"file", finding.file},
                     {"line", finding.line},
                     {"column", finding.column},
                     {"rule", finding.rule},
                     {"severity", finding.isError ? "error" : "slow"},
                     {"kernel", finding.kernel},
                     {"what", finding.what},
                     {"cost", finding.cost},
                     {"seconds", orNull(finding.seconds)},
                     {"kernel_seconds", orNull(finding.kernelSeconds)},
                     {"advice", finding.advice}});
  for (const KernelReport &kernel : report.kernels)
    kernels.push_back(toJSON(kernel));
  for (auto &[name, number] : sizes)
    at[name] = number;
  return json::Object{{"at", std::move(at)},
                      {"findings", std::move(findings)},
                      {"kernels", std::move(kernels)}};
}

/// The format that code hosts and editors read.
static json::Value toSARIF(const ProgramReport &report) {
  json::Array results;
  for (const Finding &finding : report.findings) {
    std::string text = finding.what;
    if (!finding.cost.empty())
      text += "; " + finding.cost + timesText(finding);
    if (!finding.advice.empty())
      text += ". " + finding.advice;
    json::Object region{{"startLine", finding.line},
                        {"startColumn", finding.column}};
    json::Object location{
        {"artifactLocation", json::Object{{"uri", finding.file}}},
        {"region", std::move(region)}};
    results.push_back(json::Object{
        {"ruleId", finding.rule},
        {"level", finding.isError ? "error" : "warning"},
        {"message", json::Object{{"text", text}}},
        {"locations", json::Array{json::Object{
                          {"physicalLocation", std::move(location)}}}}});
  }
  json::Object tool{
      {"driver", json::Object{{"name", "arrc"}, {"version", ARRC_VERSION}}}};
  return json::Object{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::Array{json::Object{{"tool", std::move(tool)},
                                        {"results", std::move(results)}}}}};
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Lowers to kernels and keeps the text of each level.
static int lowerWithTexts(Compiler &compiler, ReportPage &page) {
  static constexpr std::pair<Level, const char *> levels[] = {
      {Level::Array, "array"},
      {Level::Kernel, "kernel"},
      {Level::Scheduled, "scheduled"},
      {Level::GPU, "gpu"}};
  for (auto [level, name] : levels) {
    if (int code = compiler.lowerTo(level))
      return code;
    LevelText &text = page.levels.emplace_back(LevelText{name, ""});
    raw_string_ostream os(text.text);
    compiler.module().print(os);
  }
  return Done;
}

int arrc::tool::analyze(const CommandLine &outer) {
  AnalyzeOptions options;
  if (int code = readOptions(outer.rest, options))
    return code;
  CommandLine line;
  if (int code = parseWords(options.build, line))
    return code;
  if (line.output.size())
    return complain(WrongUse, "'-o' is given twice");
  line.entry = options.entry;
  if (int code = loadPlugins(line.plugins))
    return code;
  std::optional<Target> target = findBuildTarget(line);
  if (!target)
    return NoDevice;
  Timer timer;
  Compiler compiler(line, target->options, timer);
  if (int code = compiler.load())
    return code;
  ReportPage page;
  if (int code = options.format == Format::HTML ? lowerWithTexts(compiler, page)
                                                : compiler.lowerTo(Level::GPU))
    return code;
  auto device = kernel::DeviceAttr::get(compiler.module());
  if (!device)
    return complain(WrongUse, "kernels of a device are analysed",
                    "'--target=cuda' or '--target=opencl'");

  ProgramReport report;
  std::map<std::string, int64_t> sizes;
  std::vector<std::string> assumed;
  bool found = false;
  std::string parts;
  raw_string_ostream partsText(parts);
  for (auto function : compiler.module().getOps<mlir::func::FuncOp>()) {
    if (!function->hasAttr("arrc.export") ||
        (!options.entry.empty() && function.getName() != options.entry))
      continue;
    found = true;
    lanes::HostWay way(function, [&](StringRef name) -> std::optional<int64_t> {
      auto given = options.at.find(name.str());
      bool isGiven = given != options.at.end();
      if (!isGiven && !is_contained(assumed, name))
        assumed.push_back(name.str());
      return sizes[name.str()] = isGiven ? given->second : kDefaultSize;
    });
    arrc::tool::report(way, device, report);
    if (options.devices.devices)
      printParts(partsText, way, options.devices);
  }
  if (!found)
    return options.entry.empty()
               ? complainOfNoExport(line)
               : complain(WrongUse,
                          "the program has no export '" + options.entry + "'");
  for (auto &[name, number] : options.at)
    if (!sizes.count(name))
      return complain(WrongUse, "the program has no size '" + name + "'",
                      "'--at' names sizes of arrays and integer parameters");

  std::string text;
  raw_string_ostream os(text);
  if (options.format == Format::Text) {
    printText(os, report, options, sizes, assumed);
    os << parts;
  } else if (options.format == Format::HTML) {
    page.program = line.file;
    page.device = device.getName().str();
    page.sizes = sizes;
    page.roof = kernel::getRoof(device);
    printHTML(os, report, page);
  } else {
    os << formatv("{0:2}", options.format == Format::JSON
                               ? toJSON(report, sizes)
                               : toSARIF(report))
       << '\n';
  }
  if (int code = writeOutput(options.output, text))
    return code;
  return any_of(report.findings,
                [](const Finding &finding) { return finding.isError; })
             ? ProgramError
             : Done;
}
