import { changeGoal, firstGoal, problemOfChange, type SubGoal } from '@donecheck/core/internal/goal'
import { goalView, type Judgement } from '@donecheck/core/internal/decide'
import type { Prompts } from '@donecheck/core/internal/decide/prompts'
import {
  given,
  RunHeldError,
  UsageError,
  donecheckVersion,
  assertKnownKeys,
  type OptionKeys,
} from '../../../base/index.ts'
import { fold, type RunState } from '@donecheck/core/internal/state'
import {
  problemOfFact,
  type NewEvent,
  type ParentRun,
  type RunEvent,
  type JsonValue,
  type SandboxDescription,
} from '@donecheck/core/internal/events'
import type { Caps } from '@donecheck/core/internal/budgets'
import type { RunSettings } from '@donecheck/core/internal/events/settings'
import {
  assertResumable,
  finalizeVerifier,
  fireRunStarted,
  isBrokenOff,
  recallAtStart,
  keepLease,
  LiveRun,
  wake,
  type KeptLease,
  type TopUpRequest,
  type World,
} from '../../run/index.ts'
import type { LeaseHolder } from '../../../ports/store.ts'
import { assertCostIsKnown, assertTopUp, type TopUp } from '../options/hard-cap.ts'
import { isAsked, unusedHookFindings } from '../options/callbacks.ts'
import { isAlive, thisHolder } from '../../../system/process/index.ts'
import type { SecretValues } from '@donecheck/core/internal/secrets'
import type { HookPipeline } from '../../../policy/callbacks/index.ts'

export type Beginning =
  | {
      readonly kind: 'new'
      readonly task: string
      readonly subGoals?: readonly SubGoal[]
      readonly rules?: string
      /** For an id chosen by the caller or the parent run. */
      readonly as?: {
        readonly runId: string
        readonly parent?: ParentRun
        /** Replace the caps of the loop. */
        readonly caps?: Caps
      }
    }
  | {
      readonly kind: 'resume'
      readonly runId: string
      readonly topUp?: TopUpRequest
      /** Sent to the agent before it continues, such as that its folder has changed. */
      readonly notice?: string
      /** Recorded, so that a repeated request is recognized. */
      readonly requestId?: string
    }
  /** Records nothing if nothing was in flight and there is no notice. A stopped run stays stopped. */
  | { readonly kind: 'continue'; readonly runId: string; readonly notice?: string }

export interface Opening {
  readonly onEvent?: (event: RunEvent, state: RunState) => void
  /** Whether the holder of the lock is gone, so that it is replaced at once. Default: its process is dead. */
  readonly isGone?: (holder: LeaseHolder) => boolean
}

interface OpenedRun {
  readonly session: LiveRun
  readonly world: World
  readonly close: () => Promise<void>
}

