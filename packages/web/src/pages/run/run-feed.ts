/** One run as it comes in: its end first, then its events page by page, then what happens from now on. */
import { signal, type Signal } from '@preact/signals'
import type { Explanation, RunItem, Source } from '../../data/index.ts'
import { RunView } from '../../fold/index.ts'
import { messageOf } from '../../parts/index.ts'

/** Of one task of the browser: what moves on the screen must not wait. */
const sliceMs = 7
/** In events. */
const longRun = 5_000
/** Between two looks at what has been folded meanwhile. */
const showEveryMs = 120

export class RunFeed {
  readonly run = signal<RunItem | undefined>(undefined)
  readonly explanation = signal<Explanation | undefined>(undefined)
  readonly failure = signal('')
  /** All that was recorded by now is here. */
  readonly isWhole = signal(false)
  /** Another object whenever there is more to see in the view. */
  readonly shown: Signal<{ readonly view: RunView }>

  readonly #view = new RunView()
  readonly #source: Source
  readonly #runId: string
  #isClosed = false
  #isFolding = false
  #shownMs = 0
  #unfollow: () => void = () => undefined

  constructor(source: Source, runId: string) {
    this.shown = signal({ view: this.#view })
    this.#source = source
    this.#runId = runId
    void this.#open()
  }

  close(): void {
    this.#isClosed = true
    this.#unfollow()
  }

  /** Asks anew how the run stands. */
  async reload(): Promise<void> {
    try {
      const { run, explanation } = await this.#source.details(this.#runId)
      this.run.value = run
      this.explanation.value = explanation
    } catch (error) {
      this.failure.value = messageOf(error)
    }
  }

  async #open(): Promise<void> {
    try {
      const run = await this.#source.summary(this.#runId)
      this.run.value = run
      // Whoever explains a run reads all of it: of a long one its events come first.
      const isLong = run.events > longRun
      if (!isLong) await this.reload()
      await this.#readEvents()
      if (isLong) await this.reload()
      if (!this.#isClosed) this.follow()
    } catch (error) {
      this.failure.value = messageOf(error)
    }
  }

  async #readEvents(): Promise<void> {
    for (let after: number | null = 0; after !== null && !this.#isClosed;) {
      const { events, next } = await this.#source.events(this.#runId, after)
      this.#view.take(events)
      this.#fold()
      after = events.length === 0 ? null : next
    }
    this.isWhole.value = true
  }

  /** Also after it was resumed. */
  follow(): void {
    this.#unfollow()
    this.#unfollow = this.#source.follow(this.#runId, this.#view.events.length, {
      happened: (event) => {
        this.#view.take([event])
        this.#fold()
      },
      ended: () => void this.reload(),
    })
  }

  /** In slices, so that nothing on the screen stands still. */
  #fold(): void {
    if (this.#isFolding) return
    this.#isFolding = true
    const slice = () => {
      if (this.#isClosed) return
      const endMs = performance.now() + sliceMs
      this.#view.fold(() => performance.now() < endMs)
      const isDone = this.#view.isFolded
      if (isDone || performance.now() - this.#shownMs > showEveryMs) {
        this.#shownMs = performance.now()
        this.shown.value = { view: this.#view }
      }
      if (isDone) this.#isFolding = false
      else setTimeout(slice, 0)
    }
    setTimeout(slice, 0)
  }
}
