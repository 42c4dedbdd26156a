import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { kindOf, type Lesson, type RunLessons } from './distil.ts'
import { openMemory, type OpenMemory, trustOf } from './open-memory.ts'

const opened: OpenMemory[] = []
const folders: string[] = []
afterEach(() => {
  for (const memory of opened.splice(0)) memory.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const dayMs = 24 * 3600 * 1000

function memoryAt(nowMs = 1_000 * dayMs, file = freshFile()) {
  const clock = { nowMs }
  const problems: string[] = []
  const memory = openMemory({
    file,
    nowMs: () => clock.nowMs,
    onProblem: (message) => problems.push(message),
  })
  opened.push(memory)
  return { memory, clock, problems, file }
}

function freshFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-'))
  folders.push(folder)
  return join(folder, 'memory.db')
}

const lesson = (key: string, text: string, more: Partial<Lesson> = {}): Lesson => ({
  key,
  kind: 'mended',
  text,
  words: text,
  shape: null,
  isVerified: true,
  ...more,
})

const taught = (runId: string, lessons: readonly Lesson[], more: Partial<RunLessons> = {}): RunLessons => ({
  runId,
  kind: 'k',
  turns: 3,
  outcome: 'verified',
  endedAtMs: 1_000 * dayMs,
  lessons,
  refuted: [],
  ...more,
})

const ask = (memory: OpenMemory, words: string, shape?: string, runId = 'asking') =>
  memory.recall({
    runId,
    task: words,
    checks: [],
    failure: shape === undefined ? undefined : { shape, words },
  })

describe('given a memory of two lessons', () => {
  const login = lesson('a', 'the login failed: session expired too early', { shape: 'f1' })
  const search = lesson('b', 'the search index was rebuilt')

  it('finds what has the words of the task, and nothing for others', async () => {
    const { memory } = memoryAt()
    memory.learn(taught('r1', [login, search]))
    expect((await ask(memory, 'mend the login session')).map(({ text }) => text)).toEqual([login.text])
    expect(await ask(memory, 'paint the roof green')).toEqual([])
  })

  it('finds the same failure whatever it is called', async () => {
    const { memory } = memoryAt()
    memory.learn(taught('r1', [login, search]))
    expect((await ask(memory, 'something else', 'f1')).map(({ text }) => text)).toEqual([login.text])
  })

  it('trusts what did not help less, and what helped more', async () => {
    const { memory } = memoryAt()
    memory.learn(taught('r1', [login, search]))
    await ask(memory, 'login session', undefined, 'r2')
    memory.learn(taught('r2', [], { outcome: 'exhausted' }))
    const [first] = memory.list().filter(({ key }) => key === 'a')
    expect(first).toMatchObject({ recalled: 1, helped: 0 })
    expect(trustOf({ recalled: 1, helped: 0 })).toBeLessThan(trustOf({ recalled: 0, helped: 0 }))
    await ask(memory, 'login session', undefined, 'r3')
    memory.learn(taught('r3', []))
    memory.learn(taught('r3', []))
    expect(memory.list().find(({ key }) => key === 'a')).toMatchObject({ recalled: 2, helped: 1 })
  })

  it('fades with the time, and is forgotten after half a year unless it is pinned', async () => {
    const { memory, clock } = memoryAt()
    memory.learn(taught('r1', [login, search]))
    const pinned = memory.list().find(({ key }) => key === 'b')?.id ?? ''
    expect(memory.pin(pinned, true)).toBe(true)
    clock.nowMs += 120 * dayMs
    expect(await ask(memory, 'login session')).toEqual([])
    clock.nowMs += 61 * dayMs
    memory.learn(taught('r2', []))
    expect(memory.list().map(({ key }) => key)).toEqual(['b'])
    expect(await ask(memory, 'search index')).toHaveLength(1)
  })

  it('holds on to what was verified against what was not, and lets a newer one take its place', () => {
    const { memory } = memoryAt()
    memory.learn(taught('r1', [login]))
    memory.learn(taught('r2', [lesson('a', 'a guess', { isVerified: false })]))
    expect(memory.list()[0]?.text).toBe(login.text)
    memory.learn(taught('r3', [lesson('a', 'known better')]))
    expect(memory.list().map(({ text }) => text)).toEqual(['known better'])
  })

  it('has nothing left on the disk of what was forgotten', () => {
    const { memory, file } = memoryAt()
    memory.learn(taught('r1', [lesson('a', 'the zanzibar cipher was wrong'), search]))
    const id = memory.list().find(({ key }) => key === 'a')?.id ?? ''
    expect(bytesBeside(file)).toContain('zanzibar')
    expect(memory.forget(id)).toBe(true)
    expect(memory.forget(id)).toBe(false)
    expect(bytesBeside(file)).not.toContain('zanzibar')
    expect(memory.list()).toHaveLength(1)
  })

  it('tells a run nothing that it has taught itself', async () => {
    const { memory } = memoryAt()
    memory.learn(taught('r1', [login]))
    expect(await ask(memory, 'login session', undefined, 'r1')).toEqual([])
  })

  it('gives an id to one fact alone, and none again', () => {
    const { memory } = memoryAt()
    memory.learn(taught('r1', [login, search]))
    const [latest] = memory.list()
    memory.forget(latest?.id ?? '')
    memory.learn(taught('r2', [lesson('c', 'another')]))
    expect(memory.list().map(({ id }) => id)).not.toContain(latest?.id)
  })

  it('says nothing, and what is wrong, where another process holds it', async () => {
    const { memory, problems, file } = memoryAt()
    memory.learn(taught('r1', [login]))
    const other = new DatabaseSync(file)
    other.exec('BEGIN EXCLUSIVE')
    expect(await ask(memory, 'login session')).toEqual([])
    expect(problems).toHaveLength(1)
    other.exec('ROLLBACK')
    other.close()
    expect(await ask(memory, 'login session')).toHaveLength(1)
  })
})

describe('given runs with the same checks', () => {
  it('knows within how many turns nine of ten ended, once there are ten', () => {
    const { memory } = memoryAt()
    const kind = kindOf('/code', ['npm test'])
    for (let turns = 1; turns <= 9; turns += 1) memory.learn(taught(`r${turns}`, [], { turns, kind }))
    expect(memory.usualTurns('/code', ['npm test'])).toBeUndefined()
    memory.learn(taught('r10', [], { turns: 40, kind }))
    expect(memory.usualTurns('/code', ['npm test'])).toBe(9)
    expect(memory.usualTurns('/code', ['another'])).toBeUndefined()
  })
})

function bytesBeside(file: string): string {
  const folder = join(file, '..')
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')
}
