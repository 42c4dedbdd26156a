/**
 * Functions of your own around the loop: one forbids a call, one masks what a tool has said, one keeps the work from being
 * called done. What each of them did on which call is in the trace.
 */
import { command, createAgentLoop, defaultTools, gateByApproval, scriptedAgent } from 'donecheck'
import type { AgentLoopOptions, RunEvent } from 'donecheck'
import { traceLines } from '@donecheck/engine/display'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const hooks: AgentLoopOptions['hooks'] = {
  tools: [
    {
      name: 'no-releases',
      point: 'before_tool_call',
      match: 'run_shell',
      run: ({ args }) =>
        JSON.stringify(args).includes('npm publish')
          ? { decision: 'forbidden', reason: 'releases are made by people' }
          : {},
    },
    {
      name: 'mask-customers',
      point: 'tool_result_persist',
      onFailure: 'closed',
      run: ({ output }) => ({ output: output.replace(/customer-\d+/g, 'customer-…') }),
    },
  ],
  verifiers: [
    {
      name: 'says-what-changed',
      point: 'before_finalize',
      run: ({ answer }) => (answer.includes('Changed:') ? {} : { veto: 'end with a line "Changed: …"' }),
    },
  ],
}

const workFolder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const write = { tool: 'write_file', args: { path: 'greeting.txt', content: 'hello customer-4711\n' } }
const agent = scriptedAgent([
  { tools: [{ tool: 'run_shell', args: { command: 'npm publish' } }] },
  { tools: [write, { tool: 'read_file', args: { path: 'greeting.txt' } }] },
  'It is done.',
  'It is done.\nChanged: greeting.txt',
])
const [tools, gate] = [defaultTools({ workFolder }), gateByApproval('never')]
const hardVerifiers = [command('grep hello greeting.txt')]
const run = createAgentLoop({ agent, workFolder, tools, gate, hooks, hardVerifiers }).run('Greet them.')
const events: RunEvent[] = []
for await (const event of run) events.push(event)
const { transition, usage } = await run

rmSync(workFolder, { recursive: true })
for (const { text } of traceLines(events)) console.log(text)
console.log(`${transition.outcome} after ${usage.iterations} turns`)

// prints: verified after 4 turns
