//===- Lsp.cpp - arrc lsp -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The language server, on the transport of LLVM. This is the protocol alone:
// what a text means is asked of LspDocument. Columns of the protocol count
// UTF-16, places of documents bytes.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Explanations.h"
#include "LspDocument.h"
#include "Verbs.h"

#include "arrc/Frontend/Format.h"
#include "arrc/Frontend/Lexer.h"
#include "arrc/Support/LargeStack.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
/// Parameters as they came.
struct Raw {
  json::Value value = nullptr;
};

bool fromJSON(const json::Value &value, Raw &raw, json::Path) {
  raw.value = value;
  return true;
}

using Reply = lsp::Callback<json::Value>;

/// A text that an editor has open.
struct OpenText {
  std::string uri, text;
  int64_t version = 0;
  /// What is known of the text, and of the last one that could be parsed.
  std::unique_ptr<Document> now, good;
  const Document &known() const { return good ? *good : *now; }
};

class Server {
public:
  explicit Server(lsp::JSONTransport &transport) : transport(transport) {}
  void listen(lsp::MessageHandler &handler);
  bool wasShutDown = false;

private:
  // What the editor says.
  void onInitialize(const Raw &, Reply);
  void onNothing(const Raw &) {}
  void onShutdown(const Raw &, Reply);
  void onOpen(const Raw &);
  void onChange(const Raw &);
  void onClose(const Raw &);
  // What it asks.
  void onHover(const Raw &, Reply);
  void onDefinition(const Raw &, Reply);
  void onReferences(const Raw &, Reply);
  void onPrepareRename(const Raw &, Reply);
  void onRename(const Raw &, Reply);
  void onCompletion(const Raw &, Reply);
  void onSignature(const Raw &, Reply);
  void onHints(const Raw &, Reply);
  void onFormat(const Raw &, Reply);
  void onActions(const Raw &, Reply);
  void onSymbols(const Raw &, Reply);

  void check(OpenText &open);
  void publish(const OpenText &open);
  OpenText *find(const Raw &params);

