//===- MathLibrary.cpp - Where libdevice is ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/PTX/PTX.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <mutex>

using namespace llvm;
using arrc::ptx::LibraryKind;
using arrc::ptx::MathLibrary;

/// Joins parts of a path.
static std::string inFolder(StringRef a, StringRef b) {
  SmallString<128> path(a);
  sys::path::append(path, b);
  return path.str().str();
}

/// The folders in `folder` whose name begins with `prefix`, newest name first.
static std::vector<std::string> list(const std::string &folder,
                                     StringRef prefix) {
  std::vector<std::string> found;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (sys::path::filename(it->path()).starts_with(prefix))
      found.push_back(it->path());
  llvm::sort(found, std::greater<>());
  return found;
}

/// The folders where Python keeps its packages.
static std::vector<std::string> getPackageFolders() {
  std::vector<std::string> folders;
  if (const char *paths = std::getenv("PYTHONPATH")) {
    SmallVector<StringRef> parts;
    StringRef(paths).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      folders.push_back(part.str());
  }
  std::vector<std::string> prefixes;
  if (const char *environment = std::getenv("VIRTUAL_ENV"))
    prefixes.push_back(environment);
  // The Python on PATH may be the one of an environment: not its real path.
  if (auto python = sys::findProgramByName("python3"))
    prefixes.push_back(
        sys::path::parent_path(sys::path::parent_path(*python)).str());
  if (const char *home = std::getenv("HOME"))
    prefixes.push_back(inFolder(home, ".local"));
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  for (const std::string &prefix : prefixes)
    for (const std::string &python : list(inFolder(prefix, "lib"), "python3"))
      for (StringRef packages : {"site-packages", "dist-packages"})
        folders.push_back(inFolder(python, packages));
  return folders;
}

std::vector<std::string> arrc::ptx::getToolkitFolders() {
  std::vector<std::string> folders;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *folder = std::getenv(name); folder && *folder)
      folders.push_back(folder);
  folders.push_back("/usr/local/cuda");
  if (auto ptxas = sys::findProgramByName("ptxas")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*ptxas, real))
      folders.push_back(
          sys::path::parent_path(sys::path::parent_path(real)).str());
  }
  for (const std::string &packages : getPackageFolders()) {
    std::string nvidia = inFolder(packages, "nvidia");
    // One folder a release since CUDA 13, one a component before.
    for (const std::string &release : list(nvidia, "cu"))
      folders.push_back(release);
  }
  return folders;
}

std::string MathLibrary::getName(StringRef stem, bool isDouble,
                                 bool approximate) const {
  // Not sin, cos, tan: the approximations are wrong far from 0.
  bool isFast = approximate && !isDouble && kind == LibraryKind::LibDevice &&
                is_contained({"exp", "log", "log2", "log10", "pow"}, stem);
  if (isFast)
    return ("__nv_fast_" + stem + "f").str();
  if (kind == LibraryKind::LibDevice)
    return ("__nv_" + stem + (isDouble ? "" : "f")).str();
  bool two = stem == "atan2" || stem == "pow" || stem == "fmod";
  std::string letters(two ? 2 : 1, isDouble ? 'd' : 'f');
  return "_Z" + std::to_string(stem.size()) + stem.str() + letters;
}

/// Reads the library at `path`, if it is there.
static std::unique_ptr<MathLibrary> read(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return nullptr;
  auto library = std::make_unique<MathLibrary>();
  library->kind = sys::path::filename(path).starts_with("nvptx64")
                      ? LibraryKind::LibCLC
                      : LibraryKind::LibDevice;
  library->path = path;
  library->buffer = std::move(*buffer);
  return library;
}

const MathLibrary *arrc::ptx::getMathLibrary(StringRef path,
                                             std::string &problem) {
  static std::mutex mutex;
  static StringMap<std::unique_ptr<MathLibrary>> libraries;
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, added] = libraries.try_emplace(path);
  if (added && !path.empty()) {
    it->second = read(path.str());
  } else if (added) {
    std::vector<std::string> candidates;
    for (const std::string &folder : getToolkitFolders())
      candidates.push_back(inFolder(folder, "nvvm/libdevice/libdevice.10.bc"));
    for (const char *folder :
         {"/usr/lib/clc", "/usr/share/clc", "/usr/libexec/clc"})
      candidates.push_back(inFolder(folder, "nvptx64--.bc"));
    for (const std::string &candidate : candidates)
      if ((it->second = read(candidate)))
        break;
  }
  if (it->second)
    return it->second.get();
  problem =
      path.empty()
          ? "neither libdevice (CUDA_HOME, /usr/local/cuda, the folder of "
            "ptxas on PATH, NVIDIA's packages from PyPI) nor libclc "
            "(nvptx64--.bc) was found; set CUDA_HOME"
          : "there is no library '" + path.str() + "'";
  // Another try may come after CUDA_HOME was set.
  libraries.erase(path);
  return nullptr;
}
