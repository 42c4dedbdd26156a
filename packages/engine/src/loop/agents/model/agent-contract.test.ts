import { agentContract } from '../../../testing/contracts/agent-contract.ts'
import { givenServer } from './fixtures/agents.ts'
import { streamAll } from './fixtures/servers.ts'

let hungUp: Promise<unknown> = Promise.resolve()

agentContract('model', {
  replying: () =>
    givenServer((response) =>
      streamAll(response, { content: 'It is ' }, { content: 'done.' }, { finish_reason: 'stop' }),
    ),
  failing: () =>
    givenServer((response) => {
      response.writeHead(401).end(JSON.stringify({ error: { message: 'no such key' } }))
    }),
  hanging: (onStart) =>
    givenServer((response) => {
      hungUp = new Promise((resolve) => response.on('close', resolve))
      onStart()
    }),
  /** The request was aborted; waits for the server to notice. */
  isAtWork: async () => {
    await hungUp
    return false
  },
})
