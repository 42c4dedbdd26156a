import type { Decision } from '@donecheck/core/internal/decide'
import { fold } from '@donecheck/core/internal/state'
import type { SteppedRun } from '@donecheck/engine/internal/loop/compose'
import { messageOf, RunHeldError, UsageError } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import type { FleetRequest, PerformanceEnd, PerformanceOrder, FleetClient } from '../coordinator/index.ts'
import { FolderError, type RunFolder, type RunFolders } from './folders/index.ts'
import { delegateTool } from './delegate.ts'
import type { Caps } from '@donecheck/core/internal/budgets'
import type { ParentRun } from '@donecheck/core/internal/events'
import type { Tool } from '@donecheck/engine/internal/ports/loop'

export type JournalledSteps = { readonly kind: 'stepped'; readonly sequence: number } | PerformanceEnd

export interface AskedSteps {
  readonly entry: number
  /** Latest journaled event; 0 for none. */
  readonly sequence: number
  readonly isFull: () => boolean
  readonly isLeaving: () => boolean
}

interface Opened {
  readonly run: SteppedRun
  readonly folder: RunFolder | null
}

/** After an observation, before the checks may end the run, and after a turn. */
const keptAfter: ReadonlySet<Decision['kind']> = new Set(['observe', 'continue'])
const forgottenAfterMs = 120_000

export class Performance {
  readonly #parts: PerformanceParts
  readonly #onEnd: () => void
  readonly #interrupt = new AbortController()
  #opened: Promise<Opened> | undefined
  #attempt = 0
  /** Kept while the journal may ask again. */
  #told: { readonly attempt: number; readonly entry: number; readonly steps: JournalledSteps } | undefined
  #inOrder: Promise<unknown> = Promise.resolve()
  #forgetting: NodeJS.Timeout | undefined

  constructor(parts: PerformanceParts, onEnd: () => void) {
    this.#parts = parts
    this.#onEnd = onEnd
    this.#forgetLater()
  }

  interrupt(by: string): void {
    this.#interrupt.abort(by)
  }

  /** A repeated request returns the same steps. The record wins over the journal. */
  steps(order: PerformanceOrder, asked: AskedSteps): Promise<JournalledSteps> {
    const steps = this.#inOrder.then(async () => {
      clearTimeout(this.#forgetting)
      try {
        const { attempt } = order
        const { entry } = asked
        if (this.#told?.attempt !== attempt || this.#told.entry !== entry)
          this.#told = { attempt, entry, steps: await this.#performAll(order, asked) }
        return this.#told.steps
      } finally {
        this.#forgetLater()
      }
    })
    this.#inOrder = steps.catch(() => undefined)
    return steps
  }

