import type { Decision } from '@donecheck/core/internal/decide'
import { undecidedResult, type VerifierResult } from '../../../ports/checks.ts'
import { answerOfHooks, fireHooks } from '../hooks.ts'
import { isAborted } from '../perform/settle-within.ts'
import { observe, treeToCheck, type CheckedTree, leftOutReport, type Asked } from './trees.ts'
import type { LiveRun } from '../session/session.ts'
import type { World } from '../session/world.ts'
import { askAll } from './ask-all.ts'
import { answerOf } from './ask-one.ts'
import type { Verdict, VerdictStatus } from '@donecheck/core/internal/events/verdicts'
import { rememberVerdict } from './verdict-key.ts'
import { concludeVerification, runsLast } from '@donecheck/core/internal/decide/aggregate'
import type { RunEvent } from '@donecheck/core/internal/events'

type Verify = Extract<Decision, { kind: 'verify' }>

/**
 * Reads the tree again after the checks: what they write is not the agent's work, and only verdicts of an
 * unchanged tree are stored. @param canRetry the agent may try again
 */
export async function verify(
  decision: Verify,
  session: LiveRun,
  world: World,
  canRetry = true,
): Promise<void> {
  const { trigger, verifiers: names } = decision
  if (isLookDue(decision, session)) await observe(session, world)
  const asked = { trigger, verifiers: names }
  const { refusal } = await answerOfHooks('before_verification', asked, session, world)
  await session.tell({ type: 'verification-started', trigger, verifiers: names })
  const recorder = new Recorder(session, world, refusal)
  const before = session.state.workspace.current
  const tree = await treeToCheck({ trigger, canRetry }, session, world)
  const isTrusted = await askNamed(names, decision, tree, recorder, session, world).finally(() =>
    tree.dispose(),
  )
  await observe(session, world)
  await noteIgnored(session, world)
  const stoodStill = session.state.workspace.current === before
  if (!isAborted(world.signal)) await recorder.remember(isTrusted && stoodStill)
}

/** After a sleep, or without an observation in this turn, the tree may have changed. */
function isLookDue({ trigger }: Verify, { state }: LiveRun): boolean {
  if (trigger === 'baseline' || state.workFolder === null) return false
  return trigger === 'cap' || state.phase.kind !== 'judging' || !state.phase.observed
}

/** Runs no other check unless the guard passes. @returns whether its last verdict was a pass */
async function askNamed(
  names: readonly string[],
  { trigger }: Verify,
  tree: CheckedTree,
  recorder: Recorder,
  session: LiveRun,
  world: World,
): Promise<boolean> {
  const guard = world.guard?.description.name
  const say = async (verifier: string, report: VerifierResult) => {
    if (!isAborted(world.signal)) await recorder.record(answerOf(verifier, report, session))
  }
  const wanted = world.verifiers.filter(({ description }) => names.includes(description.name))
  const there = wanted.map(({ description }) => description.name)
  if (tree.report === null || tree.report.status === 'passed') {
    const ignored = await ignoredGeneration(session, world)
    await askAll(wanted, { trigger, session, world, tree, ignored }, (asked) => recorder.record(asked))
  } else
    for (const name of there)
      await say(name, leftOutReport(`${name} did not run: the tamper guard has not passed`))
  for (const name of names.filter((one) => one !== guard && !there.includes(one)))
    await say(name, undecidedResult(goneSince, 'infrastructure'))
  if (tree.report === null) return true
  if (guard !== undefined && names.includes(guard)) await say(guard, tree.report)
  return tree.report.status === 'passed'
}

const goneSince = 'this verifier was part of the run when it started and is not there now'

/** Changes outside the fingerprint that may affect stored verdicts. */
interface Watch {
  /** Taken after the latest verification of this process. */
  stamp: string | undefined
  /** Increases when an unfingerprinted file changes while no check runs. */
  generation: number
}

const watches = new WeakMap<LiveRun, Watch>()

/** Makes an unavailable stamp differ from all others. */
let unknown = 0

