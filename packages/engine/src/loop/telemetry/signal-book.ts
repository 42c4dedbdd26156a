import type { Attributes, InstrumentName, Severity, Signal } from './signals.ts'

interface Beginning {
  readonly span: string
  /** One that is open. */
  readonly parent: string | null
  readonly name: string
  readonly attributes: Attributes
  readonly isClient?: boolean
  /** Default: now. Never before its parent. */
  readonly beganMs?: number
}

interface Log {
  readonly name: string
  readonly severity: Severity
  readonly attributes: Attributes
  /** Left out unless texts are asked for. */
  readonly text: Attributes
  /** Default: the turn, or the run between turns. */
  readonly span?: string
}

/** Where the signals of one run are written. Its spans are a tree: none begins before its parent, and none outlives it. */
export class SignalBook {
  readonly #capturesContent: boolean
  /** A child stands after its parent. */
  readonly #open = new Map<string, { readonly parent: string | null; readonly beganMs: number }>()
  #signals: Signal[] = []
  #nowMs = Number.NEGATIVE_INFINITY

  constructor(capturesContent: boolean) {
    this.#capturesContent = capturesContent
  }

  /** The clocks of records from elsewhere may go backwards; spans do not. */
  set nowMs(timeMs: number) {
    this.#nowMs = Math.max(this.#nowMs, timeMs)
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** What was written since it was last asked. */
  take(): readonly Signal[] {
    const taken = this.#signals
    this.#signals = []
    return taken
  }

  /** What is open, and what was written, is another process's affair. */
  forget(): void {
    this.#open.clear()
    this.take()
  }

  has(span: string): boolean {
    return this.#open.has(span)
  }

  /** Where what happens now belongs: between turns to the run. */
  get current(): string {
    return this.has('turn') ? 'turn' : 'run'
  }

  /** Milliseconds; undefined for a span that is not open. */
  ageMs(span: string): number | undefined {
    const open = this.#open.get(span)
    return open && this.#nowMs - open.beganMs
  }

  begin({ span, parent, isClient = false, beganMs = this.#nowMs, ...beginning }: Beginning): void {
    this.end(span)
    const earliestMs = (parent === null ? undefined : this.#open.get(parent)?.beganMs) ?? this.#nowMs
    const timeMs = Math.min(this.#nowMs, Math.max(beganMs, earliestMs))
    this.#open.set(span, { parent, beganMs: timeMs })
    this.#signals.push({ kind: 'span-begun', span, parent, isClient, timeMs, ...beginning })
  }

  /** Nothing happens where it is not open. Without attributes: nobody knows what became of it. */
  end(span: string, attributes: Attributes = { 'donecheck.unfinished': true }, error?: string): void {
    if (!this.has(span)) return
    for (const [child, { parent }] of [...this.#open].toReversed()) if (parent === span) this.end(child)
    this.#open.delete(span)
    this.#signals.push({ kind: 'span-ended', span, timeMs: this.#nowMs, attributes, error })
  }

  log({ text, attributes, span = this.current, ...log }: Log): void {
    const all = { ...attributes, ...this.texts(text) }
    this.#signals.push({ kind: 'logged', span, timeMs: this.#nowMs, attributes: all, ...log })
  }

  measure(instrument: InstrumentName, value: number, attributes: Attributes): void {
    this.#signals.push({ kind: 'measured', instrument, value, attributes })
  }

  texts(attributes: Attributes): Attributes {
    return this.#capturesContent ? attributes : {}
  }
}
