/** Caps from the command line, and more budget for a run that ended at one. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'

const never = { 'agent.sh': 'echo working' }
const words = ['--until', 'test -e done.txt', '--agent', 'sh agent.sh', '--output-format', 'json'] as const

describe('given a run that ended at its cap on turns', () => {
  it('when more turns are added, then it goes on to the new bound; without them it says what is missing', async () => {
    await inPlace(never, async (place) => {
      const ended = await place.run(['run', ...words, '--max-turns', '2', 'Make done.txt.'])
      expect(ended.exitCode).toBe(3)
      const refused = await place.run(['resume', 'last'])
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain('--top-up turns=')
      const more = await place.run(['resume', 'last', '--top-up', 'turns=2', '--output-format', 'json'])
      expect(more.exitCode).toBe(3)
      expect(lastJson(more)).toMatchObject({ reason: 'hard_cap', cap: 'iterations', turns: 4 })
      expect((await place.run(['show', 'last'])).stdout).toContain('added by --top-up: 2 turns')
    })
  })

  it('then an amount that is none is refused by name', async () => {
    await inPlace(never, async (place) => {
      const refused = await place.run(['resume', 'last', '--top-up', 'turn=2'])
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain('did you mean "turns"')
    })
  })
})

describe('given a cap on one tool', () => {
  it('when the model calls it once more, then that call is refused, and the run goes on without it', async () => {
    const list = calls('list_files', { path: '.' })
    await withModelServer([list, list, list], says('I give up.'), async ({ baseUrl }) => {
      await inPlace({}, async (place) => {
        const model = ['--model', 'any', '--base-url', baseUrl]
        const caps = ['--max-tool-calls-of', 'list_files=2', '--max-turns', '4']
        const ended = await place.run([
          'run',
          '--unchecked',
          ...model,
          ...caps,
          '--output-format',
          'stream-json',
          'Look.',
        ])
        const lines = ended.stdout
          .trim()
          .split('\n')
          .map((line): unknown => JSON.parse(line))
        const ofType = (type: string) => lines.filter((line) => (line as { type?: string }).type === type)
        expect(ofType('tool-called')).toHaveLength(2)
        expect(ofType('tool-refused')).toMatchObject([{ by: 'cap' }])
        const findings = ofType('finding-noted').map((line) => JSON.stringify(line))
        expect(findings.some((line) => line.includes('cap:calls_per_tool'))).toBe(true)
        expect(ofType('turn-ended').length).toBeGreaterThan(3)
      })
    })
  })
})