  async #performAll(order: PerformanceOrder, asked: AskedSteps): Promise<JournalledSteps> {
    let { sequence } = asked
    do {
      const step = asked.isLeaving() ? await this.#giveBack() : await this.#perform(order, sequence)
      // After a resume attempts restart at 1, so old replies must not match.
      if (step.kind === 'stopped' || step.kind === 'refused') this.#onEnd()
      if (step.kind !== 'stepped') return step
      sequence = step.sequence
    } while (!asked.isFull())
    return { kind: 'stepped', sequence }
  }

  async #giveBack(): Promise<JournalledSteps> {
    await this.#putAway()
    return { kind: 'gave-back' }
  }

  async #perform(order: PerformanceOrder, sequence: number): Promise<JournalledSteps> {
    try {
      if (order.interruptedBy !== undefined) this.interrupt(order.interruptedBy)
      // Another worker had it since, so folder and record are newer. A direct follow-up is the same open run.
      if (order.attempt > this.#attempt + 1) await this.#putAway()
      this.#attempt = order.attempt
      const { run, folder } = await (this.#opened ??= this.#open(order))
      if (sequence > 0 && run.sequence > sequence) return { kind: 'stepped', sequence: run.sequence }
      const end = await run.step()
      if (end.kind !== 'stepped' || keptAfter.has(end.decision)) await this.#keep(folder, end.sequence)
      if (end.kind === 'stepped') return { kind: 'stepped', sequence: end.sequence }
      if (end.kind === 'stopped') await this.#deliver(order, folder)
      await this.#putAway()
      if (end.kind === 'waiting') return { kind: 'waiting', for: end.for }
      const { reason, outcome, message } = end.transition
      return { kind: 'stopped', reason, outcome, message }
    } catch (error) {
      // Work in progress is read from the record on reopening.
      await this.#putAway()
      return this.#ended(error, order.request.runId)
    }
  }

  /** @throws errors that a retry may fix; Restate retries */
  #ended(error: unknown, runId: string): JournalledSteps {
    this.#parts.log(`run ${runId}: ${messageOf(error)}`)
    if (error instanceof RunHeldError || error instanceof FolderError)
      return { kind: 'broke', message: messageOf(error) }
    if (error instanceof UsageError) return { kind: 'refused', message: messageOf(error) }
    throw error
  }

  async #open({ request, replaces }: PerformanceOrder): Promise<Opened> {
    const { storeOf, opener, folders, client, version } = this.#parts
    const { runId } = request
    const store = await storeOf(request.tenant)
    const place = { runId, store, signal: this.#interrupt.signal, part: await partOf(request, store) }
    const isPlaced = request.repository !== undefined || request.folder !== undefined
    if (isPlaced && folders === null) throw new UsageError(`this worker has no folder for run ${runId}`)
    const folder = isPlaced
      ? await folders?.prepare(request, {
          ...place,
          rememberBase: (at) => opener.rememberBase(request, { ...place, ...at }),
        })
      : undefined
    const at = {
      folder: folder?.folder ?? null,
      snapshotFolder: folder?.snapshotFolder ?? null,
      notice: folder?.notice,
    }
    const delegating = { request, store, folder: folder ?? null, client, version }
    // A part cannot delegate: its budget would soon be too small.
    const tools = place.part === undefined ? [delegateTool(delegating)] : []
    return { run: await opener.open(request, { ...place, ...at, tools, replaces }), folder: folder ?? null }
  }

  async #keep(folder: RunFolder | null, sequence: number): Promise<void> {
    const problem = await folder?.keep(sequence)
    if (problem !== undefined) this.#parts.log(problem)
  }

  async #deliver({ request }: PerformanceOrder, folder: RunFolder | null): Promise<void> {
    if (folder === null) return
    const store = await this.#parts.storeOf(request.tenant)
    await folder.deliver(await store.read(request.runId))
    // Its work is delivered, so a failed removal does not matter.
    await folder.remove().catch((error: unknown) => {
      this.#parts.log(`the folder of run ${request.runId} could not be removed: ${messageOf(error)}`)
    })
  }

  async #putAway(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    this.#opened = undefined
    await opened?.run.close()
  }

  #forgetLater(): void {
    clearTimeout(this.#forgetting)
    this.#forgetting = setTimeout(() => {
      this.#onEnd()
      void this.#putAway()
    }, forgottenAfterMs)
    this.#forgetting.unref()
  }
}

/** @throws {UsageError} if its parent did not announce it, because it would use a foreign budget */
async function partOf({ runId, parent }: FleetRequest, store: Store): Promise<RunPart | undefined> {
  if (parent === undefined) return undefined
  const past = await store.read(parent.runId)
  const started = past.find((event) => event.type === 'sub-run-started' && event.childRunId === runId)
  if (started?.type !== 'sub-run-started')
    throw new UsageError(
      `run ${parent.runId} does not know run ${runId} as a part of it; submit it as one of its own`,
    )
  const { allocated: caps, subGoalId, callId } = started
  const subGoal = fold(past)?.goal.subGoals.find(({ id }) => id === subGoalId)
  return { parent: { runId: parent.runId, callId }, caps, checks: subGoal?.checks ?? [] }
}

export interface RunPlace {
  readonly runId: string
  /** Null if the run has no folder. */
  readonly folder: string | null
  /** For data outside the record. Null when `folder` is null. */
  readonly snapshotFolder: string | null
  readonly store: Store
  /** Aborts the run; the reason states who requested it. */
  readonly signal: AbortSignal
  readonly part: RunPart | undefined
}

export interface RunPart {
  readonly parent: ParentRun
  /** Allocated for it; it must start with these. */
  readonly caps: Caps
  readonly checks: readonly string[]
}

export interface OpeningPlace extends RunPlace {
  /** The earlier worker is lost, so its lease is not waited for. */
  readonly replaces: boolean
  /** Recorded and sent to the agent first, such as lost work. */
  readonly notice: string | undefined
  readonly tools: readonly Tool[]
}

export interface RunOpener {
  /** Starts the run if it has no events, else resumes it. Rejects with `UsageError` if it never can. */
  open(request: FleetRequest, place: OpeningPlace): Promise<SteppedRun>
  /** Takes the guard's baseline again in a rebuilt folder, before later work is applied. */
  rememberBase(request: FleetRequest, place: RunPlace): Promise<void>
}

export interface RunParts {
  readonly storeOf: (tenant: string) => Promise<Store>
  readonly opener: RunOpener
  /** Null if this worker's runs have no folders. */
  readonly folders: RunFolders | null
  readonly log: (message: string) => void
}

export interface PerformanceParts extends RunParts {
  readonly client: Pick<FleetClient, 'submit' | 'cancel' | 'run'>
  readonly version: string
}
