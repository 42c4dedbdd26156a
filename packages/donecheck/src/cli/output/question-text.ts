import { visibleLine, visibleText } from '@donecheck/engine/approvals'
import type { KeptQuestion } from '@donecheck/engine/ports/questions'
import { plural } from '@donecheck/engine/report'

/** Fits a terminal of 24 lines and 80 columns. */
const maxDetailLines = 14
const maxReasonLength = 210

/** @param run how to name the run in the suggested command */
export function questionText({ id, runId, askedAtMs, subject }: KeptQuestion, run?: string): string {
  const [title, why] =
    subject.kind === 'call'
      ? [subject.summary, subject.reason]
      : [subject.question, `check: ${subject.check}`]
  const scopes = subject.kind === 'call' ? ` [--scope ${subject.scopes.yes.join('|')}]` : ''
  const rule = subject.kind === 'call' ? subject.amendment?.prefix.join(' ') : undefined
  const reason = visibleLine(why)
  const shortReason = reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}…` : reason
  return [
    `${id}  ${visibleLine(title)}`,
    `  run ${runId}, since ${new Date(askedAtMs).toISOString()}: ${shortReason}`,
    ...detailLines(subject.details).map((line) => `  | ${line}`),
    ...(rule === undefined ? [] : [`  a rule would allow what begins with: ${visibleLine(rule)}`]),
    `  donecheck approve ${id}${scopes === ' [--scope once]' ? '' : scopes}`,
    `  donecheck approve deny ${id} --reason "why"`,
    ...(run === undefined ? [] : [`  or, to allow all that waits here: donecheck approve ${run}`]),
  ].join('\n')
}

function detailLines(details: string): readonly string[] {
  const text = visibleText(details).trimEnd()
  const lines = text === '' ? [] : text.split('\n').filter((line) => !/^--- |^\\ No newline/u.test(line))
  if (lines.length <= maxDetailLines) return lines
  const left = lines.length - maxDetailLines + 1
  return [
    ...lines.slice(0, maxDetailLines - 1),
    `… ${plural(left, 'more line')}: donecheck approve list --json, or the page`,
  ]
}
