import { diffArrays } from 'diff'

/** Texts that differ in more lines have nothing in common worth looking for. */
const mostEdits = 5_000

/** Lines of the later text, from 1, that the earlier one does not have in that place. Null: there was none, so all of them. */
export function changedLines(before: string | null, after: string): ReadonlySet<number> {
  const lines = after.split('\n')
  const all = () => new Set(lines.map((_, index) => index + 1))
  if (before === null) return all()
  const parts = diffArrays(before.split('\n'), lines, { maxEditLength: mostEdits })
  if (parts === undefined) return all()
  const changed = new Set<number>()
  let line = 1
  for (const { added, removed, value } of parts) {
    if (removed) continue
    if (added) for (const index of value.keys()) changed.add(line + index)
    line += value.length
  }
  return changed
}
