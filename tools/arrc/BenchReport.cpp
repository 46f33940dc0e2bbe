//===- BenchReport.cpp - What arrc bench says -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"
#include "Compiler.h"
#include "Table.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace arrc::tool;

std::string arrc::tool::saySeconds(double seconds) {
  auto [factor, unit] = seconds >= 1      ? std::pair(1.0, "s")
                        : seconds >= 1e-3 ? std::pair(1e3, "ms")
                                          : std::pair(1e6, "us");
  return formatv("{0:F3} {1}", seconds * factor, unit).str();
}

std::string arrc::tool::quoteCSV(StringRef text) {
  if (text.find_first_of(",\"\n") == StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

static std::string sayBytes(double bytes) {
  static constexpr const char *units[] = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit)
    bytes /= 1000;
  return formatv(unit ? "{0:F2} {1}" : "{0:F0} {1}", bytes, units[unit]).str();
}

/// Those of a thread, with the bytes that went to memory for want of them.
static std::string sayRegisters(const BenchRow &row) {
  if (!row.registers)
    return "";
  std::string text = std::to_string(row.registers);
  return row.local ? text + " + " + sayBytes(double(row.local)) : text;
}

void arrc::tool::printTable(const BenchCase &found, raw_ostream &os) {
  if (!found.name.empty())
    os << found.name << '\n';
  const BenchRow &first = found.rows.front();
  bool haveCounters = any_of(
      found.rows, [](const BenchRow &row) { return row.counters.has_value(); });
  bool haveBefore = any_of(
      found.rows, [](const BenchRow &row) { return row.before.has_value(); });
  Table table({"variant", "median", "95 % within", "of first", "launches",
               "bytes", "GB/s"});
  if (haveCounters)
    table.addColumns({"sectors", "conflicts", "instructions"});
  bool haveRegisters =
      any_of(found.rows, [](const BenchRow &row) { return row.registers > 0; });
  if (haveRegisters)
    table.addColumns({"registers"});
  table.addColumns({"compile"});
  if (haveBefore)
    table.addColumns({"before", "of before"});
  for (const BenchRow &row : found.rows) {
    double median = row.samples.median();
    std::vector<std::string> cells = {
        row.label,
        saySeconds(median),
        saySeconds(row.samples.low()) + " .. " + saySeconds(row.samples.high()),
        formatv("{0:F3}", median / first.samples.median()).str(),
        std::to_string(row.launches),
        row.bytes ? sayBytes(*row.bytes) : "?",
        row.bytes ? formatv("{0:F2}", *row.bytes / median * 1e-9).str() : "?"};
    if (haveCounters)
      for (uint64_t EmulatorCounters::*counter :
           {&EmulatorCounters::sectors, &EmulatorCounters::conflicts,
            &EmulatorCounters::instructions})
        cells.push_back(row.counters ? std::to_string(*row.counters.*counter)
                                     : "");
    if (haveRegisters)
      cells.push_back(sayRegisters(row));
    cells.push_back(saySeconds(row.compileMilliseconds / 1000));
    if (haveBefore) {
      cells.push_back(row.before ? saySeconds(*row.before) : "");
      cells.push_back(row.before ? formatv("{0:F3}", median / *row.before).str()
                                 : "");
    }
    table.add(std::move(cells));
  }
  table.print(os);
  if (found.rows.size() > 1) {
    double apart = 0;
    bool same = true;
    for (const BenchRow &row : found.rows) {
      apart = std::max(apart, row.apart);
      same &= row.isSame;
    }
    if (same)
      os << "results: the same bits\n";
    else
      os << "results: within " << format("%.2g", apart)
         << " of the largest value\n";
  }
  os.flush();
}

std::string arrc::tool::toCSV(ArrayRef<BenchCase> cases) {
  std::string text;
  raw_string_ostream os(text);
  os << "program,case,variant,target,samples,median_s,low_s,high_s,least_s,"
        "launches,bytes,gb_per_s,sectors,conflicts,instructions,registers,"
        "local_bytes,compile_ms\n";
  for (const BenchCase &found : cases)
    for (const BenchRow &row : found.rows) {
      const Samples &samples = row.samples;
      os << quoteCSV(found.program) << ',' << quoteCSV(found.name) << ','
         << quoteCSV(row.label) << ',' << row.target << ',' << samples.count()
         << format(",%.9g,%.9g,%.9g,%.9g,", samples.median(), samples.low(),
                   samples.high(), samples.least())
         << row.launches << ',';
      if (row.bytes)
        os << format("%.0f,%.6g", *row.bytes,
                     *row.bytes / samples.median() * 1e-9);
      else
        os << ',';
      if (row.counters)
        os << ',' << row.counters->sectors << ',' << row.counters->conflicts
           << ',' << row.counters->instructions;
      else
        os << ",,,";
      if (row.registers)
        os << ',' << row.registers << ',' << row.local;
      else
        os << ",,";
      os << format(",%.3f\n", row.compileMilliseconds);
    }
  return text;
}

std::string arrc::tool::toJSON(ArrayRef<BenchCase> cases) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream to(os, 1);
  to.array([&] {
    for (const BenchCase &found : cases)
      to.object([&] {
        to.attribute("program", found.program);
        to.attribute("case", found.name);
        to.attributeArray("variants", [&] {
          for (const BenchRow &row : found.rows)
            to.object([&] {
              const Samples &samples = row.samples;
              to.attribute("variant", row.label);
              to.attribute("target", row.target);
              to.attribute("samples", int64_t(samples.count()));
              to.attribute("median_s", samples.median());
              to.attribute("low_s", samples.low());
              to.attribute("high_s", samples.high());
              to.attribute("least_s", samples.least());
              to.attribute("launches", row.launches);
              if (row.bytes)
                to.attribute("bytes", *row.bytes);
              if (row.counters) {
                to.attribute("sectors", int64_t(row.counters->sectors));
                to.attribute("conflicts", int64_t(row.counters->conflicts));
                to.attribute("instructions",
                             int64_t(row.counters->instructions));
              }
              if (row.registers) {
                to.attribute("registers", row.registers);
                to.attribute("local_bytes", row.local);
              }
              to.attribute("compile_ms", row.compileMilliseconds);
            });
        });
      });
  });
  os << '\n';
  return text;
}

