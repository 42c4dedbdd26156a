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

/** A call as an agent makes it, and what comes of it. */
interface Call {
  readonly tool?: string
  readonly args: JsonValue
  readonly result: string
  readonly failed?: boolean
  /** The work became new with it. */
  readonly progress?: true
}

interface Course {
  /** Calls that were asked for until the end. */
  readonly calls: number
  /** Calls that ran before the first was refused, or before the run was ended. */
  readonly ranBefore: number | undefined
  readonly ended: boolean
  readonly told: boolean
  readonly refused: number
  readonly detectors: readonly string[]
}

/** Plays calls one a turn, as an agent does that heeds nothing. */
function play(calls: readonly Call[]): Course {
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
    ended = isOver || detections.some(({ level }) => level === 'fatal')
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

const many = (count: number, make: (at: number) => Call): readonly Call[] =>
  Array.from({ length: count }, (_, at) => make(at))
const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett']
const word = (at: number) => `${words[at % 10] ?? ''}-${words[Math.floor(at / 10) % 10] ?? ''}`
const page = Array.from(
  { length: 12 },
  (_, at) => `line of ${word(at)}: export function ${word(at * 3)}()`,
).join('\n')
const error = 'Error: connect ECONNREFUSED, the data base does not answer'

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

describe('given honest work that is known to be stopped', () => {
  it.each<[string, readonly Call[]]>([
    [
      '60 files are linted, each with the same message',
      many(60, (at) => ({
        args: { command: `lint ${word(at)}.ts` },
        result: '1 problem: missing licence header',
        failed: true,
      })),
    ],
    [
      '60 files are linted, and each message names the file',
      many(60, (at) => ({
        args: { command: `lint ${word(at)}.ts` },
        result: `${word(at)}.ts: missing licence header`,
        failed: true,
      })),
    ],
    [
      '45 files are looked at, and then linted with the same message',
      many(90, (at) => {
        const path = `${word(Math.floor(at / 2))}.ts`
        return at % 2 === 0
          ? { tool: 'read_file', args: { path }, result: `${page} ${path}` }
          : { args: { command: `lint ${path}` }, result: '1 problem: missing licence header', failed: true }
      }),
    ],
    [
      'a quiet job that is asked after 45 times, with a pause before each question',
      many(90, (at) =>
        at % 2 === 0
          ? { args: { command: 'sleep 20' }, result: '' }
          : { tool: 'command_status', args: { id: 7 }, result: 'running' },
      ),
    ],
    ['25 times `sleep 30` on purpose', many(25, () => ({ args: { command: 'sleep 30' }, result: '' }))],
    [
      'test, test, edit: the tests say ok, the edits are the progress',
      many(60, (at) =>
        at % 3 === 2
          ? { tool: 'edit_file', args: { path: 'a.ts', to: at }, result: 'edited', progress: true }
          : { args: { command: 'npm test' }, result: 'ok' },
      ),
    ],
    [
      '45 files are formatted, and each time the tool says ok',
      many(45, (at) => ({ args: { command: `format ${word(at)}.ts` }, result: 'ok' })),
    ],
    [
      'fifteen files are read, then edited, then read again',
      many(45, (at) => {
        const path = word(at % 15)
        if (at < 15) return { tool: 'read_file', args: { path }, result: `${page} ${path}` }
        if (at < 30) return { tool: 'edit_file', args: { path }, result: 'edited', progress: true }
        return { tool: 'read_file', args: { path }, result: `${page} ${path} edited` }
      }),
    ],
    [
      'a poll whose answer changes 40 times',
      many(40, (at) => ({ tool: 'command_status', args: { id: 7 }, result: `${at * 2} of 80 tests done` })),
    ],
    [
      'twenty searches without a hit',
      many(20, (at) => ({ tool: 'search', args: { pattern: word(at) }, result: 'no matches' })),
    ],
    [
      'a long file is read page by page',
      many(60, (at) => ({
        tool: 'read_file',
        args: { path: 'a.ts', offset: at * 50 },
        result: `${page} ${word(at)}`,
      })),
    ],
    [
      'the same message to 25 people',
      many(25, (at) => ({
        tool: 'send_message',
        args: { to: word(at), text: 'The release is out.' },
        result: `{"sent":true,"messageId":"${at}f3a9c0d1e2b"}`,
      })),
    ],
  ])('%s: nothing is refused', (_, calls) => {
    expect(play(calls)).toMatchObject({ ranBefore: undefined, refused: 0, ended: false })
  })
})
