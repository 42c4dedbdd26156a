import { oneLine } from '@donecheck/core/base'

const maxCell = 60

/** Cells below each other; numbers at the right of their column. */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell, maxCell * 2)))
  const widths = cells.reduce<readonly number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  )
  return cells
    .map((row) => `  ${row.map((cell, index) => padded(cell, widths[index] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

function padded(cell: string, width: number): string {
  return /^[$\d.,–]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
}
