/** One run as JSON Lines: header with line count (detects truncation), events, attachments. */
import type { RunEvent } from '@donecheck/core/internal/events'
import {
  allRequired,
  type Vote,
  deterministicVeto,
  type Aggregator,
} from '@donecheck/core/internal/decide/aggregate'
import { fold } from '@donecheck/core/internal/state'
import { outcomeOf } from '@donecheck/core/internal/decide/stops'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { z } from 'zod'
import { messageOf, UsageError } from '../../base/index.ts'
import type { Attachment } from '../../ports/checks.ts'
import type { Attachments, EventLog, RecordKeeping, Store } from '../../ports/store.ts'
import { eventText, parseEventText } from './event-text.ts'

const runFormat = 'donecheck-run'
const runFormatVersion = 1

const count = z.number().int().nonnegative()

const headerLine = z.object({
  format: z.literal(runFormat),
  version: z.literal(runFormatVersion),
  // Some stores lose control characters and lone surrogates in keys.
  runId: z
    .string()
    .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, 'a run id has 1 to 200 characters, none of them a control'),
  events: count.positive(),
  attachments: count,
})

const attachmentLine = z.object({
  type: z.literal('attachment'),
  digest: z
    .string()
    .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, 'a digest has 1 to 200 characters, none of them a control'),
  content: z.string(),
})

type RunHeader = z.infer<typeof headerLine>
type AttachmentLine = z.infer<typeof attachmentLine>

/**
 * Lines of a run without line ends; importing and exporting again gives the same bytes.
 * @throws {UsageError} for an unknown run
 * @throws {CorruptEventError}
 */
export async function* exportRun(
  store: Pick<Store, keyof EventLog | keyof Attachments | 'place'>,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  const events = await store.read(runId)
  if (events.length === 0)
    throw new UsageError(`run ${runId} is not in the store ${store.place}: list the runs`)
  const attachments = await store.attachmentsOf(runId)
  const header: RunHeader = {
    format: runFormat,
    version: runFormatVersion,
    runId,
    events: events.length,
    attachments: attachments.length,
  }
  yield JSON.stringify(header)
  for (const event of events) yield eventText(event)
  for (const { digest, content } of attachments) {
    const line: AttachmentLine = { type: 'attachment', digest, content }
    yield JSON.stringify(line)
  }
}

interface ReadRun {
  readonly runId: string
  readonly events: readonly RunEvent[]
  readonly attachments: readonly Attachment[]
}

/** The line counts from 1. */
class LineProblem extends Error {
  override readonly name = 'LineProblem'
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.line = line
  }
}

/** @throws {LineProblem} at the first invalid line */
async function readRun(lines: AsyncIterable<string> | Iterable<string>): Promise<ReadRun> {
  const events: RunEvent[] = []
  const attachments: Attachment[] = []
  let header: RunHeader | undefined
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    if (header === undefined) header = readHeader(line, number)
    else if (events.length < header.events) events.push(readEvent(line, number, header, events.length + 1))
    else if (attachments.length < header.attachments)
      attachments.push(readAttachment(line, number, attachments))
    else throw new LineProblem(number, 'the header announced fewer lines')
  }
  assertWhole(header, events.length, attachments.length, number)
  return { runId: header.runId, events, attachments }
}

function assertWhole(
  header: RunHeader | undefined,
  events: number,
  attachments: number,
  lastLine: number,
): asserts header is RunHeader {
  if (header === undefined) throw new LineProblem(lastLine, `no line with "format":"${runFormat}"`)
  const wanted = `${header.events} events and ${header.attachments} attachments`
  if (events < header.events || attachments < header.attachments)
    throw new LineProblem(
      lastLine,
      `the file ends early: ${wanted} are announced, ${events} and ${attachments} are there`,
    )
}

function readHeader(line: string, number: number): RunHeader {
  const value = readJson(line, number)
  if (isOfOtherVersion(value))
    throw new LineProblem(
      number,
      `the format has version ${String(value.version)}; this donecheck reads version ${runFormatVersion}: update donecheck`,
    )
  return check(headerLine, value, number)
}

function isOfOtherVersion(value: unknown): value is { readonly version: unknown } {
  if (typeof value !== 'object' || value === null || !('format' in value) || !('version' in value))
    return false
  return value.format === runFormat && typeof value.version === 'number' && value.version > runFormatVersion
}

function readEvent(line: string, number: number, { runId }: RunHeader, sequence: number): RunEvent {
  const parsed = parseEventText(line)
  if (parsed.kind === 'invalid') throw new LineProblem(number, parsed.problem)
  const { event } = parsed
  if (event.runId !== runId)
    throw new LineProblem(number, `event of run ${event.runId} in the file of run ${runId}`)
  if (event.sequence !== sequence)
    throw new LineProblem(number, `event ${event.sequence} where event ${sequence} is expected`)
  if (sequence === 1 && event.type !== 'run-started')
    throw new LineProblem(number, `a run begins with run-started, not ${event.type}`)
  return event
}

