import fc from 'fast-check'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentRequest } from '@donecheck/engine'
import { quotedLines } from './clues.ts'
import { candidatesIn } from './mutations/index.ts'
import { ranked } from './ranking.ts'
import { searchAgent, type AgentSearch } from './search-agent.ts'
import { isSource, sourceNames } from './sources.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'donecheck-search-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

async function put(name: string, content: string | Buffer): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
  await writeFile(path.join(folder, name), content)
}

function take(name: string): Promise<Buffer> {
  return readFile(path.join(folder, name))
}

function request(feedback?: string): AgentRequest {
  const round = { text: '', toolCalls: [], answers: [], feedback }
  return {
    runId: 'run-1',
    turn: 1,
    attempt: 1,
    replies: 0,
    conversation: { task: 'repair it', rounds: [round], messages: [] },
    tools: [],
    maxOutputTokens: 1000,
    onText: () => undefined,
  }
}

const unaborted = new AbortController().signal

async function turn(agent: AgentSearch, feedback?: string): Promise<string> {
  const answer = await agent.next(request(feedback), unaborted)
  return answer.kind === 'replied' ? answer.text : answer.failure.message
}

describe('given a project with one slip', () => {
  const broken = 'export const isFree = (sum) => sum > 50\n'

  beforeEach(() => put('src/free.js', broken))

  it('changes nothing in its first turn', async () => {
    const agent = await searchAgent({ folder })
    expect(await turn(agent)).toMatch(/^I can try \d+ edits in 1 file\./)
    expect((await take('src/free.js')).toString()).toBe(broken)
  })

  it('makes one edit a turn, each upon the original, and puts everything back at the end', async () => {
    const agent = await searchAgent({ folder })
    await turn(agent)
    const seen = new Set<string>()
    for (let number = 1; number <= agent.tryCount; number += 1) {
      expect(await turn(agent, 'red')).toMatch(`Try ${number} of ${agent.tryCount}: src/free.js line 1: `)
      seen.add((await take('src/free.js')).toString())
    }
    expect(seen).toEqual(new Set(candidatesIn('a.js', broken).map((one) => edited(broken, one))))
    expect(await turn(agent, 'red')).toContain('No edit is left')
    expect((await take('src/free.js')).toString()).toBe(broken)
    expect(agent.applied).toBeUndefined()
    expect(agent.maxTurns).toBe(agent.tryCount + 2)
  })

  it('puts everything back when its owner says so', async () => {
    const agent = await searchAgent({ folder })
    await turn(agent)
    await turn(agent, 'red')
    expect((await take('src/free.js')).toString()).not.toBe(broken)
    await agent.restore()
    expect((await take('src/free.js')).toString()).toBe(broken)
  })

  it('puts everything back when it is interrupted, and says that it was', async () => {
    const agent = await searchAgent({ folder })
    await turn(agent)
    await turn(agent, 'red')
    const answer = await agent.next(request('red'), AbortSignal.abort())
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'interrupted' } })
    expect((await take('src/free.js')).toString()).toBe(broken)
  })

  it('tries no more than it may', async () => {
    const agent = await searchAgent({ folder, maxTries: 2 })
    await turn(agent)
    await turn(agent)
    await turn(agent)
    expect(await turn(agent)).toContain('No edit is left after 2')
  })

  it('calls no model, so it spends nothing', async () => {
    const agent = await searchAgent({ folder })
    const answer = await agent.next(request(), unaborted)
    expect(answer).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0, estimated: false } })
    expect(agent.description).toMatchObject({ sideEffects: true, reportsUsage: true })
  })
})

describe('given files that are no sources', () => {
  it('leaves tests, settings, installed packages and links alone', async () => {
    await put('src/a.ts', 'x = 1')
    await put('config.js', 'x = 1')
    await put('src/latest.js', 'x = 1')
    for (const name of [
      'test/a.js',
      'src/a.test.ts',
      'src/a.d.ts',
      'eslint.config.js',
      'test-a.js',
      '.x.js',
      'a.md',
    ])
      await put(name, 'x = 1')
    await put('node_modules/b/index.js', 'x = 1')
    await symlink(path.join(folder, 'src/a.ts'), path.join(folder, 'src/link.ts'))
    expect(await sourceNames(folder)).toEqual(['config.js', 'src/a.ts', 'src/latest.js'])
  })

  it('knows a source by its name', () => {
    expect(['a.js', 'a.tsx', 'a.mjs', 'contest.js'].every(isSource)).toBe(true)
    expect(['a.json', 'a.spec.js', 'a_test.js', 'test.js', 'vite.config.ts'].some(isSource)).toBe(false)
  })

  it('leaves a file alone that is not UTF-8', async () => {
    await put('latin.js', Buffer.from([0x78, 0x3d, 0x31, 0x2f, 0x2f, 0xe9]))
    expect((await searchAgent({ folder })).fileCount).toBe(0)
  })

  it('keeps a byte order mark and the ends of lines', async () => {
    const bytes = Buffer.from('\uFEFFx = a < 1\r\ny = 2', 'utf8')
    await put('bom.js', bytes)
    const agent = await searchAgent({ folder })
    await turn(agent)
    await turn(agent)
    expect(await take('bom.js')).not.toEqual(bytes)
    await agent.restore()
    expect(await take('bom.js')).toEqual(bytes)
  })
})

describe('given what the check printed', () => {
  const text = 'export function near(a) {\n  return a < 1\n}\nexport function far(b) {\n  return b < 250\n}\n'
  const candidates = candidatesIn('src/a.js', text)
  const sources = new Map([['src/a.js', text]])
  const first = (feedback: string, quoted = '') => ranked(candidates, sources, { feedback, quoted })[0]

  it('begins with the function that it names', () => {
    expect(first('not ok: far is wrong')).toMatchObject({ functionName: 'far', after: '<=' })
    expect(first('not ok: near is wrong')).toMatchObject({ functionName: 'near', after: '<=' })
  })

  it('begins with the line that it points at', () => {
    expect(first('at file:///x/src/a.js:5:10')).toMatchObject({ line: 5 })
    expect(first('at file:///x/src/a.js:51:10')).not.toMatchObject({ line: 5 })
  })

  it('begins where its numbers come from', () => {
    expect(first('expected 250 to be enough')).toMatchObject({ line: 5 })
  })

  it('begins with what the failing test calls', () => {
    expect(first('', 'assert.equal(far(3), true)')).toMatchObject({ functionName: 'far' })
  })

  it('loses no candidate and adds none, whatever is printed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (feedback, quoted) => {
        const order = ranked(candidates, sources, { feedback, quoted })
        expect(new Set(order)).toEqual(new Set(candidates))
        expect(order).toHaveLength(candidates.length)
      }),
    )
  })

  it('reads the lines that it points at, but none outside the project', async () => {
    await put('test/a.test.js', 'one\ntwo\nthree')
    expect(await quotedLines(folder, `at ${folder}/test/a.test.js:2:1`)).toContain('two')
    expect(await quotedLines(folder, `at file://${folder}/test/a.test.js:2:1`)).toContain('two')
    expect(await quotedLines(path.join(folder, 'test'), 'at ../secret.js:1:1 and /etc/x.js:1')).toBe('')
    await symlink('/etc/hostname', path.join(folder, 'link.js'))
    expect(await quotedLines(folder, 'link.js:1')).toBe('')
  })
})

function edited(
  text: string,
  { offset, before, after }: { offset: number; before: string; after: string },
): string {
  return text.slice(0, offset) + after + text.slice(offset + before.length)
}
