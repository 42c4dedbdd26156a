import type { Decision } from '../../core/index.ts'
import type { Verifier } from '../../ports.ts'
import { observe } from '../observe.ts'
import type { Session } from '../session.ts'
import type { World } from '../world.ts'
import { askAll } from './ask-all.ts'
import type { Asked } from './ask-one.ts'
import { treeToCheck, type CheckedTree } from './guarded-tree.ts'
import { Recorder } from './recorder.ts'
import { leftOut, undecided } from './undecided.ts'

type Verify = Extract<Decision, { kind: 'verify' }>

/**
 * Lets the guard choose the tree, asks the verifiers and records what each says. The tree is looked at again afterwards:
 * what the checks themselves write is not the drive's work, and a verdict is remembered only for a tree that stood still.
 */
export async function verify(decision: Verify, session: Session, world: World): Promise<void> {
  const { trigger, verifiers: names } = decision
  if (trigger === 'cap') await observe(session, world)
  const [started] = await session.tell({ type: 'verification-started', trigger, verifiers: names })
  const recorder = new Recorder(session, world, started?.id)
  const before = session.state.workspace.current
  const tree = await treeToCheck(trigger, session, world)
  try {
    await askNamed(names, decision, tree, recorder, session, world)
  } finally {
    await tree.dispose()
  }
  await observe(session, world)
  if (!isInterrupted(world)) await recorder.remember(session.state.workspace.current === before)
}

/** The guard speaks first; unless it passes, nobody else is asked. */
async function askNamed(
  names: readonly string[],
  { trigger }: Verify,
  tree: CheckedTree,
  recorder: Recorder,
  session: Session,
  world: World,
): Promise<void> {
  const guard = world.guard?.description.name
  const say = (verifier: string, report: Parameters<typeof saying>[1]) =>
    recorder.record(saying(verifier, report, session))
  if (guard !== undefined && names.includes(guard) && tree.report !== null) await say(guard, tree.report)
  if (isInterrupted(world)) return
  const wanted = world.verifiers.filter(({ description }) => names.includes(description.name))
  if (tree.report === null || tree.report.status === 'passed')
    await askAll(wanted, { trigger, session, world, tree }, (asked) => recorder.record(asked))
  else
    for (const { description } of wanted)
      await say(description.name, leftOut(`not asked: ${tree.report.reason}`))
  if (isInterrupted(world)) return
  for (const name of names.filter((one) => one !== guard && !isAmong(one, wanted)))
    await say(name, undecided(goneSince, 'infrastructure'))
}

const goneSince = 'this verifier was part of the run when it started and is not there now'

/** Asked anew each time: it changes while a verifier is waited for. */
function isInterrupted(world: World): boolean {
  return world.signal.aborted
}

function isAmong(name: string, verifiers: readonly Verifier[]): boolean {
  return verifiers.some(({ description }) => description.name === name)
}

function saying(verifier: string, report: ReturnType<typeof undecided>, session: Session): Asked {
  const { attachments = [], ...said } = report
  const fingerprint = session.state.workspace.current
  const verdict = { ...said, verifier, durationMs: 0, ...(fingerprint === undefined ? {} : { fingerprint }) }
  return { verdict, attachments, key: undefined }
}
