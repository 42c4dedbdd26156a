/** Validates a judge's answer and checks its quotes. */
import { harmless } from '@donecheck/core/internal/base'
import type { RunEvent, ToolCall, JsonValue } from '@donecheck/core/internal/events'
import {
  judgeEvidence,
  type JudgeEvidence,
  type JudgeQuote,
  type Evidence,
  type Verdict,
} from '@donecheck/core/internal/events/verdicts'
import { evidenceWords } from '@donecheck/core/internal/state/words'
import { z } from 'zod'
import { showValue, quoteText } from '../reports/reports.ts'
import { readFile, relativePath } from '../work-tree/files.ts'
import { given } from '../../../base/index.ts'
import type { Judge, JudgeAnswer, JudgeRequest } from '../../../ports/judges.ts'

export interface HeardAnswer {
  readonly answer: JudgeAnswer
  /** Why it is discarded, as a sentence; it then counts as abstention. */
  readonly problem?: string
}

const judgeAnswer = judgeEvidence
  .pick({ reason: true, category: true, quotes: true, tokens: true, costUsd: true })
  .extend({
    kind: judgeEvidence.shape.said,
    score: z.number().min(0).max(1).optional(),
    quotes: judgeEvidence.shape.quotes.refine(
      (quotes) => quotes.every(({ text }) => comparable(text) !== ''),
      'a quote is empty',
    ),
    unavailable: z.literal(true).exactOptional(),
    votes: z.array(judgeEvidence).exactOptional(),
  })

/** Calls the judge and checks its quotes. Rejects if the judge does. */
export async function hear(
  judge: Judge,
  request: JudgeRequest,
  quotesFrom: readonly string[],
  signal: AbortSignal,
): Promise<HeardAnswer> {
  const answered: unknown = await judge.judge(request, signal)
  const parsed = judgeAnswer.safeParse(answered)
  if (!parsed.success) return nonsense(judge.name, answered, parsed.error)
  const { score, ...others } = parsed.data
  const answer: JudgeAnswer = { ...others, ...given({ score }) }
  const problem = await groundlessness(answer, request, quotesFrom, signal)
  return problem === undefined ? { answer } : { answer: abstention(answer, problem), problem }
}

function abstention(answer: JudgeAnswer, reason: string): JudgeAnswer {
  const { quotes, costUsd, tokens, votes } = answer
  return {
    kind: 'abstained',
    reason,
    quotes,
    costUsd,
    ...given({ tokens, votes }),
  }
}

function nonsense(name: string, answered: unknown, error: z.ZodError): HeardAnswer {
  const [issue] = error.issues
  const detail = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`
  const problem = `${name} answered ${showValue(answered)}, which is not understood (${detail})`
  return {
    answer: { kind: 'abstained', reason: problem, quotes: [], costUsd: costOf(answered) },
    problem,
  }
}

/** Records spent money even if the answer is invalid. */
function costOf(answered: unknown): number | null {
  const cost = z.object({ costUsd: z.number().nonnegative() }).safeParse(answered)
  return cost.success ? cost.data.costUsd : null
}

export function voteOf(
  judge: Pick<Judge, 'name' | 'family' | 'identity'>,
  answer: JudgeAnswer,
): JudgeEvidence {
  const { kind: said, reason, category, score, quotes, tokens, costUsd } = answer
  const { name, family, identity } = judge
  return {
    kind: 'judge',
    judge: name,
    ...given({ family, identity }),
    said,
    reason,
    ...given({ category, score, tokens }),
    quotes,
    costUsd,
  }
}

/** Families of all models behind it. */
export function familiesOf({ family, members = [] }: Judge): readonly string[] {
  return [...new Set([...(family === undefined ? [] : [family]), ...members.flatMap(familiesOf)])]
}

/** Ignores white space, invisible characters, quotation marks and Unicode forms. */
export function comparable(text: string): string {
  const plain = visible(text).replaceAll('\uFFFD', '').normalize('NFKC')
  return plain
    .replaceAll(/["'`“”„‟‘’‚‛«»‹›]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** Why the answer is not credible, or undefined. @param quotesFrom files for quotes without a source */
export async function groundlessness(
  answer: JudgeAnswer,
  request: JudgeRequest,
  quotesFrom: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (answer.kind === 'abstained') return undefined
  for (const quote of answer.quotes) {
    const problem = await problemOfQuote(quote, request, quotesFrom, signal)
    if (problem !== undefined) return problem
  }
  const claimed = answer.kind === 'met' ? claimedWork(request.answer) : undefined
  if (claimed === undefined || answer.quotes.some((quote) => backs(quote, claimed, request.events)))
    return undefined
  return `the answer claims ${claimed === 'tests' ? 'that checks pass' : 'changed files'}, and the judge quotes nothing of the record that shows it`
}

export function callsOf(events: readonly RunEvent[]): ReadonlyMap<string, ToolCall> {
  const calls = events.flatMap((event) => (event.type === 'model-replied' ? event.toolCalls : []))
  return new Map(calls.map((call) => [call.callId, call]))
}

async function problemOfQuote(
  { text, source }: JudgeQuote,
  { answer, workFolder, events }: JudgeRequest,
  quotesFrom: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = comparable(text)
  const stands = (found: string | undefined) => found !== undefined && comparable(found).includes(wanted)
  const made = (places: string) => `the judge quotes ${quoteText(text)}, which does not stand in ${places}`
  if (source === undefined) {
    if (stands(answer)) return undefined
    for (const path of quotesFrom) if (stands(await fileText(workFolder, path, signal))) return undefined
    return made(['the answer', ...quotesFrom].join(' or '))
  }
  const event = events.findLast(({ id }) => id === source)
  const found =
    event === undefined
      ? await fileText(workFolder, source, signal)
      : recordText(event, (callId) => callsOf(events).get(callId))
  return stands(found) ? undefined : made(quoteText(source))
}

