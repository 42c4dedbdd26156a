import type { Decision } from '@donecheck/core/decide'
import { undecidedReport, type VerifierReport } from '../../../ports/checks.ts'
import { answerOfHooks } from '../hooks/fire-hooks.ts'
import { isAborted } from '../perform/effect-signal.ts'
import { observe } from '../perform/observe.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'
import { askAll } from './ask-all.ts'
import { answerOf } from './ask-one.ts'
import { treeToCheck, type CheckedTree } from './guarded-tree.ts'
import { settleWithin } from '../perform/settle-within.ts'
import { Recorder } from './recorder.ts'
import { leftOutReport, problemOfReport } from './report-of.ts'

type Verify = Extract<Decision, { kind: 'verify' }>

/**
 * Lets the guard choose the tree, asks the verifiers and records what each says. The tree is looked at again afterwards:
 * what the checks themselves write is not the drive's work, and a verdict is remembered only for a tree that stood still.
 * @param canRetry a drive hears of what is wrong and may try again
 */
export async function verify(
  decision: Verify,
  session: Session,
  world: World,
  canRetry = true,
): Promise<void> {
  const { trigger, verifiers: names } = decision
  if (isLookDue(decision, session)) await observe(session, world)
  const asked = { trigger, verifiers: names }
  const { refusal } = await answerOfHooks('before_verification', asked, session, world)
  const [started] = await session.tell({ type: 'verification-started', trigger, verifiers: names })
  const recorder = new Recorder(session, world, { causeId: started?.id, refusal })
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

/** A verdict must speak of the tree as it is: after a sleep, or where nobody has looked this turn, that is not known. */
function isLookDue({ trigger }: Verify, { state }: Session): boolean {
  if (trigger === 'baseline' || state.workFolder === null) return false
  return trigger === 'cap' || state.phase.kind !== 'judging' || !state.phase.observed
}

/**
 * Unless the guard passes, nobody else is asked. It speaks last, for what was written while the checks ran.
 * @returns whether its last word was that all is well: otherwise nothing that was said meanwhile may be taken again
 */
async function askNamed(
  names: readonly string[],
  { trigger }: Verify,
  tree: CheckedTree,
  recorder: Recorder,
  session: Session,
  world: World,
): Promise<boolean> {
  const guard = world.guard?.description.name
  const say = async (verifier: string, report: VerifierReport) => {
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
    await say(name, undecidedReport(goneSince, 'infrastructure'))
  if (tree.report === null) return true
  const lastReport = isAborted(world.signal) ? tree.report : ((await recheck(tree, world)) ?? tree.report)
  if (guard !== undefined && names.includes(guard)) await say(guard, lastReport)
  return lastReport.status === 'passed'
}

/** Only a guard that was content is asked again. One that cannot look again has not passed (I6). */
async function recheck(tree: CheckedTree, { signal }: World): Promise<VerifierReport | undefined> {
  if (tree.report?.status !== 'passed' || tree.recheck === undefined) return undefined
  const looked = await settleWithin(async () => tree.recheck?.(signal), { signal, maxMs: maxRecheckMs })
  if (looked.kind === 'threw')
    return undecidedReport(`the tamper guard could not look again: ${looked.message}`)
  if (looked.kind === 'abandoned') return undecidedReport('the tamper guard did not answer a second time')
  const problem = looked.value === undefined ? undefined : problemOfReport(looked.value)
  return problem === undefined
    ? looked.value
    : undecidedReport(`the tamper guard answered nonsense: ${problem}`)
}

const maxRecheckMs = 600_000

const goneSince = 'this verifier was part of the run when it started and is not there now'

/** What the tree's fingerprint leaves out, as far as verdicts may rest on it. */
interface Watch {
  /** Right after the latest verification of this process; undefined before the first. */
  stamp: string | undefined
  /** Grows whenever something was changed that is not in the fingerprint, while no check was running. */
  generation: number
}

const watches = new WeakMap<Session, Watch>()

/** Stands for a stamp that could not be taken: it equals no other. */
let unknown = 0

/**
 * A part of the key of remembered verdicts: equal only while nobody but the checks themselves has touched what git ignores
 * (installed packages, builds, caches).
 */
async function ignoredGeneration(session: Session, world: World): Promise<string> {
  // Without a memory there is no key that it could be a part of.
  if (world.checking.verdicts === null) return ''
  const stamp = await takeStamp(world)
  const watch = watches.get(session) ?? { stamp: undefined, generation: session.state.sequence }
  if (watch.stamp !== stamp) watch.generation += 1
  watches.set(session, { ...watch, stamp })
  return `${session.runId}:${watch.generation}`
}

/** After the checks: what they wrote themselves is no reason to ask again. */
async function noteIgnored(session: Session, world: World): Promise<void> {
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
