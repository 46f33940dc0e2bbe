#!/usr/bin/env python3
"""Checks that what pages name exists.

    check_names.py --build BUILD FILE.md ...

Each piece of `inline code`, and each line of a block of commands, is held
against what it speaks of: files of the tree, options, levels and commands of
arrc, options of the scripts in utils, passes of arr-opt, operations of the
dialects, environment variables and C names of the runtime. What is left of the
language's page must parse as a piece of a program. The other way round, every
option of `arrc help` and every variable that arrc reads stands on a page.

What a page promises and is not there yet is named in its section "Not there
yet"; a name in that section must not be there.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.S | re.M)
SPAN = re.compile(r"``\s?(.+?)\s?``|`([^`\n]+)`")
OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")
FOLDERS = "bench|build|cmake|docs|examples|fuzz|include|lib|python|runtime|test|tools|utils"
# In front of the tools' own options; what other tools take is theirs to know.
TOOLS = ("arrc", "arr-opt")
# Words of others, which look like the tree's own.
OTHERS = {"ContractionOff", "TypeError", "ValueError"}
# Formulas and words of other languages on the language's page.
NOT_THE_LANGUAGE = {
    "2n", "2n-2", r"\r", r"\n \t \" \\", "[A-Za-z_][A-Za-z0-9_]*", "arith.maximumf",
}


def run(*words, cwd=None) -> str:
    done = subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True)
    return done.stdout + done.stderr


class Known:
    """What there is."""

    def __init__(self, build: pathlib.Path):
        self.arrc = build / "bin/arrc"
        self.files = run("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).split()
        self.files = [name for name in self.files if (ROOT / name).exists()]
        helps = [run(self.arrc, "help")] + [
            run(self.arrc, "help", verb) for verb in ("run", "build")]
        self.verbs = set(re.findall(r"^  arrc (\w+)", helps[0], re.M))
        helps += [run(self.arrc, "help", verb) for verb in sorted(self.verbs - {"run", "build"})]
        self.levels = set(re.findall(r"^  ([a-z-]+)  +\S", helps[2].split("options:")[0], re.M))
        self.options = {"-h", "--help", "--version"}
        for text in helps:
            self.options |= set(OPTION.findall(text))
        self.options |= {f"-O{level}" for level in range(4)} - {"-NN"}
        opt = run(build / "bin/arr-opt", "--help")
        self.opt_options = set(OPTION.findall(opt))
        self.facts = self.listed("--fact", "?=1")
        self.optimizations = self.listed("--without", "?")
        self.source = "\n".join(
            (ROOT / name).read_text(errors="replace") for name in self.files
            if re.match(r"(include|lib|runtime|tools|fuzz)/.*\.(h|cpp|def|td|txt)$", name))
        self.words = set(re.findall(r"\w+", self.source))
        self.variables = {name for name in re.findall(r'"(ARRC_[A-Z_]+)"', self.source)}

    def listed(self, option: str, value: str) -> set[str]:
        """What arrc says that it knows when it is given something else."""
        said = run(self.arrc, "build", "x.arr", f"{option}={value}")
        return set(re.findall(r"[\w-]+", re.search(r"(?:these are|they have): (.*)", said).group(1)))

    def has_file(self, name: str) -> bool:
        # NAME, X and Something stand for any.
        name = re.sub(r"\b[A-Z]{2,}\b|\bX\b|[Ss]omething", "*", name.rstrip("/"))
        pattern = re.compile(re.escape(name).replace(r"\*", "[^/]*") + "(/|$)")
        return any(match.start() == 0 or path[match.start() - 1] == "/"
                   for path in self.files for match in pattern.finditer(path))


class Page:
    def __init__(self, path: pathlib.Path):
        self.path = path
        text = path.read_text()
        self.is_language = path.name == "language.md"
        self.rows = text.splitlines()
        self.commands = []
        for match in FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 2
            if match.group(1) == "sh":
                self.commands += enumerate(match.group(2).splitlines(), line)
        prose = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)
        self.commands += [(k, row) for k, row in enumerate(prose.splitlines(), 1)
                          if row.startswith("    ") and re.match(r"\s+(arrc|arr-opt|ninja) ", row)]
        self.spans = [(prose.count("\n", 0, match.start()) + 1, match.group(1) or match.group(2))
                      for match in SPAN.finditer(prose)]
        gone = prose.find("\n## Not there yet")
        row = re.compile(r"^\| (.*?) \|", re.M)
        self.missing = {code for match in row.finditer(prose, gone) for _, code in
                        SPAN.findall(match.group(1))} if gone >= 0 else set()

    def says_not_there(self, line: int) -> bool:
        """Whether the paragraph or row of a table around a line says so, or the
        section that lists what is not there."""
        if any(row == "## Not there yet" for row in self.rows[:line]):
            return True
        if self.rows[line - 1].startswith("|"):
            return "not there yet" in self.rows[line - 1].lower()
        text = " ".join(self.rows[max(line - 3, 0):line + 3]).lower()
        return "not there yet" in text


class Checker:
    def __init__(self, known: Known, pages: list[Page]):
        self.known, self.pages, self.said, self.checked = known, pages, [], 0
        self.missing = set().union(*(page.missing for page in pages))
        self.used_options, self.used_variables, self.pieces = set(), set(), []

    def say(self, page: Page, line: int, text: str):
        self.said.append(f"{page.path}:{line}: {text}")

    def expect(self, page: Page, line: int, name: str, exists: bool, what: str):
        self.checked += 1
        if name in self.missing:
            if exists:
                self.say(page, line, f"{what} '{name}' is there, and 'Not there yet' names it")
            elif not page.says_not_there(line):
                self.say(page, line, f"{what} '{name}' is promised without 'not there yet'")
        elif not exists:
            self.say(page, line, f"there is no {what} '{name}'")

    def path(self, page: Page, line: int, name: str):
        if re.match(rf"(\./)?({FOLDERS})/", name) and not name.startswith("build/"):
            beside = page.path.parent / name
            self.expect(page, line, name, beside.exists() or self.known.has_file(name), "file")

    def option(self, page: Page, line: int, option: str, tool: str, value: str = ""):
        """An option of arrc or of one of the tree's own scripts."""
        known = self.known
        if tool in ("", "arrc"):
            joined = re.match(r"-[DI]", option)
            name = joined.group(0) if joined else option
            self.used_options.add(name)
            self.expect(page, line, name, name in known.options or
                        not tool and name in known.opt_options, "option")
            if name == "--emit" and not value.isupper():
                self.expect(page, line, value, value in known.levels, "level")
            if name == "--without" and value and not re.search(r"[A-Z?]", value):
                for each in value.split(","):
                    self.expect(page, line, each, each in known.optimizations, "optimization")
            if name == "--fact" and value and "NAME" not in value:
                self.expect(page, line, value.split("=")[0],
                            value.split("=")[0] in known.facts, "fact")
        elif tool == "arr-opt":
            self.expect(page, line, option,
                        any(dashes + option.lstrip("-") in known.opt_options
                            for dashes in ("-", "--")), "option of arr-opt")
        else:
            text = (ROOT / tool).read_text()
            self.expect(page, line, option, option in text, f"option of {tool}")

    def command(self, page: Page, line: int, text: str):
        text = re.sub(r"\s#.*", "", text)
        for part in re.split(r"\||&&|;", text):
            words = re.findall(r"'[^']*'|\S+", part)
            while words and re.match(r"[A-Z_]+=|env$|export$|\$$", words[0]):
                self.variables(page, line, words.pop(0))
            if not words:
                continue
            tool = re.sub(r"^build/dev/bin/", "", words[0])
            if re.match(rf"({FOLDERS})/", tool) and (ROOT / tool).is_file():
                self.checked += 1
            elif tool not in TOOLS:
                self.path(page, line, tool)
                continue
            if tool == "arrc" and len(words) > 1 and re.match(r"[a-z]+$", words[1]):
                self.expect(page, line, f"arrc {words[1]}", words[1] in self.known.verbs, "command")
                if f"arrc {words[1]}" in self.missing:
                    continue
            for k, word in enumerate(words[1:], 1):
                if match := re.match(r"(--?[A-Za-z][\w-]*)(?:=(.*))?", word):
                    after = words[k + 1] if k + 1 < len(words) else ""
                    self.option(page, line, match.group(1), tool, match.group(2) or after)
                else:
                    self.path(page, line, word)

    def variables(self, page: Page, line: int, text: str):
        for name in re.findall(r"\bARRC_[A-Z_]+", text):
            self.used_variables.add(name)
            # What CMake is told has the same beginning.
            self.expect(page, line, name, name in self.known.variables or
                        name in self.known.source, "environment variable")

    def span(self, page: Page, line: int, code: str):
        known = self.known
        first = code.split()[0] if code.split() else ""
        if re.match(r"[A-Z_]+=?", first) and "ARRC_" in code:
            self.variables(page, line, code)
        elif re.sub(r"^build/dev/bin/", "", first) in TOOLS or \
                re.match(r"utils/\w+\.\w+ |test/\S+\.py |bench/\S+\.py ", code):
            self.command(page, line, code)
        elif match := re.match(r"(--[a-z][\w-]*|-[A-Za-z]\w*)(?:[= ](\S+))?$", code):
            if page.path.name == "README.md" and "bench" in page.path.parts:
                self.expect(page, line, match.group(1), match.group(1) in "".join(
                    (ROOT / name).read_text() for name in known.files
                    if re.match(r"bench/\w+\.py$", name)) or match.group(1) in known.options,
                    "option")
            else:
                self.option(page, line, match.group(1), "", match.group(2) or "")
        elif re.match(rf"({FOLDERS})/\S+$", code):
            self.path(page, line, code)
        elif re.match(r"[\w/*-]+\.(cpp|h|td|def|mlir|py|sh|test|cu)$", code):
            self.expect(page, line, code, known.has_file(code), "file")
        elif re.match(r"(arr|kernel|cpu|gpu|convert)(-[a-z0-9]+)+$", code) and code not in TOOLS:
            self.expect(page, line, code, "--" + code in known.opt_options or
                        code in known.optimizations, "pass")
        elif match := re.match(r"(array|kernel)\.(\w+)$", code):
            self.expect(page, line, code, f'"{match.group(2)}"' in known.source or
                        code in known.source, "operation")
        elif re.match(r"arrt_\w+$", code) or re.match(r"([A-Z][a-z0-9]+){2,}\w*$", code) \
                and code not in OTHERS:
            self.expect(page, line, code, code in known.words or known.has_file(code), "name")
        elif page.is_language and code not in NOT_THE_LANGUAGE and not page.says_not_there(line):
            self.pieces.append((page, line, code))

    def check(self):
        for page in self.pages:
            for line, text in page.commands:
                self.command(page, line, text)
            for line, code in page.spans:
                self.span(page, line, code)
        for page, line, code in unparsed(self.known.arrc, self.pieces):
            self.say(page, line, f"'{code}' is no piece of a program")
        self.checked += len(self.pieces)
        for option in sorted(self.known.options - self.used_options - {"-h", "--help", "--version"}):
            self.said.append(f"option '{option}' of 'arrc help' stands on no page")
        for name in sorted(self.known.variables - self.used_variables):
            self.said.append(f"environment variable '{name}' stands on no page")


