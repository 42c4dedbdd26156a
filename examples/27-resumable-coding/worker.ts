/** One process of the run: `node worker.ts <folder> start`, or `resume` where another process has died. */
import { command, createAgentLoop, openSqliteStore } from 'donecheck'
import { distil, openMemory } from '@donecheck/engine/memory'
import { fileMatches } from '@donecheck/engine/verify'
import path from 'node:path'
import { parts, team } from './team.ts'

const [root = '', how] = process.argv.slice(2)
const workFolder = path.join(root, 'work')
const store = openSqliteStore({ folder: path.join(root, 'store') })
const memory = openMemory({ file: path.join(root, 'memory.db'), nowMs: Date.now, onProblem: console.error })

/** The first process stands still there until it is killed. */
const onHalfWritten = (approach: string) => {
  if (how === 'resume') return Promise.resolve()
  console.log(`half written: ${approach}`)
  return new Promise<void>((resolve) => setTimeout(resolve, 60_000))
}

const loop = createAgentLoop({
  agent: team(workFolder, onHalfWritten),
  workFolder,
  hardVerifiers: [
    fileMatches('PLAN.md', /ttlMs/u, { name: 'plan' }),
    fileMatches('expiry.test.mjs', /^test\(/mu, { name: 'new tests' }),
    command('node --test'),
  ],
  maxParallelChecks: 1,
  hardCap: { iterations: 10, modelCalls: 20 },
  store,
  memory,
})
const [latest] = await store.list()
const run =
  how === 'resume' && latest !== undefined
    ? loop.resume(latest.runId)
    : loop.run('Build what the README wants.', { subGoals: parts })
const { transition, usage, runId } = await run
const lessons = distil(await store.read(runId))
if (lessons !== undefined) memory.learn(lessons)
console.log(`${transition.outcome} after turn ${usage.iterations}: ${transition.message}`)
memory.close()
await store.close()
