import { settlesWithin } from '@donecheck/engine/process'
import type { AgentSignal } from './agent-signal.ts'

/** For agents that do not tell when a reply of their model is over: what belongs to it comes in one go. */
const silenceMs = 150

/** The signals, and a silence wherever the next one does not come in one go with the one before. */
export async function* withSilences(
  signals: AsyncIterable<AgentSignal>,
): AsyncGenerator<AgentSignal | { readonly kind: 'silence' }> {
  const iterator = signals[Symbol.asyncIterator]()
  for (;;) {
    const next = iterator.next()
    if (!(await settlesWithin(next, silenceMs))) yield { kind: 'silence' }
    const read = await next
    if (read.done === true) return
    yield read.value
  }
}
