/**
 * A child process whose run comes to its cap and asks its agent for a summary, and that kills itself at a chosen append. Every
 * request for a summary leaves a line in a file. Prints the end as JSON when it is not killed.
 *
 * Words: STORE_FOLDER WORK_FOLDER (start | RUN_ID) [before|after N]
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, createAgentLoop, openSqliteStore, type Agent } from 'donecheck'
import { crashing } from './crashing-store.ts'

const [storeFolder = '', workFolder = '', beginning = 'start', when, place] = process.argv.slice(2)

/** Works in vain; without tools it sums up. */
const workInVain: Agent = {
  description: {
    kind: 'custom',
    name: 'work in vain',
    sideEffects: false,
    reportsUsage: true,
    prices: null,
    maxOutputTokens: 1000,
    contextWindowTokens: 100_000,
  },
  next: async ({ conversation, replies }) => {
    const isLastWord = conversation.messages.length > 0
    if (isLastWord) appendFileSync(join(workFolder, 'asked.txt'), 'asked\n')
    const callId = `call-${replies + 1}`
    return {
      kind: 'replied',
      text: isLastWord ? 'Nothing of it is done.' : '',
      finish: isLastWord ? 'stop' : 'tool-calls',
      usage: { inputTokens: 10, outputTokens: 5, estimated: false },
      toolCalls: isLastWord ? [] : [{ callId, tool: 'no_such_tool', args: {} }],
    }
  },
}

const store = openSqliteStore({ folder: storeFolder })
const loop = createAgentLoop({
  agent: workInVain,
  workFolder,
  hardVerifiers: [command('test -e never.txt')],
  hardCap: { iterations: 2 },
  finalSummary: true,
  store: crashing(store, when, place),
})
const { transition, usage } = await (beginning === 'start'
  ? loop.run('Work in vain.')
  : loop.resume(beginning))
process.stdout.write(`${JSON.stringify({ transition, usage })}\n`)
await store.close()
