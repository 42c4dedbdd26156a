/**
 * A model works with our tools, and someone decides what may run: reads are allowed, what changes something is asked for.
 * Here a script takes the place of the model, and a rule the place of the person (see `terminalApprover` for a real one).
 */
import { command, createAgentLoop, defaultTools, scriptedAgent, type Approver } from 'donecheck'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
writeFileSync(path.join(folder, 'greeting.txt'), 'helo\n')

const agent = scriptedAgent([
  { text: 'First I look.', tools: [{ tool: 'read_file', args: { path: 'greeting.txt' } }] },
  { text: 'I start afresh.', tools: [{ tool: 'run_shell', args: { command: 'rm -rf .' } }] },
  {
    text: 'Then I mend it.',
    tools: [{ tool: 'write_file', args: { path: 'greeting.txt', content: 'hello\n' } }],
  },
  'The greeting is mended.',
])

const filesOnly: Approver = {
  ask: async ({ effect, summary }) => ({
    approved: effect === 'write',
    by: 'the rule of this example',
    reason: effect === 'write' ? 'files may be changed' : `not allowed: ${summary}`,
  }),
}

const loop = createAgentLoop({
  agent,
  workFolder: folder,
  hardVerifiers: [command('grep -x hello greeting.txt')],
  tools: defaultTools({ workFolder: folder }),
  approver: filesOnly,
})
const run = loop.run('Mend the spelling in greeting.txt.')
for await (const event of run) {
  if (event.type === 'approval-requested') console.log(`asked: ${event.question}`)
  if (event.type === 'approval-given') console.log(`  ${event.approved ? 'yes' : 'no'}: ${event.reason}`)
  if (event.type === 'tool-called') console.log(`runs: ${event.tool}`)
}
const { transition, usage } = await run

rmSync(folder, { recursive: true })
console.log(`${transition.outcome} after ${usage.iterations} turns and ${usage.toolCalls} tool calls`)

// prints: verified after 3 turns and 2 tool calls
