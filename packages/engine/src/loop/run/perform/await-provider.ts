import type { Decision } from '@donecheck/core/decide'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'
import { isAborted } from './effect-signal.ts'

type AwaitProvider = Extract<Decision, { kind: 'wait'; on: 'provider' }>

/** A timer stands still while the machine sleeps, so the clock is asked again after each of these. */
const lookEveryMs = 30_000

/** Spends nothing until the provider may be asked again. The start is recorded first, so that a resumed run waits until the same time. */
export async function awaitProvider(
  { for: awaited, untilMs, reason }: AwaitProvider,
  session: Session,
  { clock, signal, suspend }: World,
): Promise<void> {
  const { phase } = session.state
  if (phase.kind === 'retrying' && phase.wait === 'due')
    await session.tell({ type: 'wait-started', for: awaited, untilMs, reason })
  while (!isAborted(signal) && clock.nowMs() < untilMs) {
    if (suspend !== undefined) {
      suspend({ kind: 'time', untilMs, because: 'retry' })
      return
    }
    await clock.sleep(Math.min(lookEveryMs, untilMs - clock.nowMs()), signal)
  }
  if (!isAborted(signal)) await session.tell({ type: 'wait-ended' })
}
