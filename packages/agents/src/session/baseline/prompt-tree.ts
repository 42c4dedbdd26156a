/** A turn that changed nothing that a check could be about is not nagged, where its user wants it so. */
import { buildWorld, stopUnverified, remember, type SessionContext } from '../record/session-context.ts'

/** For people to read. A test or a setting has other names, and so has what an agent is told to do (`requirements.txt`). */
const prose: readonly string[] = [
  ...['*.md', '*.mdx', '*.markdown', '*.rst', '*.adoc'],
  ...['README', 'LICENSE', 'LICENCE', 'CHANGELOG', 'CONTRIBUTING', 'AUTHORS', 'NOTICE'].flatMap((name) => [
    name,
    `${name}.txt`,
  ]),
]

/** The tree as it is at a prompt, before the agent touches it. */
export async function rememberPromptTree(context: SessionContext): Promise<void> {
  const promptTree = context.session.state.workspace.current ?? null
  // Whether it is attended may be known at the claim only.
  const isAsked =
    context.parts.choices.baseline === 'tree' || context.parts.choices.whenUnchanged === 'allow-stop'
  const promptTreeWithoutProse =
    isAsked && promptTree !== null ? ((await withoutProse(context)) ?? null) : null
  remember(context, { promptTree, promptTreeWithoutProse })
}

/** What to say of a turn that needs no check; undefined: it does, or its stop was blocked to change something. */
export async function explainUnchecked(context: SessionContext): Promise<string | undefined> {
  const { session, parts, memory } = context
  if (parts.choices.whenUnchanged !== 'allow-stop' || !memory.sawPrompt || memory.promptTree === null)
    return undefined
  const { phase, turn, blockedStops } = session.state
  if (phase.kind !== 'judging' || phase.verifiedBy !== undefined) return undefined
  if (turn > 1 || blockedStops > 0) return undefined
  const { world, engine } = await buildWorld(context)
  await engine.observe(session, world)
  if (session.state.workspace.current === memory.promptTree) return 'left the tree as it was'
  if (memory.promptTreeWithoutProse === null) return undefined
  return (await withoutProse(context)) === memory.promptTreeWithoutProse ? 'changed only prose' : undefined
}

/** Undefined: nobody can look, or the look was broken off. */
async function withoutProse(context: SessionContext): Promise<string | undefined> {
  const { doors } = await context.world()
  try {
    return await doors.workspace?.fingerprint(context.signal, { except: prose })
  } catch {
    return undefined
  }
}

/** @param why what the turn did instead of work that could be checked */
export async function allowStopUnchecked(why: string, context: SessionContext): Promise<void> {
  const message = `the agent ended its turn and ${why}; no check was asked`
  await stopUnverified(context, { reason: 'model_ended', outcome: 'unverified', message })
}
