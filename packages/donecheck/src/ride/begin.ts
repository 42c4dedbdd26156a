/** A run begins: with what it was asked for, and a look at the tree before the agent touches it. */
import { runsLast } from '../core/index.ts'
import { baselineAfter, type EarlierRun } from './baseline.ts'
import { goOn, type Going } from './go-on.ts'
import { worldOf } from './world-of.ts'
import { remember, type Place } from './place.ts'
import { rememberPromptTree } from './untouched.ts'

/** What a run is for where nobody has told: the hooks were installed in the middle of a session. */
const unseenTask = '(what the agent was asked for was not seen)'

export interface Begun {
  /** Undefined: the host has not told. */
  readonly prompt: string | undefined
  /** The run before: of this session, or else over this folder. */
  readonly before?: EarlierRun
}

export async function begin({ prompt, before }: Begun, place: Place): Promise<Going> {
  const { parts, session } = place
  const { started } = await parts.beginning()
  const task = prompt === undefined || prompt.trim() === '' ? unseenTask : prompt
  const sawPrompt = prompt !== undefined && before?.isGoneOnWith !== true
  // With the first facts already: a run that is broken off here is gone on with.
  remember(place, { sawPrompt, baselineRunId: baselineAfter(before, undefined, parts.agreedAtMs) })
  await session.tell(
    started,
    { type: 'goal-set', task },
    { type: 'agent-session-opened', sessionId: parts.sessionId },
  )
  const { world, engine } = await worldOf(place)
  await engine.fireRunStarted(session, world)
  await engine.observe(session, world)
  remember(place, { baselineRunId: baselineAfter(before, session.state, parts.agreedAtMs) })
  const going =
    parts.choices.baseline === 'checks' && before?.isGoneOnWith !== true
      ? await goOn(place)
      : await lookAtTree(place)
  await rememberPromptTree(place)
  return going
}

/** The tree is remembered, by its fingerprint and by the guard; no check is asked. */
async function lookAtTree(place: Place): Promise<Going> {
  const { session } = place
  const { world, engine } = await worldOf(place)
  const guards = session.state.settings.verifiers.filter(({ role }) => role === 'guard' && !runsLast(role))
  const verifiers = guards.map(({ name }) => name)
  if (verifiers.length > 0)
    await engine.perform({ kind: 'verify', trigger: 'baseline', verifiers }, session, world)
  if (world.signal.aborted) return 'broken-off'
  await session.tell({ type: 'model-called', turn: 1, attempt: 1 })
  return 'at-work'
}
