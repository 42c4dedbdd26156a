import { describe, expect, it } from 'vitest'
import { createAgentLoop, eventLines, finalLine, scriptedDrive, verifierOf } from '../../../index.ts'
import type { Moment } from './agent-run.ts'
import { fold } from '@donecheck/core/state'
import { memoryStore } from '../../../system/store/index.ts'

const done = verifierOf('done', ({ finalText }) => finalText === 'Done.', { reads: 'answer' })

describe('given a run that a program tells a person of', () => {
  it('its moments give the lines of every event, and its result the last one', async () => {
    const run = createAgentLoop({
      drive: scriptedDrive(['Nearly.', 'Done.']),
      hardVerifiers: [done],
    }).run('do it')
    const lines: string[] = []
    for await (const { event, state } of run.moments())
      lines.push(...eventLines(event, state).map(({ text }) => text))
    expect(lines).toContain('turn 2 of at most 90')
    expect(lines.at(-1)).toBe(finalLine((await run).state))
    expect(lines.at(-1)).toContain('verified after 2 turns')
  })

  it('each state is what the record says after that event, also after a resume', async () => {
    const store = memoryStore()
    const loop = (...script: string[]) =>
      createAgentLoop({
        drive: scriptedDrive(script),
        hardVerifiers: [done],
        store,
        hardCap: { iterations: 1 },
      })
    const { runId } = await loop('Nearly.').run('do it')
    const before = (await store.read(runId)).length
    const resumed = loop('Nearly.', 'Done.').resume(runId, { topUp: { iterations: 1 } })
    const reported: Moment[] = []
    for await (const moment of resumed.moments()) reported.push(moment)
    const record = await store.read(runId)
    expect(reported.map(({ event }) => event)).toEqual(record.slice(before))
    for (const [index, { state }] of reported.entries())
      expect(state).toEqual(fold(record.slice(0, before + index + 1)))
  })
})
