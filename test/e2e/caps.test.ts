/** Caps from the command line. */
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'

describe('given an amount of a cap that there is not', () => {
  it('then it is refused by name', async () => {
    await inPlace({}, async (place) => {
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
