/** Tables that are read in a terminal and on a page: columns of even width. */
export type Cell = string | number | undefined

/** Undefined cells are shown as a dash. The first column is text, the others stand to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '-')))
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)))
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [first = [], ...rest] = lines.map((line) =>
    line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  )
  const text = [first, rule, ...rest].map((line) => `| ${line.join(' | ')} |`).join('\n')
  return `<!-- prettier-ignore -->\n${text}`
}

export function percent(share: number | undefined, digits = 1): string | undefined {
  return share === undefined ? undefined : `${(100 * share).toFixed(digits)} %`
}
