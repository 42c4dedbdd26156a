/** One run from outside: a promise of its result, and its events as they happen. */
import { changeGoal, firstGoal, problemOfChange, type SubGoal } from '@donecheck/core/goal'
import { UsageError, donecheckVersion } from '../../../base/index.ts'
import { evolve, fold, totalTokens, type RunState } from '@donecheck/core/state'
import { problemOfFact, type ParentRun, type RunEvent } from '@donecheck/core/events'
import type { Consumption } from '@donecheck/core/budgets'
import type { RunSettings } from '@donecheck/core/settings'
import type { StopTransition } from '@donecheck/core/transitions'
import type { Verdict } from '@donecheck/core/verdicts'
import { evidenceOfEnd, type EvidenceLine } from '@donecheck/core/decide'
import { heldOutGapOf, type HeldOutGap } from '@donecheck/core/policies'
import {
  assertResumable,
  finalizeVerifier,
  fireRunStarted,
  recallAtStart,
  keepLease,
  runLoop,
  Session,
  wake,
  type KeptLease,
  type TopUpRequest,
  type World,
} from '../../run/index.ts'
import { replyResult, type ReplyResult } from '../../report/index.ts'
import { isAsked, testHooks } from '../options/callbacks.ts'
import type { LoopParts } from './loop-parts.ts'
import type { SealedParts } from '../seal/seal.ts'
import { sealChecksFor, withSealed } from '../seal/sealed-run.ts'
import { isAlive, thisHolder } from '../../../system/process/index.ts'

/** Sub-runs included. The token counts leave calls out whose usage nobody knows. */
export interface RunUsage extends Consumption {
  readonly totalTokens: number
}

export interface RunResult {
  readonly runId: string
  /** What became of the run as a whole, such as for `finalLine`. */
  readonly state: RunState
  readonly transition: StopTransition
  /** Latest text of the drive. */
  readonly finalText: string
  /** What became of the reply; null where replies are not verified. */
  readonly reply: ReplyResult | null
  /** The latest verdict of every verifier. */
  readonly verdicts: readonly Verdict[]
  /** How many of the shown and of the held-out checks passed. Null: nothing was held out. */
  readonly heldOut: HeldOutGap | null
  /** What an end rests on that no check has decided. Null: a check has. */
  readonly evidence: EvidenceLine | null
  readonly usage: RunUsage
}

export type Beginning =
  | {
      readonly kind: 'new'
      readonly task: string
      readonly subGoals?: readonly SubGoal[]
      readonly rules?: string
      /** Where somebody has chosen its id: the run that it is a part of, or whoever must know it beforehand. */
      readonly as?: { readonly runId: string; readonly parent?: ParentRun }
    }
  | { readonly kind: 'resume'; readonly runId: string; readonly topUp?: TopUpRequest }

/** An event of a run, and the state after it. */
export interface Moment {
  readonly event: RunEvent
  readonly state: RunState
}

/** Await it for its result, iterate over it for its events, or both; the run goes on either way. */
export class AgentRun implements PromiseLike<RunResult>, AsyncIterable<RunEvent> {
  readonly #events: RunEvent[] = []
  /** After the first event. The later ones are folded for whoever asks: a long run keeps no state for each of its events. */
  #first: RunState | undefined
  readonly #result: Promise<RunResult>
  #wakeReaders = Promise.withResolvers<undefined>()
  #isOver = false

