//===- Help.cpp - arrc help -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
struct Page {
  StringLiteral verb;
  StringLiteral text;
};

constexpr StringLiteral compileOptions = R"(
compilation:
  -O0 .. -O3           how hard to optimise (default 3)
  -D NAME=VALUE        replace a const or type of the program
  -I FOLDER            where imports are looked for besides
  --link FILE          the object, archive or library that has the functions of
                       C that the program calls
  -l NAME, -L FOLDER   a library of the system, and where it is
  --cpu NAME           the processor to compile for (default: native)
  --without PASS,..    leave optimizations out, to see what they are worth
  --fact NAME=NUMBER   compile for a device that is otherwise: vector_bytes=4
                       (the facts stand in docs/devices.md)
  --pipeline FILE      run these passes, as 'arrc build --emit=pipeline' prints
                       them; also the text itself, 'builtin.module(..)'
  --insert-after, --insert-before, --replace PASS:PASS,..
                       change the pipeline: beside each PASS, or at NAME#2
  --transform FILE     run a script of MLIR's transform dialect
  --schedule FILE      schedules as 'arrc tune' writes them; those that it left
                       beside the program are used unless this is 'none'
  --plugin FILE        load passes and strategies from a library
  --reproducible       the same bits on every target and any number of devices;
                       what cannot have them is an error
  --sanitize           the CPU's code checks its own accesses: one outside of
                       its array ends the run with its line
  -Werror              warnings are errors
  --message-format F   full (the default), short (a line each) or json (an object
                       a line)
)";

