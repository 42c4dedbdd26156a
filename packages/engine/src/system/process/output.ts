import { isUtf8 } from 'node:buffer'
import type { OutputExcerpt } from '@donecheck/core/verdicts'
import { OutputCollector, showExcerpt } from './excerpt.ts'
import { countUnfinishedBytes } from './utf8.ts'

export type StreamName = 'stdout' | 'stderr'

export interface OutputBounds {
  readonly headBytes: number
  readonly tailBytes: number
  readonly keepBytes: number
}

export interface Collected {
  /** Both streams together, in the order of arrival. */
  readonly output: OutputExcerpt
  readonly stdout: OutputExcerpt
  /** False: some of stdout was no text, and U+FFFD stands in its place. */
  readonly stdoutIsUtf8: boolean
  /** The whole output; of one longer than `keepBytes` its two ends, and a line that says how much is left out. */
  readonly whole?: string
}

/**
 * What a process prints, bounded. A character that arrives in two reads is held back until it is complete, so that
 * text of the other stream never falls between its bytes.
 */
export class ProcessOutput {
  readonly #both: OutputCollector
  readonly #stdout: OutputCollector
  readonly #kept: OutputCollector | undefined
  readonly #onOutput: (piece: string, stream: StreamName) => void
  #stdoutIsUtf8 = true
  readonly #heldBack = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }

  constructor(bounds: OutputBounds, onOutput: (piece: string, stream: StreamName) => void = () => undefined) {
    const { headBytes, tailBytes, keepBytes } = bounds
    this.#both = new OutputCollector(headBytes, tailBytes)
    this.#stdout = new OutputCollector(headBytes, tailBytes)
    const half = Math.ceil(keepBytes / 2)
    this.#kept = keepBytes > 0 ? new OutputCollector(half, keepBytes - half) : undefined
    this.#onOutput = onOutput
  }

  add(stream: StreamName, bytes: Buffer): void {
    const all = Buffer.concat([this.#heldBack[stream], bytes])
    const complete = all.length - countUnfinishedBytes(all)
    this.#heldBack[stream] = all.subarray(complete)
    this.#pass(stream, all.subarray(0, complete))
  }

  /** No more comes in: what was held back is taken as it is. */
  end(): Collected {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#pass(stream, this.#heldBack[stream])
      this.#heldBack[stream] = Buffer.alloc(0)
    }
    const collected = {
      output: this.#both.excerpt(),
      stdout: this.#stdout.excerpt(),
      stdoutIsUtf8: this.#stdoutIsUtf8,
    }
    return this.#kept === undefined ? collected : { ...collected, whole: showExcerpt(this.#kept.excerpt()) }
  }

  #pass(stream: StreamName, bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#both.add(bytes)
    this.#kept?.add(bytes)
    if (stream === 'stdout') {
      this.#stdout.add(bytes)
      this.#stdoutIsUtf8 &&= isUtf8(bytes)
    }
    try {
      this.#onOutput(bytes.toString(), stream)
    } catch {
      // A listener's fault must not become the fault of the process, nor end ours.
    }
  }
}
