/** The one rule of a provider that refuses a call: how long the run waits, and when it gives up. */
import type { EpochMs } from '../../events/index.ts'
import type { Retrying, RunState } from '../../state/index.ts'
import type { StopCandidate } from '../stops/index.ts'

export interface ProviderWait {
  readonly for: 'provider' | 'limit'
  readonly untilMs: EpochMs
  readonly reason: string
}

/** An address that has never answered in this run is probably wrong: asking it for longer helps nobody. */
const unansweredMs = 8000
/** Calls of which the provider took the request, and what came back was of no use. */
const maxBrokenReplies = 4

/** @returns undefined if the call may be made now */
export function waitBefore({ wait, failure, untilMs }: Retrying): ProviderWait | undefined {
  if (wait === 'over') return undefined
  return { for: waitsForReset(failure) ? 'limit' : 'provider', untilMs, reason: failure.message }
}

/** @returns undefined while the run may wait and ask again */
export function endOfRetries(state: RunState, retrying: Retrying): StopCandidate | undefined {
  const { failure, attempt, refusedSinceMs, untilMs, wait } = retrying
  const { providerMs, limitMs } = state.settings.providerWaits
  const waitedMs = untilMs - refusedSinceMs
  // A wait that has started was within its limit.
  const isOver = (limit: number) => wait === 'due' && waitedMs > limit
  const said = `${failure.message} (tried ${attempt} ${attempt === 1 ? 'time' : 'times'})`
  switch (failure.kind) {
    case 'interrupted':
      return undefined
    case 'usage-limited':
      if (isOver(waitsForReset(failure) ? limitMs : providerMs)) return beyondLimit(state, retrying)
      return undefined
    case 'rate-limited':
    case 'server-error':
      return isOver(providerMs) ? { reason: 'error', message: `${said}${longer}` } : undefined
    case 'network':
    case 'timeout':
      if (state.replies > 0 && isOver(providerMs)) return { reason: 'error', message: `${said}${longer}` }
      if (state.replies === 0 && isOver(Math.min(unansweredMs, providerMs)))
        return { reason: 'error', message: said }
      return undefined
    case 'cut-off':
    case 'malformed':
    case 'refused':
    case 'configuration':
      return wait === 'due' && attempt >= maxBrokenReplies ? { reason: 'error', message: said } : undefined
  }
}

const longer = '. To wait longer: set waitForProvider'

function waitsForReset({ kind, resetsAtMs }: Retrying['failure']): boolean {
  return kind === 'usage-limited' && resetsAtMs !== undefined
}

function beyondLimit({ runId, settings }: RunState, { failure, untilMs }: Retrying): StopCandidate {
  const bound =
    settings.providerWaits.limitMs === 0 ? 'nothing waits for it' : 'later than waitForLimit allows'
  const when = new Date(untilMs).toISOString().replace('T', ' ').slice(0, 16)
  const reset = waitsForReset(failure)
    ? `The limit resets at ${when} UTC, ${bound}`
    : 'When it resets is not known'
  return { reason: 'blocked', message: `${failure.message}. ${reset}. Then: donecheck resume ${runId}` }
}
