/** One who listens to server-sent events, breaks off and comes back. */
import type { ServiceProcess } from './service-process.ts'

export class Listener {
  readonly #service: ServiceProcess
  readonly #path: string
  readonly #over = new AbortController()
  readonly #sequences: number[] = []
  /** Resolves when the service has answered. */
  readonly listening: Promise<void>
  readonly #ended: Promise<void>

  constructor(service: ServiceProcess, path: string) {
    this.#service = service
    this.#path = path
    const begun = Promise.withResolvers<undefined>()
    this.listening = begun.promise
    this.#ended = this.#follow(() => {
      begun.resolve(undefined)
    }).catch((error: unknown) => {
      if (!this.#over.signal.aborted) throw error
    })
    // Whoever waits for the end is told; nobody else needs to be.
    this.#ended.catch(() => undefined)
  }

  close(): void {
    this.#over.abort()
  }

  /** Sequence numbers of all that it was told. */
  async toTheEnd(): Promise<readonly number[]> {
    await this.#ended
    return this.#sequences
  }

  async #follow(onAnswer: () => void): Promise<void> {
    // After the first piece it breaks off: what comes then must begin right behind it.
    for (const isFirst of [true, false]) {
      const last = this.#sequences.at(-1)
      const answer = await fetch(`${this.#service.url}${this.#path}`, {
        headers: {
          ...this.#service.headers,
          ...(last === undefined ? {} : { 'last-event-id': String(last) }),
        },
        signal: this.#over.signal,
      })
      onAnswer()
      if (answer.status === 204 || answer.body === null) return
      let rest = ''
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        const messages = `${rest}${piece}`.split('\n\n')
        rest = messages.pop() ?? ''
        for (const message of messages) this.#note(message)
        if (messages.some((message) => message.includes('event: end'))) return
        if (isFirst && this.#sequences.length > 0) break
      }
    }
  }

  #note(message: string): void {
    const sequence = /^id: (\d+)\nevent: run-event$/m.exec(message)?.[1]
    if (sequence !== undefined) this.#sequences.push(Number(sequence))
  }
}
