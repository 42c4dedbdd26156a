import { concludeVerification, runsLast } from '@donecheck/core/policies'
import type { RunEvent } from '@donecheck/core/events'
import { observe } from './perform/observe.ts'
import type { Session } from './session/session.ts'
import { verify } from './verify/verify.ts'
import type { World } from './session/world.ts'

export interface OneVerification {
  /**
   * What is compared with: nothing; the tree as it is, so that the guard can prepare a copy (`snapshot`); all that the checks
   * say of the baseline that the guard is set to (`look`); or what an earlier run said of it.
   */
  readonly baseline: 'none' | 'snapshot' | 'look' | readonly RunEvent[]
  /** `baseline`: only the look at the baseline, which is to be compared with later. */
  readonly only?: 'baseline'
}

/** The checks once, without a drive: look, ask, conclude. The session has told its beginning. */
export async function verifyOnce(
  session: Session,
  world: World,
  { baseline, only }: OneVerification,
): Promise<void> {
  await observe(session, world)
  const { verifiers } = session.state.settings
  const guards = verifiers.filter(({ role }) => role === 'guard').map(({ name }) => name)
  const shown = verifiers.filter(({ role }) => !runsLast(role)).map(({ name }) => name)
  const last = verifiers.filter(({ role }) => role !== 'check').map(({ name }) => name)
  if (baseline === 'look')
    await verify({ kind: 'verify', trigger: 'baseline', verifiers: shown }, session, world)
  else if (baseline === 'snapshot')
    await verify({ kind: 'verify', trigger: 'baseline', verifiers: guards }, session, world)
  else if (baseline !== 'none') await retell(session, baseline)
  if (only === undefined && !world.signal.aborted)
    await verify({ kind: 'verify', trigger: 'turn', verifiers: shown }, session, world, false)
  if (only === undefined && !world.signal.aborted && verifiers.some(({ role }) => runsLast(role)))
    await verify({ kind: 'verify', trigger: 'held-out', verifiers: last }, session, world, false)
  if (world.signal.aborted) {
    const transition = { ...interrupted, findings: [], verdicts: [] }
    await session.tell({ type: 'interrupt-requested', by: 'its user' }, { type: 'run-stopped', transition })
    return
  }
  const transition = concludeVerification(session.state, world.checking.policy)
  await session.tell({ type: 'run-stopped', transition })
}

const interrupted = {
  kind: 'stop',
  reason: 'user_interrupt',
  outcome: 'interrupted',
  message: 'interrupted by its user',
} as const

/** What was said of the baseline tree in an earlier run is part of the record of this one. */
async function retell(session: Session, baseline: readonly RunEvent[]): Promise<void> {
  const known = session.state.settings.verifiers.map(({ name }) => name)
  const verdicts = baseline.flatMap((event) =>
    event.type === 'verdict-given' && known.includes(event.verdict.verifier) ? [event.verdict] : [],
  )
  if (verdicts.length === 0) return
  await session.tell(
    {
      type: 'verification-started',
      trigger: 'baseline',
      verifiers: verdicts.map(({ verifier }) => verifier),
    },
    ...verdicts.map((verdict) => ({ type: 'verdict-given' as const, verdict })),
  )
}
