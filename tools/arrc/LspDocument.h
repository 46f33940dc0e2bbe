//===- LspDocument.h - What an editor asks of a text ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A text with what the front end knows of it. Places are byte offsets in the
// text; the protocol's lines and columns are made at its edge. A text that
// cannot be parsed has messages and no names: questions about names are then
// answered from the last one that could.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_LSPDOCUMENT_H
#define ARRC_TOOLS_ARRC_LSPDOCUMENT_H

#include "arrc/Frontend/Parser.h"
#include "arrc/Frontend/Sema.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace arrc::tool {

/// Bytes of a text, the end exclusive.
struct TextRange {
  size_t begin = 0, end = 0;
};

/// A local name and what is known of it.
struct LocalName {
  TextRange place;
  std::string name, type, range;
};

/// A place in one of the files of a program.
struct FilePlace {
  std::string path;
  TextRange range;
  llvm::StringRef text; ///< of that file
};

/// What a name that is typed may become.
struct Completion {
  std::string name, detail;
  unsigned kind = 6; ///< of the protocol: 3 function, 5 field, 6 variable,
                     ///< 14 keyword, 21 constant, 22 struct, 25 type
};

/// What is shown while arguments are typed.
struct Signature {
  std::string label;
  std::vector<std::string> parameters;
  unsigned active = 0;
};

/// A text as the front end reads it.
class Document {
public:
  Document(std::string path, std::string text,
           const std::map<std::string, std::string> &others);

  llvm::StringRef text() const { return content; }
  const DiagnosticEngine &messages() const { return diags; }
  const llvm::SourceMgr &sourceMgr() const { return sources; }
  /// Whether names are known.
  bool isChecked() const { return program.has_value(); }
  /// The main file's part of a place, if it is there.
  std::optional<TextRange> inText(llvm::SMRange range) const;

  /// Where the name at an offset is declared.
  std::optional<FilePlace> definition(size_t offset) const;
  /// All places of the name at an offset in this text, and its declaration.
  std::vector<FilePlace> references(size_t offset) const;
  /// What the name at an offset is, as text of the language and words.
  std::optional<std::pair<std::string, std::string>>
  describe(size_t offset) const;
  /// Types and ranges that are not written, with their places.
  std::vector<std::pair<size_t, std::string>> hints() const;
  /// What may stand behind what is typed at an offset of `current`, a text that
  /// may be newer than this one.
  std::vector<Completion> completions(llvm::StringRef current,
                                      size_t offset) const;
  std::optional<Signature> signature(llvm::StringRef current,
                                     size_t offset) const;
  /// The declarations of the text: their names, kinds and places.
  struct Outline {
    std::string name;
    unsigned kind;
    TextRange whole, place;
  };
  std::vector<Outline> outline() const;

private:
  const ast::Decl *findDecl(llvm::StringRef name) const;
  std::string headOf(const ast::Decl *decl) const;
  llvm::StringRef textOf(llvm::SMRange range) const;
  const LocalName *localAt(const char *begin) const;
  /// The declaration of the name at an offset, and the name itself.
  llvm::SMRange declarationAt(size_t offset) const;

  std::string path, content;
  llvm::SourceMgr sources;
  DiagnosticEngine diags;
  ast::Context tree;
  std::optional<ast::Program> program;
  /// By where they are declared.
  std::map<const char *, LocalName> locals;
  std::map<const char *, llvm::SMRange> uses;
};

/// The name at an offset of a text, or just before it.
TextRange wordAt(llvm::StringRef text, size_t offset);

/// What a built-in function is called with, and what it does; "" if it is none.
std::pair<llvm::StringRef, llvm::StringRef> builtinHelp(llvm::StringRef name);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_LSPDOCUMENT_H
