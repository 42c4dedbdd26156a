/**
 * What the real opencode does today (1.18.33) with a plugin, so that a release that does otherwise is noticed. No part of
 * donecheck runs here.
 */
import { expect, it } from 'vitest'
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

/** It refuses one command, and prompts again whenever the session has come to rest. */
const hooks = `{
  'tool.execute.before': async (input, output) => {
    if (output.args.command !== 'touch ran') return
    log({ tool: input.tool, args: output.args })
    throw new Error('not here')
  },
  event: async ({ event }) => {
    if (event.type !== 'session.idle') return
    const body = { parts: [{ type: 'text', text: 'the check is red' }] }
    const { response } = await client.session.promptAsync({ path: { id: event.properties.sessionID }, body })
    log({ status: response.status })
  },
}`

describeWith('opencode', 'given the real opencode and a plugin', () => {
  it('can refuse a call, but not keep it from stopping: only a prompt from outside, after its process, makes it go on', async () => {
    const script = { steps: [shellCall('opencode', 'touch ran'), T, mends('opencode'), T], sideSteps }
    await inPlace({ agents: ['opencode'], files: redProject, script }, async (place) => {
      const gate = await layGate(place, hooks)
      const first = await place.prompt('opencode', 'fix')
      // What is thrown is what the model is told, and the command does not run.
      const [refused, ...prompted] = await gate()
      expect(refused).toMatchObject({ tool: 'bash', args: { command: 'touch ran' } })
      expect(place.has('ran'), 'the refused command has not run').toBe(false)
      // The prompt on session.idle is accepted, and the run ends as a success all the same.
      expect(prompted.length).toBeGreaterThan(0)
      expect(new Set(prompted.map(({ status }) => status))).toEqual(new Set([204]))
      expect(place.server.turns.map(({ told }) => told.replaceAll('"', ''))).toEqual(['fix', 'not here'])
      expect({ exitCode: first.exitCode, texts: linesOfType(first.stdout, 'text').length }).toEqual({
        exitCode: 0,
        texts: 1,
      })
      expect(place.has('done.txt'), 'nothing is done at first').toBe(false)

      const session = String(jsonLines(first.stdout)[0]?.['sessionID'])
      const words = ['run', '-s', session, '--format', 'json', 'done.txt is missing']
      const second = await place.agent('opencode', words)
      expect({ isDone: place.has('done.txt'), exitCode: second.exitCode }).toEqual({
        isDone: true,
        exitCode: 0,
      })
      expect(place.server.turns).toHaveLength(4)
      expect(place.server.turns[2]?.told).toContain('done.txt is missing')
    })
  })
})
