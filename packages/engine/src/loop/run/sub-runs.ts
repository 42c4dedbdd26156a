/** The only way to a sub-run, so that each is announced and counted (I1, I4, I9). */
import { capsLeft, allocate } from '@donecheck/core/internal/rules/caps'
import { statusesOf } from '@donecheck/core/internal/goal'
import {
  hasPassed,
  type RunState,
  noConsumption,
  fold,
  spend,
  spendSubRun,
} from '@donecheck/core/internal/state'
import {
  problemOfFact,
  type NewEvent,
  type EpochMs,
  type ToolCall,
  type FactOf,
} from '@donecheck/core/internal/events'
import { given, messageOf } from '../../base/index.ts'
import type {
  SubRunEnd,
  SubRunGrant,
  SubRunRequest,
  SubRunResult,
  SubRunShare,
  ToolContext,
  ConductedCall,
  ConductedState,
  EndedSubRun,
} from '../../ports/loop.ts'
import type { LiveRun } from './session/session.ts'
import type { World } from './session/world.ts'
import { settleWithin } from './perform/settle-within.ts'
import type { Consumption } from '@donecheck/core/internal/budgets'
import type { EventLog } from '../../ports/store.ts'
import { costOfUsage, guessUsage } from './calls/call-records.ts'

interface SubRunDoor {
  readonly context: ToolContext
  close(): Promise<void>
}

/** Access of one tool call; sub-runs may run concurrently, their facts are appended in sequence. */
export function subRunDoor(callId: string, session: LiveRun, world: World): SubRunDoor {
  const inOrder = queue()
  let isOpen = true
  return {
    context: {
      runId: session.runId,
      callId,
      budgetLeft: () => capsLeft(session.state),
      async subRun(request) {
        const begun = await inOrder(() => {
          if (!isOpen) throw new TypeError('the tool call is over: it cannot start a sub-run any more')
          return announce(request, callId, session, world)
        })
        if (begun.kind !== 'announced') return begun
        const end = await runToEnd(request, begun.grant, world)
        await inOrder(async () => {
          if (isOpen) await session.tell({ type: 'sub-run-ended', childRunId: begun.grant.runId, ...end })
        })
        return { kind: 'ended', runId: begun.grant.runId, end }
      },
    },
    close: () =>
      inOrder(async () => {
        isOpen = false
        const { open } = session.state.subRuns
        const left = lostSubRuns(open, 'the tool call that started it was over before it ended')
        if (left.length > 0) await session.tell(...left)
      }),
  }
}

/** Counts the full grant of lost sub-runs as spent. */
export function lostSubRuns(open: RunState['subRuns']['open'], message: string): readonly NewEvent[] {
  const end = { spent: null, outcome: null, message }
  return open.map(({ childRunId }) => ({ type: 'sub-run-ended', childRunId, ...end }))
}

type Announced =
  | { readonly kind: 'announced'; readonly grant: SubRunGrant }
  | Exclude<SubRunResult, { readonly kind: 'ended' }>

/** @param among number of sub-runs that share the remaining caps */
async function announce(
  { atMost, subGoalId }: SubRunShare,
  callId: string,
  session: LiveRun,
  world: World,
  among?: number,
): Promise<Announced> {
  if (subGoalId !== undefined && !openParts(session.state).includes(subGoalId)) {
    const open = openParts(session.state).join(', ')
    return { kind: 'no-such-part', message: `no part "${subGoalId}" is open; open parts: ${open || 'none'}` }
  }
  const allocated = allocate(session.state, atMost, subGoalId, among)
  if (allocated.kind === 'too-little') return allocated
  const { caps } = allocated
  const childRunId = world.ids.next()
  await session.tell({
    type: 'sub-run-started',
    childRunId,
    callId,
    allocated: caps,
    ...given({ subGoalId }),
    ...(among === undefined ? {} : { elsewhere: true as const }),
  })
  const parent = { runId: session.runId, callId }
  const { secrets } = session
  return { kind: 'announced', grant: { runId: childRunId, parent, caps, store: world.store, secrets } }
}

