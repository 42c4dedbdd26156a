/** The same agent and the same check, with the stop in the program's hands: the claim is refused, the work is verified. */
import { command, createAgentLoop } from 'donecheck'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { check, hastyAgent, task } from './hasty-agent.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))

const loop = createAgentLoop({
  agent: hastyAgent(folder),
  workFolder: folder,
  hardVerifiers: [command(check)],
  hardCap: { iterations: 5 },
  onText: (piece) => console.log(`agent: ${piece}`),
})
const { transition, usage } = await loop.run(task)

rmSync(folder, { recursive: true })
console.log(
  `${transition.outcome} (${transition.reason}) after turn ${usage.iterations}: ${transition.message}`,
)

// prints: verified (task_complete) after turn 2: test -f greeting.txt passed (exit 0)
