/**
 * An agent hands a part of its task to another one. Each run has its own budget, allocated from what the first has left, its own
 * checks and its own record; what both have spent counts once, and the helper's word counts as little as anybody's.
 */
import { command, createAgentLoop, delegateTool, gateByApproval, memoryStore, scriptedAgent } from 'donecheck'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const workFolder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const write = (name: string) => writeFileSync(path.join(workFolder, name), 'hello\n')

/** It claims too early, and its own check blocks its stop. */
const helper = () =>
  scriptedAgent(['Translated!', () => (write('bonjour.txt'), 'Now it is really translated.')], {
    description: { sideEffects: true },
  })
const lead = scriptedAgent(
  [
    {
      text: 'Somebody else translates.',
      tools: [{ tool: 'delegate', args: { task: 'Write bonjour.txt.' } }],
    },
    () => (write('hello.txt'), 'Both are written.'),
  ],
  { description: { sideEffects: true } },
)

const store = memoryStore()
const loop = createAgentLoop({
  agent: lead,
  workFolder,
  hardVerifiers: [command('test -f hello.txt && test -f bonjour.txt')],
  tools: [
    delegateTool({
      loop: () => ({ agent: helper(), workFolder, hardVerifiers: [command('test -f bonjour.txt')] }),
      hardCap: { iterations: 5 },
    }),
  ],
  gate: gateByApproval('never'),
  hardCap: { iterations: 10 },
  store,
})
const { runId, transition, usage } = await loop.run('Write hello.txt and its translation.')

for (const event of await store.read(runId)) {
  if (event.type === 'sub-run-started') console.log(`its budget: ${event.allocated.maxIterations} turns`)
  if (event.type === 'sub-run-ended') console.log(`its end: ${event.outcome}: ${event.message}`)
}
rmSync(workFolder, { recursive: true })
console.log(`${transition.outcome} after ${usage.iterations} turns, those of the helper among them`)

// prints: verified after 4 turns, those of the helper among them
