# Conway's game of life on a torus, a byte a cell, written with whole arrays
export def life(start: u8[n, m], steps: int) -> (cells: u8[n, m], alive: int) where n >= 1, m >= 1 {
  var cells = start
  loop _ in steps {
    let e = extend(cells, wrap)
    let around = stencil i in n, j in m {
      e[i-1, j-1] + e[i-1, j] + e[i-1, j+1] + e[i, j-1] + e[i, j+1] + e[i+1, j-1] + e[i+1, j] + e[i+1, j+1]
    }
    cells = for i, j { if around[i, j] == 3 or (around[i, j] == 2 and cells[i, j] == 1) { 1 } else { 0 } }
  }
  (cells, count(cells == 1))
}

# The same as NumPy's users write it: slices of a board whose edge stays dead
export def life_of_slices(start: u8[n, m], steps: int) -> (cells: u8[n, m]) where n >= 2, m >= 2 {
  var cells = start
  loop _ in steps {
    let around = cells[:n-2, :m-2] + cells[:n-2, 1:m-1] + cells[:n-2, 2:] + cells[1:n-1, :m-2] + cells[1:n-1, 2:]
                 + cells[2:, :m-2] + cells[2:, 1:m-1] + cells[2:, 2:]
    let inner = cells[1:n-1, 1:m-1]
    cells[1:n-1, 1:m-1] = select(around == 3 or (around == 2 and inner == 1), 1, 0)
  }
  cells
}
