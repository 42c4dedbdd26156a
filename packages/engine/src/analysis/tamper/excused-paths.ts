import type { FileChange } from './rules.ts'

/** Returns changed check files that ask the same: reformatted or moved. Added tests need no rule. */
export function excusedPaths(changes: readonly FileChange[]): ReadonlySet<string> {
  const isSame = changes.filter(hasSameLines).map(({ path }) => path)
  return new Set([...isSame, ...movesIn(changes).flat()])
}

function hasSameLines({ path, before, after }: FileChange): boolean {
  if (before?.kind !== 'file' || after?.kind !== 'file' || before.mode !== after.mode) return false
  const [then, now] = [before, after].map(({ text }) => linesOf(path, text ?? '`')?.join('\n'))
  return then !== undefined && then === now
}

/** Multi-line strings, elements with significant white space, and unusual line ends. */
const unclear =
  /"""|'''|r#+"|^(?:[^`\n]*`[^`\n]*`)*[^`\n]*`[^`\n]*$|<\/|\/>|<!--|\r(?!\n)|[\u2028\u2029\ufeff]/mu

/** Drops what a formatter decides within a line. @returns undefined if unclear */
function linesOf(path: string, text: string): readonly string[] | undefined {
  const isJavaScript = /\.[cm]?[jt]sx?$/u.test(path)
  if (unclear.test(text) || !/\.(?:[cm]?[jt]sx?|py|go|rs|java)$/u.test(path)) return undefined
  const lines = text.split('\n').map((line) => {
    const plain = path.endsWith('.py') ? line.trimEnd() : line.trim()
    return (isJavaScript || path.endsWith('.py')) && !plain.includes('"')
      ? plain.replaceAll(/(?<![\w"'\\])'([^'"\\]*)'/gu, '"$1"')
      : plain
  })
  const kept = lines.filter((line) => line !== '')
  return kept.map((line, index) => {
    // Such a semicolon ends nothing: the next line starts another statement anyway.
    const isFree = !/^\W/u.test((kept[index + 1] ?? 'end').replace(/^[}"]/u, 'x'))
    const isPlain = !/^(?:if|for|while|with|else|do)\b|^\w*;$|\/\//u.test(line)
    return isJavaScript && isFree && isPlain ? line.replace(/(?<=[\w)\]"`]);$/u, '') : line
  })
}

/** Maps each earlier file to the one new file with equal content at a path that the same runner searches. */
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

/** Same folder and same test suffix. Only the runner knows whether it searches other folders. */
function isBeside(path: string, other: string): boolean {
  const shape = shapeOf(path)
  return shape !== undefined && shape === shapeOf(other) && !/(?:^|\/)[._][^/]*$/u.test(other)
}

function shapeOf(path: string): string | undefined {
  const parts = /^(.*\/|)((?:test[_-])?)[\w-]+?((?:[_-](?:test|spec))?(?:\.[\w.]+)?)$/u.exec(path)
  return parts?.slice(1).join('|')
}
