import type { Mutation } from './mutation.ts'

/** A mutation with its place. */
export interface Candidate {
  readonly path: string
  /** The file without the fault. */
  readonly text: string
  readonly line: number
  readonly mutation: Mutation
}

/**
 * At most so many, as different from each other as possible: first other lines, then other files and kinds. Which one of
 * equals comes first follows from the content, so that nobody can choose and everybody gets the same.
 */
export function selectMutations(
  candidates: readonly Candidate[],
  most: number,
  isFit: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const chosen: Candidate[] = []
  const taken = new Map<string, number>()
  const countOf = (key: string) => taken.get(key) ?? 0
  const seeds = new Map<string, number>()
  const waiting = candidates.map((candidate) => ({ candidate, rank: rankOf(candidate, seeds) }))
  waiting.sort((one, other) => one.rank - other.rank)
  const costOf = ({ candidate }: (typeof waiting)[number]) =>
    countOf(lineKey(candidate)) * 1_000 + countOf(fileKey(candidate)) + countOf(candidate.mutation.kind)
  while (chosen.length < most && waiting.length > 0) {
    const costs = waiting.map(costOf)
    const index = costs.indexOf(costs.reduce((least, cost) => Math.min(least, cost), Infinity))
    const [next] = waiting.splice(index, 1)
    if (next === undefined || !isFit(next.candidate)) continue
    const { candidate } = next
    chosen.push(candidate)
    for (const key of [lineKey(candidate), fileKey(candidate), candidate.mutation.kind])
      taken.set(key, countOf(key) + 1)
  }
  return chosen
}

function lineKey({ path, line }: Candidate): string {
  return `${path}:${line}`
}

function fileKey({ path }: Candidate): string {
  return `file ${path}`
}

/** FNV-1a of the text, the place and the fault. The hash of a text is kept for its other candidates. */
function rankOf({ path, text, mutation }: Candidate, seeds: Map<string, number>): number {
  const seed = seeds.get(path) ?? hashOf(text, 0x811c9dc5)
  seeds.set(path, seed)
  return hashOf(`${path}\0${mutation.start}\0${mutation.end}\0${mutation.replacement}`, seed)
}

function hashOf(text: string, seed: number): number {
  let value = seed
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  return value
}
