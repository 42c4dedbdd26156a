/**
 * All detectors together on what other detectors are known to miss, and on honest work that they are known to stop. Calls
 * and results are read as they are in a run: by their words.
 */
import { describe, expect, it } from 'vitest'
import {
  listPattern,
  looks,
  noActivity,
  pauses,
  readCall,
  readOutcome,
  saidBy,
  vetoOfCall,
  waits,
  withCall,
  withProgress,
  type Activity,
  type CallFact,
  type JsonValue,
} from '../../events/index.ts'
import { continues, loopSigns, signsToRefuse } from './loop-signs.ts'
import { standardLoopDetection as settings } from './standard-settings.ts'

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

/** Plays calls one a turn, as a drive does that heeds nothing. */
function play(calls: readonly Call[]): Course {
  let activity: Activity = noActivity
  const detectors = new Set<string>()
  let [told, ended, refused] = [false, false, 0]
  let ranBefore: number | undefined
  let asked = 0
  for (const [at, call] of calls.entries()) {
    asked += 1
    const fact = factOf(call, at + 1)
    const veto = signsToRefuse({ activity, settings }).find((sign) =>
      continues(sign, { tool: fact.tool, key: fact.call }),
    )
    if (veto !== undefined) refused += 1
    activity = withCall(activity, veto === undefined ? fact : vetoOf(fact, activity))
    if (veto === undefined && call.progress) activity = withProgress(activity)
    const signs = loopSigns({ activity, settings }, 'on')
    const isOver = veto !== undefined && activity.vetoes >= settings.vetoesUntilEnd
    ended = isOver || signs.some(({ level }) => level === 'hopeless')
    if (veto !== undefined || ended) ranBefore ??= veto === undefined ? at + 1 : at
    told ||= signs.length > 0
    for (const { detector } of signs) detectors.add(detector)
    if (ended) break
  }
  return { calls: asked, ranBefore, ended, told, refused, detectors: [...detectors] }
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
    fate: 'ran',
    waits: waits(tool, args, undefined),
    noOp: false,
    said: saidBy(result),
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

describe('given loops that are known to pass unseen', () => {
  it.each([4, 5, 10, 30])('a round of %i calls is ended within five laps', (period) => {
    const round = many(10 * period, (at) => ({
      args: { command: `cat ${word(at % period)}.ts` },
      result: `${page} ${word(at % period)}`,
    }))
    const course = play(round)
    expect(course.ended).toBe(true)
    expect(course.ranBefore).toBeLessThanOrEqual(4 * period)
  })

  it.each<[string, (at: number) => Call]>([
    [
      'the same error with other arguments',
      (at) => ({ args: { command: `connect --as ${word(at)}` }, result: error, failed: true }),
    ],
    [
      'the same error with other arguments and with times in it',
      (at) => ({
        args: { command: `connect --as ${word(at)}` },
        result: `12:00:${10 + (at % 50)} ${error}`,
        failed: true,
      }),
    ],
    [
      'one error that rotates over five tools',
      (at) => ({ tool: `tool_${words[at % 5] ?? ''}`, args: { of: word(at) }, result: error, failed: true }),
    ],
    [
      'reads with a growing offset that return the same text',
      (at) => ({ tool: 'read_file', args: { path: 'a.ts', offset: at * 50 }, result: page }),
    ],
    [
      'a growing number of lines of a short file',
      (at) => ({ args: { command: `head -n ${10 + at} a.ts` }, result: page }),
    ],
    [
      'a search whose query differs in blanks alone',
      (at) => ({
        tool: 'web_search',
        args: { query: `how to${' '.repeat(1 + (at % 40))}connect` },
        result: page,
      }),
    ],
    [
      'a search that is worded anew and finds the same',
      (at) => ({ tool: 'web_search', args: { query: `how to connect ${word(at)}` }, result: page }),
    ],
    [
      'a search whose result holds the time of day',
      (at) => ({
        tool: 'web_search',
        args: { query: 'connect' },
        result: `${page} (2026-01-02T10:00:${10 + (at % 50)}Z)`,
      }),
    ],
    [
      'a failing command with another look between two tries',
      (at) =>
        at % 2 === 0
          ? { args: { command: `connect --as ${word(at)}` }, result: error, failed: true }
          : { tool: 'read_file', args: { path: `${word(at)}.ts` }, result: `${page} ${word(at)}` },
    ],
    [
      'files that nobody has seen, and none of which exists',
      (at) => ({
        args: { command: `cat ${word(at)}.ts` },
        result: `cat: ${word(at)}.ts: No such file or directory`,
        failed: true,
      }),
    ],
    [
      'one failure over more paths than any list is given credit for',
      (at) => ({ args: { command: `lint src/${at}.ts` }, result: error, failed: true }),
    ],
    [
      'a job that never answers, with a pause before each question',
      (at) =>
        at % 2 === 0
          ? { args: { command: 'sleep 20' }, result: '' }
          : { tool: 'command_status', args: { id: 7 }, result: 'running' },
    ],
    [
      'a growing offset whose answer is a few words of a shell',
      (at) => ({
        args: { command: `sed -n '${at * 50},${at * 50 + 49}p' a.ts` },
        result: 'the file a.ts has 12 lines',
      }),
    ],
    ['a failing command that says nothing', () => ({ args: { command: 'make' }, result: '', failed: true })],
    [
      'a status with an elapsed time in it',
      (at) => ({ tool: 'command_status', args: { id: 7 }, result: `running, ${at}.${at % 10} s elapsed` }),
    ],
    [
      'the same test after edits that change nothing new',
      (at) =>
        at % 2 === 0
          ? { tool: 'edit_file', args: { path: 'a.ts', to: at % 4 }, result: 'edited' }
          : {
              args: { command: 'npm test' },
              result: '1 failed: adds numbers, expected 3 to be 2',
              failed: true,
            },
    ],
  ])('%s: is told and ended', (_, make) => {
    const course = play(many(120, make))
    expect(course).toMatchObject({ told: true, ended: true })
  })

  it.each([10, 12, 20, 31])('a round of %i calls is ended with its third repetition', (period) => {
    const round = many(10 * period, (at) => ({
      args: { command: `cat ${word(at % period)}.ts` },
      result: `${page} ${word(at % period)}`,
    }))
    expect(play(round)).toMatchObject({
      ended: true,
      detectors: expect.arrayContaining(['cycle']) as unknown,
    })
    expect(play(round).calls).toBeLessThanOrEqual(3 * period)
  })

  it('a failing call between two new looks each is not run again once it is refused', () => {
    const course = play(
      many(120, (at) =>
        at % 3 === 0
          ? { args: { command: 'connect' }, result: error, failed: true }
          : { tool: 'read_file', args: { path: `${word(at)}.ts` }, result: `${page} ${word(at)}` },
      ),
    )
    expect(course).toMatchObject({ ended: true, refused: 2 })
  })

  it('the same thirty commands forty-four times are ended in the fourth round at the latest', () => {
    const rounds = many(30 * 44, (at) => ({
      args: { command: `step ${word(at % 30)}` },
      result: `did ${word(at % 30)}`,
    }))
    expect(play(rounds).ranBefore).toBeLessThanOrEqual(4 * 30)
  })
})

describe('given honest work that is known to be stopped', () => {
  it.each<[string, readonly Call[]]>([
    [
      '25 files are linted, each with the same message and exit code 1',
      many(25, (at) => ({
        args: { command: `lint ${word(at)}.ts` },
        result: '1 problem: missing licence header',
        failed: true,
      })),
    ],
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
      'thirty writes of thirty files',
      many(30, (at) => ({ tool: 'write_file', args: { path: word(at) }, result: 'written' })),
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
      'a quiet job that is asked after 25 times, with a pause before each question',
      many(50, (at) =>
        at % 2 === 0
          ? { args: { command: 'sleep 20' }, result: '' }
          : { tool: 'command_status', args: { id: 7 }, result: 'running' },
      ),
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
