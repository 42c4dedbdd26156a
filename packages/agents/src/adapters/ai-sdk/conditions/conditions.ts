/** Stop conditions of the SDK, with names: it asks them all and tells nobody which was met. */
import type { StopCondition, ToolSet } from 'ai'
import type { StepLike } from '../step.ts'

/** Any predicate that the SDK takes as `stopWhen`, just as it is. */
export type AnyStopCondition = StopCondition<ToolSet>

/** What the SDK hands to a condition. */
export interface RequestedSteps {
  readonly steps: readonly StepLike[]
}

export interface NamedCondition {
  readonly name: string
  isMet(asked: RequestedSteps): Promise<boolean>
}

/** One, several, or several by name. What is not a function is not a condition. */
export function namedConditions(given: unknown): readonly NamedCondition[] {
  if (given === undefined || given === null) return []
  if (typeof given === 'function') return [nameCondition(given, 0)]
  if (typeof given !== 'object') return []
  if (Array.isArray(given))
    return given.flatMap((each: unknown, index) => (isAskable(each) ? [nameCondition(each, index)] : []))
  return Object.entries(given).flatMap(([name, each]: [string, unknown]) =>
    isAskable(each) ? [{ name, isMet: asking(each) }] : [],
  )
}

type Askable = (...given: readonly unknown[]) => unknown

function isAskable(value: unknown): value is Askable {
  return typeof value === 'function'
}

/** Those of the SDK have no names of their own. */
function nameCondition(condition: unknown, index: number): NamedCondition {
  const askable = isAskable(condition) ? condition : () => false
  const { name } = askable
  return { name: name === '' ? `stop condition ${index + 1}` : name, isMet: asking(askable) }
}

function asking(condition: Askable): NamedCondition['isMet'] {
  return async (asked) => Boolean(await condition(asked))
}