/** @throws {UsageError} if the run cannot start or resume @throws {RunHeldError} if another process has it */
export async function openRun(parts: LoopParts, beginning: Beginning, opening: Opening): Promise<OpenedRun> {
  const past = beginning.kind === 'new' ? [] : await readPast(parts, beginning)
  const runId = beginning.kind === 'new' ? (beginning.as?.runId ?? parts.doors.ids.next()) : beginning.runId
  const leases = await hold(parts, runId, opening)
  const close = async () => {
    const { agent } = parts.doors
    await agent.own?.cancel()
    await agent.close?.().catch(() => undefined)
    // An unreleased lease expires; it must not hide how the run ended.
    await Promise.allSettled(leases.map((kept) => kept.release()))
  }
  try {
    return { ...(await prepareRun(parts, beginning, { runId, past, leases, ...opening })), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Held extends Opening {
  readonly runId: string
  readonly past: readonly RunEvent[]
  readonly leases: readonly KeptLease[]
}

async function prepareRun(
  parts: LoopParts,
  beginning: Beginning,
  { runId, past, leases, onEvent, isGone }: Held,
): Promise<Omit<OpenedRun, 'close'>> {
  if (beginning.kind === 'new') await assertNew(parts, runId, isGone !== undefined)
  const history = [...past]
  const signal = AbortSignal.any([parts.signal, ...leases.map((kept) => kept.lost)])
  const bare: World = { ...parts.doors, signal, history: () => history }
  const lease = leases[0]?.lease ?? null
  const { judgement, secrets } = parts
  const { clock, ids, store } = bare
  const recordEvent = (event: RunEvent, state: RunState) => {
    history.push(event)
    onEvent?.(event, state)
  }
  const session = new LiveRun(
    runId,
    { log: store, clock, ids, judgement, problemOf: problemOfFact, secrets, lease, onEvent: recordEvent },
    past,
  )
  const { verifiers } = parts.settings
  const world = withFinalizer(bare, session, verifiers)
  const findings = unusedHookFindings(parts.hooks, { ...world, verifiers, agent: world.agent.description })
  await beginOrWake(session, world, parts, beginning)
  for (const finding of findings) await session.tell({ type: 'finding-noted', finding })
  return { session, world }
}

async function beginOrWake(
  session: LiveRun,
  world: World,
  parts: LoopParts,
  beginning: Beginning,
): Promise<void> {
  if (beginning.kind === 'new') {
    await start(session, parts, beginning)
    await fireRunStarted(session, world)
    await recallAtStart(session, world)
    return
  }
  const { agent, prompts, store } = parts.doors
  const { notice } = beginning
  if (beginning.kind === 'continue') {
    if (session.state.phase.kind === 'stopped') return
    if (notice === undefined && !isBrokenOff(session.state, agent.description)) return
  }
  const asked = beginning.kind === 'resume' ? beginning : {}
  await wake(session, { ...asked, holder: holderName(), agent: agent.description, runs: store }, prompts)
  if (notice !== undefined) await session.tell(...noticeFacts(session.state, notice, prompts))
}

function noticeFacts(state: RunState, notice: string, prompts: Prompts): readonly NewEvent[] {
  const { goal } = state
  const news = goal.news === 'untold' ? `${prompts.goalChanged(goalView(state))}\n\n` : ''
  return [
    {
      type: 'finding-noted',
      finding: { rule: 'work-folder', level: 'warn', message: notice, numbers: {}, basedOn: [] },
    },
    { type: 'agent-steered', goalId: goal.id, text: `${news}${notice}` },
  ]
}

function withFinalizer(world: World, session: LiveRun, verifiers: RunSettings['verifiers']): World {
  if (!isAsked(verifiers)) return world
  return { ...world, verifiers: [...world.verifiers, finalizeVerifier(session, world)] }
}

/**
 * @param isTakenOver another process may have started it @throws {UsageError} if the id is taken
 * @throws {RunHeldError} if the former holder has started it
 */
async function assertNew({ doors }: LoopParts, runId: string, isTakenOver: boolean): Promise<void> {
  if ((await doors.store.read(runId)).length === 0) return
  if (isTakenOver) throw new RunHeldError(`run ${runId} was begun by another process; open it once more`)
  throw new UsageError(`there is a run ${runId} already; choose another id`)
}

function holderName(): string {
  const { host, processId } = thisHolder('')
  return `process ${processId} on ${host}`
}

/** @throws {UsageError} for an unknown check or sub-goal, a duplicate id, or a cycle */
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
  session: LiveRun,
  parts: LoopParts,
  { task, subGoals = [], rules = '', as }: Extract<Beginning, { kind: 'new' }>,
): Promise<void> {
  const { workFolder, settings, recipe, tags, doors, sandbox } = parts
  assertSubGoals(subGoals, settings)
  const agent = doors.agent.description
  const { caps = settings.caps, parent } = as ?? {}
  assertCostIsKnown(caps, agent)
  await session.tell(
    {
      type: 'run-started',
      donecheckVersion,
      workFolder,
      agent,
      settings: { ...settings, caps },
      recipe,
      ...given({ sandbox: sandbox ?? undefined, parent }),
      ...(tags.length === 0 ? {} : { tags }),
    },
    {
      type: 'goal-set',
      task,
      ...(subGoals.length === 0 ? {} : { subGoals }),
      ...(rules === '' ? {} : { rules }),
    },
  )
}

async function readPast(
  parts: LoopParts,
  beginning: Exclude<Beginning, { kind: 'new' }>,
): Promise<readonly RunEvent[]> {
  const { runId } = beginning
  const { store } = parts.doors
  const past = await store.read(runId)
  const state = fold(past)
  if (state === undefined) throw new UsageError(`there is no run ${runId} in ${store.place}`)
  if (beginning.kind === 'resume') {
    const waiting = await store.goalRequests(runId, state.goal.answeredRequest)
    const hasMessage = waiting.some(({ request }) => request.change.kind === 'message-given')
    assertResumable(state, { topUp: beginning.topUp?.added, hasMessage })
  }
  if (state.workFolder !== parts.workFolder)
    throw new UsageError(
      `run ${runId} works in ${state.workFolder ?? 'no folder'}, not in ${parts.workFolder ?? 'no folder'}`,
    )
  return past
}

/** The run first, then its folder. */
async function hold(parts: LoopParts, runId: string, { isGone }: Opening): Promise<readonly KeptLease[]> {
  const { doors, workFolder, allowConcurrent } = parts
  const holder = thisHolder(`run ${runId}`)
  const names = [`run ${runId}`, ...(workFolder === null || allowConcurrent ? [] : [`folder ${workFolder}`])]
  const isDead = isGone ?? ((other: LeaseHolder) => isAlive(other) === 'dead')
  const kept: KeptLease[] = []
  try {
    for (const name of names) kept.push(await keepLease({ name, holder, leases: doors.store, isDead }))
    return kept
  } catch (error) {
    await Promise.allSettled(kept.map((lease) => lease.release()))
    throw error
  }
}

export interface LoopParts {
  readonly secrets: SecretValues
  readonly judgement: Judgement
  readonly settings: RunSettings
  readonly workFolder: string | null
  readonly recipe: JsonValue
  readonly tags: readonly string[]
  readonly allowConcurrent: boolean
  readonly signal: AbortSignal
  readonly sandbox: SandboxDescription | null
  readonly hooks: HookPipeline
  readonly doors: Omit<World, 'signal' | 'history'>
}

export interface ResumeOptions {
  /** Adds to the caps of the run. A run that ended at a cap continues if this lifts it. */
  readonly topUp?: TopUp
  /** Who added it, for the record. Default: `the program that resumed it`. */
  readonly by?: string
}

const resumeKeys: OptionKeys<ResumeOptions> = { topUp: true, by: true }

/** @throws {UsageError} for an amount that is not a positive number */
export function resumption(runId: string, more: ResumeOptions): Beginning {
  assertKnownKeys(more, resumeKeys, 'resume')
  const { topUp, by } = more
  if (topUp === undefined) return { kind: 'resume', runId }
  assertTopUp(topUp)
  return { kind: 'resume', runId, topUp: { by: by ?? 'the program that resumed it', added: topUp } }
}

export interface RunOptions {
  /** Sub-goals. Their checks must be among `hardVerifiers`. */
  readonly subGoals?: readonly SubGoal[]
  /** Constraints and boundaries after the task, kept when the goal is reworded. Default: none. */
  readonly rules?: string
  /** Refused if such a run exists. Default: a new id. */
  readonly runId?: string
}

const keys: OptionKeys<RunOptions> = { subGoals: true, rules: true, runId: true }

export function beginning(task: string, more: RunOptions): Beginning {
  assertKnownKeys(more, keys, 'run')
  const { subGoals = [], rules = '', runId } = more
  return { kind: 'new', task, subGoals, rules, ...(runId === undefined ? {} : { as: { runId } }) }
}
