import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RolloutReader, rolloutOf, totalIn } from './rollout.ts'

let folder = ''
const fixture = join(import.meta.dirname, 'fixtures/rollout.jsonl')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-rollout-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('given the home of Codex', () => {
  it('finds the record of a thread by its name', async () => {
    const day = join(folder, 'sessions/2026/01/02')
    await mkdir(day, { recursive: true })
    await writeFile(join(day, 'rollout-2026-01-02T03-04-05-thread-1.jsonl'), '')
    expect(await rolloutOf(folder, 'thread-1')).toBe(join(day, 'rollout-2026-01-02T03-04-05-thread-1.jsonl'))
    expect(await rolloutOf(folder, 'thread-2')).toBeUndefined()
    expect(await rolloutOf(join(folder, 'none'), 'thread-1')).toBeUndefined()
  })
})

describe('given a record', () => {
  it('tells the latest total', async () => {
    expect(await totalIn(fixture)).toMatchObject({
      inputTokens: 700,
      cachedInputTokens: 280,
      outputTokens: 70,
    })
    expect(await totalIn(join(folder, 'none.jsonl'))).toBeUndefined()
  })

  it('is read on from where it was read to, and a line that is being written waits', async () => {
    const file = join(folder, 'growing.jsonl')
    const reader = new RolloutReader(file)
    expect(await reader.news()).toEqual([])
    await writeFile(file, '{"a":1}\nno json\n{"b":')
    expect(await reader.news()).toEqual([{ a: 1 }])
    expect(await reader.news()).toEqual([])
    await appendFile(file, '2}\n[3]\n')
    expect(await reader.news()).toEqual([{ b: 2 }])
  })

  it('leaves out what is there already, where that is wanted', async () => {
    const file = join(folder, 'old.jsonl')
    await writeFile(file, '{"old":1}\n')
    const reader = new RolloutReader(file)
    await reader.skipTo(0)
    await appendFile(file, '{"new":1}\n')
    expect(await reader.news()).toEqual([{ new: 1 }])
  })
})
