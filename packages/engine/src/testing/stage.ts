/** A whole loop in memory: only agent, tools, verifiers and clock are fake. */
import { deterministicVeto, type Aggregator } from '@donecheck/core/internal/decide/aggregate'
import type { Judgement } from '@donecheck/core/internal/decide'
import { englishPrompts } from '@donecheck/core/internal/decide/prompts'
import { hardCaps } from '@donecheck/core/internal/rules/caps'
import { refusedCalls } from '@donecheck/core/internal/rules/detectors'
import type { Rule, RunState } from '@donecheck/core/internal/state'
import { problemOfFact, type RunEvent } from '@donecheck/core/internal/events'
import type { Budget, Caps } from '@donecheck/core/internal/budgets'
import type { RunSettings } from '@donecheck/core/internal/events/settings'
import type { SecretValues } from '@donecheck/core/internal/secrets'
import type { Approver, Gate } from '../ports/gate.ts'
import type { Agent, Tool, ToolOutcome, Workspace } from '../ports/loop.ts'
import type { Guard, Verifier, VerifierResult } from '../ports/checks.ts'
import type { Hooks } from '../ports/callbacks.ts'
import { hookPipeline } from '../policy/callbacks/index.ts'
import { memoryStore } from '../system/store/index.ts'
import { countingIds, manualClock } from './manual-clock.ts'
import { runStarted } from '@donecheck/core/testing'
import { goalSet } from '@donecheck/core/internal/testing/facts'
import { runLoop, LiveRun, wake, type Checking, type World } from '../loop/run/index.ts'

export interface Scene {
  readonly agent: Agent
  readonly verifiers?: readonly Verifier[]
  readonly tools?: readonly Tool[]
  readonly caps?: Partial<Caps>
  readonly settings?: Partial<RunSettings>
  readonly gate?: Gate
  readonly approver?: Approver
  readonly hooks?: Hooks
  readonly workspace?: Workspace
  readonly guard?: Guard
  readonly replies?: World['replies']
  readonly checking?: Partial<Omit<Checking, 'policy'>>
  readonly signal?: AbortSignal
  readonly secrets?: SecretValues
  readonly policy?: Aggregator
  readonly rules?: readonly Rule[]
  readonly onEvent?: (event: RunEvent, state: RunState) => void
}

export interface Played {
  readonly events: readonly RunEvent[]
  readonly state: RunState
  readonly store: ReturnType<typeof memoryStore>
  readonly session: LiveRun
}

export function stage(scene: Scene) {
  const store = memoryStore()
  const clock = manualClock(1_000_000, { autoAdvance: true })
  const events: RunEvent[] = []
  const judgement = judgementOf(scene)
  const parts = {
    log: store,
    clock,
    ids: countingIds('event'),
    judgement,
    problemOf: problemOfFact,
    secrets: scene.secrets ?? {},
    lease: null,
    onEvent: (event: RunEvent, state: RunState) => {
      events.push(event)
      scene.onEvent?.(event, state)
    },
  }
  const session = new LiveRun('run-1', parts)
  const world: World = {
    agent: scene.agent,
    tools: scene.tools ?? [],
    gate: scene.gate ?? { check: async () => ({ kind: 'allow', reason: 'a test' }) },
    approver: scene.approver ?? {
      ask: async () => ({ approved: false, by: 'nobody', reason: 'nobody is there' }),
    },
    hooks: scene.hooks ?? hookPipeline({}),
    history: () => events,
    verifiers: scene.verifiers ?? [],
    workspace: scene.workspace ?? null,
    guard: scene.guard ?? null,
    moreChecks: null,
    replies: scene.replies ?? null,
    checking: {
      aggregate: judgement.aggregate,
      maxParallel: 1,
      failFast: false,
      verdicts: null,
      waivers: [],
      quarantine: [],
      trusted: [],
      faults: null,
      ...scene.checking,
    },
    memory: null,
    clock,
    ids: countingIds('sub-run'),
    store,
    prompts: englishPrompts,
    signal: scene.signal ?? new AbortController().signal,
    onText: () => undefined,
    onOutput: () => undefined,
  }
  return { store, session, world, events, parts, clock }
}

/** Records the two facts that start every run. */
export async function begin(session: LiveRun, scene: Scene): Promise<void> {
  const { agent, guard, verifiers = [], caps, settings } = scene
  const started = runStarted({
    agent: agent.description,
    workFolder: scene.workspace?.folder ?? null,
    verifiers: [...(guard === undefined ? [] : [guard]), ...verifiers].map(({ description }) => description),
    ...settings,
    caps: { maxIterations: 20, ...caps, ...settings?.caps },
  })
  await session.tell(started, goalSet('do it'))
}

/** Plays a scene from start to stop. */
export async function play(scene: Scene): Promise<Played> {
  const { store, session, world, events } = stage(scene)
  await begin(session, scene)
  await runLoop(session, world)
  return { events, state: session.state, store, session }
}

/** Resumes a played scene as a new process would. @param added more budget */
export async function playOn(played: Played, scene: Scene, added?: Partial<Budget>): Promise<Played> {
  const { world: fresh, events, parts } = stage(scene)
  const world = { ...fresh, store: played.store }
  const session = new LiveRun(
    'run-1',
    { ...parts, log: played.store, ids: countingIds('later') },
    await played.store.read('run-1'),
  )
  const waking = { holder: 'a second process', agent: scene.agent.description, runs: played.store }
  const topUp = added === undefined ? {} : { topUp: { by: 'a test', added } }
  await wake(session, { ...waking, ...topUp }, englishPrompts)
  await runLoop(session, world)
  return { events, state: session.state, store: played.store, session }
}

/** A verifier by call number, counted from 1. */
export function verifier(
  name: string,
  verify: (call: number) => Partial<VerifierResult> & Pick<VerifierResult, 'status'>,
  description: Partial<Verifier['description']> = {},
): Verifier {
  let call = 0
  return {
    description: {
      name,
      required: true,
      weight: 1,
      deterministic: true,
      reads: 'workspace',
      role: 'check',
      ...description,
    },
    verify: async () => {
      call += 1
      return {
        reason: `${name} was asked ${call} times`,
        canRetry: true,
        qualifiers: [],
        evidence: [],
        ...verify(call),
      }
    },
  }
}

/** A tool that accepts any arguments; writes by default. */
export function tool(
  name: string,
  run: () => ToolOutcome | Promise<ToolOutcome>,
  effect: Tool['effect'] = 'write',
): Tool {
  return {
    name,
    description: name,
    parameters: { type: 'object' },
    effect,
    prepare: async () => ({ kind: 'ready', summary: name, run: async () => run() }),
  }
}

/** Types of the events, in order. */
export function typesOf(events: readonly RunEvent[]): readonly string[] {
  return events.map(({ type }) => type)
}

function judgementOf({ rules = [], policy = deterministicVeto }: Scene): Judgement {
  return { rules: [...hardCaps, refusedCalls(), ...rules], aggregate: policy, prompts: englishPrompts }
}
