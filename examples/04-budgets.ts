/** Hard caps are a fuse: an agent that never gets there is stopped, and the end says by what, and what the check said last. */
import { command, createAgentLoop, exitCodeOf, scriptedAgent } from 'donecheck'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))

const loop = createAgentLoop({
  agent: scriptedAgent(['Almost there.'], { repeatLast: true }),
  workFolder: folder,
  hardVerifiers: [command('test -f greeting.txt')],
  // Each is an upper bound that is never exceeded; null switches one off.
  hardCap: { iterations: 3, tokens: 10_000, wallClockMs: 60_000, costUsd: null },
})
const { transition, usage } = await loop.run('Write greeting.txt.')

rmSync(folder, { recursive: true })
console.log(`spent: ${usage.iterations} turns, ${usage.modelCalls} model calls, ${usage.totalTokens} tokens`)
for (const { verifier, status } of transition.verdicts) console.log(`last check: ${verifier} ${status}`)
const { outcome, reason, cap } = transition
console.log(`${outcome}: ${reason} ${cap ?? ''}, exit code ${exitCodeOf[outcome]}`)

// prints: exhausted: hard_cap iterations, exit code 3
