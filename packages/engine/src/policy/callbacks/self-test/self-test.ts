/** Whether every registered hook can be run at all in the loop that is about to start. */
import { hookPoints, type HookPoint } from '@donecheck/core/gate'
import type { ToolEffect } from '@donecheck/core/events'
import type { Clock } from '../../../ports/loop.ts'
import { orNearest } from '../register/check-registration.ts'
import type { RegisteredHook } from '../register/registration.ts'
import { rulesOfPoints } from '../merge/rules-of-points.ts'
import { isFor, runOne } from '../fire/run-one.ts'
import type { Transition } from '@donecheck/core/transitions'
import type { Verdict } from '@donecheck/core/verdicts'
import type { HookedCall, HookInputs, Occasion } from '../../../ports/callbacks.ts'

/** What the loop has that hooks are about. */
export interface HookSituation {
  readonly tools: readonly { readonly name: string; readonly effect: ToolEffect }[]
  readonly verifiers: readonly string[]
  /** The drive is a program that uses tools of its own, which pass by every hook. Default false. */
  readonly driveHasOwnTools?: boolean
  /** Points that this loop can come to. Default: all. */
  readonly points?: readonly HookPoint[]
}

type HookProblemKind =
  /** The loop never comes to its point. */
  | 'unreachable'
  /** Its matcher, or a part of it, is for nothing that exists. */
  | 'no-match'
  /** Nobody can tell without a sample whether its matcher is for anything. */
  | 'unproven'
  /** What it would do is noted only. */
  | 'only-watched'
  /** The same function stands at the same point twice. */
  | 'doubled'
  /** It was run with its sample, and did not do what it must. */
  | 'failed'

export interface HookProblem {
  readonly hook: string
  readonly point: HookPoint
  readonly kind: HookProblemKind
  /** One sentence, with the way out. */
  readonly problem: string
  /** It is meant to refuse, and never could, or would refuse for being broken. */
  readonly isFatal: boolean
}

/** At most one problem of a kind for each hook. Never rejects. */
export async function selfTest(
  hooks: readonly RegisteredHook[],
  situation: HookSituation,
  clock: Clock,
): Promise<readonly HookProblem[]> {
  const problems: HookProblem[] = []
  for (const hook of hooks) problems.push(...(await findProblems(hook, hooks, situation, clock)))
  return problems
}

async function findProblems(
  hook: RegisteredHook,
  hooks: readonly RegisteredHook[],
  situation: HookSituation,
  clock: Clock,
): Promise<readonly HookProblem[]> {
  const { name, point, isWatched, failsClosed } = hook
  const isGate = failsClosed && !isWatched
  const tell = (kind: HookProblemKind, problem: string, isFatal = false): readonly HookProblem[] => [
    { hook: name, point, kind, problem, isFatal: isFatal && isGate },
  ]
  const watched = isWatched
    ? tell('only-watched', 'it is in shadow mode: what it says is noted, not done')
    : []
  const unreachable = unreachableBecause(hook, situation)
  if (unreachable !== undefined) return [...watched, ...tell('unreachable', unreachable, true)]
  const twin = hooks.slice(0, hooks.indexOf(hook)).find((other) => isTwin(hook, other))
  const doubled = twin === undefined ? [] : tell('doubled', `it is the same function as hook "${twin.name}"`)
  const dead = deadPatterns(hook, situation)
  if (dead !== undefined) return [...watched, ...doubled, ...tell('no-match', dead.problem, dead.isAll)]
  const trial = await trialProblem(hook, situation, clock)
  if (trial === undefined) return [...watched, ...doubled]
  return [...watched, ...doubled, ...tell(trial.kind, trial.problem, trial.kind !== 'unproven')]
}

function unreachableBecause({ point, list }: RegisteredHook, situation: HookSituation): string | undefined {
  const { tools, verifiers, driveHasOwnTools = false, points = hookPoints } = situation
  if (list === 'tools' && driveHasOwnTools)
    return `the drive uses tools of its own, which do not pass ${point}; confine it by a sandbox, or use a model with our tools`
  if (list === 'tools' && tools.length === 0) return `there are no tools, so that ${point} never comes`
  if (list === 'verifiers' && verifiers.length === 0)
    return `there are no verifiers, so that ${point} never comes; without a check nothing is called done`
  return points.includes(point) ? undefined : `this loop never comes to ${point}`
}

function isTwin(hook: RegisteredHook, other: RegisteredHook): boolean {
  return hook.point === other.point && hook.original === other.original
}

