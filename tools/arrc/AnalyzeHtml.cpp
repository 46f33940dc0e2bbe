//===- AnalyzeHtml.cpp - A report as a page -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AnalyzeHtml.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <set>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Of a level's text, at most so many bytes are kept.
static constexpr size_t kMostText = 1 << 20;

static constexpr StringLiteral kStyle = R"(
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; color: #1c2128; background: #fff }
h1 { font-size: 1.4em } h2 { font-size: 1.15em; margin-top: 2em } h3 { font-size: 1em }
table { border-collapse: collapse } th { text-align: left; font-weight: 600 } td.r, th.r { text-align: right }
.kernels td, .kernels th { padding: .15em .7em .15em 0; border-bottom: 1px solid #d8dee4; font-size: .92em }
.source { width: 100%; table-layout: fixed } .source td { vertical-align: top; padding: 0 .5em }
.source .n { width: 3em; text-align: right; color: #8b949e; user-select: none }
.source .c { white-space: pre-wrap; font: 13px/1.5 ui-monospace, monospace } .source .m { width: 34%; font-size: .87em; border-left: 1px solid #d8dee4 }
.slow td.c { background: #fff3d6 } .error td.c { background: #ffdcd7 } tr:target td.c { outline: 2px solid #218bff }
.note { margin: .1em 0 .5em } .rule { color: #57606a } .ok { color: #57606a }
pre { font: 12px/1.4 ui-monospace, monospace; overflow: auto; max-height: 40em; background: #f6f8fa; padding: .7em }
svg text { font: 11px system-ui, sans-serif; fill: #57606a }
.warp rect { stroke: #d0d7de } summary { cursor: pointer; margin: .3em 0 }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117 } pre { background: #161b22 } .slow td.c { background: #3b2e0a } .error td.c { background: #4a1d1a }
  .kernels td, .kernels th { border-color: #30363d } .source .m { border-color: #30363d } svg text { fill: #9198a1 }
}
)";

namespace {
/// Text that stands in a page.
struct Escaped {
  StringRef text;
};
} // namespace

static raw_ostream &operator<<(raw_ostream &os, Escaped escaped) {
  for (char c : escaped.text) {
    switch (c) {
    case '<':
      os << "&lt;";
      break;
    case '>':
      os << "&gt;";
      break;
    case '&':
      os << "&amp;";
      break;
    case '"':
      os << "&quot;";
      break;
    default:
      // Control characters are no text of a page.
      if (static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t')
        os << c;
    }
  }
  return os;
}

static std::string numberText(double number) {
  static constexpr StringLiteral units[] = {"", " k", " M", " G", " T", " P"};
  unsigned unit = 0;
  for (; std::abs(number) >= 1000 && unit + 1 < std::size(units); ++unit)
    number /= 1000;
  std::string text;
  raw_string_ostream(text) << format("%.3g", number) << units[unit];
  return text;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static void printNote(raw_ostream &os, const Finding &finding) {
  os << "<div class=note><b>" << Escaped{finding.what}
     << "</b> <span class=rule>[" << Escaped{finding.rule} << "]</span>";
  if (!finding.cost.empty())
    os << "<br>" << Escaped{finding.cost};
  if (finding.seconds) {
    os << "<br>about " << timeText(*finding.seconds);
    if (finding.kernelSeconds)
      os << " of the kernel's " << timeText(*finding.kernelSeconds);
  }
  if (!finding.advice.empty())
    os << "<br><i>" << Escaped{finding.advice} << "</i>";
  os << "</div>";
}

/// The file and the line of `heat.arr:12`.
static std::pair<StringRef, unsigned> splitPlace(StringRef place) {
  auto [file, line] = place.rsplit(':');
  unsigned number = 0;
  if (line.getAsInteger(10, number))
    return {place, 0};
  return {file, number};
}

static void printSource(raw_ostream &os, const ProgramReport &report,
                        StringRef path, unsigned number) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return;
  os << "<h2>" << Escaped{path} << "</h2>\n<table class=source>\n";
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  for (auto [index, text] : enumerate(lines)) {
    unsigned line = unsigned(index) + 1;
    std::string notes;
    raw_string_ostream margin(notes);
    bool isSlow = false, isError = false;
    for (const Finding &finding : report.findings)
      if (finding.file == path && finding.line == line) {
        (finding.isError ? isError : isSlow) = true;
        printNote(margin, finding);
      }
    for (const KernelReport &kernel : report.kernels)
      if (splitPlace(kernel.place) == std::pair(path, line)) {
        margin << "<div class=ok>kernel <a href=\"#k-" << Escaped{kernel.name}
               << "\">" << Escaped{kernel.name} << "</a>";
        if (kernel.estimate)
          margin << ", " << timeText(kernel.estimate->seconds) << ", bound by "
                 << kernel.estimate->limit;
        margin << "</div>";
      }
    os << "<tr id=\"f" << number << "-" << line << "\" class=\""
       << (isError  ? "error"
           : isSlow ? "slow"
                    : "")
       << "\"><td class=n>" << line << "</td><td class=c>" << Escaped{text}
       << "</td><td class=m>" << notes << "</td></tr>\n";
  }
  os << "</table>\n";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static void printKernels(raw_ostream &os, const ProgramReport &report) {
  os << "<h2>Kernels</h2>\n<table class=kernels><tr><th>kernel<th>at<th>launch"
        "<th class=r>predicted<th>bound by<th class=r>memory, "
        "B<th class=r>L2, B<th class=r>L1, B<th class=r>turns of "
        "banks<th class=r>instructions of warps<th class=r>barriers "
        "(needless)</tr>\n";
  for (const KernelReport &kernel : report.kernels) {
    os << "<tr id=\"k-" << Escaped{kernel.name} << "\"><td>"
       << Escaped{kernel.name}
       << (kernel.isInLoop ? " <span class=rule>in a loop</span>" : "")
       << (kernel.isPossible ? " <span class=rule>if values say so</span>" : "")
       << "<td>" << Escaped{kernel.place} << "<td>" << gridText(kernel);
    if (kernel.estimate && kernel.demand)
      os << "<td class=r>" << timeText(kernel.estimate->seconds) << "<td>"
         << kernel.estimate->limit << "<td class=r>"
         << numberText(kernel.demand->memoryBytes) << "<td class=r>"
         << numberText(kernel.demand->cacheBytes) << "<td class=r>"
         << numberText(kernel.demand->requestBytes) << "<td class=r>"
         << numberText(kernel.demand->turns) << "<td class=r>"
         << numberText(kernel.demand->instructions);
    else
      os << "<td colspan=7 class=ok>"
         << Escaped{kernel.problem.empty() ? "sizes are not known"
                                           : StringRef(kernel.problem)};
    os << "<td class=r>" << kernel.barriers << " (" << kernel.needlessBarriers
       << ")</tr>\n";
  }
  os << "</table>\n";
}

/// Operations a second over operations a byte, both by powers of two.
static void printRoofline(raw_ostream &os, const ProgramReport &report,
                          const kernel::Roof &roof) {
  constexpr double width = 640, height = 320, left = 70, bottom = 40;
  constexpr double leastX = -6, mostX = 12;
  double mostY = std::log2(roof.operationsPerSecond) + 1, leastY = mostY - 18;
  auto x = [&](double intensity) {
    double at = std::clamp(std::log2(intensity), leastX, mostX);
    return left + (at - leastX) / (mostX - leastX) * width;
  };
  auto y = [&](double rate) {
    double at = std::clamp(std::log2(std::max(rate, 1.0)), leastY, mostY);
    return height - (at - leastY) / (mostY - leastY) * height;
  };
  os << "<h2>Roofline, as predicted</h2>\n"
     << format("<svg width=%.0f height=%.0f role=img>\n", left + width + 20,
               height + bottom);
  double ridge = roof.operationsPerSecond / roof.bytesPerSecond;
  double low = std::exp2(leastX), high = std::exp2(mostX);
  os << format("<polyline fill=none stroke=#218bff stroke-width=2 "
               "points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
               x(low), y(low * roof.bytesPerSecond), x(ridge),
               y(roof.operationsPerSecond), x(high),
               y(roof.operationsPerSecond));
  os << format("<text x=%.1f y=%.1f>", x(ridge) + 6,
               y(roof.operationsPerSecond) - 5)
     << numberText(roof.operationsPerSecond) << "operations/s</text>\n"
     << format("<text x=%.1f y=%.1f text-anchor=end>", x(ridge) - 12,
               y(roof.operationsPerSecond) + 14)
     << numberText(roof.bytesPerSecond) << "B/s</text>\n";
  for (int power = int(leastX); power <= int(mostX); power += 3)
    os << format("<text x=%.1f y=%.1f text-anchor=middle>", x(std::exp2(power)),
                 height + 15)
       << format("%.3g", std::exp2(power)) << "</text>\n";
  os << format("<text x=%.0f y=%.0f>operations a byte of memory</text>\n", left,
               height + 32);
  for (const KernelReport &kernel : report.kernels) {
    if (!kernel.demand || !kernel.estimate || kernel.demand->memoryBytes <= 0 ||
        kernel.demand->instructions <= 0)
      continue;
    double operations = 32 * kernel.demand->instructions;
    double intensity = operations / kernel.demand->memoryBytes;
    double rate = operations / kernel.estimate->seconds;
    os << format("<circle cx=%.1f cy=%.1f r=5 fill=#bf3989><title>",
                 x(intensity), y(rate))
       << Escaped{kernel.name} << ": " << timeText(kernel.estimate->seconds)
       << "</title></circle>\n"
       << format("<text x=%.1f y=%.1f>", x(intensity) + 8, y(rate) + 4)
       << Escaped{kernel.name} << "</text>\n";
  }
  os << "</svg>\n";
}

/// The sectors (or banks) that a warp touches, the darker the more of each it
/// asks for.
static void printWarp(raw_ostream &os, const KernelAccess &access) {
  constexpr int64_t size = 11, most = 64;
  int64_t piece = access.isShared ? 4 : 32;
  std::map<int64_t, std::set<int64_t>> touched;
  for (int64_t place : access.lanes)
    for (int64_t byte = place; place >= 0 && byte < place + access.laneBytes;
         ++byte) {
      int64_t word = byte / piece;
      touched[access.isShared ? word % 32 : word].insert(
          access.isShared ? word : byte);
    }
  if (touched.empty())
    return;
  std::string squares;
  raw_string_ostream draw(squares);
  int64_t x = 0, drawn = 0;
  auto square = [&](double shade, const Twine &title) {
    draw << format("<rect x=%lld width=%lld height=%lld fill=#bf3989 "
                   "fill-opacity=%.2f>",
                   static_cast<long long>(x), static_cast<long long>(size),
                   static_cast<long long>(size), shade)
         << "<title>" << title << "</title></rect>";
    x += size + 1;
  };
  if (access.isShared) {
    size_t turns = 1;
    for (auto &[bank, words] : touched)
      turns = std::max(turns, words.size());
    for (int64_t bank = 0; bank < 32; ++bank) {
      size_t words = touched.count(bank) ? touched[bank].size() : 0;
      square(double(words) / double(turns),
             "bank " + Twine(bank) + ": " + Twine(words) + " words");
    }
  } else {
    int64_t before = -1;
    for (auto &[sector, bytes] : touched) {
      if (drawn++ == most) {
        draw << format("<text x=%lld y=10>..</text>",
                       static_cast<long long>(x));
        x += 20;
        break;
      }
      if (sector > before + 1)
        x += 6;
      square(double(bytes.size()) / double(piece),
             "sector " + Twine(sector) + ": " + Twine(bytes.size()) +
                 " of 32 bytes");
      before = sector;
    }
  }
  os << "<svg class=warp width=" << x + 2 << " height=" << size + 2
     << " role=img>" << squares << "</svg> ";
}

static void printAccesses(raw_ostream &os, const ProgramReport &report) {
  os << "<h2>What a warp asks for</h2>\n<p class=ok>A square is a sector of 32 "
        "bytes of global memory, or a bank of shared memory; the darker, the "
        "more of it is asked for at once.</p>\n";
  for (const KernelReport &kernel : report.kernels) {
    if (kernel.accesses.empty())
      continue;
    os << "<details open><summary>" << Escaped{kernel.name}
       << "</summary>\n<table class=kernels>\n";
    for (const KernelAccess &access : kernel.accesses) {
      os << "<tr><td>line " << access.line << "<td>"
         << verbOf(access.reads, access.writes) << ' ' << Escaped{access.array}
         << "<td>" << Escaped{access.walk} << "<td>";
      printWarp(os, access);
      os << "<td class=r>" << numberText(double(access.requests))
         << " requests<td class=r>" << numberText(double(access.pieces))
         << (access.isShared ? " turns" : " sectors") << "</tr>\n";
    }
    os << "</table></details>\n";
  }
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

void arrc::tool::printHTML(raw_ostream &os, const ProgramReport &report,
                           const ReportPage &page) {
  os << "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>\n<title>"
     << Escaped{page.program} << "</title>\n<style>" << kStyle
     << "</style>\n<h1>" << Escaped{page.program} << "</h1>\n<p>for "
     << Escaped{page.device};
  const char *separator = " at ";
  for (auto &[name, number] : page.sizes) {
    os << separator << Escaped{name} << " = " << number;
    separator = ", ";
  }
  os << ". Nothing ran: times are predicted.</p>\n";

  // Files in the order in which something is said of them, the program first.
  std::vector<std::string> files{page.program};
  auto add = [&](StringRef file) {
    if (!file.empty() && !is_contained(files, file))
      files.push_back(file.str());
  };
  for (const Finding &finding : report.findings)
    add(finding.file);
  for (const KernelReport &kernel : report.kernels)
    add(splitPlace(kernel.place).first);

  os << "<h2>Findings</h2>\n";
  if (report.findings.empty())
    os << "<p class=ok>Nothing that loses time was found in "
       << report.kernels.size() << " kernels.</p>\n";
  os << "<ul>\n";
  for (const Finding &finding : report.findings) {
    os << "<li><a href=\"#f"
       << std::distance(files.begin(), find(files, finding.file)) << "-"
       << finding.line << "\">line " << finding.line
       << "</a>: " << Escaped{finding.what};
    if (finding.seconds)
      os << ", about " << timeText(*finding.seconds);
    os << "</li>\n";
  }
  os << "</ul>\n";
  for (auto [number, file] : enumerate(files))
    printSource(os, report, file, unsigned(number));
  printKernels(os, report);
  printRoofline(os, report, page.roof);
  printAccesses(os, report);
  if (!page.levels.empty())
    os << "<h2>Levels</h2>\n";
  for (const LevelText &level : page.levels) {
    StringRef text = StringRef(level.text).take_front(kMostText);
    os << "<details><summary>" << Escaped{level.name} << "</summary><pre>"
       << Escaped{text} << "</pre>";
    if (text.size() < level.text.size())
      os << "<p class=ok>The rest (" << level.text.size() - text.size()
         << " bytes) is left out; <code>arrc build --emit="
         << Escaped{level.name} << "</code> prints all.</p>";
    os << "</details>\n";
  }
  os << "</html>\n";
}
