import type { Verdict, VerdictStatus } from '@donecheck/core/verdicts'
import { given } from '../../../base/index.ts'
import type { RememberedVerdicts } from '../../../ports/store.ts'
import { fireHooks } from '../hooks/fire-hooks.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'
import type { Asked } from './question.ts'

interface Recorded {
  readonly key: string | undefined
  /** As it was recorded: masked. */
  readonly verdict: Verdict
}

interface Cause {
  /** Of the event that began the verification. */
  readonly causeId: string | undefined
  /** A hook that fails closed has failed before it: nothing of it may pass. */
  readonly refusal: string | undefined
}

/** Records verdicts that come in at any time, one after the other, and remembers them at the end. */
export class Recorder {
  readonly #session: Session
  readonly #world: World
  readonly #cause: Cause
  readonly #recorded: Recorded[] = []
  #queue: Promise<void> = Promise.resolve()

  constructor(session: Session, world: World, cause: Cause) {
    this.#session = session
    this.#world = world
    this.#cause = cause
  }

  record(asked: Asked): Promise<void> {
    const done = this.#queue.then(() => this.#tell(asked))
    // A failure is the failure of whoever recorded; the next one meets the same session and fails by itself.
    this.#queue = done.catch(() => undefined)
    return done
  }

  async #tell({ verdict: said, attachments, key }: Asked): Promise<void> {
    if (this.#world.signal.aborted) return
    const verdict = await this.#afterHooks(said)
    for (const attachment of attachments) await this.#session.attach(attachment)
    const cause = given({ causeId: this.#cause.causeId })
    const reported = { type: 'verdict-given' as const, verdict, durationMs: verdict.durationMs, ...cause }
    const [event] = await this.#session.tell(reported)
    // What a hook made of an answer is not the check's own.
    if (event?.type === 'verdict-given' && verdict === said)
      this.#recorded.push({ key, verdict: event.verdict })
  }

  /** A hook can only make a verdict worse. */
  async #afterHooks(verdict: Verdict): Promise<Verdict> {
    const { veto } = await fireHooks('after_verification', { verdict }, this.#session, this.#world)
    const { refusal } = this.#cause
    if (verdict.status !== 'passed') return verdict
    if (veto !== undefined) return { ...verdict, status: 'failed', reason: veto, canRetry: true }
    if (refusal !== undefined) return { ...verdict, status: 'error', reason: refusal, canRetry: true }
    return verdict
  }

  /**
   * Keeps what may be taken again: definite verdicts of a tree that was the same before and after. A memory that cannot be
   * written forgets.
   */
  async remember(treeStoodStill: boolean): Promise<void> {
    const { verdicts } = this.#world.checking
    if (verdicts === null) return
    for (const { key, verdict } of this.#recorded)
      await keep(verdicts, verdict, treeStoodStill ? key : undefined)
  }
}

const definite: readonly VerdictStatus[] = ['passed', 'failed']

async function keep(verdicts: RememberedVerdicts, verdict: Verdict, key: string | undefined): Promise<void> {
  const { qualifiers, status } = verdict
  if (!definite.includes(status) || qualifiers.includes('cached')) return
  try {
    await verdicts.learn(verdict)
    if (key !== undefined && !qualifiers.includes('flaky')) await verdicts.remember(key, verdict)
  } catch {
    return
  }
}
