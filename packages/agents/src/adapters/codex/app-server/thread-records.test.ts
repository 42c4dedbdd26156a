import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRollout, RecordFile } from './thread-records.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-rollout-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('given the home of Codex', () => {
  it('finds the record of a thread by its name', async () => {
    const day = join(folder, 'sessions/2026/01/02')
    await mkdir(day, { recursive: true })
    await writeFile(join(day, 'rollout-2026-01-02T03-04-05-thread-1.jsonl'), '')
    expect(await findRollout(folder, 'thread-1')).toBe(
      join(day, 'rollout-2026-01-02T03-04-05-thread-1.jsonl'),
    )
    expect(await findRollout(folder, 'thread-2')).toBeUndefined()
    expect(await findRollout(join(folder, 'none'), 'thread-1')).toBeUndefined()
  })
})

describe('given the record of an agent', () => {
  it('is read on from where it was read to, and a line that is being written waits', async () => {
    const file = join(folder, 'growing.jsonl')
    const record = new RecordFile(file)
    expect(await record.news()).toEqual([])
    await writeFile(file, '{"a":1}\nno json\n{"b":')
    expect(await record.news()).toEqual([{ a: 1 }])
    expect(await record.news()).toEqual([])
    await appendFile(file, '2}\n[3]\n')
    expect(await record.news()).toEqual([{ b: 2 }, [3]])
  })
})

describe('given something else in the place of a record', () => {
  it('waits for no pipe', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(await new RecordFile(pipe).news()).toEqual([])
  })
})