/** Changes when anything but a check touches git-ignored files, such as packages and builds. */
async function ignoredGeneration(session: LiveRun, world: World): Promise<string> {
  if (world.checking.verdicts === null) return ''
  const stamp = await takeStamp(world)
  const watch = watches.get(session) ?? { stamp: undefined, generation: session.state.sequence }
  if (watch.stamp !== stamp) watch.generation += 1
  watches.set(session, { ...watch, stamp })
  return `${session.runId}:${watch.generation}`
}

/** Runs after the checks: their own writes are no reason to repeat them. */
async function noteIgnored(session: LiveRun, world: World): Promise<void> {
  const watch = watches.get(session)
  if (watch !== undefined) watches.set(session, { ...watch, stamp: await takeStamp(world) })
}

async function takeStamp({ workspace, signal }: World): Promise<string> {
  unknown += 1
  if (workspace?.ignoredStamp === undefined) return workspace === null ? '' : 'not told'
  try {
    return await workspace.ignoredStamp(signal)
  } catch {
    return `unknown ${unknown}`
  }
}

interface Recorded {
  readonly key: string | undefined
  readonly verdict: Verdict
}

class Recorder {
  readonly #session: LiveRun
  readonly #world: World
  /** Why nothing may pass: a fail-closed hook has failed. */
  readonly #refusal: string | undefined
  readonly #recorded: Recorded[] = []
  #queue: Promise<void> = Promise.resolve()

  constructor(session: LiveRun, world: World, refusal: string | undefined) {
    this.#session = session
    this.#world = world
    this.#refusal = refusal
  }

  record(asked: Asked): Promise<void> {
    const done = this.#queue.then(() => this.#tell(asked))
    // The caller reports a failed append; the next one fails by itself.
    this.#queue = done.catch(() => undefined)
    return done
  }

  async #tell({ verdict: said, attachments, key }: Asked): Promise<void> {
    if (this.#world.signal.aborted) return
    const verdict = await this.#afterHooks(said)
    for (const attachment of attachments) await this.#session.attach(attachment)
    const { durationMs } = verdict
    const [event] = await this.#session.tell({ type: 'verdict-given', verdict, durationMs })
    // An answer changed by a hook is not the check's own.
    if (event?.type === 'verdict-given' && verdict === said)
      this.#recorded.push({ key, verdict: event.verdict })
  }

  async #afterHooks(verdict: Verdict): Promise<Verdict> {
    const { veto } = await fireHooks('after_verification', { verdict }, this.#session, this.#world)
    if (verdict.status !== 'passed') return verdict
    if (veto !== undefined) return { ...verdict, status: 'failed', reason: veto, canRetry: true }
    if (this.#refusal !== undefined)
      return { ...verdict, status: 'error', reason: this.#refusal, canRetry: true }
    return verdict
  }

  /** Stores definite verdicts if the tree did not change. Write errors are ignored. */
  async remember(treeStoodStill: boolean): Promise<void> {
    if (!treeStoodStill) return
    for (const { key, verdict } of this.#recorded)
      if (key !== undefined && isDefinite(verdict)) await rememberVerdict(key, verdict, this.#world)
  }
}

const definite: readonly VerdictStatus[] = ['passed', 'failed']

function isDefinite({ qualifiers, status }: Verdict): boolean {
  return definite.includes(status) && !qualifiers.includes('cached') && !qualifiers.includes('flaky')
}

export interface OneVerification {
  /** Compares with nothing, a tree copy (`snapshot`), check results (`look`), or an earlier run. */
  readonly baseline: 'none' | 'snapshot' | 'look' | readonly RunEvent[]
  readonly only?: 'baseline'
}

export async function verifyOnce(
  session: LiveRun,
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
  const transition = concludeVerification(session.state, world.checking.aggregate)
  await session.tell({ type: 'run-stopped', transition })
}

const interrupted = {
  kind: 'stop',
  reason: 'user_interrupt',
  outcome: 'interrupted',
  message: 'interrupted by its user',
} as const

async function retell(session: LiveRun, baseline: readonly RunEvent[]): Promise<void> {
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
