/** Caps over recorded steps: what the record says that the next step used must fit into what is left. */
import { capTable, type Bound, type Caps } from '@donecheck/core/budgets'
import { capRule } from '@donecheck/core/state'
import type { ReplyStep, Step } from '../../recordings/index.ts'
import type { Alarm, Watch } from './watch.ts'

/** What a bound is about, read from a turn. Null: the source does not say. */
const used = {
  iterations: ({ usage }: ReplyStep) => usage?.iterations ?? 1,
  modelCalls: ({ usage }: ReplyStep) => usage?.modelCalls ?? 1,
  tokens: ({ usage }: ReplyStep) =>
    usage?.inputTokens == null || usage.outputTokens === null ? null : usage.inputTokens + usage.outputTokens,
  costUsd: ({ usage }: ReplyStep) => usage?.costUsd ?? null,
} as const

type TurnBound = keyof typeof used
const turnBounds: readonly TurnBound[] = ['iterations', 'modelCalls', 'tokens', 'costUsd']

/** Caps that a recording can be held to, as far as its source tells what was used. */
export const replayedBounds: readonly Bound[] = [...turnBounds, 'toolCalls', 'wallClockMs']

export function capWatch(caps: Caps): Watch {
  const spent = new Map<TurnBound, number>()
  const limited = turnBounds.filter((bound) => caps[capTable[bound].field] !== null)
  let toolCalls = 0
  return {
    observe(step) {
      if (step.kind === 'message') return undefined
      if (step.kind === 'call') {
        if (isFull(caps, 'toolCalls', toolCalls + 1)) return ended('toolCalls')
        toolCalls += 1
        return undefined
      }
      const { maxWallClockMs } = caps
      const { startedMs } = step
      if (maxWallClockMs !== null && startedMs !== undefined && startedMs >= maxWallClockMs)
        return ended('wallClockMs')
      // With no call left no turn is begun.
      if (isFull(caps, 'toolCalls', toolCalls + 1)) return ended('toolCalls')
      for (const bound of limited) {
        // What is unknown once is unknown for the rest: an unknown sum is above no limit.
        const sum = (spent.get(bound) ?? 0) + (used[bound](step) ?? Number.NaN)
        if (isFull(caps, bound, sum)) return ended(bound)
        spent.set(bound, sum)
      }
      return undefined
    },
  }
}

/** Caps of these settings that the steps cannot be held to, because the source does not tell what was used. */
export function unheldBounds(caps: Caps, steps: readonly Step[]): readonly Bound[] {
  const replies = steps.filter((step) => step.kind === 'reply')
  return replayedBounds.filter((bound) => {
    if (caps[capTable[bound].field] === null || bound === 'toolCalls') return false
    if (bound === 'wallClockMs') return replies.some(({ startedMs }) => startedMs === undefined)
    return replies.some((step) => isTurnBound(bound) && used[bound](step) === null)
  })
}

function isTurnBound(bound: Bound): bound is TurnBound {
  return Object.hasOwn(used, bound)
}

function isFull(caps: Caps, bound: TurnBound | 'toolCalls', sum: number): boolean {
  const limit = caps[capTable[bound].field]
  return limit !== null && sum > limit
}

function ended(bound: Bound): Alarm {
  return { level: 'stop', rule: capRule(capTable[bound].cap), before: true }
}
