/** Patches that apply, over files of usual lengths; the same on every machine. */

export interface PatchCase {
  readonly group: PatchGroup
  /** Content by path. */
  readonly files: Readonly<Record<string, string>>
  readonly patch: string
}

export const patchGroups = {
  small: 'one file of 10 to 60 lines, one chunk',
  mid: 'one file of 300 to 1,500 lines, three chunks',
  many: '3 to 8 files, changed, created, deleted and moved',
} as const

export type PatchGroup = keyof typeof patchGroups

/** As many of each group. */
export function patchCases(count: number): readonly PatchCase[] {
  const numbers = Array.from({ length: count }, (_, index) => index)
  return [...numbers.map(smallCase), ...numbers.map(midCase), ...numbers.map(manyCase)]
}

function smallCase(number: number): PatchCase {
  const lines = source(number, 10 + ((number * 7) % 50))
  const path = `src/small-${number}.ts`
  return finished('small', { [path]: lines }, update(path, lines, [Math.floor(lines.length / 2)]))
}

function midCase(number: number): PatchCase {
  const lines = source(number, 300 + ((number * 37) % 1200))
  const path = `src/deep/er/mid-${number}.ts`
  const places = [0.1, 0.5, 0.9].map((share) => Math.floor(lines.length * share))
  return finished('mid', { [path]: lines }, update(path, lines, places))
}

function manyCase(number: number): PatchCase {
  const files: Record<string, readonly string[]> = {}
  const hunks: string[] = []
  for (let index = 0; index < 1 + (number % 6); index += 1) {
    const lines = source(number + index, 40 + ((number * 11 + index * 53) % 200))
    const path = `package-${index % 3}/src/file-${index}.ts`
    files[path] = lines
    hunks.push(...update(path, lines, [5, lines.length - 5]))
  }
  const moved = source(number + 100, 30)
  files['old/name.ts'] = moved
  files['gone.ts'] = source(number + 200, 20)
  const [head = '', ...rest] = update('old/name.ts', moved, [10])
  hunks.push(
    ...['*** Add File: new/folder/created.ts', ...source(number + 300, 25).map((line) => `+${line}`)],
    ...[head, '*** Move to: new/name.ts', ...rest],
    '*** Delete File: gone.ts',
  )
  return finished('many', files, hunks)
}

function finished(
  group: PatchGroup,
  files: Readonly<Record<string, readonly string[]>>,
  hunks: readonly string[],
): PatchCase {
  return {
    group,
    files: Object.fromEntries(Object.entries(files).map(([path, lines]) => [path, textOf(lines)])),
    patch: textOf(['*** Begin Patch', ...hunks, '*** End Patch']),
  }
}

/** Three lines of context on both sides of a line that is replaced by two. */
export function update(path: string, lines: readonly string[], places: readonly number[]): readonly string[] {
  const chunks = places.flatMap((place) => [
    '@@',
    ...lines.slice(Math.max(0, place - 3), place).map((line) => ` ${line}`),
    `-${lines[place] ?? ''}`,
    `+  // ${place}: mended`,
    `+${lines[place] ?? ''} // kept`,
    ...lines.slice(place + 1, place + 4).map((line) => ` ${line}`),
  ])
  return [`*** Update File: ${path}`, ...chunks]
}

/** Every line is another, with blank lines between. */
export function source(seed: number, length: number): readonly string[] {
  return Array.from({ length }, (_, index) => {
    const word = words[(seed * 31 + index * 7) % words.length] ?? ''
    if (index % 9 === 8) return ''
    return index % 4 === 0
      ? `export function ${word}${index}(value: string): number {`
      : `  const ${word}${index} = read(value, ${(seed * 13 + index) % 997})`
  })
}

const words = [
  'parse',
  'count',
  'merge',
  'limit',
  'order',
  'fetch',
  'route',
  'token',
  'state',
  'index',
  'event',
]

export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
