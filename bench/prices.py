"""What the planner's judge says of each schedule that it knows for a program.

    program = Priced(options.arrc, target, flags, "sums.arr", "sums", shapes, folder)
    prices = program.prices(options.arrc, os.path.join(folder, "planned.mlir"))
    candidate = program.candidate(0, prices[0][3])

`kernel-plan-schedules{prices-at=..}` prints them for the sizes of the workload.
"""

import os
import re
import subprocess

from schedules import PASSES, Candidate, Program

#: How far prices may be from the best.
REACH = 10
PRICE = re.compile(r"(\d+) ns, ([\w ]+?) memory (.*) : #kernel\.schedule<(.*)>$")


class Priced(Program):
    """A program whose only launch has schedules that the judge priced."""

    def prices(self, arrc, buffers):
        """[(nanoseconds, limit, {feature: value}, schedule)], the cheapest first."""
        heads = {(launch, begin) for _, launch, begin, *_ in self.versions()}
        if len(heads) != 1:
            return []
        (launch, begin), = heads
        operands = re.findall(r"%\w+(?:\[[^\]]*\])? = (%\w+) : (\w+)",
                              self.function[launch:begin])
        values = [self.value(name) if kind == "index" else 0 for name, kind in operands]
        if None in values:
            return []
        at = ",".join(map(str, values))
        done = subprocess.run(
            [os.path.join(os.path.dirname(arrc), "arr-opt"), buffers, "-o", os.devnull,
             "--pass-pipeline=" + PASSES.replace(
                 "kernel-plan-schedules", f"kernel-plan-schedules{{prices-at={at}}}")],
            capture_output=True, text=True)
        found = {}
        for line in done.stderr.splitlines():
            if match := PRICE.match(line):
                words = ["memory", *match.group(3).split()]
                features = dict(zip(words[::2], map(float, words[1::2])))
                found.setdefault(match.group(4),
                                 (int(match.group(1)), match.group(2), features, match.group(4)))
        return sorted(found.values(), key=lambda price: price[0])

    def chosen(self, prices, each, rng):
        """The best half of `each`, and others within reach."""
        best = prices[:each // 2]
        if best:
            others = [p for p in prices[each // 2:] if p[0] < REACH * best[0][0]]
            # As many of each factor of price.
            rng.shuffle(others)
            for k in range(each - len(best)):
                low, high = (REACH ** (j / (each - len(best))) * best[0][0] for j in (k, k + 1))
                best += [p for p in others if low <= p[0] < high][:1]
        return best

    def candidate(self, number, schedule):
        """A candidate with this schedule: sizes that its vectors divide are said to be."""
        _, launch, begin, end, *_ = next(iter(self.versions()))
        operands = list(dict.fromkeys(re.findall(r"%\w+ = (%\w+) : index",
                                                 self.function[launch:begin])))
        width = max(map(int, re.findall(r"vector (\d+)", schedule)), default=1)
        known = {}
        for k, name in enumerate(operands):
            value = self.value(name)
            if width > 1 and value and value % width == 0:
                known[k] = (0, None, width)
        return Candidate(number, 0, schedule, self.with_schedule(
            launch, begin, end, operands, known, schedule))
