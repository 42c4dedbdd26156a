/** Many hooks at once, each a agent session of its own over one store, as the processes of an agent with parallel calls are. */
import { afterEach, describe, expect, it } from 'vitest'
import type { HostAnswer } from '../../protocol/host/index.ts'
import { openSqliteStore } from '@donecheck/engine/store'
import { bash, newFolder, prompted, removeFolders, startSession } from '../fixtures/start-session.ts'
import { createAgentSession } from '../index.ts'

afterEach(removeFolders)

const callIds = Array.from({ length: 50 }, (_, index) => `c-${index}`)

async function over(store: ReturnType<typeof openSqliteStore>, isPrompted: boolean) {
  const { agentSession, options } = await startSession({ store, silentFailures: true })
  if (isPrompted) await agentSession.observe(prompted)
  const atOnce = async (event: 'tool-proposed' | 'tool-finished'): Promise<readonly HostAnswer[]> =>
    Promise.all(
      callIds.map(async (callId) => {
        const call = bash(callId, `echo ${callId}`)
        const other = await createAgentSession({ ...options, onEvent: () => undefined })
        const result = { status: 'ok', output: callId } as const
        return other.observe(
          event === 'tool-proposed' ? { kind: event, call } : { kind: event, call, result },
        )
      }),
    )
  const returned = async () => {
    const session = await store.hostSession('a test/s-1')
    const events = session === undefined ? [] : await store.read(session.runId)
    return events.flatMap((event) => (event.type === 'tool-returned' ? event.callId : []))
  }
  return { atOnce, returned }
}

describe.each([
  ['behind a prompt', true],
  ['of which no prompt was seen', false],
])('given 50 calls of tools at once, %s', (_, isPrompted) => {
  it('loses none of them', async () => {
    const store = openSqliteStore({ folder: newFolder() })
    try {
      const { atOnce, returned } = await over(store, isPrompted)
      await atOnce('tool-proposed')
      await atOnce('tool-finished')
      expect((await returned()).toSorted()).toEqual(callIds.toSorted())
      expect(await store.list()).toHaveLength(1)
    } finally {
      await store.close()
    }
  })
})
