/**
 * What Claude's models cost, as far as their family tells: only for the time until Claude Code says itself what a turn has
 * cost, so that a cap on cost can end a turn that is going on.
 */

/** US dollars per million tokens of input and output. */
const families: readonly (readonly [part: string, input: number, output: number])[] = [
  ['haiku', 1, 5],
  ['sonnet', 3, 15],
  ['opus', 5, 25],
]

export interface ClaudeTokens {
  readonly fresh: number
  readonly cacheWritten: number
  readonly cacheRead: number
  readonly output: number
}

/** The provider's factors on the price of input. */
const writtenFactor = 1.25
const readFactor = 0.1

/** Undefined: a model of no family that is known. */
export function guessCostUsd(model: string, tokens: ClaudeTokens): number | undefined {
  const family = families.find(([part]) => model.includes(part))
  if (family === undefined) return undefined
  const [, input, output] = family
  const { fresh, cacheWritten, cacheRead } = tokens
  const paidInput = fresh + cacheWritten * writtenFactor + cacheRead * readFactor
  return (paidInput * input + tokens.output * output) / 1e6
}
