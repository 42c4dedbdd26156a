import { type RunState, fold } from '@donecheck/core/internal/state'
import type { HostSessionEntry } from '@donecheck/engine/internal/ports/store'
import {
  type SessionMemory,
  freshMemory,
  buildWorld,
  stopUnverified,
  remember,
  type SessionContext,
  snapshotOf,
} from './record/session-context.ts'
import type { AgentSessionParts } from './session.ts'

export interface EarlierRun {
  readonly state: RunState
  readonly memory: SessionMemory
  readonly session: 'same' | 'other'
  readonly isGoneOnWith?: true
  readonly later?: EarlierRun
}

/** Only a verified end or a person's approval resets it. @returns null if the current tree counts */
export function baselineAfter(
  before: EarlierRun | undefined,
  now: RunState | undefined,
  agreedAtMs: number | undefined,
): string | null {
  if (before === undefined) return null
  if (!keepsBaseline(before, now, agreedAtMs)) return baselineAfter(before.later, now, agreedAtMs)
  const { state, memory } = before
  if (memory.baselineRunId !== null) return memory.baselineRunId
  return hasRemembered(state) ? state.runId : null
}

function keepsBaseline(
  before: EarlierRun,
  now: RunState | undefined,
  agreedAtMs: number | undefined,
): boolean {
  const { state, memory, session, isGoneOnWith } = before
  if (isGoneOnWith === true) return true
  if (agreedAtMs !== undefined && agreedAtMs > state.nowMs) return false
  const isOfOthers = session === 'other' && agreedAtMs === undefined
  if (isOfOthers && !isLeftAsItWas(state, now)) return false
  const { phase } = state
  if (phase.kind !== 'stopped') return true
  if (phase.transition.outcome === 'verified') return memory.workedAfterEnd || hasOtherChecks(state)
  return !isUntouched({ state, memory })
}

function isLeftAsItWas({ phase, workspace }: RunState, now: RunState | undefined): boolean {
  return (
    phase.kind === 'stopped' &&
    workspace.current !== undefined &&
    workspace.current === now?.workspace.current
  )
}

function hasOtherChecks({ checks }: RunState): boolean {
  return Object.values(checks).some(
    ({ latest }) => latest?.tree === 'both-trees' || latest?.tree === 'independent-tree',
  )
}

function isUntouched({ state, memory }: Pick<EarlierRun, 'state' | 'memory'>): boolean {
  const { phase, workspace } = state
  if (phase.kind !== 'stopped' || phase.transition.reason !== 'model_ended') return false
  if (memory.workedAfterEnd || memory.baselineRunId !== null || memory.promptTree === null) return false
  return phase.transition.verdicts.length === 0 && workspace.current === memory.promptTree
}

function hasBaseline({ state, memory }: Pick<EarlierRun, 'state' | 'memory'>): boolean {
  return memory.baselineRunId !== null || hasRemembered(state)
}

function hasRemembered({ settings, checks }: RunState): boolean {
  return settings.verifiers.some(({ name, role }) => role === 'guard' && checks[name]?.baseline === 'passed')
}

export function baselineNotice(before: EarlierRun | undefined, now: RunState): string | undefined {
  const other = before?.session === 'other' ? before : before?.later
  if (other === undefined || other.state.workspace.current === now.workspace.current) return undefined
  return [
    'donecheck: the session before this one did not end as verified, and files have changed since.',
    'Tests and scripts of checks are still compared with the tree before it.',
    'If you have changed them yourself, install the hooks anew, with the checks named; then they count as they are now.',
  ].join(' ')
}

/** The folder's latest run of any session, or undefined. Open runs count: their agent may be dead. */
export async function findRunElsewhere(
  { store, workFolder }: Pick<AgentSessionParts, 'store' | 'workFolder'>,
  ownKey: string,
): Promise<EarlierRun | undefined> {
  if (workFolder === null) return undefined
  for (const session of await store.hostSessions()) {
    const found = session.key === ownKey ? undefined : await readStoredRun(session, store)
    if (found?.state.workFolder === workFolder && hasBaseline(found)) return { ...found, session: 'other' }
  }
  return undefined
}

async function readStoredRun(
  { key, runId }: HostSessionEntry,
  store: AgentSessionParts['store'],
): Promise<Pick<EarlierRun, 'state' | 'memory'> | undefined> {
  const row = await store.hostSession(key)
  const snapshot = row?.latestSequence === row?.sequence ? snapshotOf(row?.snapshot ?? '') : undefined
  if (snapshot !== undefined) return snapshot
  const state: RunState | undefined = fold(await store.read(runId))
  return state === undefined ? undefined : { state, memory: freshMemory }
}

const prose: readonly string[] = [
  ...['*.md', '*.mdx', '*.markdown', '*.rst', '*.adoc'],
  ...['README', 'LICENSE', 'LICENCE', 'CHANGELOG', 'CONTRIBUTING', 'AUTHORS', 'NOTICE'].flatMap((name) => [
    name,
    `${name}.txt`,
  ]),
]

export async function rememberPromptTree(context: SessionContext): Promise<void> {
  const promptTree = context.session.state.workspace.current ?? null
  const isAsked =
    context.parts.choices.baseline === 'tree' || context.parts.choices.whenUnchanged === 'allow-stop'
  const promptTreeWithoutProse =
    isAsked && promptTree !== null ? ((await withoutProse(context)) ?? null) : null
  remember(context, { promptTree, promptTreeWithoutProse })
}

/** @returns why a turn needs no check; undefined if it does */
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

async function withoutProse(context: SessionContext): Promise<string | undefined> {
  const { doors } = await context.world()
  try {
    return await doors.workspace?.fingerprint(context.signal, { except: prose })
  } catch {
    return undefined
  }
}

export async function allowStopUnchecked(why: string, context: SessionContext): Promise<void> {
  const message = `the agent ended its turn and ${why}; no check was asked`
  await stopUnverified(context, { reason: 'model_ended', outcome: 'unverified', message })
}