/** @returns undefined if the work folder has no such file */
async function fileText(
  workFolder: string | null,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (workFolder === null) return undefined
  const inside = insideFolder(path)
  if (inside === undefined) return undefined
  const seen = await readFile(workFolder, inside, signal)
  return seen.kind === 'not-read' ? undefined : new TextDecoder().decode(seen.value)
}

/** Models invent paths, so anything outside the folder is ignored. */
function insideFolder(path: string): string | undefined {
  try {
    return relativePath(path)
  } catch {
    return undefined
  }
}

function backs({ source }: JudgeQuote, claimed: ClaimedWork, events: readonly RunEvent[]): boolean {
  if (source === undefined) return false
  const event = events.findLast(({ id }) => id === source)
  // A found quote without an event is from an existing file.
  if (event === undefined) return claimed === 'files'
  if (event.type === 'verdict-given') {
    const { status, evidence } = event.verdict
    return status === 'passed' && evidence.some(({ kind }) => kind === 'command' || kind === 'tests')
  }
  if (event.type !== 'tool-returned' || event.status !== 'ok') return false
  const { callId } = event
  const called = events.findLast((one) => one.type === 'tool-called' && one.callId === callId)
  return claimed === 'files' || (called?.type === 'tool-called' && called.effect === 'execute')
}

export type ClaimedWork = 'tests' | 'files'

const subject = String.raw`\b(?:tests?|specs?|test suite|suite|build|linter|type-?check\w*)\b`
const success = String.raw`\b(?:pass(?:e[sd]|ing)?|green|succeed(?:s|ed)?|successful(?:ly)?)\b`
const testsClaim = new RegExp(
  `${subject}.{0,80}${success}|${success}.{0,40}${subject}|\\b\\d+ passed\\b`,
  'iu',
)
const denied = /\b(?:not|never|cannot|without|fail(?:s|ed|ing)?|unless|if)\b|n['’]t\b/iu

/** Says that there are no failures, so denies nothing. */
const noFailure =
  /\b(?:0|no|zero|none|without(?: any)?|nothing)\s+(?:tests?\s+|of them\s+)?(?:fail\w*|errors?|problems?|issues?|warnings?)\b/giu

const deed =
  /\b(?:created|wrote|written|added|updated|changed|edited|modified|fixed|implemented|removed|deleted|renamed|moved|refactored|saved|replaced|generated|extended)\b/iu
const path =
  /`[^`\s]*[./][^`\s]+`|\b[\w-]+\/[\w./-]+|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|cs?|cpp|h|md|txt|json|ya?ml|toml|html?|css|sql|sh|csv|pdf|docx?|xlsx?)\b/iu

/** Word pairs with a slash that are not paths, such as abbreviations. */
const slashed =
  /(?<![\w./-])(?:[A-Z]{1,5}\/[A-Z]{1,5}|and\/or|either\/or|yes\/no|on\/off|true\/false|pass\/fail|he\/she|his\/her|s\/he|input\/output|read\/write|client\/server)(?![\w./-]*[\w/])/gu

/** @returns undefined if it claims neither */
export function claimedWork(answer: string): ClaimedWork | undefined {
  const sentences = answer.split(/[.!?](?=\s|$)|\n/u)
  const isDenied = (sentence: string) => denied.test(sentence.replace(noFailure, ' '))
  if (sentences.some((sentence) => testsClaim.test(sentence) && !isDenied(sentence))) return 'tests'
  const says = sentences.map((sentence) => sentence.replace(slashed, ' '))
  return says.some((sentence) => deed.test(sentence) && path.test(sentence)) ? 'files' : undefined
}

/** Zero-width characters, soft hyphens, tags and other invisible text. */
const unseen = /[\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2065\uFEFF\u{E0000}-\u{E007F}]/gu

/** Removes hidden characters and direction changes. */
export function visible(text: string): string {
  return harmless(text).replace(unseen, '\uFFFD')
}

/** @returns undefined for events irrelevant to a judge @param callOf returns the call of an id */
export function recordText(
  event: RunEvent,
  callOf: (callId: string) => ToolCall | undefined,
): string | undefined {
  switch (event.type) {
    case 'goal-set':
      return event.task
    case 'model-replied':
      return event.problem === undefined ? event.text : `${event.text}\n(${event.problem})`
    case 'model-failed':
      return event.failure.message
    case 'tool-returned':
      return `${callText(callOf(event.callId))}\n(${event.status === 'ok' ? 'succeeded' : event.status})\n${event.output}`
    case 'tool-refused':
      return `${callText(callOf(event.callId))}\n(refused by ${event.by}: ${event.reason})`
    case 'verdict-given':
      return verdictText(event.verdict)
    case 'turn-ended':
      return event.feedback
    default:
      return undefined
  }
}

function callText(call: ToolCall | undefined): string {
  return call === undefined ? 'a call' : `${call.tool} ${argumentsText(call.args)}`
}

/** One argument per line, so that written content is readable. */
function argumentsText(args: JsonValue): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return JSON.stringify(args)
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

/** Reason, exit codes and counts; the output is in the feedback. */
export function verdictText({ verifier, status, qualifiers, reason, evidence }: Verdict): string {
  const words = qualifiers.length === 0 ? '' : ` (${qualifiers.join(', ')})`
  return [
    `${verifier}: ${status}${words}: ${reason}`,
    ...evidence.filter(isOfProgram).flatMap(evidenceWords),
  ].join('\n')
}

function isOfProgram({ kind }: Evidence): boolean {
  return kind === 'command' || kind === 'tests'
}
