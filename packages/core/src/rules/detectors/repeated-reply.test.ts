/** Turns as they are told to the fold, for the tests of detectors that look at replies, edits and checks. */
import { describe, expect, it } from 'vitest'
import type { Fact, ToolEffect } from '../../events/index.ts'
import { standardLoopDetection, type LoopDetectionSettings } from '../../events/settings/index.ts'
import { begun, given, type Step } from '../../testing/index.ts'
import {
  modelCalled,
  modelReplied,
  toolCalled,
  toolReturned,
  turnEnded,
  workspaceObserved,
  modelClaimed,
} from '../../testing/facts.ts'
import type { Detector, Detection } from './detection.ts'
import { viewOf } from './loop-detections.ts'
import { repeatedReply } from './repeated-reply.ts'

interface SdkCall {
  /** Calls of one name mean the same. Default: one that never came before. */
  readonly call?: string
  readonly tool?: string
  readonly effect?: ToolEffect
  /** Equal texts are equal results; null is unknown. Default: a new one. */
  readonly outcome?: string | null
  readonly fails?: boolean
  readonly changed?: boolean
  /** How long it took. Default 1 s. */
  readonly seconds?: number
}

interface ReportedTurn {
  readonly text?: string
  readonly calls?: readonly SdkCall[]
  /** The tree after the calls. Default: not observed. */
  readonly tree?: string
  /** False leaves the calls unanswered. */
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

interface Told {
  readonly settings?: Partial<LoopDetectionSettings>
  readonly workFolder?: string | null
}

/** Facts before the turns: the run, with the soft tier on. */
function softRun({ settings = {}, workFolder = '/srv/tree' }: Told = {}): readonly Step[] {
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
function detectionAfter(
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
function levelsAfter(detector: Detector, turns: readonly ReportedTurn[], reported: Told = {}) {
  return turns.map((_, index) => detectionAfter(detector, turns.slice(0, index + 1), reported)?.level)
}

function repeated<Item>(count: number, item: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => item(index))
}

const text = 'Everything is fixed, and all of the tests pass.'
const answer: ReportedTurn = { text }
const stale: SdkCall = { call: 'look', outcome: 'nothing' }

describe('given answers without calls', () => {
  it('the second equal one is told, the fourth ends the run', () => {
    expect(
      levelsAfter(
        repeatedReply,
        repeated(5, () => answer),
      ),
    ).toEqual([undefined, 'warning', 'warning', 'fatal', 'fatal'])
  })

  it('case, spaces, times and a count around them make no difference', () => {
    const turns = [
      { text: 'Everything is  fixed and tested, as of 12:01:02.' },
      { text: 'everything IS fixed and\ntested, as of 12:07:44.' },
      { text: '3. Everything is fixed and tested, as of 13:00:00. (4)' },
    ]
    expect(detectionAfter(repeatedReply, turns)?.numbers).toEqual({ replies: 3 })
  })

  it('numbers do: another result is another answer', () => {
    const turns = repeated(6, (index) => ({
      text: `The final answer to the question that was asked is ${index}.`,
    }))
    expect(detectionAfter(repeatedReply, turns)).toBeUndefined()
  })

  it.each([39, 40])('a text of %i characters is long enough from 40 on', (length) => {
    const turns = repeated(4, () => ({ text: 'x'.repeat(length) }))
    expect(detectionAfter(repeatedReply, turns)?.level).toBe(length < 40 ? undefined : 'fatal')
  })

  it('a turn with calls between them begins anew', () => {
    const turns = [answer, answer, answer, { text: 'I look once more.', calls: [{}] }, answer]
    expect(detectionAfter(repeatedReply, turns)).toBeUndefined()
  })

  it('an agent that says the same while the work becomes new is none', () => {
    const turns = repeated(5, (index) => ({ text, tree: `tree-${index + 1}` }))
    expect(detectionAfter(repeatedReply, turns)).toBeUndefined()
  })

  it('another task is another beginning', () => {
    const said = repeated(3, (index) => [modelCalled(index + 1), modelClaimed(text), turnEnded(index + 1)])
    const { state } = given(
      softRun(),
      said,
      { type: 'goal-set', task: 'another' },
      modelCalled(4),
      modelClaimed(text),
    )
    const view = viewOf(state)
    expect(view === undefined ? 'no view' : repeatedReply(view)).toBeUndefined()
  })
})

describe('given the same words before calls', () => {
  const turn: ReportedTurn = { text, calls: [stale] }

  it('that bring nothing new: the third repetition is told, the fifth ends the run', () => {
    const turns = [{ text: 'First I look.', calls: [stale] }, ...repeated(6, () => turn)]
    expect(levelsAfter(repeatedReply, turns)).toEqual([
      undefined,
      undefined,
      undefined,
      'warning',
      'warning',
      'fatal',
      'fatal',
    ])
  })

  it('nothing is said as long as calls bring something new', () => {
    expect(
      levelsAfter(
        repeatedReply,
        repeated(20, () => ({ text, calls: [{}] })),
      ),
    ).not.toContain('warning')
    const nowAndThen = repeated(20, (index) => (index % 3 === 2 ? { text, calls: [{}, stale] } : turn))
    expect(levelsAfter(repeatedReply, nowAndThen)).not.toContain('warning')
  })

  it('nor before the calls are answered', () => {
    const asked: ReportedTurn = { ...turn, answered: false }
    expect(detectionAfter(repeatedReply, [...repeated(3, () => turn), asked])).toBeUndefined()
    expect(detectionAfter(repeatedReply, [...repeated(3, () => turn), turn])?.level).toBe('warning')
  })
})

describe('given replies that say nothing', () => {
  const silent: ReportedTurn = { text: ' \n' }

  it('the third in a row is told, the fifth ends the run', () => {
    expect(
      levelsAfter(
        repeatedReply,
        repeated(5, () => silent),
      ),
    ).toEqual([undefined, undefined, 'warning', 'warning', 'fatal'])
  })
})

describe('given replies that chant', () => {
  const passage = 'I need to check the file again before I go on. '
  const chant = passage.repeat(9)

  it('the first is told, the third in a row ends the run, with or without calls', () => {
    expect(chant.length).toBeGreaterThanOrEqual(400)
    for (const calls of [[], [{}]]) {
      const turns = repeated(3, (index) => ({ text: `${index}: ${chant}`, calls }))
      expect(levelsAfter(repeatedReply, turns)).toEqual(['warning', 'warning', 'fatal'])
    }
  })

  it('a short one is not judged', () => {
    const short = 'w go on, no'.repeat(40).slice(0, 399)
    expect(detectionAfter(repeatedReply, [{ text: short, calls: [{}] }])).toBeUndefined()
    expect(detectionAfter(repeatedReply, [{ text: `${short}o`, calls: [{}] }])?.level).toBe('warning')
  })
})
