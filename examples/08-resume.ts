/** A run that is broken off goes on later, in this process or in another: all that happened is in the store. */
import { command, createAgentLoop, openSqliteStore, scriptedAgent, type Store } from 'donecheck'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const folder = path.join(root, 'work')
mkdirSync(folder)

const interrupt = new AbortController()
const giveUp = () => {
  interrupt.abort('the example')
  return 'This answer comes too late.'
}
const work = () => {
  writeFileSync(path.join(folder, 'greeting.txt'), 'hello\n')
  return 'Now it is there.'
}

/** As another process would build it again. A scripted agent finds its place by the replies that are recorded. */
function loopWith(store: Store, second: () => string, signal: AbortSignal) {
  return createAgentLoop({
    agent: scriptedAgent(['Done!', second], { description: { sideEffects: true } }),
    workFolder: folder,
    hardVerifiers: [command('test -f greeting.txt')],
    store,
    signal,
  })
}

const store = openSqliteStore({ folder: path.join(root, 'store') })
const broken = await loopWith(store, giveUp, interrupt.signal).run('Write greeting.txt.')
await store.close()
console.log(`${broken.transition.outcome}: ${broken.transition.message}`)

const reopened = openSqliteStore({ folder: path.join(root, 'store') })
const finished = await loopWith(reopened, work, new AbortController().signal).resume(broken.runId)
await reopened.close()

rmSync(root, { recursive: true })
const isSameRun = finished.runId === broken.runId
console.log(
  `${finished.transition.outcome} after turn ${finished.usage.iterations}, the same run: ${isSameRun}`,
)

// prints: verified after turn 2, the same run: true
