/**
 * What the real opencode does today (1.18.33) with a plugin, so that a release that does otherwise is noticed. No part of
 * donecheck runs here.
 */
import { describe, expect, it } from 'vitest'
import {
  describeWith,
  inPlace,
  jsonLines,
  linesOfType,
  mends,
  redProject,
  shellCall,
  type Place,
} from '../kit/index.ts'

const T = { text: 'Done.' }
const sideSteps = [{ text: 'A title' }]

/** It writes what happens to a file of lines of JSON. */
async function layGate(
  place: Place,
  hooks: string,
): Promise<() => Promise<readonly Readonly<Record<string, unknown>>[]>> {
  const log = `${place.outside}/gate.jsonl`
  const plugin = `import { appendFileSync } from 'node:fs'
const log = (line) => appendFileSync('${log}', JSON.stringify(line) + '\\n')
export const Gate = async ({ client }) => (${hooks})
`
  await place.write(log, '')
  await place.write(`${place.outside}/gate.js`, plugin)
  await place.write('opencode.json', JSON.stringify({ plugin: [`file://${place.outside}/gate.js`] }))
  return async () => jsonLines(await place.read(log))
}

const promptsAgain = `{
  event: async ({ event }) => {
    if (event.type !== 'session.idle') return
    const body = { parts: [{ type: 'text', text: 'the check is red' }] }
    const { response } = await client.session.promptAsync({ path: { id: event.properties.sessionID }, body })
    log({ status: response.status })
  },
}`

const refuses = `{
  'tool.execute.before': async (input, output) => {
    log({ tool: input.tool, args: output.args })
    throw new Error('not here')
  },
}`

describeWith('opencode', 'given the real opencode', () => {
  describe('and a plugin', () => {
    it('cannot be kept from stopping: a prompt on session.idle is accepted, and the run ends as a success all the same', async () => {
      await inPlace({ agents: ['opencode'], script: { steps: [T], sideSteps } }, async (place) => {
        const gate = await layGate(place, promptsAgain)
        const { exitCode, stdout } = await place.prompt('opencode', 'fix')
        const statuses = (await gate()).map(({ status }) => status)
        expect(statuses.length).toBeGreaterThan(0)
        expect(new Set(statuses)).toEqual(new Set([204]))
        expect(place.server.turns.map(({ told }) => told.replaceAll('"', ''))).toEqual(['fix'])
        expect({ exitCode, texts: linesOfType(stdout, 'text').length }).toEqual({ exitCode: 0, texts: 1 })
      })
    })

    it('can refuse a call: what is thrown is what the model is told, and the command does not run', async () => {
      const script = { steps: [shellCall('opencode', 'touch ran'), T], sideSteps }
      await inPlace({ agents: ['opencode'], script }, async (place) => {
        const gate = await layGate(place, refuses)
        const { exitCode } = await place.prompt('opencode', 'fix')
        expect(await gate()).toMatchObject([{ tool: 'bash', args: { command: 'touch ran' } }])
        expect(place.server.turns[1]?.told).toBe('not here')
        expect({ exitCode, hasRun: place.has('ran') }).toEqual({ exitCode: 0, hasRun: false })
      })
    })
  })

  it('can be prompted again from outside: the verifier runs after its process, and its report is the next prompt', async () => {
    const script = { steps: [T, mends('opencode'), T], sideSteps }
    await inPlace({ agents: ['opencode'], files: redProject, script }, async (place) => {
      const first = await place.prompt('opencode', 'fix')
      const isDoneAtFirst = place.has('done.txt')
      const session = String(jsonLines(first.stdout)[0]?.['sessionID'])
      const words = ['run', '-s', session, '--format', 'json', 'done.txt is missing']
      const second = await place.agent('opencode', words)
      expect({ isDoneAtFirst, isDone: place.has('done.txt'), exitCode: second.exitCode }).toEqual({
        isDoneAtFirst: false,
        isDone: true,
        exitCode: 0,
      })
      expect(place.server.turns).toHaveLength(3)
      expect(place.server.turns[1]?.told).toContain('done.txt is missing')
    })
  })
})
