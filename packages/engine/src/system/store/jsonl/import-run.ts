import type { RunEvent } from '@donecheck/core/events'
import { fold } from '@donecheck/core/state'
import type { Verdict } from '@donecheck/core/verdicts'
import type { Attachment } from '../../../ports/checks.ts'
import type { Attachments, EventLog, RecordKeeping, Store } from '../../../ports/store.ts'
import { eventText } from '../texts/event-text.ts'
import { LineProblem, readRun } from './read-run.ts'
import { allRequired, deterministicVeto, type Ballot, type Policy } from '@donecheck/core/policies'
import { outcomeOf } from '@donecheck/core/stops'

export type ImportResult =
  | {
      readonly kind: 'imported'
      readonly runId: string
      readonly events: number
      readonly attachments: number
    }
  /** The store holds the same run, event by event: nothing was to be done. */
  | { readonly kind: 'already-there'; readonly runId: string }
  | {
      readonly kind: 'refused'
      /** Counted from 1; undefined where no single line is at fault. */
      readonly line: number | undefined
      readonly problem: string
    }

type Target = Pick<Store, keyof EventLog | keyof RecordKeeping | keyof Attachments>

/**
 * Takes in one run, marked as imported, all or nothing: its end must be what its verdicts say, every line is checked before the first is written, and the run is visible only
 * when its events are, which are written last and at once.
 * @param lines without line ends; empty ones are left out
 * @throws {CorruptEventError} when the store holds a run of that id that cannot be read
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

/** Anything but a problem of a line is thrown on: it comes from whoever reads the lines. */
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

/** The policies that anybody can ask by their recorded names. Of others it is only known that something must have passed. */
const policies: Readonly<Record<string, Policy>> = { deterministicVeto, allRequired }
const somePassed: Policy = (ballots) => {
  const isPassed = ballots.some(({ verdict, required }) => required && verdict.status === 'passed')
  return { status: isPassed ? 'passed' : 'failed', because: [] }
}

/** Where the end of a run is not what its own verdicts say; undefined: nowhere. */
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
  const votes: readonly Ballot[] = ballots.filter(({ role }) => role !== 'guard')
  const policy = policies[state.settings.policy] ?? somePassed
  const isBorneOut =
    guards.every(({ verdict }) => verdict.status === 'passed') && policy(votes).status === 'passed'
  if (isBorneOut) return undefined
  const said = ballots.map(({ verdict }) => `${verdict.verifier} ${verdict.status}`).join(', ')
  return `it ends as verified, and its latest verdicts are: ${said === '' ? 'none' : said}`
}
