/** One run while this worker has it: opened once, stepped as the journal asks, put away when it waits, ends or is forgotten. */
import type { SteppedRun } from '@donecheck/engine/compose'
import { messageOf, RunHeldError, UsageError } from '@donecheck/engine/base'
import type { PerformanceEnd, PerformanceOrder } from '../coordinator/index.ts'
import { FolderError, type RunFolder } from './folders/index.ts'
import type { RunParts } from './ports.ts'

/** What a journal entry says of a step. */
export type JournalledStep = { readonly kind: 'stepped'; readonly sequence: number } | PerformanceEnd

interface Opened {
  readonly run: SteppedRun
  readonly folder: RunFolder | null
}

/** After so long without a step nobody goes on with it here. */
const forgottenAfterMs = 120_000

export class Performance {
  readonly #parts: RunParts
  readonly #onEnd: () => void
  readonly #interrupt = new AbortController()
  #opened: Promise<Opened> | undefined
  #latest: { readonly entry: number; readonly step: JournalledStep } | undefined
  #inOrder: Promise<unknown> = Promise.resolve()
  #forgetting: NodeJS.Timeout | undefined

  /** @param onEnd called when it is put away */
  constructor(parts: RunParts, onEnd: () => void) {
    this.#parts = parts
    this.#onEnd = onEnd
    this.#forgetLater()
  }

  interrupt(by: string): void {
    this.#interrupt.abort(by)
  }

  /**
   * Performs the next decision. Asked once more for a journal entry, because the journal has lost it, it tells what it did; and a
   * record that is further than the journal is believed.
   * @param entry of the journal, from 0
   * @param sequence of the latest event that the journal knows; 0: none
   */
  step(order: PerformanceOrder, entry: number, sequence: number): Promise<JournalledStep> {
    clearTimeout(this.#forgetting)
    const step = this.#inOrder.then(async () => {
      if (this.#latest?.entry === entry) return this.#latest.step
      const done = await this.#perform(order, sequence)
      this.#latest = { entry, step: done }
      if (done.kind === 'stepped') this.#forgetLater()
      else this.#onEnd()
      return done
    })
    this.#inOrder = step.catch(() => undefined)
    return step
  }

  /** The worker is going: it takes no further step. */
  giveBack(): Promise<JournalledStep> {
    return this.#inOrder.then(async () => {
      await this.#putAway()
      this.#onEnd()
      return { kind: 'gave-back' }
    })
  }

  async #perform(order: PerformanceOrder, sequence: number): Promise<JournalledStep> {
    try {
      if (order.interruptedBy !== undefined) this.interrupt(order.interruptedBy)
      const { run, folder } = await (this.#opened ??= this.#open(order))
      if (sequence > 0 && run.sequence > sequence) return { kind: 'stepped', sequence: run.sequence }
      const end = await run.step()
      const isTurnOver = end.kind !== 'stepped' || end.decision === 'continue'
      if (isTurnOver) await this.#keep(folder, end.sequence)
      if (end.kind === 'stepped') return { kind: 'stepped', sequence: end.sequence }
      if (end.kind === 'stopped') await this.#deliver(order, folder)
      await this.#putAway()
      if (end.kind === 'waiting') return { kind: 'waiting', for: end.for }
      const { reason, outcome, message } = end.transition
      return { kind: 'stopped', reason, outcome, message }
    } catch (error) {
      // What was in flight is read from the record when it is opened again.
      await this.#putAway()
      return this.#ended(error)
    }
  }

  /** @throws what another try may mend: Restate tries again */
  #ended(error: unknown): JournalledStep {
    if (error instanceof RunHeldError || error instanceof FolderError)
      return { kind: 'broke', message: messageOf(error) }
    if (error instanceof UsageError) return { kind: 'refused', message: messageOf(error) }
    this.#parts.log(messageOf(error))
    this.#forgetLater()
    throw error
  }

  async #open({ request, replaces }: PerformanceOrder): Promise<Opened> {
    const { storeOf, opener, folders } = this.#parts
    const { runId } = request
    const store = await storeOf(request.tenant)
    const place = { runId, store, signal: this.#interrupt.signal }
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
    return { run: await opener.open(request, { ...place, ...at, replaces }), folder: folder ?? null }
  }

  async #keep(folder: RunFolder | null, sequence: number): Promise<void> {
    const problem = await folder?.keep(sequence)
    if (problem !== undefined) this.#parts.log(problem)
  }

  async #deliver({ request }: PerformanceOrder, folder: RunFolder | null): Promise<void> {
    if (folder === null) return
    const store = await this.#parts.storeOf(request.tenant)
    await folder.deliver(await store.read(request.runId))
    await folder.remove()
  }

  async #putAway(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    this.#opened = undefined
    await opened?.run.close()
  }

  #forgetLater(): void {
    this.#forgetting = setTimeout(() => {
      void this.#putAway().then(this.#onEnd)
    }, forgottenAfterMs)
    this.#forgetting.unref()
  }
}
