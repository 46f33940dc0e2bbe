//===- Picture.cpp - Arrays as pictures -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A picture has 256 colours at most, but for arrays that are colours already:
// a byte a pixel says which. The colours go from dark blue by green to yellow,
// evenly bright from one to the next, so that they read in grey as well
// (viridis, by van der Walt and Smith; points of it, and lines between).
//
//===----------------------------------------------------------------------===//

#include "Picture.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace llvm;
using namespace arrc::tool;

//===----------------------------------------------------------------------===//
// PNG
//===----------------------------------------------------------------------===//

namespace {
using Color = std::array<uint8_t, 3>;

/// Pixels, row after row.
struct Raster {
  int64_t width = 0, height = 0;
  int channels = 1;           ///< bytes a pixel
  std::vector<Color> palette; ///< of one channel
  std::vector<uint8_t> pixels;
};

/// Kinds of pixels in a PNG file.
enum PixelKind : uint8_t { Opaque = 2, Indexed = 3, WithOpacity = 6 };
} // namespace

static void addNumber(std::string &text, uint32_t number) {
  char bytes[4];
  support::endian::write32be(bytes, number);
  text.append(bytes, 4);
}

/// A chunk: its length, its name, what it holds, and a sum over the latter two.
static void addChunk(std::string &png, StringRef name, StringRef bytes) {
  addNumber(png, uint32_t(bytes.size()));
  std::string summed = (name + bytes).str();
  png += summed;
  addNumber(png, crc32(arrayRefFromStringRef(summed)));
}

