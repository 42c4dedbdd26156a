import type { Table } from './table.ts'

/**
 * Rows whose figure is not what is aimed at, one line each. The figure is the one that the aim names (`median < 100`), or the ratio;
 * of a row without one, its first number.
 */
export function behindAims({ title, rows }: Table): readonly string[] {
  return rows.flatMap((row) => {
    const [, named, sign, bound] = /^(?:(\w+) )?(<=|>=|<) ([\d.]+)/.exec(String(row['aim'] ?? '')) ?? []
    const figures = Object.entries(row).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    )
    const figure = (figures.find(([name]) => name.startsWith(named ?? 'ratio')) ?? figures[0])?.[1]
    if (sign === undefined || figure === undefined || isMet(figure, sign, Number(bound))) return []
    return [`  ${title}: ${row.name}: ${figure}, aim ${row['aim'] ?? ''}`]
  })
}

function isMet(figure: number, sign: string, bound: number): boolean {
  if (sign === '>=') return figure >= bound
  return sign === '<=' ? figure <= bound : figure < bound
}
