"""Makes a failing program small: deletes what the failure does not need."""

import re


def units(lines):
    """Where statements begin and end: a line, up to where its braces close."""
    found = []
    for first in range(len(lines)):
        depth = 0
        for last in range(first, len(lines)):
            text = lines[last]
            depth += sum(text.count(c) for c in "({[") - sum(text.count(c) for c in ")}]")
            if depth <= 0:
                break
        if depth == 0 and not lines[first].startswith("}"):
            found.append((first, last + 1))
    return found


def groups(line):
    """Where what stands in round brackets begins and ends."""
    stack, found = [], []
    for place, character in enumerate(line):
        if character == "(":
            stack.append(place)
        elif character == ")" and stack:
            first = stack.pop()
            named = re.search(r"[\w.]*$", line[:first])
            found.append((named.start(), place + 1))
    return sorted(found, key=lambda part: part[0] - part[1])


def shorter(program, fails, tries=400):
    """The text of `program` with as little as `fails` (of a text) still needs."""
    lines = "\n".join(program.lines).split("\n")
    results, declarations = list(program.results), list(program.declarations)
    tried = 0

    def attempt(new_lines, new_results, new_declarations):
        nonlocal lines, results, declarations, tried
        if tried >= tries:
            return False
        tried += 1
        if not fails(program.text(new_lines, new_results, new_declarations)):
            return False
        lines, results, declarations = new_lines, new_results, new_declarations
        return True

    for result in list(results):
        attempt(lines, [r for r in results if r != result], declarations)
    changed = True
    while changed and tried < tries:
        changed = False
        for first, last in sorted(units(lines), key=lambda u: u[0] - u[1]):
            if last <= len(lines) and (first, last) in units(lines):
                changed |= attempt(lines[:first] + lines[last:], results, declarations)
        for first, last in sorted(units(declarations), key=lambda u: u[0] - u[1]):
            if (first, last) in units(declarations):
                changed |= attempt(lines, results,
                                   declarations[:first] + declarations[last:])
    for k in range(len(lines)):
        place = 0
        while place < len(groups(lines[k])) and tried < tries:
            first, last = groups(lines[k])[place]
            text = lines[k]
            inner = text[text.index("(", first) + 1:last - 1]
            for other in ("1", "1.0", "true", f"({inner})" if first else "1", "b", "y"):
                if other != text[first:last] and attempt(
                        lines[:k] + [text[:first] + other + text[last:]] + lines[k + 1:],
                        results, declarations):
                    break
            else:
                place += 1
    return program.text(lines, results, declarations)
