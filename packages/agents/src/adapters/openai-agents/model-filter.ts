/** Before every call of a model: what has happened is told, and a call that no budget is left for is not made. */
import { fieldOf, listField } from '../../protocol/host/index.ts'
import type { Item, RunnerLike } from './sdk.ts'
import type { AgentsSession } from './agents-session.ts'

/** Thrown into the SDK, which has no other way to be ended before a call of its model. */
export class EndedError extends Error {
  override readonly name = 'EndedError'
}

/** The SDK may hand it on in another error. */
export function isEndedByUs(error: unknown): boolean {
  for (let each = error, depth = 0; each !== undefined && depth < 8; depth += 1) {
    if (each instanceof EndedError) return true
    each = fieldOf(each, 'cause') ?? fieldOf(each, 'error')
  }
  return false
}

/** The option of `run` in place of the filter that stands there or in the runner, which is asked after ours. */
export function filteringFor(
  session: AgentsSession,
  runner: RunnerLike,
  runOptions: object,
  onItems: (items: readonly Item[]) => void,
) {
  const theirs = fieldOf(runOptions, 'callModelInputFilter') ?? runner.config?.callModelInputFilter
  return {
    callModelInputFilter: async (asked: { readonly modelData: object }): Promise<unknown> => {
      const items = itemsIn(asked.modelData)
      onItems(items)
      const { advice, end } = await session.beforeModel(items)
      if (end !== undefined) throw new EndedError(end)
      const said = advice.map((content) => ({ role: 'user', content }))
      const modelData =
        advice.length === 0 ? asked.modelData : { ...asked.modelData, input: [...items, ...said] }
      if (typeof theirs !== 'function') return modelData
      const filtered: unknown = await Reflect.apply(theirs, undefined, [{ ...asked, modelData }])
      return filtered
    },
  }
}

function itemsIn(modelData: object): readonly Item[] {
  return listField(modelData, 'input').filter((item) => typeof item === 'object' && item !== null)
}
