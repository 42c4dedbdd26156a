/** A model that is stuck is told, then its call is refused, then the whole batch, and then the run ends. */
import { beforeAll, describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'
import { check, task, tell, type Story } from './soft-tier-run.ts'

const notes = { 'notes.txt': 'Nothing of use.\n' }
const reads = calls('read_file', { path: 'notes.txt' })

describe('given a model that makes the same call over and over', () => {
  let story: Story
  beforeAll(async () => {
    story = await tell({ last: reads, files: notes })
  })

  it('then the run ends as loop_detected cycle, with its own exit code', () => {
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: 'cycle',
      outcome: 'exhausted',
      exitCode: 3,
      findings: ['loop:cycle'],
    })
  })

  it('then the model itself reads why: first advice, then the refusal as the answer to its call', () => {
    const said = story.requests.map(({ messages }) => JSON.stringify(messages))
    const advised = said.findIndex((text) => text.includes('You repeat calls that have already given'))
    const refused = said.findIndex((text) => text.includes('This call was not run'))
    expect(advised).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(advised)
  })
})

describe('given a model that gets out of its loop', () => {
  it('when it heeds the first refusal, then its work is verified', async () => {
    const steps = Array.from({ length: 6 }, () => reads)
    const writes = calls('write_file', { path: 'report.txt', content: 'DONE\n' })
    const story = await tell({ steps: [...steps, writes], last: says('Done.'), files: notes })
    expect(story.refusals).toMatchObject([{ by: 'detector' }])
    expect(story.result).toMatchObject({ reason: 'task_complete', outcome: 'verified', exitCode: 0 })
    expect(story.ended.exitCode).toBe(0)
  })
})

describe('given --json', () => {
  it('then the one object names reason and detector, also where nothing is refused before the end', async () => {
    const settings = JSON.stringify({ loopDetection: { vetoesUntilEnd: 0 }, finalSummary: false })
    await inPlace({ ...notes, 'donecheck.config.json': settings }, (place) =>
      withModelServer([], reads, async ({ baseUrl }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes']
        const ended = await place.run(['run', '--until', check, ...model, '--json', task])
        expect(lastJson(ended)).toMatchObject({ reason: 'loop_detected', detector: 'cycle', exitCode: 3 })
        expect(ended.stdout.trim()).not.toContain('\n')
        expect(ended.exitCode).toBe(3)
      }),
    )
  })
})
