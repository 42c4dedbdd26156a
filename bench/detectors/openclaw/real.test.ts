import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadReal } from './real.ts'

let folder = ''
let dist = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-real-'))
  dist = join(folder, 'node_modules', 'openclaw', 'dist')
  await mkdir(dist, { recursive: true })
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe('given a folder for the real detector', () => {
  it('there is none where no folder is named', async () => {
    expect(await loadReal(undefined)).toBeUndefined()
    expect(await loadReal('')).toBeUndefined()
  })

  it('a folder without it is an error, not an absence', async () => {
    await expect(loadReal(folder)).rejects.toThrow('install.ts')
  })

  it('finds it by what it holds, under whatever name, and gives the environment back', async () => {
    const home = process.env['HOME']
    await writeFile(join(dist, 'tool-loop-detection-config-abc.mjs'), 'export const t = 1')
    await writeFile(
      join(dist, 'tool-loop-detection-xyz.mjs'),
      `function detectToolCallLoop() { return { stuck: false } }
       function recordToolCall(state) { state.toolCallHistory = [1] }
       function recordToolCallOutcome() {}
       export { detectToolCallLoop as t, recordToolCall as r, recordToolCallOutcome as i }`,
    )
    const session = (await loadReal(folder))?.({ enabled: true })
    expect(session?.detect({ toolName: 'read', params: {} })).toEqual({ stuck: false })
    session?.recordCall({ toolName: 'read', params: {} })
    expect(session?.size()).toBe(1)
    expect(process.env['HOME']).toBe(home)
  })

  it('a verdict in another form is an error, not silence', async () => {
    await writeFile(
      join(dist, 'tool-loop-detection-xyz.mjs'),
      `function detectToolCallLoop() { return { stuck: 'yes' } }
       function recordToolCall() {}
       function recordToolCallOutcome() {}
       export const runtime = { detectToolCallLoop, recordToolCall, recordToolCallOutcome }`,
    )
    const session = (await loadReal(folder))?.({ enabled: true })
    expect(() => session?.detect({ toolName: 'read', params: {} })).toThrow('not a verdict')
  })
})
