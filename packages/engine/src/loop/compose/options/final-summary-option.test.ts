import { describe, expect, it } from 'vitest'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import { scriptedDrive } from '../../drives/index.ts'
import type { DriveDescription } from '@donecheck/core/settings'
import type { RunEvent } from '@donecheck/core/events'

/** A run that goes on working until its cap on turns, and what it was started with. */
async function runWith(description: Partial<DriveDescription>, options: Partial<AgentLoopOptions> = {}) {
  const works = { text: 'I go on.', tools: [{ tool: 'none', args: {} }] }
  const drive = scriptedDrive([works, 'Half is done.'], { description })
  const run = createAgentLoop({ drive, hardCap: { iterations: 1 }, ...options }).run('work')
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  const started = events.find((event) => event.type === 'run-started')
  return { finalSummary: started?.settings.finalSummary, result: await run }
}

describe('given nothing said of a summary', () => {
  it('a model is asked for one when its run ends early', async () => {
    const { finalSummary, result } = await runWith({ kind: 'model' })
    expect(finalSummary).toBe(true)
    expect(result.transition).toMatchObject({
      reason: 'hard_cap',
      summary: 'Half is done.',
      summaryBy: 'drive',
    })
    expect(result.usage.modelCalls).toBe(2)
  })
})

describe('given a word of its user', () => {
  it('that holds', async () => {
    expect((await runWith({ kind: 'custom' }, { finalSummary: true })).result.transition.summaryBy).toBe(
      'drive',
    )
    expect((await runWith({ kind: 'model' }, { finalSummary: false })).result.transition).not.toHaveProperty(
      'summary',
    )
  })
})
