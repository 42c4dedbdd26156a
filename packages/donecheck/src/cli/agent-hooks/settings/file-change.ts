import { createTwoFilesPatch } from 'diff'

/** One file of another program, as it is and as it is to be. */
export interface FileChange {
  readonly file: string
  readonly before: string | undefined
  /** Undefined: it goes. */
  readonly after: string | undefined
}

export function isChange({ before, after }: FileChange): boolean {
  return before !== after
}

/** For people, as git shows it; nothing for a file that stays as it is. */
export function diffOf(change: FileChange): string {
  if (!isChange(change)) return ''
  const { file, before, after } = change
  const [from, to] = [before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file]
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 3 }).replace(
    /^(?:Index: .*\n)?=+\n/,
    '',
  )
}

/** Of lines in a row that all come, or all go: more than these say the same again. */
const maxConsecutive = 24
const shownOfMore = 13

/** With one hook in full; those that follow it in the same form are told by their names. */
export function shortDiffOf(change: FileChange): string {
  const rows: string[][] = []
  for (const line of diffOf(change).split('\n')) {
    const row = rows.at(-1)
    if (row !== undefined && /^[+-]/u.test(line) && row[0]?.startsWith(line.slice(0, 1)) === true)
      row.push(line)
    else rows.push([line])
  }
  return rows.map((row) => (row.length > maxConsecutive ? shortenRow(row) : row).join('\n')).join('\n')
}

function shortenRow(row: readonly string[]): readonly string[] {
  const rest = row.slice(shownOfMore)
  const names = rest.flatMap((line) => /\shook \S+ (\w+)/u.exec(line)?.[1] ?? [])
  const reported = names.length === 0 ? '' : `, the hooks of ${names.join(', ')}`
  const sign = row[0]?.slice(0, 1) ?? ''
  return [
    ...row.slice(0, shownOfMore),
    `${sign} … ${rest.length} more lines of the same form${reported} (all of them with --dry-run)`,
  ]
}