# What a piece of a program may be: each with a number for its names.
PLACES = (
    "def z{n}() = {piece}", "def z{n}() {{ {piece}\n0 }}", "def z{n}(a: {piece}) = 0",
    "def z{n}({piece}) = 0", "def z{n}() {piece} = 0", "{piece} = 0", "{piece}",
    "{piece} z{n}() = 0", "{piece} z{n} = 0", "{piece} def z{n}() = 0", "def z{n}(a: f32[{piece}]) = 0",
    "def z{n}() = a[{piece}]", "def z{n}() = for {piece} {{ 0 }}", "def z{n}() = for i {piece} {{ 0 }}",
    "def z{n}() = for i in {piece} {{ 0 }}", "def z{n}() = {piece} i {{ 0 }}",
    "def z{n}() = {piece} {{ 0 }}", "def z{n}() = {piece} for i {{ 0 }}", "def z{n}() = f({piece})",
    "def z{n}() = 1 {piece}",
)


def unparsed(arrc: pathlib.Path, pieces):
    """Those that are no piece of a program at any place."""
    tokens = set(re.findall(r'"((?:[^"\\]|\\.)+)"', (ROOT / "include/arrc/Frontend/Token.def").read_text()))
    tokens |= {"break", "continue", "enum", "match", "return", "yield"}

    def is_words(code):
        return all(word in tokens or word == "#" for word in code.split())

    left = [entry for entry in pieces if not is_words(entry[2])]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "page.arr")
        for place in PLACES:
            good, bad = list(left), []
            while good:
                text, owner = "", {}
                for n, entry in enumerate(good):
                    piece = entry[2].replace("...", "rest")
                    for row in (place.format(n=n, piece=piece) + "\n").splitlines():
                        text += row + "\n"
                        owner[text.count("\n")] = entry
                file.write_text(text)
                said = run(arrc, "check", file)
                wrong = [owner[min(int(line), len(owner))] for line in re.findall(
                    r"error\[E0[01]\d\d\].*\n --> .*?:(\d+):", said)]
                if not wrong:
                    break
                bad += [entry for entry in good if entry in wrong]
                good = [entry for entry in good if entry not in wrong]
            left = bad
    return left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    checker = Checker(Known(args.build.resolve()), [Page(path) for path in args.pages])
    checker.check()
    print("\n".join(checker.said))
    print(f"{checker.checked} names, {len(checker.said)} wrong")
    return 1 if checker.said or not checker.checked else 0


if __name__ == "__main__":
    sys.exit(main())
