"""Other schedules of a program: what may be varied, and the texts that have it.

A program is brought to the level where each launch has its versions, `versions [<when =
#set, i = [block.0, thread.x 256], ..>, ..] of (%n)`. A candidate is the function with
one schedule in their place, and with what the condition of its version says of the
sizes: `array.assume %n in 0 to 4096 multiple 4`. Where a condition is only about speed
it is left out; where digits do not cover the size of the workload there is no
candidate.

    program = Program(options.arrc, target, flags, "saxpy.arr", "saxpy", shapes, folder)
    found = program.candidates(150, random.Random(1))
    text, lines = program.text_of(found[:4])
"""

import itertools
import math
import os
import re
import subprocess

import arrt

DIGIT = re.compile(r"(thread\.[xyz]|block\.\d+|unroll|vector|seq)(?: (\d+))?")
DIM = re.compile(r"(\w+) = \[([^\]]*)\]")
PLACE = re.compile(r" (?:schedule #kernel\.schedule<|versions \[)")
#: What is planned before a launch has its versions: as in the pipeline, but for loops
#: that become launches of their own (kernel-split-columns).
PASSES = ("builtin.module(func.func(kernel-form-copies,kernel-merge-dims,"
          "kernel-privatize-updates,kernel-plan-schedules))")
#: How large a digit may become.
MOST = {"thread": 1024, "vector": 16, "unroll": 32, "seq": 1 << 20, "block": 1 << 20}


class Candidate:
    """A schedule in place of the versions of one launch."""

    def __init__(self, number, version, schedule, function):
        self.number, self.version = number, version
        self.schedule, self.function = schedule, function
        #: What its export is called.
        self.entry = f"c{number}"


def closing(text, k):
    """The place behind the bracket that closes the one at `k`, `<` or `[`."""
    depth = 0
    while True:
        if text[k] in "<[":
            depth += 1
        elif text[k] == "]" or (text[k] == ">" and text[k - 1] != "-"):
            depth -= 1
            if not depth:
                return k + 1
        k += 1


def versions_of(text, begin):
    """The versions of the launch whose list begins at `begin`: ([(condition, schedule)],
    the operands the conditions are about, where the list ends)."""
    end = closing(text, begin)
    if text[begin] == "<":
        return [(None, text[begin + 1:end - 1])], [], end
    found, k = [], begin + 1
    while text[k] != "]":
        if text[k] == "<":
            stop = closing(text, k)
            when = re.match(r"when = (#\w+|affine_set<.*?\)>), ", text[k + 1:stop])
            found.append((when and when.group(1),
                          text[k + 1 + (when.end() if when else 0):stop - 1]))
            k = stop
        else:
            k += 1
    sizes = re.match(r" of \(([^)]*)\)", text[end:])
    return (found, re.findall(r"%\w+", sizes.group(1)) if sizes else [],
            end + (sizes.end() if sizes else 0))


def extents(schedule):
    """How many iterations the digits of each dimension have: None where one is open."""
    # The dimensions stand first; `order = [..]` and what follows has no digits.
    found = {}
    for match in DIM.finditer(schedule.split(", order = ")[0]):
        numbers = [n for _, n in DIGIT.findall(match.group(2))]
        found[match.group(1)] = math.prod(map(int, numbers)) if all(numbers) else None
    return found


def threads(schedule):
    return math.prod(int(n) for kind, n in DIGIT.findall(schedule)
                     if n and kind.startswith("thread"))