constexpr Page pages[] = {
    {"", R"(arrc compiles and runs .arr programs

usage:
  arrc run FILE.arr NAME=VALUE.. NAME=@file.npy.. [--output NAME=@file.npy]
  arrc FILE.arr -o PROGRAM
  arrc build FILE.arr --emit=LEVEL [-o OUT]
  arrc check FILE.arr
  arrc analyze FILE.arr [--at n=1024,..]
  arrc bench FILE.arr.. [--variant=WORDS] NAME=VALUE..
  arrc test FILE.arr..
  arrc diff FILE.arr.. [--variant=WORDS]
  arrc profile FILE.arr NAME=VALUE..
  arrc tune FILE.arr --over=threads,.. NAME=VALUE..
  arrc explain CODE          why a message comes, wrong and right
  arrc fmt FILE.arr..        one style
  arrc lsp                   for editors
  arrc new NAME              a program to begin with
  arrc repl                  answers lines: expressions, declarations
  arrc doctor                what is there, and how to mend what is missing
  arrc devices
  arrc completion bash|zsh|fish|man
  arrc version
  arrc help [COMMAND]

exit codes: 0 done, 1 the program has errors or a comparison failed, 2 wrong
use, 3 the program failed while running, 4 device or environment, 70 internal
error, 74 cannot read or write
)"},
    {"run", R"(usage: arrc run FILE.arr [options] NAME=VALUE.. NAME=@file.npy..

Compiles in memory and runs. A value is a constant expression of the language:
n=2**20, tol=1e-4, k=[1, 2, 3]. Prints a line for each result. With FILE and
--help it lists the parameters of the program.

options:
  --output NAME=@file.npy  save a result; NAME=@file.png: a picture of it
  --every N                save results every N steps of the time loop:
                           NAME=@file-%06d.npy is a file of each, NAME=@file.npy
                           holds all
  --progress               say how far the time loop is, how fast, and how long
                           it takes; ctrl-c ends it, with results
  --range LOW,HIGH         the values of the first and the last colour of
                           pictures (default: those of the array)
  --entry F                the export to run, the only one that is compiled
  --convert                convert files to the declared element type
  --threads N              workers (default: ARRC_THREADS, else all cores)
  --target T               where to run: cpu, cuda, cuda:N, opencl, opencl:N,
                           or auto: a CUDA card if there is one, else the cpu
                           (default: ARRC_TARGET, else auto); several devices:
                           cuda:0,1, or cuda:all; parts of the CPU: cpu:0,1
  --parts N                how many parts launches are cut into (default:
                           ARRC_PARTS, else one a device)
  --time                   say how long compiling, loading and the call took
  --repeat N               call it N times, and say how long a call takes
  --check                  compare the results with the reference evaluator
  --remarks                say what the optimizer did, what it did not, and why
  --memory                 print the buffers, their bytes and lives, and the peak
)"},
    {"build", R"(usage: arrc build FILE.arr [--emit=LEVEL] [-o OUT]
       arrc FILE.arr [-c | -S] [-o OUT]

Levels, from the program down:
  array      as imported: values over index spaces
  kernel     launches: one a device kernel
  buffers    launches on memory that is planned
  scheduled  launches whose loops have levels
  partitioned  the same, and what parts of them read and write
             (--target=cuda)
  scf        loops and vectors (--target=cpu)
  gpu        kernels and the code that launches them (a device)
  llvm       the LLVM dialect
  llvm-ir    LLVM's own text
  ptx        the kernels as text for CUDA (--target=cuda)
  spirv      the kernels as a binary for OpenCL (--target=opencl)
  asm        assembly (-S)
  obj        an object file (-c)
  exe        a program that takes the arguments of 'arrc run' (the default)
  header     the exports as functions of C
  lib        those functions in a library: shared, or an archive with -o NAME.a
  pipeline   the passes of all this; no FILE is needed

FILE may also be the text of one of the levels down to llvm, FILE.mlir. The text
of a level names the places of the program, so that it is compiled to the same
code; with --no-locations it is easier to read.

options:
  --target T           what to compile for: cpu, cuda, opencl, or auto: a CUDA
                       card if there is one here, else the cpu (default:
                       ARRC_TARGET, else cpu). The program needs the driver of
                       the device, nothing else. A library may be for several:
                       --target=cpu,cuda
  --parts N            make launches that can be cut for several devices; how
                       many is asked again when the program runs
  --arch sm_NN         the card to compile for; native: the one that is here
                       (default: sm_75, which runs on all later ones)

  --remarks            say what the optimizer did, what it did not, and why

Text goes to the standard output, files to the name of the program with their
own ending, unless -o says otherwise.
)"},
    {"check", R"(usage: arrc check FILE.arr

Reads the program and checks it, without making code.

options:
  --target T           name the loops that the host would run step by step on a
                       device (cuda, opencl), with what a step costs (default:
                       ARRC_TARGET, else cpu, which says nothing)
  --arch sm_NN         the card that the costs are for
)"},
    {"analyze", R"(usage: arrc analyze FILE.arr [options]

Compiles for a device, follows the kernels that the program launches, and says
where they lose time, at lines of the program: what it is, what it costs, what
to write. Nothing runs, and no device need be there.

options:
  --target T           cuda (the default) or opencl
  --arch sm_NN         the card to compile for
  --at NAME=NUMBER,..  sizes of arrays and integer parameters: n=2**20,m=64
                       (4096 where nothing is said)
  --entry F            the only export to look at
  --report=kernels     the kernels, too: threads, accesses, depth and work
  --devices N          how launches are cut for N devices, what these exchange in
                       a step, and what 1 to 1024 devices would gain
  --bandwidth GB/S, --link GB/S, --latency US
                       of a device's memory (default 3000), between devices
                       (200), and what a copy takes besides (5)
  --format=FORMAT      text, json, html, or sarif, which code hosts and
                       editors read
  -o OUT               where to write; - is the standard output
)"},
    {"bench",
     R"(usage: arrc bench FILE.arr.. [--variant=WORDS].. [options] NAME=VALUE..

Measures programs, and variants of them, side by side: compiles each, compares
their results, then calls them by turns until the medians are known. Options of
'arrc run' count for all; a variant has its own, and may name another program:

  arrc bench a.arr n=2**20 --variant=--without=arr-fuse-producers
  arrc bench a.arr b.arr n=2**20 --variant='narrow: a.arr --pipeline=way.txt'

Arrays without a value are made of random numbers in the sizes that are given;
x=random(LOW, HIGH), x=fill(VALUE) and x=range() make other ones. Comments such
as '# bench: n=2**20' in the first program are what is measured, one after the
other; the command line replaces values in them.

options:
  --variant WORDS      options of 'arrc run', with 'NAME:' in front or not
  --precision P        until the 95 % interval is within P percent (default 1)
  --seconds S          for a variant, at most (default 3)
  --tolerance T        how far results may differ, of the largest value
  --csv FILE, --json FILE
                       write what was measured; '-' is the standard output
  --baseline FILE      compare with what --json wrote earlier
  --fail-above P       end with 1 if something takes P percent more than in the
                       baseline, or without one than the first variant
)"},
    {"test", R"(usage: arrc test FILE.arr.. [options]

Runs the tests that stand in comments of programs, on the CPU and on one device
of each other kind that is there:

  # test: energy a=2 x=[1, 2] y=[3, 4] -> 89
  # test: heat t0=@plate.npy tol=1e-3 -> iterations=12 t=@warm.npy within 1e-4
  # test: energy a=2 n=1000
  # test: energy a=2 x=[1] y=[1, 2] -> error "'y'"

In front of the arrow stand an export, if there are several, and its arguments,
as for 'arrc bench'; behind it the value of the result, or NAME=VALUE for some
of them. 'within' says how far they may differ, over the largest value; without
an arrow they are compared with the reference evaluator. Comments that go on
are indented by two more spaces. Ends with 1 if a test fails.

options:
  --target T,..        where to run; other options are those of 'arrc run'
  -v                   name the tests that pass, too
)"},
    {"diff", R"(usage: arrc diff A.arr B.arr [options]
       arrc diff A.arr --variant=WORDS [options]

Names the first pass after which two programs, or two variants of one, differ,
and shows the texts behind it as a unified diff. They are compared by what there
is: names of values, of kernels and places in the program do not count. Several
are compared with the first. Ends with 1 if there is a difference.

options:
  --variant WORDS      options of 'arrc build', with 'NAME:' in front or not;
                       other options count for all
  --emit LEVEL         look no further than this level
)"},
    {"profile", R"(usage: arrc profile FILE.arr [options] NAME=VALUE..

Runs a program and says what each of its kernels and copies takes, at the lines
of the program: by the device's clock, or that of the CPU. Arguments are those
of 'arrc bench', other options those of 'arrc run'.

options:
  --calls N            calls that are measured (default 5)
  --csv FILE           write the table; '-' is the standard output
  --trace FILE         write stages, kernels and copies in time, for Perfetto
                       (ui.perfetto.dev)
)"},
    {"tune", R"(usage: arrc tune FILE.arr --over=DIM,.. [options] NAME=VALUE..
       arrc tune FILE.arr --print

Measures other schedules of the program's kernels beside the planner's own, each
in a process of its own, and writes the best to a file for '--schedule'. What is
varied are numbers of the planner's schedules, by powers of two:

  threads=32..1024     threads of a block
  shape                how they are dealt out, where there are thread.x and .y
  coarsen=1..16        elements of a thread: unroll
  vector=1..16         elements of an access
  steps=1..64          iterations of a thread: seq

What was measured stands in a journal and is not measured again, even if the
tuner was killed. Arguments are those of 'arrc bench', other options those of
'arrc run'.

options:
  --over DIM[=LOW..HIGH],..
  --search one|all|judge
                       one number after the other, from the best so far (the
                       default); all combinations; or these, first those that
                       should be fastest on the device
  --most N             candidates at most (default 200)
  --seconds S          for a candidate, to measure (default 0.5)
  --limit S            for a candidate, with compiling (default 60)
  --schedule FILE      where the best is written (default: FILE.schedules)
  --journal FILE       what was measured (default: FILE.journal)
  --print              measure nothing, and print what the planner chose as such
                       a file
)"},
    {"explain", R"(usage: arrc explain [CODE..]

Says of a message, such as E0230, why it comes, and shows a program that is
wrong and one that is right. Without a code it lists all messages.

options:
  --markdown           print all of it as a page
)"},
    {"fmt", R"(usage: arrc fmt [--check] FILE.arr..
       arrc fmt -

Brings programs into the one style: indentation by brackets, blanks between
tokens. Lines stay as they are broken, comments stay, and what stands in columns
on neighbouring lines keeps them. '-' reads the standard input and writes the
standard output.

options:
  --check              change nothing; name the files that are not in the style,
                       and end with 1 if there are some
)"},
    {"lsp", R"(usage: arrc lsp

Answers an editor over the standard streams (language server protocol): messages
while typing, types and ranges, definitions, references, renaming, completion,
signatures, formatting and quick fixes. editors/ has what editors need.
)"},
    {"new", R"(usage: arrc new NAME

Writes NAME.arr, a program with comments to begin with, and NAME.npy, its input.
)"},
    {"repl", R"(usage: arrc repl [options]

Answers lines: an expression with its value, run on the CPU unless --target names
a device; declarations and statements hold for the lines behind them. A line goes
on while a bracket is open. 'quit', or the end of the input, ends it. Options that
say how programs are compiled are those of 'arrc run'.
)"},
    {"doctor", R"(usage: arrc doctor

Says what is there: compiler, processor, devices, cache, linker and runtime, and
how to mend what is missing. Ends with 4 if something is missing that every
program needs.
)"},
    {"completion", R"(usage: arrc completion bash|zsh|fish|man

Prints a script that completes commands and options in a shell, or the manual
for man; an installation has them where shells look. For this shell:
  source <(arrc completion bash)
)"},
    {"devices", R"(usage: arrc devices

Lists the devices of this machine that the runtime can use and, for each kind of
device that it cannot, why not and what to do about it.
)"},
    {"version", R"(usage: arrc version
)"},
    {"help", R"(usage: arrc help [COMMAND]
)"},
};
} // namespace

bool arrc::tool::printHelp(StringRef verb) {
  for (const Page &page : pages)
    if (page.verb == verb) {
      outs() << page.text;
      if (verb == "run" || verb == "build" || verb == "check")
        outs() << compileOptions;
      return true;
    }
  return false;
}
