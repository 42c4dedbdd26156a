import { diffArrays } from 'diff'
import { distance } from 'fastest-levenshtein'
import type { NearestMiss } from '../plan/plan.ts'
import type { SoughtFile } from './sought-file.ts'

/** Below this it would mislead. */
const leastSimilarity = 0.5
/** Places that are compared letter by letter. */
const maxCompared = 8
/** Lines that are compared letter by letter where no line is equal. */
const maxScanned = 5_000
const maxComparedLength = 200
const maxExpected = 60
const maxShown = 16

/** The run of lines in the file that is most like the expected ones. Bounded in time whatever the file and they hold. */
export function nearestMiss(file: SoughtFile, expected: readonly string[]): NearestMiss | undefined {
  const wanted = expected.slice(0, maxExpected)
  if (wanted.every((line) => line.trim() === '') || file.texts.length === 0) return undefined
  const length = Math.min(wanted.length, file.texts.length)
  let best: { readonly start: number; readonly similarity: number } | undefined
  for (const start of likelyStarts(file.texts, wanted)) {
    const similarity = similarityOf(wanted, file.texts.slice(start, start + length))
    if (similarity > (best?.similarity ?? leastSimilarity)) best = { start, similarity }
  }
  if (best === undefined) return undefined
  const found = file.texts.slice(best.start, best.start + length)
  const diff = smallDiff(wanted, found)
  return { firstLine: best.start + 1, lastLine: best.start + length, similarity: best.similarity, diff }
}

/** Where the most lines stand as they are expected, but for white space; without any, where the most telling line may be. */
function likelyStarts(texts: readonly string[], wanted: readonly string[]): readonly number[] {
  const latest = Math.max(0, texts.length - wanted.length)
  const offsets = new Map<string, number[]>()
  for (const [offset, line] of wanted.entries()) {
    const key = line.trim()
    if (key === '') continue
    const known = offsets.get(key)
    if (known === undefined) offsets.set(key, [offset])
    else if (known.length < 4) known.push(offset)
  }
  const votes = new Map<number, number>()
  for (const [index, text] of texts.entries()) {
    for (const offset of offsets.get(text.trim()) ?? []) {
      const start = Math.min(latest, Math.max(0, index - offset))
      votes.set(start, (votes.get(start) ?? 0) + 1)
    }
  }
  const voted = [...votes].sort((one, other) => other[1] - one[1] || one[0] - other[0])
  const starts = voted.slice(0, maxCompared).map(([start]) => start)
  return starts.length > 0 ? starts : startsByLongest(texts, wanted, latest)
}

function startsByLongest(
  texts: readonly string[],
  wanted: readonly string[],
  latest: number,
): readonly number[] {
  const longest = wanted.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), '')
  const offset = wanted.indexOf(longest)
  const scored = texts
    .slice(0, maxScanned)
    .map((text, index) => ({ index, similarity: likeness(longest, text) }))
    .sort((one, other) => other.similarity - one.similarity)
  return scored.slice(0, maxCompared).map(({ index }) => Math.min(latest, Math.max(0, index - offset)))
}

function similarityOf(wanted: readonly string[], found: readonly string[]): number {
  let sum = 0
  let weight = 0
  for (const [index, line] of wanted.entries()) {
    const lineWeight = Math.min(maxComparedLength, line.trim().length) + 1
    sum += likeness(line, found[index] ?? '') * lineWeight
    weight += lineWeight
  }
  return sum / weight
}

/** White space around them counts a little. */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [left, right] = [one.trim().slice(0, maxComparedLength), other.trim().slice(0, maxComparedLength)]
  const longer = Math.max(left.length, right.length)
  if (longer === 0) return 0.99
  if (Math.min(left.length, right.length) * 4 < longer) return 0
  return 0.99 * (1 - distance(left, right) / longer)
}

function smallDiff(expected: readonly string[], found: readonly string[]): string {
  const lines = diffArrays([...expected], [...found]).flatMap(({ value, added, removed }) =>
    value.map((line) => `${removed ? '-' : added ? '+' : ' '}${truncateLine(line)}`),
  )
  const first = Math.max(0, lines.findIndex((line) => !line.startsWith(' ')) - 2)
  const shown = lines.slice(first, first + maxShown)
  const rest = lines.length - first - shown.length
  if (rest > 0) shown.push(`[... ${rest} more lines ...]`)
  return shown.join('\n')
}

function truncateLine(line: string): string {
  return line.length > maxComparedLength ? `${line.slice(0, maxComparedLength)}...` : line
}
