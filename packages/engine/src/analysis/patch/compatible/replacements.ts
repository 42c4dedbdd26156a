import type { Chunk, ChunkLine } from '../hunk.ts'

/** Lines of the file that go, and what comes in their place. */
export interface Replacement {
  /** Counted from 0; the number of lines: behind the last one. */
  readonly index: number
  readonly count: number
  readonly added: readonly string[]
}

/** The chunk cut at its context lines: what stands in the file stays as it is, whatever the patch takes it for. */
export function replacementsOf(chunk: Chunk, place: number): readonly Replacement[] {
  const replacements: Replacement[] = []
  let index = place
  let open: { index: number; count: number; added: string[] } | undefined
  for (const { kind, text } of chunk.lines) {
    if (kind === 'context') {
      open = undefined
      index += 1
      continue
    }
    if (open === undefined) {
      open = { index, count: 0, added: [] }
      replacements.push(open)
    }
    if (kind === 'added') open.added.push(text)
    else {
      open.count += 1
      index += 1
    }
  }
  return replacements
}

/**
 * The same chunk without the blank line that ends its old lines: models write one where the file ends. As context it
 * counts as added then. A blank line that ends the new lines goes as well: as context it counts as removed then.
 * @returns undefined: the old lines do not end with a blank line
 */
export function withoutLastBlank(chunk: Chunk): Chunk | undefined {
  const lastOld = chunk.lines.findLastIndex(({ kind }) => kind !== 'added')
  if (chunk.lines[lastOld]?.text !== '') return undefined
  const lines = withoutSide(chunk.lines, lastOld, 'removed')
  const lastNew = lines.findLastIndex(({ kind }) => kind !== 'removed')
  return { ...chunk, lines: lines[lastNew]?.text === '' ? withoutSide(lines, lastNew, 'added') : lines }
}

/** The line at the index is no longer removed, or no longer added; a context line is both. */
function withoutSide(
  lines: readonly ChunkLine[],
  index: number,
  side: 'removed' | 'added',
): readonly ChunkLine[] {
  const line = lines[index]
  if (line?.kind !== 'context') return lines.toSpliced(index, 1)
  return lines.with(index, { ...line, kind: side === 'removed' ? 'added' : 'removed' })
}
