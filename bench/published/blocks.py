"""Other shapes of blocks for every kernel of a program, each kernel timed by itself."""
import hashlib
import re

LINE = [(threads,) for threads in (32, 64, 128, 256, 512, 1024)]
PLANE = [(32, 4), (32, 8), (32, 2), (32, 16), (32, 32), (64, 2), (64, 4), (64, 8), (16, 8), (16, 16), (8, 32), (128, 1), (128, 2),
         (128, 4), (256, 1), (512, 1)]


def shaped(text: str, number: int):
    """A schedule with the threads of shape `number`; nothing if it has no other."""
    x, y = re.findall(r"thread\.x (\d+)", text), re.findall(r"thread\.y (\d+)", text)
    shapes = LINE if len(x) == 1 and not y else PLANE if len(x) == len(y) == 1 else []
    if number >= len(shapes):
        return None
    for axis, threads in zip("xy", shapes[number]):
        text = re.sub(rf"thread\.{axis} \d+", f"thread.{axis} {threads}", text)
    return text


def shape_of(text: str) -> str:
    return "x".join(re.findall(r"thread\.[xy] (\d+)", " ".join(sorted(re.findall(r"thread\.[xy] \d+", text)))))


class Search:
    """The times of a program's kernels in all shapes, those first that their planner gave them."""

    def __init__(self, programs, program: str, values: list, most: int):
        self.programs, self.program, self.values = programs, program, values
        self.planned = programs.schedules(program)
        self.files = list(programs.pool.map(self.legal, range(most)))
        self.times = {}  # kernel: [(seconds, number of the shape or None)]
        for number, lines in [(None, {}), *enumerate(self.files)]:
            if lines or number is None:
                for name, row in self.measure(lines).items():
                    kernel = self.kernel_of(name)
                    if number is None or any(each.split("#")[0] == kernel for each in lines):
                        self.times.setdefault(kernel, {}).setdefault(number, 0)
                        self.times[kernel][number] += float(row["seconds"])
        self.best = {}
        for kernel, times in self.times.items():
            number = min(times, key=times.get)
            if number is not None:
                self.best |= {name: text for name, text in self.files[number].items() if name.split("#")[0] == kernel}

    def kernel_of(self, name: str) -> str:
        """The kernel that code of this name is of: versions have longer names."""
        kernels = {each.split("#")[0] for each in self.planned}
        return max((each for each in kernels if (name + "_").startswith(each + "_")), key=len, default=name)

    def file(self, lines: dict) -> str:
        text = "".join(f"{name}: {schedule}\n" for name, schedule in lines.items())
        return "--schedule=" + self.programs.write(hashlib.sha1(text.encode()).hexdigest()[:16] + ".schedules", text)

    def is_legal(self, lines: dict) -> bool:
        return not self.programs.compiled(self.program, [self.file(lines)]).startswith("error")

    def legal(self, number: int) -> dict:
        """The schedules that can have shape `number`, and do not have it already."""
        lines = {name: text for name, planned in self.planned.items() if (text := shaped(planned, number)) not in (None, planned)}
        if not lines or self.is_legal(lines):
            return lines
        return {name: text for name, text in lines.items() if self.is_legal({name: text})}

    def measure(self, lines: dict) -> dict:
        return self.programs.profile(self.program, self.values, self.file(lines) if lines else "--schedule=none")

    def label(self, kernel: str, number) -> str:
        """The shape's threads, of the kernel's first version that has them."""
        lines = self.planned if number is None else self.files[number]
        return next((shape_of(text) for name, text in lines.items() if name.split("#")[0] == kernel and "thread." in text), "1")
