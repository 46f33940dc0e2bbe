#!/usr/bin/env python3
"""Writes launches with random legal schedules, and a main that compares each
with the same launch without one, in the sequential reading of both.

    random_schedules.py SEED COUNT [export | device]

With `export` main is an export that returns the number instead, for `arrc run`.
With `device` digits are at `thread` as well and the module has the row of a
device.
Values are small whole numbers, so that folds are exact in any order. The
program prints the number of elements that differ.
"""
import itertools
import math
import random
import sys


# Name, parameters (arrays with their sizes), outputs, parallel dims, folded
# dims, body. Sizes: i over N, j over M, l over K.
KERNELS = {
    'map': dict(
        ins={'X': 'N M'}, out='N M', nests=[['i', 'j']], folds=[],
        body='''
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %jm = affine.apply affine_map<(d0) -> (d0 - 2)>(%j)
      %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %a = kernel.load %X[%ip, %jm] edge [EDGE, EDGE] : memref<?x?xf32>
      %b = kernel.load %X[%i, %j] : memref<?x?xf32>
      %c = arith.subf %a, %b : f32
      kernel.store %c, %Y[%i, %j] : memref<?x?xf32>
    } }'''),
    'rows': dict(
        ins={'X': 'N M'}, out='N', nests=[['i']], folds=['j'],
        body='''
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %a : f32
      }
      kernel.store %r, %Y[%i] : memref<?xf32>
    }'''),
    'columns': dict(
        ins={'X': 'N M'}, out='M', nests=[['j']], folds=['i'], raises=True,
        body='''
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %a : f32
      }
      kernel.store %r, %Y[%j] : memref<?xf32>
    }'''),
    'product': dict(
        ins={'X': 'N K', 'W': 'K M'}, out='N M', nests=[['i', 'j']],
        folds=['l'], raises=True,
        body='''
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %r = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %a = kernel.load %X[%i, %l] : memref<?x?xf32>
        %b = kernel.load %W[%l, %j] : memref<?x?xf32>
        %c = arith.mulf %a, %b : f32
        kernel.yield %c : f32
      }
      kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
    } }'''),
    'all': dict(
        ins={'X': 'N M'}, out='1', nests=[], folds=['i', 'j'], root_fold=True,
        body='''
    %r:2 = kernel.for "i" (%i) in %N reduce (%z, %ninf : f32, f32) by arith.addf, arith.maximumf {
      %s:2 = kernel.for "j" (%j) in %M reduce (%z, %ninf : f32, f32) by arith.addf, arith.maximumf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = arith.mulf %a, %a : f32
        kernel.yield %a, %b : f32, f32
      }
      kernel.yield %s#0, %s#1 : f32, f32
    }
    %t = arith.addf %r#0, %r#1 : f32
    %c0 = arith.constant 0 : index
    kernel.store %t, %Y[%c0] : memref<?xf32>'''),
    'shares': dict(
        ins={'X': 'N M'}, out='N M', nests=[['i']], folds=['j'],
        body='''
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = arith.addf %a, %a : f32
        kernel.store %b, %e[%j] : memref<?xf32>
        kernel.yield %b : f32
      }
      kernel.for "j" (%j) in %M {
        %q = kernel.load %e[%j] : memref<?xf32>
        %t = arith.subf %q, %s : f32
        kernel.store %t, %Y[%i, %j] : memref<?x?xf32>
      }
    }'''),
    # A row that three loops walk; all digits have sizes.
    'kept': dict(
        ins={'X': 'N M'}, out='N M', nests=[['i']], folds=['j'],
        sizes={'M': 23}, closed={'j': 23}, keeps=True,
        body='''
    kernel.for "i" (%i) in %N {
      %mx = kernel.for "j" (%j) in 23 reduce (%ninf : f32) by arith.maximumf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %a : f32
      }
      %e = kernel.local "e" : memref<23xf32>
      %s = kernel.for "j" (%j) in 23 reduce (%z : f32) by arith.addf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = arith.subf %a, %mx : f32
        kernel.store %b, %e[%j] : memref<23xf32>
        kernel.yield %b : f32
      }
      kernel.for "j" (%j) in 23 {
        %q = kernel.load %e[%j] : memref<23xf32>
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %t = arith.addf %q, %s : f32
        %u = arith.mulf %t, %a : f32
        kernel.store %u, %Y[%i, %j] : memref<?x?xf32>
      }
    }'''),
}


DEVICE = sys.argv[3:] == ['device']


def memref(sizes):
    return 'memref<' + '?x' * len(sizes.split()) + 'f32>'


def digits(rng, may_block, block, axes):
    """Levels and sizes of one dimension, most significant first."""
    levels = [rng.choice(['seq', 'unroll', 'vector'])
              for _ in range(rng.randint(1, 3))]
    if axes and rng.random() < 0.7:
        levels.insert(rng.randint(0, len(levels)), 'thread.' + axes.pop())
    if may_block and rng.random() < 0.6:
        levels.insert(0, f'block.{block}')
    sizes = [rng.choice([1, 2, 3, 4, 8]) for _ in levels]
    # One digit takes what is left; jammed ones need a number.
    free = [k for k, level in enumerate(levels)
            if level == 'seq' or level.startswith('block')]
    if not free:
        levels.insert(0, 'seq')
        sizes.insert(0, 0)
        free = [0]
    sizes[rng.choice(free)] = 0
    return list(zip(levels, sizes))


