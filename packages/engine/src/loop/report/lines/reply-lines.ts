/** What a person reads of the verification of a reply. */
import { oneLine } from '@donecheck/core/base'
import type { ReplyCheckFact } from '@donecheck/core/events'
import type { RunState, SettledReply } from '@donecheck/core/state'
import { line, toneOf, type Line } from './line.ts'

export function replyLines(event: ReplyCheckFact): readonly Line[] {
  switch (event.type) {
    case 'reply-judging-started':
      return [line('quiet', `  reply: attempt ${event.attempt} of ${event.maxAttempts} is judged`)]
    case 'reply-judged': {
      const { status, reason } = event.verdict
      const mark = status === 'passed' ? '✓' : status === 'failed' ? '✗' : '?'
      return [line(toneOf(status), `  ${mark} reply: ${oneLine(reason, 300)}`)]
    }
    case 'reply-settled':
      if (event.ending === 'passed') return []
      return [line('warning', `  ${event.ending}: ${oneLine(event.message, 300)}`)]
    case 'reply-delivered':
      return [deliveredLine(event)]
  }
}

function deliveredLine({ status, problem }: Extract<ReplyCheckFact, { type: 'reply-delivered' }>): Line {
  if (status === 'delivered') return line('quiet', '  the reply is delivered')
  const why = oneLine(problem ?? 'nobody knows why', 300)
  return line('warning', `  ! delivery of the reply ${status}: ${why}`)
}

/** What became of the reply of a run. */
export interface ReplyResult extends Pick<SettledReply, 'text' | 'attempt' | 'message'> {
  /** `open`: nothing is settled; it is withheld, or the run was interrupted. */
  readonly ending: SettledReply['ending'] | 'open'
  /** Null: it was not handed on. */
  readonly delivery: NonNullable<SettledReply['delivery']>['status'] | null
}

/** Null: replies are not verified in this run. */
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
