import type { FactOf, SandboxDescription } from '@donecheck/core/internal/events'
import { line, oneLine, type Line } from '@donecheck/core/internal/base'
import type { RunState, SettledReply } from '@donecheck/core/internal/state'

/** Refusals have their own event, so this shows only decisions in shadow mode. */
export function gateLines({ shadow, reason }: FactOf<'gate-decided'>): readonly Line[] {
  if (shadow === undefined || shadow === 'allow') return []
  return [line('warning', `    would ${shadow}: ${oneLine(reason, 200)}`)]
}

export function hookLines({ hook, point, effect, note }: FactOf<'hook-ran'>): readonly Line[] {
  if (effect !== 'failed' && effect !== 'timed-out') return []
  const why = note === undefined ? '' : `: ${oneLine(note, 200)}`
  return [line('warning', `  ! hook ${oneLine(hook, 60)} (${point}) ${effect}${why}`)]
}

export function sandboxLines(sandbox: SandboxDescription | undefined): readonly Line[] {
  if (sandbox === undefined) return []
  const text = oneLine(sandbox.summary, 300)
  return [sandbox.isConfined ? line('quiet', `sandbox: ${text}`) : line('warning', `! sandbox: ${text}`)]
}

export interface ReplyResult extends Pick<SettledReply, 'text' | 'attempt' | 'message'> {
  readonly ending: SettledReply['ending'] | 'open'
  /** Null if it was not delivered. */
  readonly delivery: NonNullable<SettledReply['delivery']>['status'] | null
}

/** Null unless replies are verified. */
export function replyResult({ replyCheck }: RunState): ReplyResult | null {
  if (replyCheck === undefined) return null
  const { settled, retries } = replyCheck
  if (settled === undefined) {
    const message = 'the reply is not settled'
    return { ending: 'open', text: '', attempt: retries + 1, message, delivery: null }
  }
  const { ending, text, attempt, message, delivery } = settled
  return { ending, text, attempt, message, delivery: delivery?.status ?? null }
}
