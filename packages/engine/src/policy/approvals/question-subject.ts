/** A question about a call, as whoever answers is shown it. */
import type { AmendmentScope } from '@donecheck/core/gate'
import { maskText, type SecretValues } from '@donecheck/core/secrets'
import type { ApprovalQuestion } from '../../ports/gate.ts'
import type { QuestionSubject } from '../../ports/questions.ts'

/** What would change, or the arguments; empty where the summary says it all. */
export function detailsOf({ summary, preview, args, action }: ApprovalQuestion): string {
  if (preview !== undefined) return preview
  if (action?.kind === 'command' && summary.includes(action.script)) return ''
  return JSON.stringify(args, null, 2)
}

/** For how long an answer may hold: only commands are remembered, and a rule only where the gate proposes one. */
export function scopesOf({ action, amendment }: ApprovalQuestion): Record<'yes' | 'no', AmendmentScope[]> {
  const isCommand = action?.kind === 'command'
  return {
    yes: ['once', ...(isCommand ? ['session' as const] : []), ...(amendment ? ['rule' as const] : [])],
    no: ['once', ...(isCommand ? ['rule' as const] : [])],
  }
}

/** @param secrets are masked: it is kept for others to read */
export function subjectOf(question: ApprovalQuestion, secrets: SecretValues): QuestionSubject {
  const { callId, tool, effect, amendment } = question
  const masked = (text: string) => maskText(text, secrets)
  return {
    kind: 'call',
    callId,
    tool,
    effect,
    summary: masked(question.summary),
    reason: masked(question.reason),
    details: masked(detailsOf(question)),
    ...(amendment === undefined ? {} : { amendment: { prefix: amendment.prefix.map(masked) } }),
    scopes: scopesOf(question),
  }
}
