//===- Loader.cpp - Files, imports and defines ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Files are told apart by their real path, so that a file that is reached in
// two ways is one module. Imports are loaded depth first: a module comes after
// all that it imports, and an import of a file that is still being loaded is a
// cycle.
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"

#include "arrc/Frontend/Lexer.h"
#include "arrc/Frontend/Parser.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace arrc;
using namespace arrc::ast;

static constexpr unsigned maxImportDepth = 256;

namespace {
class Loader {
public:
  Loader(const LoadOptions &options, Context &context, DiagnosticEngine &diags)
      : options(options), context(context), diags(diags),
        fs(options.fileSystem ? options.fileSystem
                              : llvm::makeIntrusiveRefCnt<SourceFileSystem>()) {
  }

  std::optional<Program> load(StringRef path);

private:
  Module *loadFile(StringRef path, SMRange from);
  Module *loadStandard(StringRef path);
  void loadImports(Module &module, StringRef path);
  std::string findImport(StringRef path, StringRef importer);
  void applyDefines(Module &module);
  /// Text that is not a file, with a name for messages.
  StringRef addText(StringRef text, StringRef name);

  const LoadOptions &options;
  Context &context;
  DiagnosticEngine &diags;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fs;
  Program program;
  /// By real path; null while the file is being loaded, and after an error.
  llvm::StringMap<Module *> loaded;
  llvm::StringMap<bool> inProgress;
  unsigned depth = 0;
};
} // namespace

StringRef Loader::addText(StringRef text, StringRef name) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  StringRef result = buffer->getBuffer();
  diags.sourceMgr().AddNewSourceBuffer(std::move(buffer), SMLoc());
  return result;
}

/// Its imports are of the library too, and in order.
Module *Loader::loadStandard(StringRef path) {
  Module *&module = loaded[path];
  if (module)
    return module;
  module = context.makeModule(path.str());
  parseModule(addText(*standardText(path), path), context, *module, diags);
  program.modules.push_back(module);
  return module;
}

Module *Loader::loadFile(StringRef path, SMRange from) {
  if (standardText(path))
    return loadStandard(path);
  llvm::SmallString<256> real;
  if (fs->getRealPath(path, real))
    real = path;
  llvm::sys::path::remove_dots(real, /*remove_dot_dot=*/true);
  if (inProgress.lookup(real)) {
    diags.report(diag::import_cycle, from, path)
        .note("each of the files on the way imports the next");
    return nullptr;
  }
  if (auto it = loaded.find(real); it != loaded.end())
    return it->second;
  loaded[real] = nullptr;

  auto buffer = fs->getBufferForFile(path);
  if (!buffer && buffer.getError() == SourceError::TooLarge) {
    // Not even read: only its name is known to the messages.
    StringRef text = addText("", path);
    diags.report(diag::file_too_large, SMLoc::getFromPointer(text.data()));
    return nullptr;
  }
  if (!buffer) {
    diags.report(diag::cannot_read_file, from, path,
                 llvm::StringRef(buffer.getError().message()).lower());
    return nullptr;
  }
  StringRef text = (*buffer)->getBuffer();
  diags.sourceMgr().AddNewSourceBuffer(std::move(*buffer), SMLoc());

  inProgress[real] = true;
  llvm::scope_exit done([&] { inProgress[real] = false; });
  if (++depth > maxImportDepth) {
    diags.report(diag::nesting_too_deep, from);
    return nullptr;
  }
  Module *module = context.makeModule(path.str());
  parseModule(text, context, *module, diags);
  loadImports(*module, path);
  --depth;
  loaded[real] = module;
  program.modules.push_back(module);
  return module;
}

std::string Loader::findImport(StringRef path, StringRef importer) {
  llvm::SmallString<256> candidate;
  if (llvm::sys::path::is_absolute(path))
    return fs->exists(path) ? path.str() : "";
  candidate = llvm::sys::path::parent_path(importer);
  llvm::sys::path::append(candidate, path);
  if (fs->exists(candidate))
    return candidate.str().str();
  for (const std::string &folder : options.libraryPaths) {
    candidate = folder;
    llvm::sys::path::append(candidate, path);
    if (fs->exists(candidate))
      return candidate.str().str();
  }
  return findStandardFile(path);
}

void Loader::loadImports(Module &module, StringRef path) {
  for (Decl *decl : module.decls) {
    auto *import = llvm::dyn_cast<ImportDecl>(decl);
    if (!import || diags.isFull())
      continue;
    std::string file = findImport(import->path, path);
    if (file.empty()) {
      Diagnostic &d =
          diags.report(diag::import_not_found, import->pathRange, import->path);
      d.note("paths start at the importing file, then at the folders of '-I'");
      std::string near = nearStandardFile(import->path);
      if (near.empty() &&
          !findImport(import->path.str() + ".arr", path).empty())
        near = import->path.str() + ".arr";
      if (!near.empty())
        d.help("write 'import \"" + near + "\"'");
      else if (StringRef(import->path).starts_with("std"))
        d.help("the library has " + listStandardFiles());
      continue;
    }
    import->module = loadFile(file, import->pathRange);
  }
}

void Loader::applyDefines(Module &module) {
  for (const std::string &define : options.defines) {
    StringRef text = addText(define, "-D " + define);
    auto [name, value] = text.split('=');
    SMRange range(SMLoc::getFromPointer(name.begin()),
                  SMLoc::getFromPointer(name.end()));
    if (!isName(name) || value.data() == nullptr || value.empty()) {
      diags.report(diag::define_form, range);
      continue;
    }
    Decl *target = nullptr;
    for (Decl *decl : module.decls)
      if (llvm::isa<ConstDecl, AliasDecl>(decl) && decl->name.text == name)
        target = decl;
    if (auto *constant = llvm::dyn_cast_or_null<ConstDecl>(target)) {
      if (Expr *expr = parseExpression(value, context, diags))
        constant->value = expr;
    } else if (auto *alias = llvm::dyn_cast_or_null<AliasDecl>(target)) {
      if (TypeExpr *type = parseType(value, context, diags))
        alias->type = type;
    } else {
      diags.report(diag::bad_define, range, name, module.path);
    }
  }
}

std::optional<Program> Loader::load(StringRef path) {
  Module *module = loadFile(path, SMRange());
  if (module)
    applyDefines(*module);
  if (!module || diags.hasErrors())
    return std::nullopt;
  return std::move(program);
}

std::optional<Program> arrc::loadProgram(StringRef path,
                                         const LoadOptions &options,
                                         Context &context,
                                         DiagnosticEngine &diags) {
  return Loader(options, context, diags).load(path);
}
