/** Sees how a stream of the SDK ends: its callbacks do not tell of every end. */
import { TransformStream, type Transformer } from 'node:stream/web'

export interface StreamEnds {
  /** Broken off, abandoned, or over before a step of the model has ended. */
  readonly onBroken: (problem: unknown) => void
}

interface Part {
  readonly type: string
  readonly error?: unknown
  readonly reason?: unknown
}

/** A transformation as the SDK takes it, that changes nothing. */
export function watchStream({ onBroken }: StreamEnds): () => TransformStream<Part, Part> {
  return () => {
    let hasStep = false
    let problem: unknown
    const watcher: Transformer<Part, Part> & { cancel(reason: unknown): void } = {
      transform(part, controller) {
        if (part.type === 'finish-step') hasStep = true
        if (part.type === 'error') problem = part.error
        if (part.type === 'abort') onBroken(part.reason ?? 'aborted')
        controller.enqueue(part)
      },
      flush() {
        if (!hasStep) onBroken(problem ?? 'the stream ended without a step')
      },
      cancel(reason) {
        onBroken(reason ?? 'nobody reads the stream any more')
      },
    }
    return new TransformStream(watcher)
  }
}
