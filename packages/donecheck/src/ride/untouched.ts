/** A turn that changed nothing that a check could be about is not nagged, where its user wants it so. */
import type { StopTransition } from '../events/index.ts'
import { worldOf } from './world-of.ts'
import { remember, type Place } from './place.ts'

/** For people to read. A test or a setting has other names, and so has what an agent is told to do (`requirements.txt`). */
const prose: readonly string[] = [
  ...['*.md', '*.mdx', '*.markdown', '*.rst', '*.adoc'],
  ...['README', 'LICENSE', 'LICENCE', 'CHANGELOG', 'CONTRIBUTING', 'AUTHORS', 'NOTICE'].flatMap((name) => [
    name,
    `${name}.txt`,
  ]),
]

/** The tree as it is at a prompt, before the agent touches it. */
export async function rememberPromptTree(place: Place): Promise<void> {
  const promptTree = place.session.state.workspace.current ?? null
  // Whether somebody sits there may be known at the claim only.
  const isAsked = place.parts.choices.baseline === 'tree' || place.parts.choices.whenUnchanged === 'let-go'
  const promptTreeWithoutProse = isAsked && promptTree !== null ? ((await withoutProse(place)) ?? null) : null
  remember(place, { promptTree, promptTreeWithoutProse })
}

/** What to say of a turn that needs no check; undefined: it does, or it was sent back to change something. */
export async function whyUnchecked(place: Place): Promise<string | undefined> {
  const { session, parts, memory } = place
  if (parts.choices.whenUnchanged !== 'let-go' || !memory.sawPrompt || memory.promptTree === null)
    return undefined
  const { phase, turn, sendBacks } = session.state
  if (phase.kind !== 'judging' || phase.verifiedBy !== undefined) return undefined
  if (turn > 1 || sendBacks > 0) return undefined
  const { world, engine } = await worldOf(place)
  await engine.observe(session, world)
  if (session.state.workspace.current === memory.promptTree) return 'left the tree as it was'
  if (memory.promptTreeWithoutProse === null) return undefined
  return (await withoutProse(place)) === memory.promptTreeWithoutProse ? 'changed only prose' : undefined
}

/** Undefined: nobody can look, or the look was broken off. */
async function withoutProse(place: Place): Promise<string | undefined> {
  const { doors } = await place.world()
  try {
    return await doors.workspace?.fingerprint(place.signal, { except: prose })
  } catch {
    return undefined
  }
}

/** @param why what the turn did instead of work that could be checked */
export async function letGoUnchecked(why: string, place: Place): Promise<void> {
  const { session } = place
  const transition: StopTransition = {
    kind: 'stop',
    reason: 'model_ended',
    outcome: 'unverified',
    message: `the agent ended its turn and ${why}; no check was asked`,
    findings: [],
    verdicts: [],
  }
  const { world, engine } = await worldOf(place)
  await engine.perform({ kind: 'stop', transition }, session, world)
}
