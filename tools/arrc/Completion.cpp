//===- Completion.cpp - arrc completion -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Scripts for bash, zsh and fish, and the manual, all of the one table.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Options.h"
#include "Verbs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc::tool;

static bool hasVerb(const OptionRow &option, StringRef verb) {
  return is_contained(split(option.verbs, ' '), verb);
}

/// The values that an option may have; none if they are not a list.
static SmallVector<StringRef> valuesOf(const OptionRow &option) {
  SmallVector<StringRef> values;
  if (option.value.contains('|'))
    StringRef(option.value).split(values, '|');
  return values;
}

static std::string allVerbs() {
  return join(map_range(getVerbs(), [](const VerbRow &v) { return v.name; }),
              " ");
}

static void printBash() {
  outs()
      << "# Completion of arrc for bash: arrc completion bash\n"
         "_arrc() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}\n"
         "  local before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  if [[ $before == '=' ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; "
         "fi\n"
         "  [[ $word == '=' ]] && word= && "
         "before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  case $before in\n";
  for (const OptionRow &option : getOptions()) {
    SmallVector<StringRef> values = valuesOf(option);
    if (!values.empty())
      outs() << "    " << option.name << ") COMPREPLY=($(compgen -W '"
             << join(values, " ") << "' -- \"$word\")); return;;\n";
  }
  outs() << "  esac\n"
            "  if ((COMP_CWORD == 1)); then\n"
            "    COMPREPLY=($(compgen -W '"
         << allVerbs()
         << "' -- \"$word\") $(compgen -f -X '!*.arr' -- \"$word\"))\n"
            "    return\n"
            "  fi\n"
            "  case $verb in\n";
  for (const VerbRow &verb : getVerbs()) {
    std::string words;
    for (const OptionRow &option : getOptions())
      if (hasVerb(option, verb.name))
        words += (words.empty() ? "" : " ") + option.name.str();
    if (verb.name == "help")
      words = allVerbs();
    if (verb.name == "completion")
      words += " bash zsh fish man";
    if (!words.empty())
      outs() << "    " << verb.name << ") words='" << words << "';;\n";
  }
  outs() << "  esac\n"
            "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
            "  [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
            "}\n"
            "complete -o filenames -F _arrc arrc\n";
}

/// Text within single quotes of a shell.
static std::string quoted(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result;
}

static void printZsh() {
  outs() << "#compdef arrc\n"
            "# Completion of arrc for zsh: arrc completion zsh\n"
            "_arrc() {\n"
            "  local -a verbs\n"
            "  verbs=(\n";
  for (const VerbRow &verb : getVerbs())
    outs() << "    '" << verb.name << ':' << quoted(verb.help) << "'\n";
  outs() << "  )\n"
            "  if ((CURRENT == 2)); then\n"
            "    _describe command verbs\n"
            "    _files -g '*.arr'\n"
            "    return\n"
            "  fi\n"
            "  case $words[2] in\n";
  for (const VerbRow &verb : getVerbs()) {
    outs() << "    " << verb.name << ")\n      _arguments \\\n";
    for (const OptionRow &option : getOptions()) {
      if (!hasVerb(option, verb.name))
        continue;
      std::string help;
      for (char c : option.help)
        help += StringRef("[]:").contains(c) ? std::string("\\") + c
                                             : std::string(1, c);
      outs() << "        '" << option.name
             << (option.value.empty()                       ? ""
                 : StringRef(option.name).starts_with("--") ? "="
                                                            : "+")
             << '[' << quoted(help) << ']';
      SmallVector<StringRef> values = valuesOf(option);
      if (!values.empty())
        outs() << ":value:(" << join(values, " ") << ')';
      else if (option.value == "FILE")
        outs() << ":file:_files";
      else if (option.value == "FOLDER")
        outs() << ":folder:_files -/";
      else if (!option.value.empty())
        outs() << ":" << StringRef(option.value).split(':').first << ": ";
      outs() << "' \\\n";
    }
    if (verb.name == "help")
      outs() << "        '*:command:(" << allVerbs() << ")';;\n";
    else if (verb.name == "completion")
      outs() << "        '*:shell:(bash zsh fish man)';;\n";
    else
      outs() << "        '*:file:_files';;\n";
  }
  outs() << "  esac\n"
            "}\n"
            "_arrc \"$@\"\n";
}

