import { describe, expect, it } from 'vitest'
import { createAgentLoop, eventLines, finalLine, scriptedDrive, verifierOf } from '../../../index.ts'

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
})
