/**
 * Any agent that is a program: one process a turn, the prompt in the place of {prompt}, its work in the folder, its answer
 * on its output. Here it is a small shell script; put `my-agent --print {prompt}` there instead.
 */
import { command, commandAgent, createAgentLoop } from 'donecheck'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
writeFileSync(
  path.join(folder, 'agent.sh'),
  `case "$1" in
  *"not done"*) echo hello > greeting.txt; echo "The check is right. Now the file is there." ;;
  *) echo "Done!" ;;
esac
`,
)

const loop = createAgentLoop({
  agent: commandAgent({ command: 'sh agent.sh {prompt}', folder, timeoutMs: 30_000 }),
  workFolder: folder,
  hardVerifiers: [command('grep hello greeting.txt')],
  hardCap: { iterations: 5 },
  onText: (piece) => process.stdout.write(`agent: ${piece}`),
})
const { transition, usage } = await loop.run('Write a friendly greeting.txt.')

rmSync(folder, { recursive: true })
console.log(`${transition.outcome} after turn ${usage.iterations}: ${transition.message}`)

// prints: verified after turn 2: grep hello greeting.txt passed (exit 0)
