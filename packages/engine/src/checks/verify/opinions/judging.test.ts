import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JudgeQuote } from '@donecheck/core/internal/events/verdicts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { commandEvidence, passedVerdict, stamp } from '@donecheck/core/testing'
import {
  goalSet,
  modelProposed,
  toolCall,
  toolCalled,
  toolReturned,
  verdictGiven,
} from '@donecheck/core/internal/testing/facts'
import { turnEnded } from '@donecheck/core/internal/testing/facts'
import type { JudgeAnswer } from '../../../ports/judges.ts'
import { groundlessness } from './judging.ts'

const run = toolCall('run', 'shell', { command: 'npm test' })
const look = toolCall('look', 'read_file', { path: 'a.ts' })
const events: readonly RunEvent[] = stamp([
  goalSet('Mend the parser.'),
  modelProposed(run, look),
  toolCalled('run', 'execute', 'shell'),
  toolReturned('run', '12 passed\u200B in 2 s'),
  toolCalled('look', 'read', 'read_file'),
  toolReturned('look', 'export const parse = 1'),
  verdictGiven(passedVerdict('npm test', { evidence: [commandEvidence()] })),
  verdictGiven(passedVerdict('style', { evidence: [] })),
  turnEnded(1, 'The report lacks figures.'),
])

function idOf(type: RunEvent['type'], which = 0): string {
  return events.filter((event) => event.type === type)[which]?.id ?? ''
}

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-grounds-'))
  await writeFile(join(folder, 'report.md'), 'Sales rose by 4 %.')
  await symlink('/etc/hostname', join(folder, 'outside'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function check(answer: string, quotes: readonly JudgeQuote[], kind: JudgeAnswer['kind'] = 'met') {
  const said: JudgeAnswer = { kind, reason: 'so it is', quotes, costUsd: null }
  const request = { task: 'mend it', rubric: 'it is mended', answer, workFolder: folder, events }
  return groundlessness(said, request, [], new AbortController().signal)
}

describe('given quotes with a source', () => {
  it.each<[string, JudgeQuote]>([
    ['the task', { text: 'Mend the parser.', source: idOf('goal-set') }],
    ['the result of a call', { text: '12 passed in 2 s', source: idOf('tool-returned') }],
    ['the arguments of that call', { text: 'command: npm test', source: idOf('tool-returned') }],
    ['a verdict', { text: 'npm test: passed', source: idOf('verdict-given') }],
    ['earlier feedback', { text: 'lacks figures', source: idOf('turn-ended') }],
    ['a file', { text: 'rose by 4 %', source: 'report.md' }],
  ])('finds what stands in %s', async (_, quote) => {
    expect(await check('Well.', [quote])).toBeUndefined()
  })

  it.each<[string, JudgeQuote]>([
    ['another event', { text: '12 passed', source: idOf('verdict-given') }],
    ['an event that is not there', { text: '12 passed', source: 'event-999' }],
    ['the answer alone', { text: 'Well.', source: idOf('tool-returned') }],
    ['a file without it', { text: 'fell by 4 %', source: 'report.md' }],
    ['a file outside', { text: 'root', source: '../../etc/passwd' }],
    ['a link that leads out', { text: 'a', source: 'outside' }],
    ['an absolute path', { text: 'root', source: '/etc/passwd' }],
  ])('does not believe one of %s', async (_, quote) => {
    expect(await check('Well.', [quote])).toBe(
      `the judge quotes ${JSON.stringify(quote.text)}, which does not stand in ${JSON.stringify(quote.source)}`,
    )
  })
})

describe('given an answer that claims passing tests', () => {
  const answer = 'Done! All tests pass.'

  it.each<[string, JudgeQuote]>([
    ['a command that ended well', { text: '12 passed', source: idOf('tool-returned') }],
    ['a check that ran a command', { text: 'passed', source: idOf('verdict-given') }],
  ])('a pass may rest on %s', async (_, quote) => {
    expect(await check(answer, [quote])).toBeUndefined()
  })

  it.each<[string, readonly JudgeQuote[]]>([
    ['nothing', []],
    ['the words of the answer', [{ text: 'All tests pass' }]],
    ['a file that was read', [{ text: 'export const', source: idOf('tool-returned', 1) }]],
    ['a file', [{ text: 'Sales', source: 'report.md' }]],
    ['a check that ran nothing', [{ text: 'passed', source: idOf('verdict-given', 1) }]],
  ])('but not on %s', async (_, quotes) => {
    expect(await check(answer, quotes)).toMatch(
      /^the answer claims that checks pass, and the judge quotes nothing/,
    )
  })

  it('a failure needs none', async () => {
    expect(await check(answer, [], 'not-met')).toBeUndefined()
  })
})

describe('given an answer that claims files', () => {
  it('rests on the file itself, or on a call that ended well', async () => {
    const answer = 'I created report.md with the figures.'
    expect(await check(answer, [{ text: 'Sales rose', source: 'report.md' }])).toBeUndefined()
    expect(await check(answer, [{ text: 'parse', source: idOf('tool-returned', 1) }])).toBeUndefined()
    expect(await check(answer, [])).toMatch(/^the answer claims changed files/)
  })
})
