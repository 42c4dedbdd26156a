import { createHash } from 'node:crypto'
import { z } from 'zod'
import { showValue, failedReport, passedReport, undecidedResult } from '../reports/reports.ts'
import { maxTimerMs, namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import type {
  Human,
  HumanAnswer,
  HumanQuestion,
  Verifier,
  VerifierContext,
  VerifierResult,
} from '../../../ports/checks.ts'
import { excerptOf, showExcerpt } from '../../../system/process/index.ts'

const humanApprovesOptions = namedOptions.extend({
  question: z.string().trim().min(1, 'must say what a person shall decide'),
  human: z.custom<Human>(
    (given) =>
      typeof given === 'object' && given !== null && 'ask' in given && typeof given.ask === 'function',
    'must have "ask"',
  ),
  /** What to look at; the agent's latest text is added. */
  details: z.string().optional(),
  /** What is approved: the work tree (default) or the answer. A changed one needs new approval. */
  reads: z.enum(['workspace', 'answer']).optional(),
})
/** `timeoutMs`: wait per check; then `pending`. */
export type HumanApprovesOptions = Readonly<z.infer<typeof humanApprovesOptions>>

/** Bytes of each end of the agent's latest text. */
const shownBytes = 2 * 1024
/** Milliseconds to report what a human waits for after the timeout or an abort. */
const graceMs = 1000

const humanAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approved'), by: z.string().min(1), reason: z.string() }),
  z.object({ kind: z.literal('denied'), by: z.string().min(1), reason: z.string() }),
  z.object({
    kind: z.literal('unanswered'),
    waitingFor: z.string(),
    openQuestion: z.string().exactOptional(),
  }),
])

/**
 * A person approves the work tree (or answer); a change needs new approval. Denied: `failed`; unanswered:
 * `pending`; invalid: `error`. Skips the baseline. Milliseconds.
 * @throws {UsageError} for an empty question, or no human
 */
export function humanApproves(given: HumanApprovesOptions): Verifier {
  const options = readOptions(humanApprovesOptions, given, 'humanApproves')
  const { name = 'human approves', human, reads = 'workspace', timeoutMs = 300_000 } = options
  const answers = new Map<string, HumanAnswer>()
  const ask: Ask = async (context, signal) => {
    if (context.trigger === 'baseline')
      return pending('the work, until there is some: nobody is asked about the baseline tree')
    const subject = subjectOf(context, reads)
    const known = subject === undefined ? undefined : answers.get(subject)
    if (known !== undefined) return reportOf(known, subject, timeoutMs)
    const asked = questionOf(name, options, context, subject)
    const mayPutOff = context.putOff !== undefined && human.askOnce !== undefined
    const answered: unknown = mayPutOff
      ? await human.askOnce?.(asked)
      : await answerBy(human, asked, timeoutMs, signal)
    const parsed = humanAnswer.safeParse(answered)
    if (!parsed.success)
      return undecidedResult(`the human answered ${showValue(answered)}, which is not understood`)
    if (parsed.data.kind === 'unanswered' && parsed.data.openQuestion !== undefined)
      context.putOff?.(parsed.data.openQuestion)
    if (parsed.data.kind !== 'unanswered' && subject !== undefined) answers.set(subject, parsed.data)
    return reportOf(parsed.data, subject, timeoutMs)
  }
  return verifierBy(name, ask, { ...options, reads, timeoutMs: timeoutMs + 2 * graceMs })
}

function reportOf(answer: HumanAnswer, subject: string | undefined, timeoutMs: number): VerifierResult {
  const subjectNote = subject === undefined ? [] : [{ kind: 'note' as const, text: `for ${subject}` }]
  switch (answer.kind) {
    case 'approved':
      return passedReport(`approved by ${answer.by}: ${wordsOf(answer.reason)}`, ...subjectNote)
    case 'denied':
      return failedReport(`denied by ${answer.by}: ${wordsOf(answer.reason)}`, ...subjectNote)
    case 'unanswered':
      return pending(`${answer.waitingFor}, until somebody answers: nobody did within ${timeoutMs / 1000} s`)
  }
}

function wordsOf(reason: string): string {
  return reason.trim() === '' ? 'without a reason' : reason
}

function pending(waitsFor: string): VerifierResult {
  return { ...passedReport(`waits for ${waitsFor}`), status: 'pending' }
}

/** @returns undefined if unknown, so the answer holds once */
function subjectOf(
  { runId, fingerprint, finalText }: VerifierContext,
  reads: 'workspace' | 'answer',
): string | undefined {
  if (reads === 'answer')
    return `answer ${createHash('sha256').update(finalText).digest('hex')}, run ${runId}`
  return fingerprint === undefined ? undefined : `tree ${fingerprint}, run ${runId}`
}

/** Puts the subject into the details, so that stored answers stay separate. */
function questionOf(
  check: string,
  { question, details }: HumanApprovesOptions,
  { runId, finalText, turn }: VerifierContext,
  subject = `turn ${turn}`,
): HumanQuestion {
  const said = showExcerpt(excerptOf(finalText, shownBytes, shownBytes)).trim()
  const parts = [details ?? '', said === '' ? '' : `The agent says:\n${said}`, `Asked about: ${subject}`]
  return { runId, check, question, details: parts.filter((part) => part !== '').join('\n\n') }
}

/** Asks until the timeout. Rejects with what the human throws. */
function answerBy(
  human: Human,
  question: HumanQuestion,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HumanAnswer> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(Math.min(timeoutMs, maxTimerMs))])
  const nobody = new Promise<HumanAnswer>((resolve) => {
    const giveUp = () => setTimeout(resolve, graceMs, { kind: 'unanswered', waitingFor: 'an answer' }).unref()
    bounded.addEventListener('abort', giveUp, { once: true })
  })
  return Promise.race([human.ask(question, bounded), nobody])
}