function deadPatterns(
  { matcher, list }: RegisteredHook,
  { tools, verifiers }: HookSituation,
): { readonly problem: string; readonly isAll: boolean } | undefined {
  if (matcher.kind !== 'names') return undefined
  const names = list === 'tools' ? tools.map(({ name }) => name) : verifiers
  const dead = matcher.patterns.filter((pattern) => !names.some((name) => pattern.test(name)))
  const [first] = dead
  if (first === undefined) return undefined
  const noun = list === 'tools' ? 'tool' : 'verifier'
  const problem = `${first.shown} matches no ${noun}${orNearest(first.bare, names)}`
  return { problem, isAll: dead.length === matcher.patterns.length }
}

interface TrialProblem {
  readonly kind: 'unproven' | 'no-match' | 'failed'
  readonly problem: string
}

/**
 * The hook is run once before anything depends on it. Undefined: it does what it must, or was not to be run and can be for
 * something. Never rejects.
 */
async function trialProblem(
  hook: RegisteredHook,
  situation: HookSituation,
  clock: Clock,
): Promise<TrialProblem | undefined> {
  const { point, sample, matcher } = hook
  const { input: given = {}, expect } = typeof sample === 'object' ? sample : {}
  const tries = sampleInputs[point](situation)
    .map((input) => ({ ...input, ...given }))
    .map((input) => ({ input, match: isFor(hook, input) }))
  const input = tries.find(({ match }) => match === true)?.input
  if (input === undefined) {
    if (typeof sample === 'object') return mismatch(tries.map(({ match }) => match))
    return matcher.kind === 'predicate' ? unproven : undefined
  }
  if (sample === undefined) return undefined
  const rules = rulesOfPoints[point]
  const done = await runOne({ ...hook, isWatched: false }, input, { rules, clock, match: true })
  if (done.kind === 'failed') return { kind: 'failed', problem: `its self-test failed: ${done.problem}` }
  const { effect } = done.shown
  if (expect === undefined || effect === expect) return undefined
  return { kind: 'failed', problem: `its self-test was to end in "${expect}", and ended in "${effect}"` }
}

function mismatch(matches: readonly ReturnType<typeof isFor>[]): TrialProblem {
  const failed = matches.find((match) => typeof match === 'object')
  if (failed !== undefined)
    return { kind: 'failed', problem: `its matcher failed on its own sample: ${failed.problem}` }
  return { kind: 'no-match', problem: 'its matcher does not match its own sample' }
}

const unproven: TrialProblem = {
  kind: 'unproven',
  problem: 'its matcher is for no tool without arguments; give it a selfTest with an input that it is for',
}

type SamplePayload = { readonly [Point in HookPoint]: (loop: HookSituation) => readonly HookInputs[Point][] }

function occasion(): Occasion {
  const { signal } = new AbortController()
  return { runId: 'self-test', turn: 1, signal, history: () => [], selfTest: true }
}

function calls({ tools }: HookSituation): readonly HookedCall[] {
  return tools.map(({ name: tool, effect }) => {
    return { ...occasion(), callId: 'self-test', tool, effect, args: {} }
  })
}

const transition: Transition = { kind: 'continue', reason: 'tool_calls', findings: [], verdicts: [] }

function passedSample(verifier: string): Verdict {
  const reason = 'self-test'
  return { verifier, status: 'passed', reason, canRetry: true, qualifiers: [], evidence: [], durationMs: 0 }
}

/** One for every name that the point is about. */
const sampleInputs: SamplePayload = {
  run_started: () => [{ ...occasion(), task: 'self-test', workFolder: null }],
  before_turn: () => [occasion()],
  before_tool_call: calls,
  after_tool_call: (loop) => calls(loop).map((call) => ({ ...call, status: 'ok', output: '' })),
  tool_result_persist: (loop) => calls(loop).map((call) => ({ ...call, output: '' })),
  after_turn: () => [{ ...occasion(), text: '', transition }],
  before_verification: ({ verifiers }) => [{ ...occasion(), trigger: 'claim', verifiers }],
  after_verification: ({ verifiers }) =>
    verifiers.map((verifier) => ({ ...occasion(), verdict: passedSample(verifier) })),
  before_finalize: ({ verifiers }) => [{ ...occasion(), answer: '', verdicts: verifiers.map(passedSample) }],
  on_transition: () => [{ ...occasion(), transition }],
  on_error: () => [{ ...occasion(), where: 'self-test', message: 'self-test' }],
  run_ended: () => [{ ...occasion(), transition }],
}
