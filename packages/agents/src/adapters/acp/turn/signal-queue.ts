/** What has been told and not been read yet. */
import type { AgentSignal } from '../../../protocol/stream/index.ts'

/** Whoever fills it waits when it holds more. */
const maxWaiting = 32

export class SignalQueue {
  #waiting: AgentSignal[] = []
  #isClosed = false
  #readers: (() => void)[] = []
  #writers: (() => void)[] = []

  push(signal: AgentSignal): void {
    if (this.#isClosed) return
    this.#waiting.push(signal)
    wake(this.#readers)
  }

  /** What was told before may still be read. */
  close(): void {
    this.#isClosed = true
    wake(this.#readers)
    wake(this.#writers)
  }

  /** Resolves as soon as there is room for more. */
  async room(): Promise<void> {
    while (!this.#isClosed && this.#waiting.length >= maxWaiting)
      await new Promise<void>((resolve) => this.#writers.push(resolve))
  }

  async *read(): AsyncGenerator<AgentSignal> {
    for (;;) {
      const signal = this.#waiting.shift()
      if (signal !== undefined) {
        if (this.#waiting.length < maxWaiting) wake(this.#writers)
        yield signal
      } else if (this.#isClosed) return
      else await new Promise<void>((resolve) => this.#readers.push(resolve))
    }
  }
}

function wake(sleepers: (() => void)[]): void {
  for (const resolve of sleepers.splice(0)) resolve()
}
