import type { RunDetails, RunItem, Source } from '../../data/index.ts'
import { messageOf, setQuery } from '../../parts/index.ts'
import { signal, type Signal } from '@preact/signals'
import { RunView } from '../../fold/index.ts'

/** Of one browser task, so that animations do not stall. */
const sliceMs = 7

const longRun = 5_000

const showEveryMs = 120

export class RunFeed {
  readonly run = signal<RunItem | undefined>(undefined)
  readonly explanation = signal<RunDetails['explanation'] | undefined>(undefined)
  readonly failure = signal('')
  readonly isWhole = signal(false)
  /** A new object whenever the view has changed. */
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
      // Explaining a run reads all of it, so a long run loads its events first.
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

  /** In slices, so that the page stays responsive. */
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

export const tabs = ['overview', 'turns', 'events', 'changes', 'goal'] as const

export type Tab = (typeof tabs)[number]

export interface TabProps {
  readonly source: Source
  readonly feed: RunFeed
}

/** @param at sequence number of the event chosen there */
export function openTab(tab: Tab, at = ''): void {
  setQuery({ tab: tab === 'overview' ? '' : tab, at })
}
