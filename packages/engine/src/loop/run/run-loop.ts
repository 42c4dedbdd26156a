import { takeInRequests } from './waits.ts'
import { isAtBoundary, type Decision } from '@donecheck/core/internal/decide'
import type { CommandCheck } from '@donecheck/core/internal/goal'
import { recallFailure } from './memory.ts'
import { fireErrors } from './hooks.ts'
import { continueCall } from './perform/run-tools.ts'
import { isAborted } from './perform/settle-within.ts'
import { perform } from './perform/perform.ts'
import { conductedCall } from './sub-runs.ts'
import type { LiveRun } from './session/session.ts'
import type { Waiting, World } from './session/world.ts'

export async function runLoop(session: LiveRun, given: World): Promise<void> {
  const steps = new LoopSteps(session, given)
  while (session.state.phase.kind !== 'stopped') await steps.next()
}

export class LoopSteps {
  readonly #session: LiveRun
  readonly #given: World
  #world: World
  #knownChecks: readonly CommandCheck[] = []
  readonly #met = new Set<string>()
  #suspension: ReturnType<typeof suspensionOf>

  constructor(session: LiveRun, given: World) {
    this.#session = session
    this.#given = given
    this.#world = given
    this.#suspension = suspensionOf(given)
  }

  /** @throws {TypeError} for a decision that leads to no event (I4) */
  async next(): Promise<Decision['kind']> {
    return this.#next({})
  }

  async nextOrWait(): Promise<{ readonly decision: Decision['kind']; readonly waiting?: Waiting }> {
    const { suspended, signal } = this.#suspension
    let waiting: Waiting | undefined
    const suspend = (what: Waiting) => {
      waiting ??= what
      suspended.abort('suspended')
    }
    const decision = await this.#next({ signal, suspend })
    if (suspended.signal.aborted) this.#suspension = suspensionOf(this.#given)
    return waiting === undefined || this.#given.signal.aborted ? { decision } : { decision, waiting }
  }

  async #next(within: Partial<Pick<World, 'signal' | 'suspend'>>): Promise<Decision['kind']> {
    const session = this.#session
    const { signal } = this.#given
    if (signal.aborted && session.state.interruptedBy === undefined)
      await session.tell({ type: 'interrupt-requested', by: interrupter(signal) })
    if (isAtBoundary(session.state)) await takeInRequests(session, this.#world)
    await recallFailure(session, this.#world, this.#met)
    this.#takeInChecks()
    const world = { ...this.#world, ...within }
    const { sequence } = session.state
    const before = world.history().length
    const kind = await performNext(session, world)
    if (world.hooks.has('on_error')) await fireErrors(world.history().slice(before), session, world)
    if (session.state.sequence === sequence && !isAborted(world.signal))
      throw new TypeError(`the decision ${kind} led to no event (I4)`)
    return kind
  }

  #takeInChecks(): void {
    const { addedChecks } = this.#session.state.goal
    if (addedChecks !== this.#knownChecks) this.#world = withMoreChecks(this.#given, addedChecks)
    this.#knownChecks = addedChecks
  }
}

async function performNext(session: LiveRun, world: World): Promise<Decision['kind']> {
  const call = conductedCall(session.state)
  if (call !== undefined) {
    await continueCall(call, session, world)
    return 'run-tools'
  }
  const decision = session.decide()
  await perform(decision, session, world)
  return decision.kind
}

function suspensionOf({ signal }: World) {
  const suspended = new AbortController()
  return { suspended, signal: AbortSignal.any([signal, suspended.signal]) }
}

function withMoreChecks(given: World, checks: readonly CommandCheck[]): World {
  if (checks.length === 0 || given.moreChecks === null) return given
  const more = given.moreChecks.make(checks)
  return { ...given, ...more, verifiers: [...given.verifiers, ...more.verifiers] }
}

function interrupter(signal: AbortSignal): string {
  const reason: unknown = signal.reason
  if (typeof reason === 'string') return reason
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'cancel'
}
