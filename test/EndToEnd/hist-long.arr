# Histograms of so many values that ranges of them have copies of the bins: by
# several operators, with a fold beside, over two loops of which one is short,
# with about as many bins as values. The same bits for any number of workers.
# RUN: arrc run %s --check --entry f n=100003 --threads 3 | FileCheck %s --check-prefix=F
# RUN: arrc run %s --check --entry g n=2 m=40001 --threads 16 | FileCheck %s --check-prefix=G
# RUN: arrc run %s --check --entry g n=40001 m=2 --threads 2 | FileCheck %s --check-prefix=G
# RUN: arrc run %s --check --entry many n=66000 --threads 4 | FileCheck %s --check-prefix=MANY
# RUN: %exit_code 3 arrc run %s --check --entry strict n=50000 --threads 4 2>&1 | FileCheck %s --check-prefix=STRICT
# RUN: arrc run %s --entry sums n=100003 --threads 1 --output out=@%t.1.npy
# RUN: arrc run %s --entry sums n=100003 --threads 2 --output out=@%t.2.npy
# RUN: arrc run %s --entry sums n=100003 --threads 16 --output out=@%t.16.npy
# RUN: cmp %t.1.npy %t.2.npy
# RUN: cmp %t.1.npy %t.16.npy
def value(i: int) -> int = (i * 7919) % 1013

export def f(n: int) -> (count: i32[40], most: int[40], least: f32[40], sum: int) =
  (hist((+), 0, 40, oob = drop) for i in n { (value(i) % 43, 1) },
   hist(max, -1, 40, oob = clamp) for i in n { (value(i) % 43, value(i)) },
   hist(min, 2000.0, 40, oob = drop) for i in n { (value(i) % 43, f32(value(i))) },
   sum for i in n { value(i) })
export def g(n: int, m: int) -> int[3, 5] =
  hist((+), 0, (3, 5)) for i in n, j in m { ((i % 3, j % 5), i + j) }
export def many(n: int) -> int[30000] =
  hist((+), 0, 30000, oob = drop) for i in n { (i * 7 % 30011, i) }
export def strict(n: int) -> int[1000] = hist((+), 0, 1000) for i in n { (value(i), 1) }
export def sums(n: int) -> f32[33] = hist((+), 0.0, 33) for i in n { (value(i) % 33, 1.0 / (i + 1)) }

# F: count: i32[40]
# F: sum: i64
# G: out: i64[3, 5]
# MANY: out: i64[30000]
# STRICT: hist-long.arr:
