/** A run begins: with what it was asked for, and a look at the tree before the agent touches it. */
import { runsLast } from '@donecheck/core/policies'
import { baselineAfter, type EarlierRun } from '../baseline/earlier-run.ts'
import { goOn, type Progress } from './go-on.ts'
import { buildWorld, remember, type SessionContext } from '../record/session-context.ts'
import { rememberPromptTree } from '../baseline/prompt-tree.ts'

/** What a run is for where nobody has told: the hooks were installed in the middle of a session. */
const unseenTask = '(what the agent was asked for was not seen)'

interface Begun {
  /** Undefined: the host has not told. */
  readonly prompt: string | undefined
  /** The run before: of this session, or else over this folder. */
  readonly before?: EarlierRun
}

export async function begin({ prompt, before }: Begun, context: SessionContext): Promise<Progress> {
  const { parts, session } = context
  const started = await parts.beginning()
  const task = prompt === undefined || prompt.trim() === '' ? unseenTask : prompt
  const sawPrompt = prompt !== undefined && before?.isGoneOnWith !== true
  // With the first facts already: a run that is broken off here is gone on with.
  remember(context, { sawPrompt, baselineRunId: baselineAfter(before, undefined, parts.agreedAtMs) })
  await session.tell(
    started,
    { type: 'goal-set', task },
    { type: 'agent-session-opened', sessionId: parts.sessionId },
  )
  const { world, engine } = await buildWorld(context)
  await engine.fireRunStarted(session, world)
  await engine.observe(session, world)
  remember(context, { baselineRunId: baselineAfter(before, session.state, parts.agreedAtMs) })
  const going =
    parts.choices.baseline === 'checks' && before?.isGoneOnWith !== true
      ? await goOn(context)
      : await rememberTree(context)
  await rememberPromptTree(context)
  return going
}

/** The tree is remembered, by its fingerprint and by the guard; no check is asked. */
async function rememberTree(context: SessionContext): Promise<Progress> {
  const { session } = context
  const { world, engine } = await buildWorld(context)
  const guards = session.state.settings.verifiers.filter(({ role }) => role === 'guard' && !runsLast(role))
  const verifiers = guards.map(({ name }) => name)
  if (verifiers.length > 0)
    await engine.perform({ kind: 'verify', trigger: 'baseline', verifiers }, session, world)
  if (world.signal.aborted) return 'broken-off'
  await session.tell({ type: 'model-called', turn: 1, attempt: 1 })
  return 'at-work'
}
