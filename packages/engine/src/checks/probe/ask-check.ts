import { setTimeout as pause } from 'node:timers/promises'
import type { Verifier, VerifierContext, VerifierReport } from '../../ports/checks.ts'
import { messageOf } from '../../base/index.ts'

/** Time in which a check may end its work by itself after it was asked to. */
const graceMs = 10_000

export type CheckAnswer =
  | { readonly kind: 'reported'; readonly report: VerifierReport }
  /** It threw, or it did not end although it was asked to; the reason is one sentence. */
  | { readonly kind: 'silent'; readonly reason: string }

/** Never rejects, and waits for nobody who does not listen. */
export async function askCheck(
  check: Verifier,
  context: VerifierContext,
  signal: AbortSignal,
): Promise<CheckAnswer> {
  const settled = new AbortController()
  try {
    return await Promise.race([askOnce(check, context, signal), givenUp(signal, settled.signal)])
  } finally {
    settled.abort()
  }
}

async function askOnce(check: Verifier, context: VerifierContext, signal: AbortSignal): Promise<CheckAnswer> {
  try {
    return { kind: 'reported', report: await check.verify(context, signal) }
  } catch (error) {
    return { kind: 'silent', reason: messageOf(error) }
  }
}

async function givenUp(signal: AbortSignal, settled: AbortSignal): Promise<CheckAnswer> {
  const end = Promise.withResolvers<undefined>()
  const goOn = () => end.resolve(undefined)
  for (const each of [signal, settled]) {
    each.addEventListener('abort', goOn, { once: true })
    if (each.aborted) goOn()
  }
  await end.promise
  signal.removeEventListener('abort', goOn)
  // Rejects once the check has answered: that is the other side of the race, and nobody waits for this one.
  await pause(graceMs, undefined, { signal: settled }).catch(() => undefined)
  return { kind: 'silent', reason: 'it was asked to end and did not' }
}