static void printFish() {
  outs() << "# Completion of arrc for fish: arrc completion fish\n";
  for (const VerbRow &verb : getVerbs())
    outs() << "complete -c arrc -n __fish_use_subcommand -a " << verb.name
           << " -d '" << quoted(verb.help) << "'\n";
  for (const OptionRow &option : getOptions()) {
    StringRef name = option.name;
    // -O2 is an old-style option of fish, -D a letter.
    std::string flag = name.starts_with("--") ? "-l " + name.drop_front(2).str()
                       : name.size() == 2 ? "-s " + name.drop_front(1).str()
                                          : "-o " + name.drop_front(1).str();
    std::string only = option.verbs.empty() ? "__fish_use_subcommand"
                                            : "'__fish_seen_subcommand_from " +
                                                  option.verbs.str() + "'";
    outs() << "complete -c arrc -n " << only << ' ' << flag << " -d '"
           << quoted(option.help) << '\'';
    SmallVector<StringRef> values = valuesOf(option);
    if (!values.empty())
      outs() << " -x -a '" << join(values, " ") << '\'';
    else if (!option.value.empty())
      outs() << " -r";
    outs() << '\n';
  }
  outs()
      << "complete -c arrc -n '__fish_seen_subcommand_from help' -x -a '"
      << allVerbs() << "'\n"
      << "complete -c arrc -n '__fish_seen_subcommand_from completion' -x -a "
         "'bash zsh fish man'\n";
}

/// Text for troff.
static std::string roff(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\\'  ? std::string("\\e")
              : c == '-' ? std::string("\\-")
                         : std::string(1, c);
  if (StringRef(result).starts_with(".") || StringRef(result).starts_with("'"))
    result = "\\&" + result;
  return result;
}

static void printMan() {
  outs() << ".TH ARRC 1 \"\" \"arrc " ARRC_VERSION "\" \"User Commands\"\n"
            ".SH NAME\narrc \\- compile and run array programs\n"
            ".SH SYNOPSIS\n";
  for (const VerbRow &verb : getVerbs())
    outs() << ".B arrc " << verb.name << "\n.I " << roff(verb.words)
           << "\n.br\n";
  outs() << ".SH COMMANDS\n";
  for (const VerbRow &verb : getVerbs())
    outs() << ".TP\n.B " << verb.name << '\n' << roff(verb.help) << '\n';
  outs() << ".SH OPTIONS\n";
  for (const OptionRow &option : getOptions()) {
    outs() << ".TP\n\\fB" << roff(option.name) << "\\fR";
    if (!option.value.empty())
      outs() << " \\fI" << roff(option.value) << "\\fR";
    outs() << '\n' << roff(option.help);
    if (!option.verbs.empty())
      outs() << " (" << option.verbs << ")";
    outs() << '\n';
  }
  outs() << ".SH EXIT STATUS\n"
            "0 done, 1 the program has errors or a comparison failed, 2 wrong "
            "use, 3 the program failed while running, 4 device or environment, "
            "70 internal error, 74 cannot read or write\n";
}

int arrc::tool::completion(const CommandLine &line) {
  struct Kind {
    StringLiteral name;
    void (*print)();
  };
  static constexpr Kind kinds[] = {{"bash", printBash},
                                   {"zsh", printZsh},
                                   {"fish", printFish},
                                   {"man", printMan}};
  if (line.rest.size() == 1)
    for (const Kind &kind : kinds)
      if (line.rest.front() == kind.name) {
        kind.print();
        return Done;
      }
  return complain(WrongUse, "for which shell?",
                  "write arrc completion bash, zsh, fish or man");
}
