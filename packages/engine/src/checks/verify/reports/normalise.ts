import { currentSchemaVersion, parseEvent } from '@donecheck/core/events'
import { type VerdictStatus, verdictStatuses } from '@donecheck/core/verdicts'
import type { Attachment, VerifierReport } from '../../../ports/checks.ts'
import { excerptOf, showExcerpt } from '../../../system/process/index.ts'
import { showValue, truncateText, undecidedReport } from './reports.ts'
import { z } from 'zod'
import { given } from '../../../base/index.ts'

/** A reason is a sentence: of a longer one the rest goes into the evidence. */
const maxReasonLength = 1000
/** What a status says where its verifier gives no reason. */
const said: Readonly<Record<VerdictStatus, string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'could not decide',
  skipped: 'does not apply',
  pending: 'is pending',
}
/** Of each end of a text, kept in the verdict. */
const endBytes = 8 * 1024

/**
 * What a user's verifier returned, as a report; what cannot be understood, or contradicts itself, is named: `error`, `unverifiable`.
 * @throws whatever a getter of the value throws
 */
export function normalise(verifier: string, value: unknown): VerifierReport {
  if (typeof value === 'boolean') return normaliseFields(verifier, value, { passed: value })
  if (typeof value !== 'object' || value === null) return malformedReport(verifier, value, 'it is no verdict')
  const parsed = userReport.safeParse(value)
  if (parsed.success) return normaliseFields(verifier, value, parsed.data)
  const [first] = parsed.error.issues
  return malformedReport(
    verifier,
    value,
    `${first?.path.join('.') ?? ''}: ${first?.message ?? 'not understood'}`,
  )
}

function normaliseFields(verifier: string, value: unknown, report: UserReport): VerifierReport {
  const status = statusOf(report)
  const canRetry = canRetryOf(report)
  if (status === contradictory || canRetry === contradictory)
    return malformedReport(verifier, value, 'it contradicts itself')
  if (status === undefined) return malformedReport(verifier, value, 'it does not say whether it passed')
  const { score, costUsd, qualifiers = [], evidence = [] } = report
  const words = wordsOf(report, `${verifier} ${said[status]}`)
  const attachments = [...(report.attachments ?? []), ...words.notes.flatMap(attachmentOf)]
  return asRecorded(verifier, value, {
    status,
    reason: words.reason,
    canRetry: canRetry ?? true,
    qualifiers,
    evidence: [...evidence, ...words.notes.map(noteOf)],
    ...given({ score, costUsd }),
    ...(attachments.length === 0 ? {} : { attachments }),
  })
}

interface UncheckedReport extends Omit<VerifierReport, 'qualifiers' | 'evidence'> {
  readonly qualifiers: readonly unknown[]
  readonly evidence: readonly unknown[]
}

/** A report is taken only where the store could give it back: the parser of events is the judge of its fields. */
function asRecorded(verifier: string, value: unknown, report: UncheckedReport): VerifierReport {
  const header = { schemaVersion: currentSchemaVersion, id: 'none', runId: 'none', sequence: 1, timeMs: 0 }
  const verdict = { ...report, verifier, durationMs: 0 }
  const parsed = parseEvent({ ...header, type: 'verdict-given', verdict })
  if (parsed.kind === 'invalid') return malformedReport(verifier, value, parsed.problem)
  if (parsed.event.type !== 'verdict-given') return malformedReport(verifier, value, 'it is no verdict')
  const { qualifiers, evidence } = parsed.event.verdict
  return { ...report, qualifiers, evidence }
}

function wordsOf({ reason, feedback, output }: UserReport, byDefault: string) {
  const [first = byDefault, ...rest] = [reason, feedback].filter(isSaid)
  const isLong = first.length > maxReasonLength
  return {
    reason: truncateText(first, maxReasonLength),
    notes: [...(isLong ? [first] : []), ...rest, ...[output].filter(isSaid)],
  }
}

function isSaid(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== ''
}

function noteOf(text: string): { readonly kind: 'note'; readonly text: string } {
  return { kind: 'note', text: showExcerpt(excerptOf(text, endBytes, endBytes)) }
}

function attachmentOf(content: string): readonly Attachment[] {
  const { omittedBytes, digest } = excerptOf(content, endBytes, endBytes)
  return omittedBytes === 0 ? [] : [{ digest, content }]
}

function malformedReport(verifier: string, value: unknown, problem: string): VerifierReport {
  return undecidedReport(
    `${verifier} answered ${showValue(value)}, which is not understood (${problem}); return true, false or { passed, reason }`,
    'unverifiable',
  )
}

const flag = z.boolean().optional()
const text = z.string().nullish()

/** Fields that we do not know are the user's own. */
const userReport = z.object({
  status: z.enum(verdictStatuses).optional(),
  passed: flag,
  complete: flag,
  ok: flag,
  /** True: the agent shall go on, so it is not done. */
  continue: flag,
  impossible: flag,
  canRetry: flag,
  can_retry: flag,
  reason: text,
  feedback: text,
  output: text,
  score: z.number().min(0).max(1).optional(),
  costUsd: z.number().nonnegative().optional(),
  qualifiers: z.array(z.unknown()).optional(),
  evidence: z.array(z.unknown()).optional(),
  attachments: z.array(z.object({ digest: z.string(), content: z.string() })).optional(),
})

type UserReport = z.infer<typeof userReport>

const contradictory = 'contradictory'
/** Undefined: nothing was said. */
type Voiced<Value> = Value | typeof contradictory | undefined

/** Every field that speaks of the end must say the same. */
function statusOf(report: UserReport): Voiced<VerdictStatus> {
  const { passed, complete, ok, impossible, status: word } = report
  const goesOn = report.continue
  const isDone = agreedValue([
    passed,
    complete,
    ok,
    goesOn === undefined ? undefined : !goesOn,
    impossible === true ? false : undefined,
    word === undefined ? undefined : word === 'passed',
  ])
  if (typeof isDone !== 'boolean') return isDone
  return word ?? (isDone ? 'passed' : 'failed')
}

function canRetryOf({ canRetry, can_retry: snakeCase, impossible }: UserReport): Voiced<boolean> {
  return agreedValue([canRetry, snakeCase, impossible === true ? false : undefined])
}

function agreedValue(voices: readonly (boolean | undefined)[]): Voiced<boolean> {
  const heard = voices.filter((voice) => voice !== undefined)
  return heard.every((voice) => voice === heard[0]) ? heard[0] : contradictory
}
