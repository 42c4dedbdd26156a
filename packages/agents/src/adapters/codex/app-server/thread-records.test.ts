import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRollout } from './thread-records.ts'

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
