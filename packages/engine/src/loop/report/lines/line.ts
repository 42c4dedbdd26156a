import type { Verdict } from '@donecheck/core/verdicts'
import type { FactOf, SandboxDescription, ReplyCheckFact } from '@donecheck/core/events'
import { oneLine, thousands } from '@donecheck/core/base'
import type { RunState, SettledReply } from '@donecheck/core/state'

export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'warning' | 'strong'

export interface Line {
  readonly tone: Tone
  readonly text: string
}

export function line(tone: Tone, text: string): Line {
  return { tone, text }
}

export function toneOf(status: Verdict['status']): Tone {
  if (status === 'passed') return 'good'
  return status === 'failed' ? 'bad' : 'warning'
}

/** A refusal is told by its own event; here only what a policy that is merely watched would have done. */
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

const maxTextLength = 80

export function planLine({ entries, leftOut = 0 }: FactOf<'agent-plan-reported'>): string {
  if (entries.length === 0) return '  plan of the agent: empty'
  const done = entries.filter(({ state }) => state === 'completed').length
  const all = `${thousands(entries.length)}${leftOut === 0 ? '' : ` (and ${thousands(leftOut)} more, not read)`}`
  const current = entries.find(({ state }) => state === 'in-progress')
  const now = current === undefined ? '' : `, now: ${oneLine(current.text, maxTextLength)}`
  return `  plan of the agent: ${thousands(done)} of ${all} done${now}`
}

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

export interface ReplyResult extends Pick<SettledReply, 'text' | 'attempt' | 'message'> {
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
