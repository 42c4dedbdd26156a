import { isSilent, type AgentSignal } from '../../agents/index.ts'

/**
 * opencode tells of a call when it is over, and of a reply of its model when all of its calls are: the ends of calls are kept until
 * then, so that the calls of one reply stay together. A call that is at work for long does not keep the others.
 */
export async function* endsAfterStep(signals: AsyncIterable<AgentSignal>): AsyncGenerator<AgentSignal> {
  const iterator = signals[Symbol.asyncIterator]()
  const kept: AgentSignal[] = []
  let next = iterator.next()
  for (;;) {
    if (kept.length > 0 && (await isSilent(next))) yield* kept.splice(0)
    const read = await next
    if (read.done === true) return
    const signal = read.value
    if (signal.kind === 'call-ended') kept.push(signal)
    else {
      if (signal.kind === 'turn-ended') yield* kept.splice(0)
      yield signal
      if (signal.kind === 'step') yield* kept.splice(0)
    }
    next = iterator.next()
  }
}
