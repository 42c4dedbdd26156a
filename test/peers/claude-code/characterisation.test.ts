/** What the real Claude Code does today, so that a release that does otherwise is noticed. No part of donecheck runs here. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { atMost, describeWith, hookScript, inPlace, linesOfType, mends, redProject } from '../kit/index.ts'
import { blocks, run, T, type Seen } from './stop-rows.ts'
import { table } from './stop-table.ts'

describeWith('claude', 'given the real Claude Code', () => {
  describe('whose stop is guarded', () => {
    let runs: readonly Promise<Seen>[] = []
    beforeAll(() => {
      runs = atMost(
        3,
        table.map((row) => () => run(row)),
      )
    })
    const rows = table.map(({ title, sees }, index) => ({ title, sees, index }))
    it.each(rows)('$title', async ({ sees, index }) => {
      expect(await runs[index]).toEqual(sees)
    })
  })

  it('a hook over HTTP that answers 500 fails open: success', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.writeHead(500).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const hook = { kind: 'other', settings: { type: 'http', url: `http://127.0.0.1:${port}/stop` } } as const
    const seen = await run({ script: { steps: [T] }, hook })
    server.close()
    expect({ ...seen, asked }).toMatchObject({ modelCalls: 1, asked: 1, exitCode: 0, terminal: 'completed' })
  })

  it('sends the reason of a block back word for word, and tells the hook that it did', async () => {
    await inPlace({ agents: ['claude'], script: { steps: [T] } }, async (place) => {
      const gate = hookScript(`${place.outside}/gate.sh`, `[ $n -le 1 ] && ${blocks}; exit 0`)
      await place.write(gate.path, gate.content)
      const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command: gate.path }] }] } }
      await place.prompt('claude', 'fix', ['--settings', JSON.stringify(settings), '--setting-sources', ''])
      expect(place.server.turns[1]?.told).toContain('Stop hook feedback:\nthe check is red')
      const said = { hook_event_name: 'Stop', last_assistant_message: 'Done: everything works.' }
      expect(gate.payloads()).toMatchObject([
        { ...said, stop_hook_active: false, background_tasks: [], session_crons: [] },
        { ...said, stop_hook_active: true },
      ])
    })
  })

  it('can be prompted again from outside: the verifier runs after its process, and its report is the next prompt', async () => {
    const script = { steps: [T, mends('claude'), T] }
    await inPlace({ agents: ['claude'], files: redProject, script }, async (place) => {
      const session = randomUUID()
      const first = await place.prompt('claude', 'fix', ['--session-id', session])
      const isDoneAtFirst = place.has('done.txt')
      const second = await place.prompt('claude', 'done.txt is missing', ['--resume', session])
      const turns = [first, second].map(({ stdout }) => linesOfType(stdout, 'result')[0]?.['num_turns'])
      expect({ isDoneAtFirst, isDone: place.has('done.txt'), turns, exitCode: second.exitCode }).toEqual({
        isDoneAtFirst: false,
        isDone: true,
        turns: [1, 2],
        exitCode: 0,
      })
      expect(place.server.turns).toHaveLength(3)
      expect(JSON.stringify(place.server.turns[1]?.body)).toContain('Done: everything works.')
    })
  })
})