static std::string encode(const Raster &raster, std::string &png) {
  constexpr int64_t most = (int64_t(1) << 31) - 1;
  if (raster.width > most || raster.height > most)
    return "a picture has at most 2147483647 rows and columns";
  if (!compression::zlib::isAvailable())
    return "this arrc was built without zlib, which pictures need";
  std::string rows;
  size_t stride = size_t(raster.width * raster.channels);
  rows.reserve((stride + 1) * size_t(raster.height));
  for (int64_t y = 0; y < raster.height; ++y) {
    rows += '\0'; // bytes as they are
    rows.append(reinterpret_cast<const char *>(raster.pixels.data()) +
                    y * stride,
                stride);
  }
  SmallVector<uint8_t> packed;
  compression::zlib::compress(arrayRefFromStringRef(rows), packed,
                              compression::zlib::BestSpeedCompression);

  png = "\x89PNG\r\n\x1a\n";
  std::string head;
  addNumber(head, uint32_t(raster.width));
  addNumber(head, uint32_t(raster.height));
  head += char(8); // bits a channel
  head += char(raster.channels == 1   ? Indexed
               : raster.channels == 3 ? Opaque
                                      : WithOpacity);
  head.append(3, '\0'); // deflated, filtered by row, not interlaced
  addChunk(png, "IHDR", head);
  if (raster.channels == 1)
    addChunk(png, "PLTE",
             StringRef(reinterpret_cast<const char *>(raster.palette.data()),
                       3 * raster.palette.size()));
  // A chunk is no longer than a number of 31 bits says.
  StringRef rest(reinterpret_cast<const char *>(packed.data()), packed.size());
  for (; !rest.empty();
       rest = rest.drop_front(std::min<size_t>(1 << 30, rest.size())))
    addChunk(png, "IDAT", rest.take_front(1 << 30));
  addChunk(png, "IEND", "");
  return "";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static double magnitudeAt(const HostValue &value, int64_t k) {
  bool isComplex = value.element == ARRT_C64 || value.element == ARRT_C128;
  return isComplex ? std::hypot(value.real(k), value.imaginary(k))
                   : value.real(k);
}

static ValueRange rangeOf(ArrayRef<double> values) {
  std::optional<ValueRange> range;
  for (double value : values)
    if (std::isfinite(value))
      range = range ? ValueRange(std::min(range->first, value),
                                 std::max(range->second, value))
                    : ValueRange(value, value);
  return range.value_or(ValueRange(0, 0));
}

/// Where a value lies between the ends, from 0 to 1.
static double shareOf(double value, ValueRange range) {
  double length = range.second - range.first;
  // The ends may be further apart than numbers go.
  double share = std::isfinite(length)
                     ? (length > 0 ? (value - range.first) / length : 0)
                     : value / 2 / (range.second / 2 - range.first / 2) + 0.5;
  return std::clamp(share, 0.0, 1.0);
}

//===----------------------------------------------------------------------===//
// Two dimensions
//===----------------------------------------------------------------------===//

/// What is no number is grey; the other colours are those of values.
static constexpr int colors = 255, grey = 255;

static std::vector<Color> makePalette() {
  constexpr Color points[] = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                              {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                              {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};
  constexpr int last = int(std::size(points)) - 1;
  std::vector<Color> palette;
  for (int k = 0; k < colors; ++k) {
    double at = double(k) * last / (colors - 1);
    int from = std::min(int(at), last - 1);
    Color color;
    for (int c = 0; c < 3; ++c)
      color[c] = uint8_t(
          std::lround(points[from][c] +
                      (at - from) * (points[from + 1][c] - points[from][c])));
    palette.push_back(color);
  }
  palette.push_back({128, 128, 128});
  return palette;
}

static Raster drawColors(const HostValue &value, ArrayRef<double> values,
                         ValueRange range) {
  Raster raster = {value.shape[1], value.shape[0], 1, makePalette(), {}};
  raster.pixels.reserve(values.size());
  for (double number : values)
    raster.pixels.push_back(
        std::isnan(number)
            ? uint8_t(grey)
            : uint8_t(std::lround(shareOf(number, range) * (colors - 1))));
  return raster;
}

/// Numbers of 8 bits are colours as they are, others from 0 to 1.
static Raster drawChannels(const HostValue &value, ArrayRef<double> values) {
  Raster raster = {value.shape[1], value.shape[0], int(value.shape[2]), {}, {}};
  bool isByte =
      arrt_element_bytes(value.element) == 1 && value.element != ARRT_BOOL;
  raster.pixels.reserve(values.size());
  for (double number : values)
    raster.pixels.push_back(
        std::isnan(number) ? uint8_t(0)
                           : uint8_t(std::lround(std::clamp(
                                 isByte ? number : 255 * number, 0.0, 255.0))));
  return raster;
}

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

/// A curve: each column shows the least and the most of the values that lie in
/// it, and of the way to the next.
static Raster drawCurve(ArrayRef<double> values, ValueRange range) {
  constexpr int64_t width = 800, height = 400, margin = 10;
  constexpr int64_t columns = width - 2 * margin, rows = height - 2 * margin;
  enum { Paper, Frame, Line };
  Raster raster = {width,
                   height,
                   1,
                   {{255, 255, 255}, {200, 200, 200}, {31, 92, 153}},
                   std::vector<uint8_t>(width * height, Paper)};
  auto set = [&](int64_t x, int64_t y, uint8_t color) {
    raster.pixels[size_t(y * width + x)] = color;
  };
  for (int64_t x = margin - 1; x <= width - margin; ++x)
    for (int64_t y : {margin - 1, height - margin})
      set(x, y, Frame);
  for (int64_t y = margin - 1; y <= height - margin; ++y)
    for (int64_t x : {margin - 1, width - margin})
      set(x, y, Frame);

  auto count = int64_t(values.size());
  auto rowOf = [&](double value) {
    return margin +
           int64_t(std::lround((1 - shareOf(value, range)) * double(rows - 1)));
  };
  auto columnOf = [&](int64_t k) {
    return count < 2 ? columns / 2
                     : int64_t(std::lround(double(k) * double(columns - 1) /
                                           double(count - 1)));
  };
  for (int64_t k = 0; k < count; ++k) {
    if (std::isnan(values[k]))
      continue;
    int64_t x = columnOf(k), y = rowOf(values[k]);
    set(margin + x, y, Line);
    if (k + 1 == count || std::isnan(values[k + 1]))
      continue;
    int64_t nextX = columnOf(k + 1), nextY = rowOf(values[k + 1]);
    int64_t wide = std::max<int64_t>(nextX - x, 1);
    for (int64_t step = 0; step <= nextX - x; ++step) {
      int64_t from = y + (nextY - y) * step / wide,
              to = y + (nextY - y) * std::min(step + 1, wide) / wide;
      for (int64_t row = std::min(from, to); row <= std::max(from, to); ++row)
        set(margin + x + step, row, Line);
    }
  }
  return raster;
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

std::string arrc::tool::findPictureProblem(int32_t rank) {
  return rank >= 1 && rank <= 3
             ? ""
             : "arrays of " + std::to_string(rank) +
                   " dimensions have no picture: those of one and two have, "
                   "and "
                   "of three where the last are red, green and blue";
}

std::string arrc::tool::drawPicture(const HostValue &value,
                                    std::optional<ValueRange> &range,
                                    std::string &png) {
  auto rank = int32_t(value.shape.size());
  if (std::string wrong = findPictureProblem(rank); !wrong.empty())
    return wrong;
  if (value.count() == 0)
    return "an empty array has no picture";
  if (rank == 3 && value.shape[2] != 3 && value.shape[2] != 4)
    return "the last of three dimensions is " + std::to_string(value.shape[2]) +
           ", and red, green, blue are 3, with opacity 4";
  std::vector<double> values(size_t(value.count()));
  for (size_t k = 0; k < values.size(); ++k)
    values[k] = magnitudeAt(value, int64_t(k));
  if (rank == 3)
    return encode(drawChannels(value, values), png);
  if (!range)
    range = rangeOf(values);
  return encode(rank == 1 ? drawCurve(values, *range)
                          : drawColors(value, values, *range),
                png);
}
