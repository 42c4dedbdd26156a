/**
 * A child process whose reply is judged, sent back once and delivered, and that kills itself at a chosen append. Every question
 * to the judge and every delivery leaves a line in a file. Prints the end as JSON when it is not killed.
 *
 * Words: STORE_FOLDER WORK_FOLDER (start | RUN_ID) [before|after N]
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAgentLoop, openSqliteStore, scriptedAgent } from 'donecheck'
import { crashing } from './crashing-store.ts'

const [storeFolder = '', workFolder = '', beginning = 'start', when, place] = process.argv.slice(2)
const leave = (file: string, line: string) => appendFileSync(join(workFolder, file), `${line}\n`)

const store = openSqliteStore({ folder: storeFolder })
const loop = createAgentLoop({
  agent: scriptedAgent(['One half is done.', 'All of it is done.']),
  store: crashing(store, when, place),
  verifyReplies: {
    judge: {
      name: 'script',
      judge: async ({ answer }) => {
        leave('judged.txt', answer)
        const kind = answer.startsWith('All') ? 'met' : 'not-met'
        return { kind, reason: 'half of it', quotes: [], costUsd: null }
      },
    },
    deliver: ({ text }) => leave('delivered.txt', text),
  },
})
const { transition, reply } = await (beginning === 'start' ? loop.run('Do it.') : loop.resume(beginning))
process.stdout.write(`${JSON.stringify({ transition, reply })}\n`)
await store.close()
