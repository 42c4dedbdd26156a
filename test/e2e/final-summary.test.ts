/** A run that ends early says what is done, what is left and how to go on. */
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'

const until = ['--until', 'grep -q DONE report.txt']
const writesDraft = calls('write_file', { path: 'report.txt', content: 'draft\n' })
const task = 'Write DONE into report.txt.'

type Steps = Parameters<typeof withModelServer>[0]

/** Two turns of drafts, then what the server says to everything else. */
function atCap(last: Steps[number], ...words: readonly string[]) {
  return inPlace({}, (place) =>
    withModelServer([writesDraft, writesDraft], last, async ({ baseUrl, requests }) => {
      const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes', '--max-turns', '2']
      const ended = await place.run(['run', ...until, ...model, ...words, task])
      return {
        ended,
        requests: requests() as readonly Record<string, unknown>[],
        shown: await place.run(['show', 'last']),
      }
    }),
  )
}

describe('given a model that comes to its cap', () => {
  it('then it is asked once more without tools, and its words stand at the end', async () => {
    const { ended, requests, shown } = await atCap(says('A draft is there; DONE is missing.'))
    expect(ended.exitCode).toBe(3)
    expect(ended.stdout).toMatch(/→ exhausted after 2 turns: hard_cap: turn limit reached \(2 of 2\)/)
    expect(ended.output).toMatch(
      /summary of the drive:\n {2}\| A draft is there; DONE is missing\.\nto go on: donecheck resume \S+ --top-up turns=1/,
    )
    expect(shown.stdout).toContain('A draft is there; DONE is missing.')
    expect(requests).toHaveLength(3)
    expect(requests[1]).toHaveProperty('tools')
    expect(requests[2]).not.toHaveProperty('tools')
    expect(JSON.stringify(requests[2])).not.toMatch(/"tool_calls"|"role":"tool"/)
    expect(JSON.stringify(requests[2])).toContain('You have no tools any more')
  })

  it('then --no-final-summary asks for nothing and says nothing but that it is off', async () => {
    const { ended, requests } = await atCap(says('Never asked for.'), '--no-final-summary')
    expect(ended.exitCode).toBe(3)
    expect(requests).toHaveLength(2)
    expect(ended.output.match(/.*summary.*/g)).toEqual(['! switched off: summary of a run that ends early'])
  })

  it('then a run that goes on with more budget sees nothing of it', async () => {
    const draft = says('A draft is there.')
    await inPlace({}, (place) =>
      withModelServer([writesDraft, draft], says('Done.'), async ({ baseUrl, requests }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes', '--max-turns', '1']
        await place.run(['run', ...until, ...model, task])
        const resumed = await place.run(['resume', 'last', '--top-up', 'turns=1'])
        expect(resumed.stdout).toContain('→ exhausted after 2 turns')
        expect(JSON.stringify(requests()[2])).not.toMatch(/no tools any more|A draft is there/)
        expect(resumed.output).toContain(
          'last answer of the drive, which the checks did not confirm:\n  | Done.',
        )
        expect(requests()).toHaveLength(3)
      }),
    )
  })
})

describe('given an agent program that comes to its cap', () => {
  const run = (agent: string) =>
    inPlace({ 'agent.sh': agent }, (place) =>
      place.run(['run', ...until, '--agent', 'sh agent.sh', '--max-turns', '2', task]),
    )

  it('then it is not asked: its last answer is taken', async () => {
    const ended = await run('echo called >> ../calls.txt; echo "All done, I promise."')
    expect(ended.exitCode).toBe(3)
    expect(ended.output).toContain(
      'last answer of the drive, which the checks did not confirm:\n  | All done, I promise.',
    )
  })

  it('then the record sums up where it said nothing', async () => {
    const ended = await run('true')
    expect(ended.output).toMatch(
      /summary of the record:\n {2}\| Done: .*\n {2}\| Left: grep -q DONE report\.txt/,
    )
  })
})