function readAttachment(line: string, number: number, before: readonly Attachment[]): Attachment {
  const { digest, content } = check(attachmentLine, readJson(line, number), number)
  if (before.some((attachment) => attachment.digest === digest))
    throw new LineProblem(number, `a second attachment with the digest ${digest}`)
  return { digest, content }
}

function readJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new LineProblem(number, messageOf(error))
  }
}

function check<Value>(schema: z.ZodType<Value>, value: unknown, number: number): Value {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new LineProblem(number, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not readable'}`)
}

type ImportResult =
  | {
      readonly kind: 'imported'
      readonly runId: string
      readonly events: number
      readonly attachments: number
    }
  | { readonly kind: 'already-there'; readonly runId: string }
  | {
      readonly kind: 'refused'
      /** From 1; undefined if no single line is wrong. */
      readonly line: number | undefined
      readonly problem: string
    }

type Target = Pick<Store, keyof EventLog | keyof RecordKeeping | keyof Attachments>

/**
 * Imports one run, all or nothing: checks every line and that the end fits its verdicts, then writes the
 * events last.
 * @param lines without line ends; empty ones are skipped
 * @throws {CorruptEventError} if the store's run of that id is unreadable
 */
export async function importRun(
  store: Target,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ImportResult> {
  const run = await readRun(lines).catch(problemOf)
  if (run instanceof LineProblem) return { kind: 'refused', line: run.line, problem: run.message }
  const { runId, events, attachments } = run
  const contradiction = contradictionIn(events)
  if (contradiction !== undefined)
    return {
      kind: 'refused',
      line: undefined,
      problem: `run ${runId} contradicts itself: ${contradiction}; its record was changed, or is not of donecheck`,
    }
  const storedEvents = await store.read(runId)
  const storedAttachments = await store.attachmentsOf(runId)
  const sameAttachments = isSubset(storedAttachments, attachments)
  if (storedEvents.length > 0) {
    const isSame =
      sameAttachments && storedAttachments.length === attachments.length && isSameStream(storedEvents, events)
    return isSame ? { kind: 'already-there', runId } : refusal(runId, 'another run of that id')
  }
  if (!sameAttachments) return refusal(runId, 'other attachments of a run of that id')
  for (const attachment of attachments) await store.attach(runId, attachment)
  const result = await store.takeIn(events)
  if (result.kind !== 'appended') return refusal(runId, 'by now another run of that id')
  return { kind: 'imported', runId, events: events.length, attachments: attachments.length }
}

/** Rethrows anything but a line problem: the reader of lines threw it. */
function problemOf(error: unknown): LineProblem {
  if (error instanceof LineProblem) return error
  throw error
}

function refusal(runId: string, what: string): ImportResult {
  const problem = `run ${runId}: the store holds ${what}; import it into an empty store`
  return { kind: 'refused', line: undefined, problem }
}

function isSameStream(one: readonly RunEvent[], other: readonly RunEvent[]): boolean {
  const texts = other.map(eventText)
  return one.length === other.length && one.every((event, index) => eventText(event) === texts[index])
}

function isSubset(some: readonly Attachment[], all: readonly Attachment[]): boolean {
  const contents = new Map(all.map(({ digest, content }) => [digest, content]))
  return some.every(({ digest, content }) => contents.get(digest) === content)
}

/** Policies known by their recorded names. For others only some pass is required. */
const policies: Readonly<Record<string, Aggregator>> = { deterministicVeto, allRequired }
const somePassed: Aggregator = (ballots) => {
  const isPassed = ballots.some(({ verdict, required }) => required && verdict.status === 'passed')
  return { status: isPassed ? 'passed' : 'failed', because: [] }
}

/** Returns how a run's end contradicts its verdicts; undefined if it does not. */
export function contradictionIn(events: readonly RunEvent[]): string | undefined {
  const state = fold(events)
  if (state?.phase.kind !== 'stopped') return undefined
  const { reason, outcome } = state.phase.transition
  if (outcomeOf[reason] !== outcome) return `it ends as ${outcome}, which ${reason} never is`
  if (outcome !== 'verified') return undefined
  const latest = new Map<string, Verdict>()
  for (const event of events)
    if (event.type === 'verdict-given') latest.set(event.verdict.verifier, event.verdict)
  const ballots = state.settings.verifiers.flatMap(({ name, ...voter }) => {
    const verdict = latest.get(name)
    return verdict === undefined ? [] : [{ ...voter, verdict }]
  })
  const guards = ballots.filter(({ role }) => role === 'guard')
  const votes: readonly Vote[] = ballots.filter(({ role }) => role !== 'guard')
  const policy = policies[state.settings.aggregate] ?? somePassed
  const isBorneOut =
    guards.every(({ verdict }) => verdict.status === 'passed') && policy(votes).status === 'passed'
  if (isBorneOut) return undefined
  const said = ballots.map(({ verdict }) => `${verdict.verifier} ${verdict.status}`).join(', ')
  return `it ends as verified, and its latest verdicts are: ${said === '' ? 'none' : said}`
}