def closed_digits(rng, extent, axes):
    """Digits that all have sizes and suffice."""
    while True:
        levels = [rng.choice(['seq', 'unroll', 'vector'])
                  for _ in range(rng.randint(1, 3))]
        if axes:
            levels.insert(rng.randint(0, len(levels)), 'thread.' + axes[-1])
        sizes = [rng.choice([1, 2, 3, 4, 8, 16]) for _ in levels]
        if extent <= math.prod(sizes) <= 4 * extent:
            if axes:
                axes.pop()
            return list(zip(levels, sizes))


def keep_clauses(rng, dims):
    """The row in registers, or computed again."""
    stage = f', stage = [X at i.{len(dims["i"]) - 1} register]'
    keep = rng.choice(['', ', keep = [e register]', ', keep = [e recompute]'])
    return rng.choice(['', stage]) + keep


def is_legal(order, dims, kernel):
    place = {name: k for k, name in enumerate(order)}
    for dim, list_ in dims.items():
        for k, (level, _) in enumerate(list_):
            # A sequential digit stops where those above it say.
            if level == 'seq' and any(
                    place[f'{dim}.{m}'] > place[f'{dim}.{k}']
                    for m in range(k)):
                return False
            if level.startswith('block') and any(
                    place[name] < place[f'{dim}.{k}'] and
                    not dims[name.split('.')[0]][int(name.split('.')[1])][0]
                    .startswith('block') for name in order):
                return False
    parallel = [name for name in order
                if name.split('.')[0] in sum(kernel['nests'], [])]
    folds = [name for name in order if name.split('.')[0] in kernel['folds']]
    if kernel['nests'] and folds:
        if not kernel.get('raises'):
            return place[parallel[-1]] < place[folds[0]]
        raised = [n for n in folds if place[n] < place[parallel[-1]]]
        # Accumulators are added to in sequence.
        if any(dims[n.split('.')[0]][int(n.split('.')[1])][0].split('.')[0]
               in ('thread', 'unroll', 'vector') for n in raised):
            return False
        blocks = [n for n in raised
                  if dims[n.split('.')[0]][int(n.split('.')[1])][0]
                  .startswith('block')]
        # Blocks of a fold stand at the root.
        if blocks and place[blocks[0]] != 0:
            return False
        fold_blocks = [n for n in folds
                       if dims[n.split('.')[0]][int(n.split('.')[1])][0]
                       .startswith('block')]
        return fold_blocks == blocks
    return True


def schedule(rng, kernel):
    while True:
        dims, block = {}, 0
        axes = ['x', 'y', 'z'] if DEVICE else []
        all_dims = sum(kernel['nests'], []) + kernel['folds']
        for dim in all_dims:
            may = dim in sum(kernel['nests'], []) or kernel.get('raises')
            if kernel.get('root_fold'):
                may = dim == all_dims[0]
            if dim in kernel.get('closed', {}):
                dims[dim] = closed_digits(rng, kernel['closed'][dim], axes)
            else:
                dims[dim] = digits(rng, may, block, axes)
            block += 1
        names = [f'{d}.{k}' for d in dims for k in range(len(dims[d]))]
        for _ in range(50):
            rng.shuffle(names)
            if is_legal(names, dims, kernel):
                text = ', '.join(
                    f'{d} = [' + ', '.join(
                        level + (f' {size}' if size else '')
                        for level, size in list_) + ']'
                    for d, list_ in dims.items())
                tail = ', split boundary' if rng.random() < 0.7 else ''
                kept = keep_clauses(rng, dims) if 'keeps' in kernel else ''
                return (f'schedule #kernel.schedule<{text}, '
                        f'order = [{", ".join(names)}]{kept}{tail}>')


def function(name, kernel, clause, body):
    ins, out = kernel['ins'], kernel['out']
    out_sizes = 'ONE' if out == '1' else out
    params = ''.join(f'%{n.lower()}: {memref(s)}, ' for n, s in ins.items())
    args = ''.join(
        f'%{n}[{", ".join("%" + d for d in s.split())}] = %{n.lower()} : '
        f'{memref(s)}, ' for n, s in ins.items())
    sizes = ', '.join(f'%{d} = %{d.lower()} : index' for d in ('N', 'M', 'K', 'ONE'))
    return f'''
func.func @{name}({params}%y: {memref(out_sizes)}, %n: index, %m: index, %k: index, %one: index) {{
  kernel.launch @{name} ({args}{sizes}) outs (%Y[{", ".join("%" + d for d in out_sizes.split())}] = %y : {memref(out_sizes)}) {clause} {{
    %z = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32{body}
  }}
  return
}}
'''


