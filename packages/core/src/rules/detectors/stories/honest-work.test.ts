/** All detectors together on honest work that other detectors are known to stop. */
import { describe, expect, it } from 'vitest'
import { many, page, play, word, type Call } from './played-calls.test.ts'

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
