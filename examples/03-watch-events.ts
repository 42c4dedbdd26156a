/** A run is a stream of facts: iterate over it to see every one of them as it happens, then await it for its result. */
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
})

const run = loop.run(task)
for await (const event of run) {
  switch (event.type) {
    case 'model-replied':
      console.log(`${event.sequence}. the agent says: ${event.text}`)
      break
    case 'verdict-given':
      console.log(`${event.sequence}. the check says: ${event.verdict.status}, ${event.verdict.reason}`)
      break
    case 'turn-ended':
      console.log(
        `${event.sequence}. turn ${event.turn} ends: ${event.transition.kind}, ${event.transition.reason}`,
      )
      break
    default:
      console.log(`${event.sequence}. ${event.type}`)
  }
}

const { verdicts } = await run
rmSync(folder, { recursive: true })
const [evidence] = verdicts.flatMap((verdict) => verdict.evidence)
console.log(
  evidence?.kind === 'command'
    ? `evidence: $ ${evidence.command} -> exit code ${evidence.exitCode ?? '?'}`
    : '',
)

// prints: evidence: $ test -f greeting.txt -> exit code 0
