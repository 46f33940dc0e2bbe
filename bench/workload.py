"""What a workload of run.py is.

`hands` name functions of peers/peers.cu; the letters behind a name say what it is
given: tensors `a b c`, outputs `o p`, the next number `x`, sizes (`N` elements, `R C`
or `I J K L` extents, `B` those of the result), `1 0` themselves.
"""

import os
import re

import torch

from measure import F32, F64, HERE, I32, I64

U8 = torch.uint8
NAMES = {F32: "f32", F64: "f64", I32: "i32", I64: "i64", U8: "u8"}
#: A goal: the least fraction of the roof, the least ratio to the best peer, or the most
#: milliseconds.
RHO, BEST, MOST = "rho", "best", "ms"


class Work:
    """One export, its inputs, and what it is compared with.

    text       the program, or the name of a file of programs/
    inputs     name -> (shape, element type), (shape, element type, draw) or a number;
               draw(tensor, tensors before it) fills the tensor, else it is random
    wide       tensors -> the result in float64
    torches    what a user of torch would write
    jaxes      the same with jax.numpy: (np, tensors..) -> result
    hands      (function, letters) of peers.cu, or (name, function): it is given the peers, the
               case (run.py) and the result's tensor, and returns what starts the work
    flops, special   of one call, where the arithmetic may bound it
    goals      {RHO: .., BEST: .., MOST: ..}
    steps      of a time loop: all times are those of one, `flops` too
    moved      bytes that a step has to read and to write; else those of inputs and results
    """

    def __init__(self, group, name, text, inputs, wide, torches, hands=(), tolerance=1e-5,
                 entry="f", jaxes=(), flops=0, special=0, goals=None, between=(0, 1),
                 steps=1, moved=None):
        if text.endswith(".arr"):
            with open(os.path.join(HERE, "programs", text)) as f:
                # Other exports would be compiled, and be a difference, too.
                text = re.sub(rf"export def (?!{entry}\b)", "def ", f.read())
        self.group, self.name, self.text, self.entry = group, name, text, entry
        self.inputs, self.wide, self.torches, self.jaxes = inputs, wide, torches, jaxes
        self.hands, self.tolerance, self.goals = hands, tolerance, goals or {}
        self.flops, self.special, self.between = flops, special, between
        self.steps, self.moved = steps, moved
        self.drawn = any(isinstance(v, tuple) and len(v) > 2 for v in inputs.values())
