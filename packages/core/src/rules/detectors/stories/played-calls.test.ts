/** Calls played against all detectors together: read by their words, as they are in a run. */
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../events/index.ts'
import {
  listPattern,
  looks,
  noActivity,
  pauses,
  readCall,
  readOutcome,
  amountSaid,
  vetoOfCall,
  waits,
  withCall,
  withProgress,
  type Activity,
  type CallFact,
} from '../../../state/activity/index.ts'
import { continues, loopDetections, detectionsToRefuse } from '../loop-detections.ts'
import { standardLoopDetection as settings } from '../../../events/settings/index.ts'

/** A call as a drive makes it, and what comes of it. */
export interface Call {
  readonly tool?: string
  readonly args: JsonValue
  readonly result: string
  readonly failed?: boolean
  /** The work became new with it. */
  readonly progress?: true
}

export interface Course {
  /** Calls that were asked for until the end. */
  readonly calls: number
  /** Calls that ran before the first was refused, or before the run was ended. */
  readonly ranBefore: number | undefined
  readonly ended: boolean
  readonly told: boolean
  readonly refused: number
  readonly detectors: readonly string[]
}

/** Plays calls one a turn, as a drive does that heeds nothing. */
export function play(calls: readonly Call[]): Course {
  let activity: Activity = noActivity
  const detectors = new Set<string>()
  let [reported, ended, refused] = [false, false, 0]
  let ranBefore: number | undefined
  let asked = 0
  for (const [at, call] of calls.entries()) {
    asked += 1
    const fact = factOf(call, at + 1)
    const veto = detectionsToRefuse({ activity, settings }).find((detection) =>
      continues(detection, { tool: fact.tool, key: fact.call }),
    )
    if (veto !== undefined) refused += 1
    activity = withCall(activity, veto === undefined ? fact : vetoOf(fact, activity))
    if (veto === undefined && call.progress) activity = withProgress(activity)
    const detections = loopDetections({ activity, settings }, 'on')
    const isOver = veto !== undefined && activity.vetoes >= settings.vetoesUntilEnd
    ended = isOver || detections.some(({ level }) => level === 'hopeless')
    if (veto !== undefined || ended) ranBefore ??= veto === undefined ? at + 1 : at
    reported ||= detections.length > 0
    for (const { detector } of detections) detectors.add(detector)
    if (ended) break
  }
  return { calls: asked, ranBefore, ended, told: reported, refused, detectors: [...detectors] }
}

function factOf({ tool = 'run_shell', args, result, failed = false }: Call, sequence: number): CallFact {
  const isPause = pauses(tool, args, undefined)
  const pattern = failed ? listPattern(tool, args, result) : undefined
  return {
    ...readOutcome(result, failed),
    sequence,
    turn: sequence,
    tool,
    call: `${tool}:${readCall(args)}`,
    callStatus: 'ran',
    waits: waits(tool, args, undefined),
    noOp: false,
    said: amountSaid(result),
    ...(looks(tool, undefined, args) ? { looks: true } : {}),
    ...(pattern === undefined ? {} : { pattern }),
    ...(isPause ? { pauses: true } : {}),
  }
}

function vetoOf(fact: CallFact, activity: Activity): CallFact {
  return { ...fact, ...vetoOfCall(activity, fact.call) }
}

export const many = (count: number, make: (at: number) => Call): readonly Call[] =>
  Array.from({ length: count }, (_, at) => make(at))
export const words = [
  'alpha',
  'bravo',
  'charlie',
  'delta',
  'echo',
  'foxtrot',
  'golf',
  'hotel',
  'india',
  'juliett',
]
export const word = (at: number) => `${words[at % 10] ?? ''}-${words[Math.floor(at / 10) % 10] ?? ''}`
export const page = Array.from(
  { length: 12 },
  (_, at) => `line of ${word(at)}: export function ${word(at * 3)}()`,
).join('\n')
export const error = 'Error: connect ECONNREFUSED, the data base does not answer'

describe('given calls that are played', () => {
  it('runs all of them where nothing repeats, and says when it was over where all do', () => {
    const fresh = play(many(5, (at) => ({ args: { command: `step ${word(at)}` }, result: word(at) })))
    expect(fresh).toEqual({
      calls: 5,
      ranBefore: undefined,
      ended: false,
      told: false,
      refused: 0,
      detectors: [],
    })
    const same = play(many(50, () => ({ args: { command: 'make' }, result: error, failed: true })))
    expect(same).toMatchObject({ ended: true, told: true })
  })
})