//===----------------------------------------------------------------------===//
// Earlier runs
//===----------------------------------------------------------------------===//

int BenchBaseline::read(StringRef file) {
  auto text = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!text)
    return complain(CannotReadOrWrite,
                    "cannot read '" + file + "': " + text.getError().message());
  Expected<json::Value> value = json::parse((*text)->getBuffer());
  if (!value) {
    consumeError(value.takeError());
    return complain(WrongUse, "'" + file + "' is not what --json wrote");
  }
  if (const json::Array *cases = value->getAsArray())
    for (const json::Value &each : *cases) {
      const json::Object *found = each.getAsObject();
      const json::Array *rows = found ? found->getArray("variants") : nullptr;
      if (!rows)
        continue;
      for (const json::Value &row : *rows)
        if (const json::Object *about = row.getAsObject()) {
          auto label = about->getString("variant");
          auto median = about->getNumber("median_s");
          if (label && median)
            seconds[{found->getString("case").value_or("").str(),
                     label->str()}] = *median;
        }
    }
  if (seconds.empty())
    return complain(WrongUse, "'" + file + "' has no times of variants",
                    "write one with 'arrc bench --json=FILE'");
  return Done;
}

void BenchBaseline::lookUp(BenchCase &found) const {
  for (BenchRow &row : found.rows)
    if (auto it = seconds.find({found.name, row.label}); it != seconds.end())
      row.before = it->second;
}

bool arrc::tool::complainOfSlower(const BenchCase &found, double percent,
                                  bool haveBaseline) {
  bool isSlower = false;
  double first = found.rows.front().samples.median();
  double most = 1 + percent / 100;
  for (const BenchRow &row : found.rows) {
    std::optional<double> was = haveBaseline ? row.before : first;
    // What noise explains is no reason to fail.
    if (!was || row.samples.low() <= most * *was)
      continue;
    isSlower = true;
    complain(
        ProgramError,
        formatv("'{0}' takes {1}, {2:F1} % more than {3} {4}", row.label,
                saySeconds(row.samples.median()),
                100 * (row.samples.median() / *was - 1),
                haveBaseline ? "before:" : "the first one:", saySeconds(*was))
            .str());
  }
  return isSlower;
}
