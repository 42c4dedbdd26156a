/** All detectors together on loops that other detectors are known to miss. */
import { describe, expect, it } from 'vitest'
import { error, many, page, play, word, words, type Call } from './played-calls.test.ts'

describe('given loops that are known to pass unseen', () => {
  it.each([4, 5, 10, 30])('a round of %i calls is ended within five rounds', (period) => {
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
