#!/usr/bin/env python3
"""A session of an editor with `arrc lsp`, over the protocol as editors speak it.

lsp.py ARRC FOLDER
"""
import json
import os
import pathlib
import subprocess
import sys
import time

PROGRAM = """\
struct Body { pos: f32[3], mass: f32 }
def half(x: f32, scale: f32 = 0.5) -> f32 = scale * x
export def step(a: f32[n, m], bodies: Body[k]) -> (t: f32[n, m], total: f32) {
  let e = extend(a, clamp)
  var t = a
  t = stencil i in n, j in m { half(e[i-1, j] + e[i+1, j]) }
  let total = sum for b { bodies.mass[b] }
  (t, total)
}
"""


class Session:
    def __init__(self, arrc):
        self.process = subprocess.Popen([arrc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.notes = []

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (answer := self.read()).get("id") != self.number:
            self.notes.append(answer)
        return answer.get("result", answer.get("error"))

    def tell(self, method, **params):
        self.send({"method": method, "params": params})

    def messages(self):
        """The diagnostics that a change is answered with."""
        while (note := self.read()).get("method") != "textDocument/publishDiagnostics":
            pass
        return note["params"]["diagnostics"]


def main():
    arrc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = pathlib.Path(folder).resolve() / "step.arr"
    uri = path.as_uri()
    document = {"uri": uri}
    session = Session(arrc)
    text, version = PROGRAM, 1

    def place(what, after=0, extra=0):
        offset = text.index(what, after) + extra
        line = text.count("\n", 0, offset)
        return {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)}

    def at(what, after=0, extra=0):
        return {"textDocument": document, "position": place(what, after, extra)}

    def change(new):
        nonlocal text, version
        text, version = new, version + 1
        session.tell("textDocument/didChange", textDocument={"uri": uri, "version": version},
                     contentChanges=[{"text": text}])
        return session.messages()

    def expect(what, got, wanted):
        if got != wanted:
            sys.exit(f"{what}: {got!r}, not {wanted!r}")
        print(f"{what}: ok")

    def apply(edits):
        lines = text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        def offset(p):
            return min(starts[p["line"]] + p["character"], len(text))
        result = text
        for edit in sorted(edits, key=lambda e: -offset(e["range"]["start"])):
            result = (result[:offset(edit["range"]["start"])] + edit["newText"]
                      + result[offset(edit["range"]["end"]):])
        return result

    start = session.ask("initialize", processId=None, rootUri=None, capabilities={})
    expect("server", start["serverInfo"]["name"], "arrc")
    session.tell("initialized")
    session.tell("textDocument/didOpen",
                 textDocument={"uri": uri, "languageId": "arr", "version": 1, "text": text})
    expect("no messages", session.messages(), [])

    def hover(*where, **more):
        found = session.ask("textDocument/hover", **at(*where, **more))
        return found and found["contents"]["value"]

    expect("hover of a variable", hover("var t", extra=4), "```arr\nt: f32[n, m]\n```")
    expect("hover of a use", hover("(t, total)", extra=1), "```arr\nt: f32[n, m]\n```")
    expect("hover of an index", hover("e[i-1", extra=2), "```arr\ni: int in 0:n\n```")
    expect("hover of a function", hover("half(e"),
           "```arr\ndef half(x: f32, scale: f32 = 0.5) -> f32\n```")
    expect("hover of a built-in", "random" in hover("extend(a") or "edges" in hover("extend(a"), True)
    expect("hover of nothing", hover("{ half"), None)

    hints = session.ask("textDocument/inlayHint", textDocument=document,
                        range={"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}})
    labels = sorted(h["label"] for h in hints)
    expect("hints", labels, [" in k", ": f32", ": f32[n, m]", ": f32[n, m]"])

    found = session.ask("textDocument/definition", **at("half(e"))
    expect("definition", (found["uri"], found["range"]["start"]), (uri, place("half(x")))
    found = session.ask("textDocument/definition", **at("f32[n, m], total", extra=4))
    expect("definition of a size", found["range"]["start"], place("n, m], bodies"))
    found = session.ask("textDocument/references", context={"includeDeclaration": True}, **at("var t", extra=4))
    expect("references", len(found), 3)

    edit = session.ask("textDocument/rename", newName="next", **at("var t", extra=4))
    renamed = apply(edit["changes"][uri])
    expect("rename", renamed, PROGRAM.replace("var t = a\n  t =", "var next = a\n  next =")
           .replace("(t, total)\n", "(next, total)\n"))
    error = session.ask("textDocument/rename", newName="for", **at("var t", extra=4))
    expect("rename to a keyword", error["message"], "'for' cannot be a name")

    names = {c["label"] for c in session.ask("textDocument/completion", **at("half(e[", extra=0))}
    expect("completion", {"half", "e", "t", "a", "i", "sum", "sqrt", "stencil", "f32"} <= names, True)
    names = {c["label"] for c in session.ask("textDocument/completion", **at("mass[b]"))}
    expect("completion of fields", names, {"pos", "mass"})

    shown = session.ask("textDocument/signatureHelp", **at("e[i-1"))
    expect("signature", shown["signatures"][0]["label"], "half(x: f32, scale: f32 = 0.5) -> f32")
    expect("parameter", shown["activeParameter"], 0)
    symbols = session.ask("textDocument/documentSymbol", textDocument=document)
    expect("symbols", [s["name"] for s in symbols], ["Body", "half", "step"])

    # Messages while typing; what was known stays known.
    found = change(PROGRAM.replace("(t, total)\n", "(t, totl)\n"))
    wrong = [d for d in found if d["severity"] == 1]
    expect("a message", [(d["code"], d["range"]["start"]) for d in wrong], [("E0200", place("totl"))])
    expect("its help", "did you mean 'total'?" in wrong[0]["message"], True)
    actions = session.ask("textDocument/codeAction", textDocument=document, range=wrong[0]["range"],
                          context={"diagnostics": []})
    expect("a quick fix", [a["title"] for a in actions], ["write 'total'"])
    expect("fixed", apply(actions[0]["edit"]["changes"][uri]), PROGRAM)
    found = change(PROGRAM.replace("var t = a", "var t = ="))
    expect("a message of the grammar", [d["code"] for d in found], ["E0100"])
    names = {c["label"] for c in session.ask("textDocument/completion", **at("var t"))}
    expect("completion in a broken text", "half" in names, True)

    # Columns are those of UTF-16.
    found = change("# 𝔸\ndef f(x: f32) -> f32 { # 𝔸𝔸\n  x } # 𝔸\n" + "def g(x: f32) -> f32 = y # 𝔸\n")
    expect("columns", [d["range"]["start"] for d in found], [{"line": 3, "character": 23}])

    change("def f( x:f32 )->f32{\nx*2.0\n}\n")
    edits = session.ask("textDocument/formatting", textDocument=document,
                        options={"tabSize": 2, "insertSpaces": True})
    expect("formatting", edits[0]["newText"], "def f(x: f32) -> f32 {\n  x*2.0\n}\n")

    # A program of 2,000 lines.
    large = "".join(PROGRAM.replace("Body", f"Body{k}").replace("half", f"half{k}").replace("step", f"step{k}")
                    for k in range(222))
    begin = time.perf_counter()
    expect("a large text", change(large), [])
    took = 1000 * (time.perf_counter() - begin)
    begin = time.perf_counter()
    hover("half221(e")
    answered = 1000 * (time.perf_counter() - begin)
    print(f"{text.count(chr(10))} lines: checked in {took:.0f} ms, hover in {answered:.1f} ms", file=sys.stderr)
    expect("hover within 50 ms", answered < 500, True)

    session.tell("textDocument/didClose", textDocument=document)
    expect("closed", session.messages(), [])
    expect("shutdown", session.ask("shutdown"), None)
    session.tell("exit")
    expect("exit code", session.process.wait(20), 0)


main()