function openParts(state: RunState): readonly string[] {
  const statuses = statusesOf(state.goal, hasPassed(state))
  return state.goal.subGoals.flatMap(({ id }) => (statuses.get(id) === 'closed' ? [] : id))
}

/** Accepts reported usage only if it can be recorded. */
async function runToEnd(request: SubRunRequest, grant: SubRunGrant, world: World): Promise<SubRunEnd> {
  try {
    const { spent, outcome, message } = await request.work(grant)
    const end = { spent, outcome, message }
    const problem = problemOfFact({ type: 'sub-run-ended', childRunId: grant.runId, ...end })
    if (problem === undefined) return end
    return { spent: null, outcome: null, message: `it answered nonsense: ${problem}` }
  } catch (error) {
    const { spent, outcome } = await readSubRunOutcome(world.store, grant.runId)
    return { spent, outcome, message: messageOf(error) }
  }
}

function queue(): <Value>(next: () => Promise<Value> | Value) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (next) => {
    const turn = last.then(next)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** The open call whose sub-runs another process conducts. */
export function conductedCall({ phase, subRuns }: RunState): ToolCall | undefined {
  if (phase.kind !== 'acting' || !subRuns.open.some(({ isElsewhere }) => isElsewhere)) return undefined
  return phase.pending.find(({ announcedAs }) => announcedAs !== undefined)?.call
}

/** Atomic. @returns why none could be announced */
export async function announceAll(
  { shares }: ConductedCall,
  callId: string,
  session: LiveRun,
  world: World,
): Promise<string | undefined> {
  const facts: NewEvent[] = []
  const rehearsal = session.rehearsal((fact) => facts.push(fact))
  for (const [index, share] of shares.entries()) {
    const announced = await announce(share, callId, rehearsal, world, shares.length - index)
    if (announced.kind !== 'announced') return announced.message
  }
  await session.tell(...facts)
  return facts.length === 0 ? 'it names nothing to do' : undefined
}

interface Conducting {
  readonly prepared: ConductedCall
  readonly callId: string
  readonly session: LiveRun
  readonly world: World
  /** Null if they have no deadline. */
  readonly deadlineMs: EpochMs | null
}

const lookEveryMs = 500
/** After this many failed reads in a row the open sub-runs count as lost. */
const maxFailedLooks = 20
/** Time to end after the request; later usage is unknown. */
const graceMs = 30_000

export async function conduct(conducting: Conducting): Promise<readonly EndedSubRun[] | undefined> {
  const { callId, session, world, deadlineMs } = conducting
  const grants = grantsOf(callId, session, world)
  const isOver = () => deadlineMs !== null && world.clock.nowMs() >= deadlineMs
  for (let failed = 0; ;) {
    const looks = await lookAt(grants, conducting)
    if (looks.every(isAtEnd)) return endsOf(grants, looks, world)
    failed = looks.some(({ kind }) => kind === 'unknown') ? failed + 1 : 0
    if (session.state.interruptedBy !== undefined || isOver() || failed >= maxFailedLooks)
      return breakOff(grants, conducting)
    // The caller finds out whether it is an interrupt or a takeover.
    if (world.signal.aborted) return undefined
    const open = grants.find((_, index) => looks[index]?.kind === 'at-work')
    if (world.suspend !== undefined && failed === 0 && open !== undefined) {
      world.suspend({ kind: 'run', runId: open.runId, untilMs: deadlineMs })
      return undefined
    }
    await world.clock.sleep(lookEveryMs, world.signal)
  }
}

function grantsOf(callId: string, { runId, secrets }: LiveRun, world: World): readonly SubRunGrant[] {
  const parent = { runId, callId }
  return world.history().flatMap((event) => {
    if (event.type !== 'sub-run-started' || event.callId !== callId) return []
    return [{ runId: event.childRunId, parent, caps: event.allocated, store: world.store, secrets }]
  })
}

type Look = ConductedState | { readonly kind: 'unknown'; readonly message: string }

/** Reads over a network: a failed one says nothing about the sub-run. */
function lookAt(
  grants: readonly SubRunGrant[],
  { prepared, world: { signal } }: Conducting,
): Promise<readonly Look[]> {
  return Promise.all(
    grants.map(async (grant, index): Promise<Look> => {
      const settled = await settleWithin(() => prepared.conduct(grant, index), { signal, maxMs: graceMs })
      if (settled.kind === 'answered') return settled.value
      return { kind: 'unknown', message: settled.kind === 'threw' ? settled.message : 'there was no answer' }
    }),
  )
}

function isAtEnd({ kind }: Look): boolean {
  return kind === 'over'
}

async function breakOff(
  grants: readonly SubRunGrant[],
  conducting: Conducting,
): Promise<readonly EndedSubRun[]> {
  const { prepared, session, world } = conducting
  const { clock } = world
  const untilMs = clock.nowMs() + graceMs
  const never = new AbortController().signal
  const asked = new Set<string>()
  for (;;) {
    const looks = await lookAt(grants, conducting)
    if (looks.every(isAtEnd) || clock.nowMs() >= untilMs) return endsOf(grants, looks, world)
    for (const [index, { runId }] of grants.entries()) {
      if (looks[index]?.kind === 'over' || asked.has(runId)) continue
      const by = `run ${session.runId}`
      const answer = await settleWithin(() => prepared.interrupt(runId, by), {
        signal: never,
        maxMs: graceMs,
      })
      if (answer.kind === 'answered') asked.add(runId)
    }
    await clock.sleep(lookEveryMs, never)
  }
}

/** A finished sub-run without a record never started, so it spent nothing. */
function endsOf(
  grants: readonly SubRunGrant[],
  looks: readonly Look[],
  { store }: Pick<World, 'store'>,
): Promise<readonly EndedSubRun[]> {
  return Promise.all(
    grants.map(async ({ runId }, index) => {
      const { outcome, spent, message } = await readSubRunOutcome(store, runId)
      const look = looks[index]
      const reason = look === undefined || look.kind === 'at-work' ? message : look.message
      if (outcome !== null) return { runId, end: { outcome, spent, message } }
      const hasBegun = look?.kind !== 'over' || (await store.read(runId)).length > 0
      return { runId, end: { outcome, spent: hasBegun ? spent : noConsumption, message: reason } }
    }),
  )
}

type Runs = Pick<EventLog, 'read'>

export async function readSubRunOutcome(runs: Runs, childRunId: string): Promise<FactOf<'sub-run-ended'>> {
  const state = await readState(runs, childRunId)
  const spent = state === undefined ? null : await consumptionOfRun(state, runs, new Set([childRunId]))
  const transition = state?.phase.kind === 'stopped' ? state.phase.transition : undefined
  return {
    type: 'sub-run-ended',
    childRunId,
    spent,
    outcome: transition?.outcome ?? null,
    message: transition?.message ?? 'its process ended before it did',
  }
}

/** Includes sub-runs. Null if any part is unknown. */
async function consumptionOfRun(
  state: RunState,
  runs: Runs,
  seen: ReadonlySet<string> = new Set([state.runId]),
): Promise<Consumption | null> {
  if (Object.keys(state.subRuns.lost).length > 0) return null
  let spent = withCallInFlight(state)
  for (const { childRunId } of state.subRuns.open) {
    // A record that contains itself was not written by us.
    const child = seen.has(childRunId) ? undefined : await readState(runs, childRunId)
    const more =
      child === undefined ? null : await consumptionOfRun(child, runs, new Set([...seen, childRunId]))
    if (more === null) return null
    spent = spendSubRun({ ...state, consumption: spent }, more)
  }
  return spent
}

/** An announced call counts, whatever its end (I9). */
function withCallInFlight(state: RunState): Consumption {
  if (state.phase.kind !== 'calling') return state.consumption
  const usage = guessUsage('', state)
  return spend(state.consumption, usage, costOfUsage(usage, state))
}

/** Undefined if the record is missing or unreadable. */
async function readState(runs: Runs, runId: string): Promise<RunState | undefined> {
  try {
    return fold(await runs.read(runId))
  } catch {
    return undefined
  }
}
