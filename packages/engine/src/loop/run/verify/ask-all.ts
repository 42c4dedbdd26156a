import { isDecided, type Vote } from '@donecheck/core/internal/decide/aggregate'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import type { Verifier } from '../../../ports/checks.ts'
import { answerOf, askOne } from './ask-one.ts'
import { type Asked, type Round, leftOutReport } from './trees.ts'

/**
 * Runs judges last, and not once the policy must fail; other checks finish, unless `failFast`.
 * Before the first turn every check finishes, because its result is compared later.
 */
export async function askAll(
  verifiers: readonly Verifier[],
  round: Round,
  record: (asked: Asked) => Promise<void>,
): Promise<void> {
  const { world, trigger } = round
  const { aggregate: policy, failFast, maxParallel } = world.checking
  const veto = new AbortController()
  const vetoed = AbortSignal.any([world.signal, veto.signal])
  const known: Vote[] = []
  const waiting: { readonly verifier: Verifier; readonly openQuestion: string }[] = []
  let lostBy: Verdict | undefined
  const asking: Round = { ...round, isLost: () => lostBy !== undefined }
  const ask = async (verifier: Verifier): Promise<void> => {
    const signal = failFast || !verifier.description.deterministic ? vetoed : world.signal
    const given = signal.aborted ? undefined : await askOne(verifier, asking, signal)
    if (world.signal.aborted) return
    const isCutShort = signal.aborted && (given === undefined || given.verdict.status === 'error')
    const asked = given === undefined || isCutShort ? leftOutBy(lostBy, verifier, round) : given
    const { openQuestion } = asked
    if (openQuestion !== undefined) {
      waiting.push({ verifier, openQuestion })
      return
    }
    await record(asked)
    known.push(ballotOf(verifier, asked.verdict))
    if (lostBy !== undefined || trigger === 'baseline' || trigger === 'held-out') return
    if (known.length === verifiers.length || !isDecided(policy, known)) return
    lostBy = asked.verdict
    veto.abort()
  }
  for (const deterministic of [true, false]) {
    const group = verifiers.filter(({ description }) => description.deterministic === deterministic)
    await inParallel(group, maxParallel, ask)
  }
  const [first] = waiting
  if (lostBy !== undefined)
    for (const { verifier } of waiting) await record(leftOutBy(lostBy, verifier, round))
  else if (first !== undefined) world.suspend?.({ kind: 'question', id: first.openQuestion })
}

/** Starts in order, up to the limit; an exclusive check runs alone. */
async function inParallel(
  verifiers: readonly Verifier[],
  most: number,
  ask: (verifier: Verifier) => Promise<void>,
): Promise<void> {
  const waiting = [...verifiers]
  const running = new Map<Verifier, Promise<void>>()
  const hasRoom = (next: Verifier) => {
    const isAlone = [next, ...running.keys()].some(({ exclusive }) => exclusive === true)
    return running.size === 0 || (!isAlone && running.size < most)
  }
  while (waiting.length > 0 || running.size > 0) {
    const [next] = waiting
    if (next !== undefined && hasRoom(next)) {
      waiting.shift()
      running.set(
        next,
        ask(next).finally(() => running.delete(next)),
      )
    } else await Promise.race(running.values())
  }
}

function leftOutBy(lostBy: Verdict | undefined, { description }: Verifier, { session }: Round): Asked {
  const { name } = description
  return answerOf(name, leftOutReport(`${name} did not run: ${reasonDecided(lostBy)}`), session)
}

function reasonDecided(verdict: Verdict | undefined): string {
  if (verdict?.status === 'failed') return `${verdict.verifier} failed`
  if (verdict?.status === 'error') return `${verdict.verifier} could not decide`
  return `${verdict?.verifier ?? 'another check'} has decided already`
}

function ballotOf({ description }: Verifier, verdict: Verdict): Vote {
  const { name, required, weight, deterministic } = description
  return { verdict: { ...verdict, verifier: name }, required, weight, deterministic }
}