HELPERS = '''
func.func private @printMemrefF32(memref<*xf32>)

func.func @fill(%x: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %a = arith.muli %i, %c3 : index
    %b = arith.muli %j, %j : index
    %c = arith.addi %a, %b : index
    %r = arith.remui %c, %c7 : index
    %v = arith.index_cast %r : index to i64
    %f = arith.sitofp %v : i64 to f32
    memref.store %f, %x[%i, %j] : memref<?x?xf32>
  } }
  return
}

func.func @differ(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %count: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %a = memref.load %x[%i, %j] : memref<?x?xf32>
    %b = memref.load %y[%i, %j] : memref<?x?xf32>
    %p = arith.cmpf une, %a, %b : f32
    scf.if %p {
      %o = memref.load %count[%c0] : memref<1xf32>
      %s = arith.addf %o, %one : f32
      memref.store %s, %count[%c0] : memref<1xf32>
    }
  } }
  return
}
'''


def main():
    rng = random.Random(int(sys.argv[1]))
    text, calls, ids = HELPERS, '', itertools.count()
    for number in range(int(sys.argv[2])):
        kind = list(KERNELS)[number % len(KERNELS)]
        kernel = KERNELS[kind]
        body = kernel['body'].replace(
            'EDGE', rng.choice(['clamp', 'wrap', 'mirror', 'reflect']))
        plain, shaped = f'plain_{number}', f'shaped_{number}'
        text += function(plain, kernel, '', body)
        text += function(shaped, kernel, schedule(rng, kernel), body)
        values = {d: rng.choice([1, 2, 5, 7, 16, 23, 40]) for d in 'NMK'}
        values['ONE'] = 1
        values.update(kernel.get('sizes', {}))
        out = ['ONE'] if kernel['out'] == '1' else kernel['out'].split()
        call, types = [], []
        for name, sizes in kernel['ins'].items():
            value, (a, b) = f'%x{next(ids)}', sizes.split()
            calls += f'''
  {value} = memref.alloc(%c{values[a]}, %c{values[b]}) : memref<?x?xf32>
  call @fill({value}, %c{values[a]}, %c{values[b]}) : (memref<?x?xf32>, index, index) -> ()'''
            call.append(value)
            types.append('memref<?x?xf32>')
        shape = ', '.join(f'%c{values[d]}' for d in out)
        total = f'memref<{"?x" * len(out)}f32>'
        outs = []
        for callee in (plain, shaped):
            value = f'%x{next(ids)}'
            outs.append(value)
            calls += f'''
  {value} = memref.alloc({shape}) : {total}
  call @{callee}({", ".join(call + [value] + [f"%c{values[d]}" for d in ("N", "M", "K", "ONE")])}) : ({", ".join(types + [total] + ["index"] * 4)}) -> ()'''
        flat = []
        rows = values[out[0]] if len(out) == 2 else 1
        columns = values[out[-1]]
        for value in outs:
            view = f'%x{next(ids)}'
            flat.append(view)
            if len(out) == 2:
                calls += f'\n  {view} = memref.cast {value} : {total} to memref<?x?xf32>'
            else:
                calls += (f'\n  {view} = memref.reinterpret_cast {value} to offset: [0], '
                          f'sizes: [%c1, %c{columns}], strides: [%c{columns}, 1] : {total} to '
                          f'memref<?x?xf32, strided<[?, 1]>>'
                          f'\n  {view}c = memref.alloc(%c1, %c{columns}) : memref<?x?xf32>'
                          f'\n  memref.copy {view}, {view}c : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>')
                flat[-1] = view + 'c'
        calls += f'''
  call @differ({flat[0]}, {flat[1]}, %c{rows}, %c{columns}, %count) : (memref<?x?xf32>, memref<?x?xf32>, index, index, memref<1xf32>) -> ()'''
    constants = ''.join(f'\n  %c{v} = arith.constant {v} : index'
                        for v in (0, 1, 2, 5, 7, 16, 23, 40))
    export = sys.argv[3:] == ['export']
    head, tail = '', '''
  %u = memref.cast %count : memref<1xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return'''
    if export:
        text = text.replace('func.func private @printMemrefF32(memref<*xf32>)',
                            '').replace('func.func @', 'func.func private @')
        head = (' -> f32 attributes {arrc.export, arrc.params = [], '
                'arrc.results = [{name = "differ", element = "f32", '
                'rank = 0 : i64, type = "f32", dims = []}]}')
        tail = '''
  %u = memref.load %count[%c0] : memref<1xf32>
  return %u : f32'''
    if DEVICE:
        text = ('module attributes {kernel.device = #kernel.device<"cuda", '
                '{vector_bytes = 16}>} {\n' + text)
        tail += '\n}'
    print(f'''{text}
func.func @main(){head} {{{constants}
  %zero = arith.constant 0.0 : f32
  %count = memref.alloc() : memref<1xf32>
  memref.store %zero, %count[%c0] : memref<1xf32>{calls}{tail}
}}''')


main()
