import type { FileChange } from './change.ts'
import { haveSameWords } from './layout.ts'

/**
 * Paths of changed check-side files that ask the same as before: a file that was only formatted, and one that has only another
 * name, with the new path. Tests that were only added need no rule: the earlier file is run without them. To take the
 * new one instead would let an added line decide, which may be a `return`, a skip or a patch of what is tested.
 */
export function excusedPaths(changes: readonly FileChange[]): ReadonlySet<string> {
  const isFormatted = changes.filter(wasOnlyFormatted).map(({ path }) => path)
  return new Set([...isFormatted, ...movesIn(changes).flat()])
}

function wasOnlyFormatted({ path, before, after }: FileChange): boolean {
  if (before?.kind !== 'file' || after?.kind !== 'file' || before.mode !== after.mode) return false
  return before.text !== null && after.text !== null && haveSameWords(path, before.text, after.text)
}

/** Each earlier file with the one new file that has its content and stands where whoever looks for the one looks for the other. */
function movesIn(changes: readonly FileChange[]): readonly (readonly [from: string, to: string])[] {
  const added = new Set(changes.filter(({ before }) => before === null))
  return changes.flatMap(({ path, before, after }): readonly (readonly [string, string])[] => {
    if (before?.kind !== 'file' || after !== null) return []
    const there = [...added].find(
      (other) =>
        other.after?.kind === 'file' &&
        other.after.digest === before.digest &&
        other.after.mode === before.mode &&
        isBeside(path, other.path),
    )
    if (there === undefined) return []
    added.delete(there)
    return [[path, there.path]]
  })
}

/** In the same folder, with the same marks of a test in its name. In another folder only the runner knows whether it looks there. */
function isBeside(path: string, other: string): boolean {
  const shape = shapeOf(path)
  return shape !== undefined && shape === shapeOf(other) && !/(?:^|\/)[._][^/]*$/u.test(other)
}

function shapeOf(path: string): string | undefined {
  const parts = /^(.*\/|)((?:test[_-])?)[\w-]+?((?:[_-](?:test|spec))?(?:\.[\w.]+)?)$/u.exec(path)
  return parts?.slice(1).join('|')
}