  constructor(parts: LoopParts, beginning: Beginning) {
    this.#result = conduct(parts, beginning, (event, state) => {
      this.#events.push(event)
      this.#first ??= state
      this.#wake()
    }).finally(() => {
      this.#isOver = true
      this.#wake()
    })
    // Whoever only iterates learns of a failure at the end of the iteration, not as an unhandled rejection.
    this.#result.catch(() => undefined)
  }

  then<Value = RunResult, Failure = never>(
    onFulfilled?: ((result: RunResult) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#result.then(onFulfilled, onRejected)
  }

  /** Every event from the first of this run (of this resume) to the last. @throws what ended the run abnormally */
  async *[Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    for await (const { event } of this.moments()) yield event
  }

  /** The same, each with the state after it: what `eventLines` reads. @throws what ended the run abnormally */
  async *moments(): AsyncGenerator<Moment, undefined> {
    let state: RunState | undefined
    for (let index = 0; ; index += 1) {
      while (index >= this.#events.length && !this.#isOver) await this.#wakeReaders.promise
      const event = this.#events[index]
      if (event === undefined || this.#first === undefined) break
      state = state === undefined ? this.#first : evolve(state, event)
      yield { event, state }
    }
    await this.#result
  }

  #wake(): void {
    this.#wakeReaders.resolve(undefined)
    this.#wakeReaders = Promise.withResolvers<undefined>()
  }
}

async function conduct(
  given: LoopParts,
  beginning: Beginning,
  onEvent: (event: RunEvent, state: RunState) => void,
): Promise<RunResult> {
  const past = beginning.kind === 'resume' ? await readPast(given, beginning) : []
  const runId = runIdOf(given, beginning)
  const leases = await hold(given, runId)
  try {
    if (beginning.kind === 'new') await assertNew(given, runId)
    const lost = leases.map((kept) => kept.lost)
    const history = [...past]
    const signal = AbortSignal.any([given.signal, ...lost])
    const task = beginning.kind === 'new' ? beginning.task : null
    const sealed = await sealChecksFor(given, { runId, task, past }, signal)
    const parts = withSealed(given, sealed)
    const bare: World = { ...parts.doors, signal, history: () => history }
    const lease = leases[0]?.lease ?? null
    const { clock, ids, judgement, secrets, store } = parts
    const recordEvent = (event: RunEvent, state: RunState) => {
      history.push(event)
      onEvent(event, state)
    }
    const session = new Session(
      runId,
      { log: store, clock, ids, judgement, problemOf: problemOfFact, secrets, lease, onEvent: recordEvent },
      past,
    )
    const world = withFinalizer(bare, session, parts.settings.verifiers)
    const { drive, prompts } = parts.doors
    const findings = await testHooks(parts.hooks, {
      ...world,
      verifiers: parts.settings.verifiers,
      drive: drive.description,
    })
    if (beginning.kind === 'resume') {
      const { topUp } = beginning
      const waking = { holder: holderName(), drive: drive.description, runs: store }
      await wake(session, topUp === undefined ? waking : { ...waking, topUp }, prompts)
    } else {
      await start(session, parts, beginning, sealed)
      await fireRunStarted(session, world)
      await recallAtStart(session, world)
    }
    for (const finding of findings) await session.tell({ type: 'finding-noted', finding })
    await runLoop(session, world)
    const result = resultOf(session.state)
    // It is recorded with its end, and cannot be taken for a result of work.
    if (result.transition.misuse === true) throw new UsageError(result.transition.message)
    return result
  } finally {
    const { drive } = given.doors
    await drive.own?.cancel()
    await drive.close?.().catch(() => undefined)
    // A lease that cannot be given back expires by itself; it must not hide how the run ended.
    await Promise.allSettled(leases.map((kept) => kept.release()))
  }
}

/** Hooks before the end are asked as a check of this very run. */
function withFinalizer(world: World, session: Session, verifiers: RunSettings['verifiers']): World {
  if (!isAsked(verifiers)) return world
  return { ...world, verifiers: [...world.verifiers, finalizeVerifier(session, world)] }
}

function runIdOf(parts: LoopParts, beginning: Beginning): string {
  if (beginning.kind === 'resume') return beginning.runId
  return beginning.as?.runId ?? parts.ids.next()
}

/** @throws {UsageError} where somebody has chosen an id that is taken */
async function assertNew({ store }: LoopParts, runId: string): Promise<void> {
  if ((await store.read(runId)).length > 0)
    throw new UsageError(`there is a run ${runId} already; choose another id`)
}

function holderName(): string {
  const { host, processId } = thisHolder('')
  return `process ${processId} on ${host}`
}

/** @throws {UsageError} for parts that no goal can have: a check or a part that there is not, twice the same id, a circle */
function assertSubGoals(subGoals: readonly SubGoal[], { verifiers }: RunSettings): void {
  const names = verifiers.map(({ name }) => name)
  let goal = firstGoal('', [])
  for (const subGoal of subGoals) {
    const change = { kind: 'sub-goal-added', subGoal, checks: [] } as const
    const problem = problemOfChange(goal, { goalId: null, by: '', change }, names)
    if (problem !== undefined) throw new UsageError(`sub-goal "${subGoal.id}": ${problem}`)
    goal = changeGoal(goal, change, 0)
  }
}

async function start(
  session: Session,
  parts: LoopParts,
  { task, subGoals = [], rules = '', as }: Extract<Beginning, { kind: 'new' }>,
  sealed: SealedParts | null,
): Promise<void> {
  const { workFolder, settings, recipe, labels, doors, sandbox } = parts
  assertSubGoals(subGoals, settings)
  const drive = doors.drive.description
  await session.tell(
    {
      type: 'run-started',
      donecheckVersion,
      workFolder,
      drive,
      settings,
      recipe,
      ...(sandbox === null ? {} : { sandbox }),
      ...(as?.parent === undefined ? {} : { parent: as.parent }),
      ...(labels.length === 0 ? {} : { labels }),
    },
    {
      type: 'goal-set',
      task,
      ...(subGoals.length === 0 ? {} : { subGoals }),
      ...(rules === '' ? {} : { rules }),
    },
    ...(sealed === null ? [] : [sealed.fact]),
  )
}

async function readPast(
  parts: LoopParts,
  { runId, topUp }: Extract<Beginning, { kind: 'resume' }>,
): Promise<readonly RunEvent[]> {
  const past = await parts.store.read(runId)
  const state = fold(past)
  if (state === undefined) throw new UsageError(`there is no run ${runId} in ${parts.store.place}`)
  const waiting = await parts.store.goalRequests(runId, state.goal.answeredRequest)
  const hasMessage = waiting.some(({ request }) => request.change.kind === 'message-given')
  assertResumable(state, { topUp: topUp?.added, hasMessage })
  if (state.workFolder !== parts.workFolder)
    throw new UsageError(
      `run ${runId} works in ${state.workFolder ?? 'no folder'}, not in ${parts.workFolder ?? 'no folder'}`,
    )
  return past
}

/** The run's own lease first; then the folder's, so that two runs do not work in one tree. */
async function hold(parts: LoopParts, runId: string): Promise<readonly KeptLease[]> {
  const { store: leases, clock, workFolder, allowConcurrent } = parts
  const holder = thisHolder(`run ${runId}`)
  const names = [`run ${runId}`, ...(workFolder === null || allowConcurrent ? [] : [`folder ${workFolder}`])]
  const kept: KeptLease[] = []
  try {
    for (const name of names)
      kept.push(
        await keepLease({ name, holder, leases, clock, isDead: (other) => isAlive(other) === 'dead' }),
      )
    return kept
  } catch (error) {
    await Promise.allSettled(kept.map((lease) => lease.release()))
    throw error
  }
}

/** What a stopped state says to its caller. @throws {TypeError} for a state that has not stopped */
export function resultOf(state: RunState): RunResult {
  if (state.phase.kind !== 'stopped') throw new TypeError(`run ${state.runId} has not stopped`)
  const { consumption } = state
  return {
    runId: state.runId,
    state,
    transition: state.phase.transition,
    finalText: state.lastText,
    reply: replyResult(state),
    verdicts: Object.values(state.checks).flatMap(({ latest }) => latest ?? []),
    heldOut: heldOutGapOf(state),
    evidence: evidenceOfEnd(state) ?? null,
    usage: { ...consumption, totalTokens: totalTokens(consumption) },
  }
}
