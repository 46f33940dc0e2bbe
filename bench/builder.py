"""What the processes do that compile: libraries, and their code for the card.

A kernel is compiled by the driver when it is first launched, one at a time in a process:
here it is, so that the cache of the runtime (ARRC_CACHE) has it for the process that
measures. No torch: these processes start often.
"""

import bisect
import os
import re

import arrt

#: The context of the last library: the card's own is made once a process.
last = None


def launched(library, target, entries, inputs):
    """Calls exports of a library with arrays that hold anything: {entry: seconds of the
    quickest of three calls, or what failed}. `inputs` has (shape, type) or a number, by
    name. The process ends where a kernel broke the card."""
    global last
    ctx = arrt.Library(library).context(target)
    if last:
        last.close()
    last, found, arrays = ctx, {}, []
    try:
        values = {name: ctx.empty(*value) if isinstance(value, tuple) else value
                  for name, value in inputs.items()}
        arrays = [value for value in values.values() if isinstance(value, arrt.Array)]
        for entry in entries:
            results = {}

            def around(start):
                found[entry] = ctx.time(start)
            try:
                results = ctx.call(entry, values, around)
            except arrt.Error as e:
                found[entry] = str(e)
                try:
                    arrays[0].numpy()
                except arrt.Error:
                    os._exit(1)
            for value in results.values():
                if isinstance(value, arrt.Array):
                    value.release()
    finally:
        for array in arrays:
            array.release()
    return found


def build(arrc, target, folder, program, candidates, inputs):
    """A library of candidates (schedules.py), launched: (path, {number of one in it: seconds
    of a call}, {number of another: why not})."""
    path = os.path.join(folder, f"s{candidates[0].number}-{len(candidates)}.mlir")
    left, refused = list(candidates), {}
    while left:
        text, lines = program.text_of(left)
        with open(path, "w") as f:
            f.write(text)
        try:
            library = arrt.build(arrc, path, target, folder)
            break
        except arrt.Error as e:
            found = re.findall(re.escape(path) + r":(\d+):\d+: error: (.*)", e.output)
            if not found:
                raise
            for line, message in found:
                refused[left[bisect.bisect_right(lines, int(line)) - 1].number] = message
            left = [c for c in left if c.number not in refused]
    if not left:
        return None, {}, refused
    found = launched(library, target, [c.entry for c in left], inputs)
    found = {c.number: found[c.entry] for c in left}
    refused.update({k: value for k, value in found.items() if isinstance(value, str)})
    return library, {k: value for k, value in found.items() if k not in refused}, refused
