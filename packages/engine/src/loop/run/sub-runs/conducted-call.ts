/** A call whose sub-runs somebody else conducts: announced together, waited for, and booked together with its answer (I4, I9). */
import type { EpochMs, NewEvent, ToolCall } from '@donecheck/core/events'
import { noConsumption, type RunState } from '@donecheck/core/state'
import type { ConductedCall, ConductedState, EndedSubRun, SubRunGrant } from '../../../ports/loop.ts'
import { settleWithin } from '../perform/settle-within.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'
import { readSubRunOutcome } from './sub-run-record.ts'
import { announce } from './sub-runs.ts'

/** The call in flight whose sub-runs go on whatever becomes of this process; undefined: there is none. */
export function conductedCall({ phase, subRuns }: RunState): ToolCall | undefined {
  if (phase.kind !== 'acting' || !subRuns.open.some(({ isElsewhere }) => isElsewhere)) return undefined
  return phase.pending.find(({ announcedAs }) => announcedAs !== undefined)?.call
}

/** All of them in one append, or none. @returns why none could be announced */
export async function announceAll(
  { shares }: ConductedCall,
  callId: string,
  session: Session,
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

export interface Conducting {
  readonly prepared: ConductedCall
  readonly callId: string
  readonly session: Session
  readonly world: World
  /** Then they are told to end; null: never. */
  readonly deadlineMs: EpochMs | null
}

/** Between two looks. */
const lookEveryMs = 500
/** Of whoever conducts, one after the other: then nothing is expected of them any more. */
const maxFailedLooks = 20
/** In which a sub-run that is told to end has to be over: what it spends after that is not known. */
const graceMs = 30_000

/** Undefined: they are at work, or this run is being interrupted, and nothing was recorded. */
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
    // Whether it is an interrupt, or another process that has taken the run over, is seen by who tells it.
    if (world.signal.aborted) return undefined
    const open = grants.find((_, index) => looks[index]?.kind === 'at-work')
    if (world.suspend !== undefined && failed === 0 && open !== undefined) {
      world.suspend({ kind: 'run', runId: open.runId, untilMs: deadlineMs })
      return undefined
    }
    await world.clock.sleep(lookEveryMs, world.signal)
  }
}

/** As they were announced; in the order of the shares. */
function grantsOf(callId: string, { runId, secrets }: Session, world: World): readonly SubRunGrant[] {
  const parent = { runId, callId }
  return world.history().flatMap((event) => {
    if (event.type !== 'sub-run-started' || event.callId !== callId) return []
    return [{ runId: event.childRunId, parent, caps: event.carved, store: world.store, secrets }]
  })
}

type Look = ConductedState | { readonly kind: 'unknown'; readonly message: string }

/** They come over a network: a failed one says nothing of the sub-run. */
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

/** What their records say. One that is over without a record has never begun. */
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
