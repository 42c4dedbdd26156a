/**
 * What ends a run that leads nowhere: a loop, work that gets no better, a budget of output tokens that brings little. All but
 * the budget are on without a word; each can be set, switched off, or told to record only.
 */
import {
  createAgentLoop,
  defaultTools,
  gateByApproval,
  scriptedAgent,
  type AgentLoopOptions,
} from 'donecheck'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const workFolder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
writeFileSync(path.join(workFolder, 'notes.txt'), 'nothing of use\n')

const read = { tools: [{ tool: 'read_file', args: { path: 'notes.txt' } }] }
const stuck = scriptedAgent([read], { repeatLast: true })
const drafts = ['red', 'blue', 'green', 'black', 'white'].flatMap((word) => [
  { tools: [{ tool: 'write_file', args: { path: 'greeting.txt', content: `a ${word} draft\n` } }] },
  'Done.',
])

async function endOf(options: Pick<AgentLoopOptions, 'agent' | 'softVerifiers'>): Promise<string> {
  const loop = createAgentLoop({
    workFolder,
    hardVerifiers: [() => ({ passed: false, reason: 'not there yet' })],
    tools: defaultTools({ workFolder }),
    gate: gateByApproval('never'),
    hardCap: { iterations: 20 },
    ...options,
  })
  const run = loop.run('Write a greeting.')
  for await (const event of run) {
    if (event.type === 'finding-noted') console.log(`  ${event.finding.rule}: ${event.finding.message}`)
    if (event.type === 'tool-refused') console.log(`  refused: ${event.reason}`)
  }
  const { reason, detector, cap } = (await run).transition
  return [reason, detector ?? cap].filter(Boolean).join(' ')
}

const ends = [
  await endOf({ agent: stuck }),
  // Only recorded: now a hard cap has to end it.
  await endOf({ agent: stuck, softVerifiers: { loopDetection: 'shadow' } }),
  // Three trees that are no better than the best before them; by default it is eight.
  await endOf({
    agent: scriptedAgent(drafts),
    softVerifiers: { stagnation: { patienceVerifications: 3 } },
  }),
  // It may stop by itself from 9,000 output tokens on; rounds that bring less than 500 are a reason to give up.
  await endOf({ agent: scriptedAgent(drafts), softVerifiers: { tokenBudget: 10_000 } }),
]

rmSync(workFolder, { recursive: true })
console.log(ends.join(', '))

// prints: loop_detected cycle, hard_cap iterations, stagnated, diminishing