  lsp::JSONTransport &transport;
  /// By their paths.
  std::map<std::string, OpenText> texts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// How many units of UTF-16 the text has.
static unsigned unitsOf(StringRef text) {
  unsigned units = 0;
  for (unsigned char c : text)
    units += (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1;
  return units;
}

static json::Object toPosition(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t line = before.rfind('\n');
  StringRef row = before.drop_front(line == StringRef::npos ? 0 : line + 1);
  return json::Object{{"line", int64_t(before.count('\n'))},
                      {"character", unitsOf(row)}};
}

static json::Object toRange(StringRef text, TextRange range) {
  return json::Object{{"start", toPosition(text, range.begin)},
                      {"end", toPosition(text, range.end)}};
}

/// The offset of a position; behind the last line the end of the text.
static size_t toOffset(StringRef text, const json::Object *position) {
  int64_t line = position ? position->getInteger("line").value_or(0) : 0;
  int64_t units = position ? position->getInteger("character").value_or(0) : 0;
  size_t at = 0;
  for (; line > 0; --line) {
    size_t end = text.find('\n', at);
    if (end == StringRef::npos)
      return text.size();
    at = end + 1;
  }
  while (at < text.size() && text[at] != '\n' && units > 0) {
    unsigned length = getNumBytesForUTF8(UTF8(text[at]));
    units -= length == 4 ? 2 : 1;
    at = std::min(at + length, text.size());
  }
  return at;
}

static std::string toPath(StringRef uri) {
  auto parsed = lsp::URIForFile::fromURI(uri);
  if (parsed)
    return parsed->file().str();
  consumeError(parsed.takeError());
  // Texts that are in no file have no folder to import from.
  return uri.str();
}

static std::string toURI(StringRef path) {
  SmallString<256> absolute(path);
  sys::fs::make_absolute(absolute);
  auto uri = lsp::URIForFile::fromFile(absolute);
  if (uri)
    return uri->uri().str();
  consumeError(uri.takeError());
  return path.str();
}

static json::Object toLocation(const FilePlace &place) {
  return json::Object{{"uri", toURI(place.path)},
                      {"range", toRange(place.text, place.range)}};
}

OpenText *Server::find(const Raw &params) {
  const json::Object *object = params.value.getAsObject();
  const json::Object *document =
      object ? object->getObject("textDocument") : nullptr;
  auto uri = document ? document->getString("uri") : std::nullopt;
  auto it = uri ? texts.find(toPath(*uri)) : texts.end();
  return it == texts.end() ? nullptr : &it->second;
}

/// The offset that a question is about.
static size_t offsetOf(const Raw &params, StringRef text) {
  return toOffset(text, params.value.getAsObject()->getObject("position"));
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

void Server::onInitialize(const Raw &, Reply reply) {
  json::Object capabilities{
      {"textDocumentSync",
       json::Object{{"openClose", true}, {"change", 1}, {"save", true}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"completionProvider",
       json::Object{{"triggerCharacters", json::Array{"."}}}},
      {"signatureHelpProvider",
       json::Object{{"triggerCharacters", json::Array{"(", ","}}}},
      {"inlayHintProvider", true},
      {"documentFormattingProvider", true},
      {"documentSymbolProvider", true},
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix"}}}}};
  reply(json::Object{{"capabilities", std::move(capabilities)},
                     {"serverInfo", json::Object{{"name", "arrc"},
                                                 {"version", ARRC_VERSION}}}});
}

void Server::onShutdown(const Raw &, Reply reply) {
  wasShutDown = true;
  reply(json::Value(nullptr));
}

void Server::check(OpenText &open) {
  std::string path = toPath(open.uri);
  // Imports are read as they are edited, too.
  std::map<std::string, std::string> others;
  for (auto &[other, text] : texts)
    if (other != path)
      others[other] = text.text;
  runOnLargeStack(
      [&] { open.now = std::make_unique<Document>(path, open.text, others); });
  publish(open);
  if (open.now->isChecked())
    open.good = std::move(open.now);
}

void Server::publish(const OpenText &open) {
  const Document &document = *open.now;
  json::Array list;
  for (const arrc::Diagnostic &d : document.messages().all()) {
    auto range = document.inText(d.range);
    // A mistake in an imported file is shown at the top.
    TextRange place = range.value_or(TextRange{0, 0});
    std::string text = d.text;
    if (!d.mainLabel.empty())
      text += ": " + d.mainLabel;
    for (const auto &line : d.lines)
      text += "\n" + line.kind.str() + ": " + line.text;
    json::Array related;
    for (const auto &other : d.places)
      if (auto at = document.inText(other.range))
        related.push_back(json::Object{
            {"location", json::Object{{"uri", open.uri},
                                      {"range", toRange(open.text, *at)}}},
            {"message", json::fixUTF8(other.label)}});
    json::Object item{{"range", toRange(open.text, place)},
                      {"severity", d.severity == Severity::Error     ? 1
                                   : d.severity == Severity::Warning ? 2
                                                                     : 3},
                      {"code", code(d.id)},
                      {"source", "arrc"},
                      {"message", json::fixUTF8(text)}};
    if (!related.empty())
      item["relatedInformation"] = std::move(related);
    if (d.id == diag::unused_let || d.id == diag::unused_import)
      item["tags"] = json::Array{1};
    list.push_back(std::move(item));
  }
  transport.notify("textDocument/publishDiagnostics",
                   json::Object{{"uri", open.uri},
                                {"version", open.version},
                                {"diagnostics", std::move(list)}});
}

void Server::onOpen(const Raw &params) {
  const json::Object *object = params.value.getAsObject();
  const json::Object *document =
      object ? object->getObject("textDocument") : nullptr;
  if (!document)
    return;
  std::string uri = document->getString("uri").value_or("").str();
  OpenText &open = texts[toPath(uri)];
  open.uri = uri;
  open.text = document->getString("text").value_or("").str();
  open.version = document->getInteger("version").value_or(0);
  open.good.reset();
  check(open);
}

void Server::onChange(const Raw &params) {
  OpenText *open = find(params);
  const json::Object *object = params.value.getAsObject();
  const json::Array *changes =
      object ? object->getArray("contentChanges") : nullptr;
  if (!open || !changes || changes->empty())
    return;
  // Whole texts: the last one counts.
  if (const json::Object *change = changes->back().getAsObject())
    open->text = change->getString("text").value_or("").str();
  open->version = object->getObject("textDocument")
                      ->getInteger("version")
                      .value_or(open->version + 1);
  check(*open);
}

void Server::onClose(const Raw &params) {
  OpenText *open = find(params);
  if (!open)
    return;
  transport.notify(
      "textDocument/publishDiagnostics",
      json::Object{{"uri", open->uri}, {"diagnostics", json::Array()}});
  texts.erase(toPath(open->uri));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void Server::onHover(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  if (!open)
    return reply(json::Value(nullptr));
  size_t offset = offsetOf(params, open->text);
  auto known = open->known().describe(offset);
  if (!known)
    return reply(json::Value(nullptr));
  std::string text = "```arr\n" + known->first + "\n```";
  if (!known->second.empty())
    text += "\n" + known->second;
  reply(
      json::Object{{"contents", json::Object{{"kind", "markdown"},
                                             {"value", json::fixUTF8(text)}}},
                   {"range", toRange(open->text, wordAt(open->text, offset))}});
}

void Server::onDefinition(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  auto place = open ? open->known().definition(offsetOf(params, open->text))
                    : std::nullopt;
  if (!place)
    return reply(json::Value(nullptr));
  reply(toLocation(*place));
}

void Server::onReferences(const Raw &params, Reply reply) {
  json::Array list;
  if (OpenText *open = find(params))
    for (const FilePlace &place :
         open->known().references(offsetOf(params, open->text)))
      list.push_back(toLocation(place));
  reply(std::move(list));
}

void Server::onPrepareRename(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  if (!open)
    return reply(json::Value(nullptr));
  size_t offset = offsetOf(params, open->text);
  if (!open->known().definition(offset))
    return reply(json::Value(nullptr));
  reply(toRange(open->text, wordAt(open->text, offset)));
}

void Server::onRename(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  StringRef name =
      params.value.getAsObject()->getString("newName").value_or("");
  auto refuse = [&](const Twine &why) {
    reply(make_error<lsp::LSPError>(why.str(), lsp::ErrorCode::InvalidParams));
  };
  if (!isName(name))
    return refuse("'" + name + "' cannot be a name");
  if (!open || !open->now == !open->good)
    return refuse("the program has errors");
  json::Object changes;
  std::map<std::string, json::Array> edits;
  for (const FilePlace &place :
       open->known().references(offsetOf(params, open->text)))
    edits[toURI(place.path)].push_back(json::Object{
        {"range", toRange(place.text, place.range)}, {"newText", name}});
  if (edits.empty())
    return refuse("this is no name of the program");
  for (auto &[uri, list] : edits)
    changes[uri] = std::move(list);
  reply(json::Object{{"changes", std::move(changes)}});
}

void Server::onCompletion(const Raw &params, Reply reply) {
  json::Array list;
  if (OpenText *open = find(params))
    for (Completion &item :
         open->known().completions(open->text, offsetOf(params, open->text))) {
      json::Object object{{"label", item.name}, {"kind", item.kind}};
      if (!item.detail.empty())
        object["detail"] = json::fixUTF8(item.detail);
      list.push_back(std::move(object));
    }
  reply(std::move(list));
}

void Server::onSignature(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  auto known =
      open ? open->known().signature(open->text, offsetOf(params, open->text))
           : std::nullopt;
  if (!known)
    return reply(json::Value(nullptr));
  json::Array parameters;
  for (std::string &text : known->parameters)
    parameters.push_back(json::Object{{"label", json::fixUTF8(text)}});
  reply(json::Object{
      {"signatures",
       json::Array{json::Object{{"label", json::fixUTF8(known->label)},
                                {"parameters", std::move(parameters)}}}},
      {"activeSignature", 0},
      {"activeParameter", known->active}});
}

void Server::onHints(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  json::Array list;
  // Those of another text would stand anywhere.
  if (open && !open->now) {
    const json::Object *range = params.value.getAsObject()->getObject("range");
    size_t from = 0, to = open->text.size();
    if (range) {
      from = toOffset(open->text, range->getObject("start"));
      to = toOffset(open->text, range->getObject("end"));
    }
    for (auto &[offset, text] : open->known().hints())
      if (offset >= from && offset <= to)
        list.push_back(
            json::Object{{"position", toPosition(open->text, offset)},
                         {"label", json::fixUTF8(text)},
                         {"kind", 1}});
  }
  reply(std::move(list));
}

void Server::onFormat(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  if (!open)
    return reply(json::Value(nullptr));
  SourceMgr sources;
  DiagnosticEngine diags(sources);
  auto formatted = formatText(open->text, diags);
  json::Array edits;
  if (formatted && *formatted != open->text)
    edits.push_back(
        json::Object{{"range", toRange(open->text, {0, open->text.size()})},
                     {"newText", json::fixUTF8(*formatted)}});
  reply(std::move(edits));
}

void Server::onSymbols(const Raw &params, Reply reply) {
  OpenText *open = find(params);
  json::Array list;
  if (open && !open->now)
    for (auto &item : open->known().outline())
      list.push_back(
          json::Object{{"name", item.name},
                       {"kind", item.kind},
                       {"range", toRange(open->text, item.whole)},
                       {"selectionRange", toRange(open->text, item.place)}});
  reply(std::move(list));
}

//===----------------------------------------------------------------------===//
// Code actions
//===----------------------------------------------------------------------===//

/// The messages whose place is what a help says to write, as a whole.
static bool isReplacement(const arrc::Diagnostic &d, StringRef text) {
  bool isWord = !text.empty() &&
                all_of(text, [](char c) { return isAlnum(c) || c == '_'; });
  switch (d.id) {
  case diag::unknown_name:
  case diag::unknown_type:
  case diag::no_such_field:
  case diag::no_such_argument:
  case diag::foreign_operator:
    return isWord;
  case diag::float_needs_digits:
  case diag::index_without_range:
  case diag::index_ranges_differ:
    return true;
  case diag::assign_in_expression:
    return text == "==";
  default:
    return false;
  }
}

/// The texts in quotes behind 'write' and 'did you mean' of a help.
static SmallVector<StringRef> suggestionsOf(StringRef help) {
  SmallVector<StringRef> result;
  if (!help.consume_front("write ") && !help.consume_front("did you mean "))
    return result;
  while (help.consume_front("'")) {
    auto [text, rest] = help.split('\'');
    result.push_back(text);
    help = rest;
    if (!help.consume_front(" or "))
      break;
    help.consume_front("write ");
  }
  return result;
}

void Server::onActions(const Raw &params, Reply reply) {
  json::Array list;
  OpenText *open = find(params);
  const json::Object *wanted =
      open ? params.value.getAsObject()->getObject("range") : nullptr;
  if (!wanted)
    return reply(std::move(list));
  size_t from = toOffset(open->text, wanted->getObject("start"));
  size_t to = toOffset(open->text, wanted->getObject("end"));
  const Document &document = open->now ? *open->now : *open->good;
  auto add = [&](const Twine &title, TextRange range, StringRef text) {
    json::Object changes;
    changes[open->uri] = json::Array{
        json::Object{{"range", toRange(open->text, range)}, {"newText", text}}};
    list.push_back(
        json::Object{{"title", title.str()},
                     {"kind", "quickfix"},
                     {"edit", json::Object{{"changes", std::move(changes)}}}});
  };
  for (const arrc::Diagnostic &d : document.messages().all()) {
    auto place = document.inText(d.range);
    if (!place || place->begin > to || place->end < from)
      continue;
    if (d.id == diag::unused_let)
      add("begin the name with '_'", {place->begin, place->begin}, "_");
    if (d.id == diag::semicolon)
      add("delete ';'", *place, "");
    for (const auto &line : d.lines) {
      if (line.kind != "help")
        continue;
      for (StringRef text : suggestionsOf(line.text))
        if (isReplacement(d, text))
          add("write '" + text + "'", *place, text);
    }
  }
  reply(std::move(list));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void Server::listen(lsp::MessageHandler &handler) {
  struct Method {
    StringLiteral name;
    void (Server::*answer)(const Raw &, Reply);
  };
  static constexpr Method methods[] = {
      {"initialize", &Server::onInitialize},
      {"shutdown", &Server::onShutdown},
      {"textDocument/hover", &Server::onHover},
      {"textDocument/definition", &Server::onDefinition},
      {"textDocument/references", &Server::onReferences},
      {"textDocument/prepareRename", &Server::onPrepareRename},
      {"textDocument/rename", &Server::onRename},
      {"textDocument/completion", &Server::onCompletion},
      {"textDocument/signatureHelp", &Server::onSignature},
      {"textDocument/inlayHint", &Server::onHints},
      {"textDocument/formatting", &Server::onFormat},
      {"textDocument/codeAction", &Server::onActions},
      {"textDocument/documentSymbol", &Server::onSymbols},
  };
  for (const Method &method : methods)
    handler.method(method.name, this, method.answer);
  handler.notification("initialized", this, &Server::onNothing);
  handler.notification("textDocument/didOpen", this, &Server::onOpen);
  handler.notification("textDocument/didChange", this, &Server::onChange);
  handler.notification("textDocument/didClose", this, &Server::onClose);
  handler.notification("textDocument/didSave", this, &Server::onNothing);
}

int arrc::tool::lsp(const CommandLine &line) {
  // Editors say that they speak over the standard streams.
  for (StringRef word : line.rest)
    if (word != "--stdio" && word != "--lit-test")
      return complain(WrongUse, "unknown option '" + word + "'",
                      "see 'arrc help lsp'");
  // Tests write messages one below another, and read them so.
  bool isTest = is_contained(line.rest, "--lit-test");
  sys::ChangeStdinToBinary();
  lsp::JSONTransport transport(stdin, outs(),
                               isTest ? lsp::JSONStreamStyle::Delimited
                                      : lsp::JSONStreamStyle::Standard,
                               /*PrettyOutput=*/isTest);
  lsp::MessageHandler handler(transport);
  Server server(transport);
  server.listen(handler);
  if (Error error = transport.run(handler)) {
    consumeError(std::move(error));
    return CannotReadOrWrite;
  }
  return server.wasShutDown ? Done : ProgramError;
}