def variants(schedule, reach, rng):
    """The schedule itself, then with one, two and three numbers changed by powers of two
    up to `reach`: first those that keep what the digits of each dimension cover."""
    digits = [m for m in DIGIT.finditer(schedule) if m.group(2)]
    steps = [2**k for k in range(1, reach.bit_length())]
    changes = []
    for match in digits:
        most, number = MOST[match.group(1).split(".")[0]], int(match.group(2))
        others = [number // n for n in steps if number % n == 0] + [number * n for n in steps]
        changes.append([(match, n) for n in others if n <= max(most, number)])

    def change(pairs):
        text = schedule
        for match, number in sorted(pairs, key=lambda p: -p[0].start(2)):
            text = text[:match.start(2)] + str(number) + text[match.end(2):]
        return text
    yield schedule
    if schedule.endswith(", split boundary"):
        yield schedule.removesuffix(", split boundary")
    whole = extents(schedule)
    for count in (1, 2, 3):
        texts = [change(several) for chosen in itertools.combinations(changes, count)
                 for several in itertools.product(*chosen)]
        rng.shuffle(texts)
        if count > 1:
            texts.sort(key=lambda text: extents(text) != whole)
        yield from texts


class Facts:
    """A condition, and what follows for a schedule of that version and its variants."""

    def __init__(self, condition, schedule, sizes):
        """`sizes` are those of the workload, by symbol; None: not known."""
        self.sizes, self.schedule = sizes, schedule
        self.multiples, self.bounds, self.numbers = {}, {}, {}
        for constraint in condition:
            multiple = re.fullmatch(r"-?\(?s(\d+) mod (\d+)\)? (?:>=|==) 0", constraint)
            bound = re.fullmatch(r"-s(\d+) \+ (\d+) >= 0", constraint)
            equal = (re.fullmatch(r"-s(\d+) \+ (\d+) == 0", constraint)
                     or re.fullmatch(r"s(\d+) - (\d+) == 0", constraint))
            if multiple:
                k, number = map(int, multiple.groups())
                self.multiples[k] = max(self.multiples.get(k, 1), number)
            elif equal:
                self.numbers[int(equal.group(1))] = int(equal.group(2))
            elif bound:
                k, number = map(int, bound.groups())
                self.bounds[k] = min(self.bounds.get(k, number), number)

    def of(self, variant):
        """{symbol: (least, most or None, multiple)}, or None if the variant is not legal."""
        found = {}
        vectors = [[int(n) for kind, n in DIGIT.findall(s) if kind == "vector" and n]
                   for s in (self.schedule, variant)]
        for k, number in self.multiples.items():
            # Rows begin aligned for the vectors that there are.
            if number in vectors[0] and vectors[1]:
                number = max(vectors[1])
            if self.sizes[k] is None or self.sizes[k] % number:
                return None
            found[k] = (0, None, number)
        before, after = extents(self.schedule), extents(variant)
        for k, most in self.bounds.items():
            for dim, covered in before.items():
                if covered == most:  # it is there for the digits of this dimension
                    if self.sizes[k] is None or self.sizes[k] > after[dim]:
                        return None
                    found[k] = (0, after[dim], found.get(k, (0, None, 1))[2])
        for k, number in self.numbers.items():
            if self.sizes[k] != number:
                return None
            found[k] = (number, number, 1)
        return found


def value_of(function, name, shapes, arguments):
    """The value of an index of the host's part; None where it is not that simple.
    `function` is its text, with the maps in front."""
    match = re.search(rf"^ *{re.escape(name)} = (.*?)$", function, re.M)
    if not match:
        return None
    text = match.group(1)
    value = lambda other: value_of(function, other, shapes, arguments)
    if constant := re.match(r"arith\.constant (-?\d+)", text):
        return int(constant.group(1))
    if dim := re.match(r"memref\.dim (%\w+), (%\w+)", text):
        array, axis = dim.group(1), value(dim.group(2))
        name = arguments.get(array)
        return shapes[name][axis] if name in shapes and axis is not None else None
    if product := re.match(r"arith\.muli (%\w+), (%\w+)", text):
        factors = [value(factor) for factor in product.groups()]
        return math.prod(factors) if None not in factors else None
    if applied := re.match(r"affine\.apply (#\w+)\(\)\[(.*?)\]", text):
        shown = re.search(rf"^{applied.group(1)} = affine_map<\(\)\[(.*?)\] -> "
                          r"\(([-+* ()s\d]+)\)>$", function, re.M)
        values = [value(symbol) for symbol in applied.group(2).split(", ")]
        if shown and None not in values:
            return eval(shown.group(2), {}, dict(zip(shown.group(1).split(", "), values)))
    return None


def run(*command):
    """What a tool prints."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise arrt.Error(f"exit code {done.returncode}: {done.stderr.strip()[:600]}")
    return done.stdout


class Program:
    """An export with planned launches."""

    def __init__(self, arrc, target, flags, source, entry, shapes, folder):
        """`shapes` are those of the workload's arrays, by name."""
        buffers = os.path.join(folder, "planned.mlir")
        run(arrc, "build", f"--target={target}", *flags, source, "--no-locations",
            "--emit=buffers", "-o", buffers)
        text = run(os.path.join(os.path.dirname(arrc), "arr-opt"), buffers,
                   f"--pass-pipeline={PASSES}")
        functions = [(m.start(), text.index("\n  }\n", m.start()) + 5)
                     for m in re.finditer(r"^  func\.func .*\{$", text, re.M)]
        begin, end = next((b, e) for b, e in functions
                          if text.startswith(f"  func.func @{entry}(", b))
        # Other exports are left out.
        self.head, self.tail = text[:functions[0][0]], text[functions[-1][1]:]
        self.function, self.name, self.shapes = text[begin:end], entry, shapes
        self.sets = {name: (symbols, re.split(r", (?=[-s(\d])", body)) for name, symbols, body
                     in re.findall(r"^(#\w+) = affine_set<\(\)\[([^\]]*)\] : \((.*)\)>$",
                                   text, re.M)}
        head = self.function[:self.function.index("\n")]
        names = re.findall(r'name = "([^"]*)"', head.split("arrc.results")[0])
        self.arguments = dict(zip(re.findall(r"(%\w+): ", head), names))
        #: Values of indices that were asked for.
        self.values = {}
        #: How many schedules there are to vary, by the changes above.
        self.space = 0

    def value(self, name):
        """The value of an index of the host's part, or None."""
        if name not in self.values:
            self.values[name] = value_of(self.head + self.function, name, self.shapes,
                                         self.arguments)
        return self.values[name]

    def versions(self):
        """(number, launch, list's begin and end, operands by symbol, condition, schedule)."""
        function, number = self.function, 0
        for match in PLACE.finditer(function):
            found, symbols, end = versions_of(function, match.end() - 1)
            launch = function.rindex("kernel.launch ", 0, match.start())
            operands = dict(re.findall(r"(%\w+) = (%\w+) : index",
                                       function[launch:match.start()]))
            for when, schedule in found:
                yield (number, launch, match.start(), end,
                       [operands.get(symbol) for symbol in symbols],
                       self.sets[when][1] if when else [], schedule)
                number += 1

    def candidates(self, most, rng):
        """Up to `most` of them; every version has its share by turns."""
        for reach in (4, 8):
            merged = self.merged(reach, rng)
            if len(merged) >= most:
                break
        self.space = len(merged)
        return [Candidate(k, version, schedule, text) for k, (text, (version, schedule))
                in enumerate(itertools.islice(merged.items(), most))]

    def merged(self, reach, rng):
        """{function: (version, schedule)}"""
        lists = []
        for number, launch, begin, end, operands, condition, schedule in self.versions():
            sizes = [operand and self.value(operand) for operand in operands]
            facts = Facts(condition, schedule, sizes)
            texts = {}
            for variant in variants(schedule, reach, rng):
                known = facts.of(variant)
                if known is None or threads(variant) > 1024:
                    continue
                texts.setdefault(
                    self.with_schedule(launch, begin, end, operands, known, variant),
                    (number, variant))
            lists.append(list(texts.items()))
        return dict(c for group in itertools.zip_longest(*lists) for c in group if c)

    def with_schedule(self, launch, begin, end, operands, known, schedule):
        """The function with a schedule, and facts about operands, in one launch."""
        facts, header = "", self.function[launch:begin]
        for k, (least, most, multiple) in known.items():
            facts += (f"%fact{k} = array.assume {operands[k]}"
                      + (f" in {least} to {most}" if most else "")
                      + (f" multiple {multiple}" if multiple > 1 else "") + " : index\n    ")
            header = header.replace(f" = {operands[k]} : index", f" = %fact{k} : index")
        return (f"{self.function[:launch]}{facts}{header} schedule #kernel.schedule<{schedule}>"
                f"{self.function[end:]}")

    def text_of(self, candidates):
        """A module with the functions of some candidates, and the line of each."""
        parts, lines, line = [self.head], [], self.head.count("\n") + 1
        for candidate in candidates:
            text = candidate.function.replace(f"func.func @{self.name}(",
                                              f"func.func @{candidate.entry}(", 1)
            text = text.replace("kernel.launch @", f"kernel.launch @{candidate.entry}_")
            lines.append(line)
            line += text.count("\n")
            parts.append(text)
        return "".join(parts) + self.tail, lines
