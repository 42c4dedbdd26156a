import type { Human, HumanAnswer, HumanQuestion } from '../../ports.ts'

export interface Patience {
  readonly timeoutMs: number
  /** After that, and after an abort, a human is given so long to say what it waits for. */
  readonly graceMs: number
  readonly signal: AbortSignal
}

/** A longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Asks, and gives up after a time: then nobody has answered. Rejects with whatever the human throws. */
export async function answerBy(
  human: Human,
  question: HumanQuestion,
  { timeoutMs, graceMs, signal }: Patience,
): Promise<HumanAnswer> {
  const bounded = new AbortController()
  const nobody = Promise.withResolvers<HumanAnswer>()
  let grace: NodeJS.Timeout | undefined
  const giveUp = () => {
    bounded.abort()
    grace = setTimeout(nobody.resolve, graceMs, { kind: 'unanswered', waitingFor: 'an answer' })
  }
  const timer = setTimeout(giveUp, Math.min(timeoutMs, longestTimerMs))
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([human.ask(question, bounded.signal), nobody.promise])
  } finally {
    clearTimeout(timer)
    clearTimeout(grace)
    signal.removeEventListener('abort', giveUp)
  }
}
