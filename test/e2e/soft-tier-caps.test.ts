/** A cap on one tool ends nothing; a run that ended at a cap goes on with more, and has forgotten nothing. */
import { describe, expect, it } from 'vitest'
import { lastJson, type Ended } from './donecheck.ts'
import { calls, says } from './model-server.ts'
import { tell } from './soft-tier-run.ts'

const done = calls('write_file', { path: 'report.txt', content: 'DONE\n' })

describe('given a cap on one tool', () => {
  it('then one call more is refused and told, and the run goes on to its end', async () => {
    const lists = calls('list_files', { path: '.' })
    const words = ['--max-tool-calls-of', 'list_files=1']
    const story = await tell({ steps: [lists, lists, done], last: says('Done.'), words })
    expect(story.refusals).toMatchObject([{ by: 'cap' }])
    expect(story.refusals[0]?.reason).toContain('list_files')
    expect(story.findings).toContainEqual(expect.objectContaining({ rule: 'cap:calls_per_tool' }))
    expect(story.result).toMatchObject({ reason: 'task_complete', exitCode: 0 })
  })
})

describe('given a model that is stuck when its turns are used', () => {
  it('then it is no better off after --top-up: the loop is known, and the next call is refused', async () => {
    let resumed: Ended | undefined
    const story = await tell({
      last: calls('read_file', { path: 'notes.txt' }),
      files: { 'notes.txt': 'Nothing of use.\n' },
      words: ['--max-turns', '6', '--no-final-summary'],
      async then(place) {
        const more = ['--top-up', 'turns=20', '--output-format', 'stream-json']
        resumed = await place.run(['resume', 'last', ...more])
      },
    })
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations' })
    const types = resumed?.stdout.match(/"type":"(?:tool-called|tool-refused)"/g) ?? []
    expect(types[0]).toContain('tool-refused')
    expect(resumed && lastJson(resumed)).toMatchObject({
      reason: 'loop_detected',
      detector: 'cycle',
      exitCode: 3,
    })
  })
})
