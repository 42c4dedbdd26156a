/** Which facts are worth telling: how near they are, how old, and how often they helped. */
import type { MemoryFact } from './fact.ts'

const halfLifeMs = 30 * 24 * 3600 * 1000
/** Facts of one telling. */
const maxFacts = 5
/** Below it a fact is not told: it would cost tokens and say nothing. */
const leastScore = 0.1

const commonWords = new Set(
  'the and for that this with from into make made have has was were are not but all any its our your you can should must will then than when where which who what how use using add fix test tests check checks file files failed fails'.split(
    ' ',
  ),
)

/** Distinct words that say something, at most 40. */
export function tellingWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,40}/gu) ?? []
  return [...new Set(words.filter((word) => !commonWords.has(word)))].slice(0, 40)
}

export interface Question {
  readonly words: string
  /** Undefined: nothing has failed. */
  readonly shape: string | undefined
}

/** Relevance × decay × trust, 0 to 1. */
export function scoreOf(fact: MemoryFact, { words, shape }: Question, nowMs: number): number {
  const isSameFailure = shape !== undefined && fact.shape === shape
  const relevance = isSameFailure
    ? 1
    : overlap(tellingWords(words), tellingWords(`${fact.text} ${fact.words}`))
  return relevance * decayOf(fact, nowMs) * trustOf(fact)
}

/** Share of the words that were asked for. */
function overlap(asked: readonly string[], given: readonly string[]): number {
  const known = new Set(given)
  return asked.length === 0 ? 0 : asked.filter((word) => known.has(word)).length / asked.length
}

function decayOf({ isPinned, learntAtMs }: MemoryFact, nowMs: number): number {
  return isPinned ? 1 : 0.5 ** (Math.max(0, nowMs - learntAtMs) / halfLifeMs)
}

/** By the rule of succession: a fact that nobody was told of is trusted by half. */
export function trustOf({ recalled, helped }: Pick<MemoryFact, 'recalled' | 'helped'>): number {
  return (helped + 1) / (recalled + 2)
}

/** The best first. */
export function bestFacts(
  facts: readonly MemoryFact[],
  question: Question,
  nowMs: number,
): readonly MemoryFact[] {
  return facts
    .map((fact) => ({ fact, score: scoreOf(fact, question, nowMs) }))
    .filter(({ score }) => score >= leastScore)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxFacts)
    .map(({ fact }) => fact)
}

/** The runs of one kind of which nine in ten ended within so many turns; undefined: too few to say. */
export function usualTurns(turns: readonly number[]): number | undefined {
  if (turns.length < 10) return undefined
  const sorted = turns.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * 0.9) - 1]
}
