#!/usr/bin/env python3
"""The grammars of editors know the tokens of the lexer.

grammar.py ROOT

Takes Token.def and Builtins.def, from which the lexer is made, cuts every
program into tokens, and compares with what the TextMate grammar makes of it:
the same pieces, and each keyword, number, string and comment as what it is.
"""
import json
import os
import re
import sys

root = sys.argv[1]
tokens = open(f"{root}/include/arrc/Frontend/Token.def").read()
keywords = set(re.findall(r'^KEYWORD\(\w+, "(\w+)"\)', tokens, re.M))
reserved = set(re.findall(r'^RESERVED\("(\w+)"', tokens, re.M))
puncts = re.findall(r'^PUNCT\(\w+, "(.+)"\)', tokens, re.M)
builtins = set(re.findall(r'^FUNCTION\(\w+, "(\w+)"', open(f"{root}/include/arrc/Frontend/Builtins.def").read(), re.M))
grammar = json.load(open(f"{root}/editors/vscode/syntaxes/arr.tmLanguage.json"))
problems = []


def rules(patterns):
    for rule in patterns:
        if "include" in rule:
            rule = grammar["repository"][rule["include"][1:]]
            yield from rules([rule])
        elif "patterns" in rule and "begin" not in rule:
            yield from rules(rule["patterns"])
        else:
            yield rule


ALL = [(r, re.compile(r.get("match") or r["begin"])) for r in rules(grammar["patterns"])]


def textmate(line):
    """(text, scope) of each piece of a line, as an editor cuts it."""
    at, result = 0, []
    while at < len(line):
        found = [(m.start(), k, r, m) for k, (r, p) in enumerate(ALL) if (m := p.search(line, at)) and m.end() > m.start()]
        if not found:
            break
        _, _, rule, match = min(found, key=lambda f: (f[0], f[1]))
        if "begin" in rule:
            stop, end = match.end(), re.compile(rule["end"])
            while not (e := end.match(line, stop)):
                stop += 2 if line[stop] == "\\" else 1
            stop = e.end()
            result.append((line[match.start():stop], rule["name"]))
            at = stop
        elif "captures" in rule:
            for k, capture in rule["captures"].items():
                result.append((match.group(int(k)), capture["name"]))
            at = match.end()
        else:
            result.append((match.group().lstrip(), rule["name"]))
            at = match.end()
    return result


NUMBER = r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?j?"
LEXER = re.compile("|".join([r'(?P<comment>#.*)', r'(?P<string>"(?:\\.|[^"\\])*"?)', r"(?P<index>(?<=[\w)\]}]\.)\d+)",
                             f"(?P<number>{NUMBER})", r"(?P<word>[A-Za-z_]\w*)",
                             "(?P<punct>" + "|".join(re.escape(p) for p in sorted(puncts, key=len, reverse=True)) + ")"]))


def scopes(kind, text):
    if kind == "comment":
        return ("comment",)
    if kind == "string":
        return ("string",)
    if kind in ("number", "index"):
        return ("constant.numeric",)
    if kind == "word" and text in keywords:
        return ("storage.type", "keyword", "constant.language")
    if kind == "word" and text in reserved:
        return ("invalid.illegal",)
    if kind == "word":
        return ("variable", "entity.name", "support", "constant.language", "storage.modifier")
    return ("keyword.operator", "punctuation", "storage.modifier")


def check(name, line):
    wanted = [(m.lastgroup, m.group()) for m in LEXER.finditer(line)]
    got = []
    for text, scope in textmate(line):
        # An attribute is two tokens.
        if scope.startswith("storage.modifier") and text.startswith("@"):
            got += [("@", scope), (text[1:].strip(), scope)]
        else:
            got.append((text, scope))
    if [t for _, t in wanted] != [t for t, _ in got]:
        problems.append(f"{name}: {line!r}: {[t for t, _ in got]}, not {[t for _, t in wanted]}")
        return
    for (kind, text), (_, scope) in zip(wanted, got):
        if not scope.startswith(scopes(kind, text)):
            problems.append(f"{name}: {line!r}: {text!r} is {scope}")


lines = 0
for top in ("examples", "bench", "test/EndToEnd"):
    for folder, _, names in os.walk(f"{root}/{top}"):
        for name in sorted(n for n in names if n.endswith(".arr")):
            for line in open(f"{folder}/{name}", encoding="utf-8").read().split("\n"):
                check(name, line)
                lines += 1
for word in sorted(keywords | reserved):
    check("Token.def", word)
for punct in puncts:
    check("Token.def", f"a {punct} b")
for word in sorted(builtins):
    if textmate(f"{word}(x)")[0][1].split(".")[0] != "support":
        problems.append(f"{word} is no function of the grammar")
vim = open(f"{root}/editors/vim/syntax/arr.vim").read()
known = {w for line in re.findall(r"^syn keyword arr\w+ (.*)", vim, re.M) for w in line.split()}
problems += [f"Vim does not know '{w}'" for w in sorted((keywords | reserved | builtins) - known)]
package = json.load(open(f"{root}/editors/vscode/package.json"))
for path in [package["main"], package["contributes"]["grammars"][0]["path"],
             package["contributes"]["languages"][0]["configuration"]]:
    if not os.path.exists(f"{root}/editors/vscode/{path}"):
        problems.append(f"the extension lacks {path}")
json.load(open(f"{root}/editors/vscode/language-configuration.json"))
print("\n".join(problems[:20]))
print(f"{lines} lines, {len(problems)} problems")
sys.exit(bool(problems))
