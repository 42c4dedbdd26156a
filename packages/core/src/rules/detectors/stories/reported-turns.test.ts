/** Turns as they are told to the fold, for the tests of detectors that look at replies, edits and checks. */
import { describe, expect, it } from 'vitest'
import type { Fact, ToolEffect } from '../../../events/index.ts'
import { standardLoopDetection, type LoopDetectionSettings } from '../../../events/settings/index.ts'
import { begun, given, type Step } from '../../../testing/index.ts'
import {
  modelCalled,
  modelReplied,
  toolCalled,
  toolReturned,
  turnEnded,
  workspaceObserved,
} from '../../../testing/facts.ts'
import type { Detector, Detection } from '../detection.ts'

export interface SdkCall {
  /** Calls of one name mean the same. Default: one that never came before. */
  readonly call?: string
  readonly tool?: string
  readonly effect?: ToolEffect
  /** Results of one text say the same; null: nobody knows. Default: one that never came before. */
  readonly outcome?: string | null
  readonly fails?: boolean
  readonly changed?: boolean
  /** How long it took. Default 1 s. */
  readonly seconds?: number
}

export interface ReportedTurn {
  readonly text?: string
  readonly calls?: readonly SdkCall[]
  /** The tree after the calls. Default: nobody looks. */
  readonly tree?: string
  /** False: the calls are asked for, and not yet answered. */
  readonly answered?: boolean
}

let made = 0
const another = (what: string) => `${what}-${(made += 1)}`

/** One turn without its end, so that a rule is due. */
function turn(number: number, { text = '', calls = [], tree, answered = true }: ReportedTurn): Step {
  const reported = calls.map((call) => ({ call, callId: another('id') }))
  const toolCalls = reported.map(({ call, callId }) => ({
    callId,
    tool: call.tool ?? 'read_file',
    args: {},
    argsDigest: call.call ?? another('call'),
  }))
  return [
    modelCalled(number),
    modelReplied({ text, toolCalls }),
    answered ? reported.map(({ call, callId }) => answerTo(call, callId)) : [],
    tree === undefined ? [] : workspaceObserved(tree),
  ]
}

function answerTo({ tool = 'read_file', effect = 'read', ...call }: SdkCall, callId: string): Step {
  const { outcome = another('outcome'), fails = false, changed, seconds = 1 } = call
  const answer: Fact & { durationMs: number } = {
    ...toolReturned(callId, 'output', fails ? 'error' : 'ok'),
    ...(outcome === null ? {} : { outcome }),
    ...(fails && outcome !== null ? { failure: outcome } : {}),
    ...(changed === undefined ? {} : { changed }),
    durationMs: seconds * 1000,
  }
  return [toolCalled(callId, effect, tool), answer]
}

export interface Told {
  readonly settings?: Partial<LoopDetectionSettings>
  readonly workFolder?: string | null
}

/** Facts before the turns: the run, with the soft tier on. */
export function softRun({ settings = {}, workFolder = '/srv/tree' }: Told = {}): readonly Step[] {
  const loopDetection = { ...standardLoopDetection, ...settings }
  const stagnation = { mode: 'off' as const, patienceVerifications: 6, changesPerClaim: 5, epsilonScore: 0 }
  return [...begun({ workFolder, soft: { loopDetection, stagnation, tokenBudget: null } })]
}

function reportedTurns(turns: readonly ReportedTurn[]): readonly Step[] {
  return turns.map((one, index) => [
    turn(index + 1, one),
    index + 1 < turns.length ? turnEnded(index + 1) : [],
  ])
}

/** What a detector says after these turns. */
export function detectionAfter(
  detector: Detector,
  turns: readonly ReportedTurn[],
  reported: Told = {},
): Detection | undefined {
  const { state } = given(softRun(reported), ...reportedTurns(turns))
  return detector({
    activity: state.activity,
    settings: { ...standardLoopDetection, ...reported.settings },
  })
}

/** The level after each of these turns. */
export function levelsAfter(detector: Detector, turns: readonly ReportedTurn[], reported: Told = {}) {
  return turns.map((_, index) => detectionAfter(detector, turns.slice(0, index + 1), reported)?.level)
}

export function repeated<Item>(count: number, item: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => item(index))
}

describe('given turns that are told', () => {
  it('the fold remembers what was called and what came of it', () => {
    const { activity } = given(
      softRun(),
      ...reportedTurns([{ text: 'I look.', calls: [{ outcome: 'x' }] }]),
    ).state
    expect(activity.calls).toMatchObject([{ turn: 1, tool: 'read_file', outcome: 'x', repeat: 0 }])
    expect(activity.replies).toMatchObject([{ turn: 1, calls: 1, generation: 0 }])
  })
})
