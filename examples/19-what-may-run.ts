/**
 * Rules of your own say what may run. The built-in rules, these rules and a hook look at every call; under `never` nobody is
 * asked: what would be asked for is refused, and the model is told why. In shadow mode the gate only says what it would do.
 */
import { command, createAgentLoop, defaultTools, scriptedAgent } from 'donecheck'
import { pathRule, prefixRule } from '@donecheck/engine/gate'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const rules = [
  prefixRule({ pattern: ['mkdir'], match: ['mkdir dist'], notMatch: ['rmdir dist'] }),
  prefixRule({
    pattern: ['npm', ['publish', 'unpublish']],
    decision: 'forbidden',
    justification: 'releases are made by people',
  }),
  pathRule({ paths: ['generated/**'], decision: 'forbidden', justification: 'change its source instead' }),
]

const hooks = {
  tools: [
    {
      name: 'small-files',
      point: 'before_tool_call',
      match: 'write_file',
      run: ({ args }) =>
        JSON.stringify(args).length > 1000 ? { decision: 'forbidden', reason: 'make smaller files' } : {},
    },
  ],
} satisfies Parameters<typeof createAgentLoop>[0]['hooks']

const shell = (line: string) => ({ tool: 'run_shell', args: { command: line } })
const write = (file: string, content: string) => ({ tool: 'write_file', args: { path: file, content } })
const makeFolder = shell('mkdir dist')
const greet = write('dist/greeting.txt', 'hello\n')
const generate = write('generated/greeting.txt', 'hello\n')

async function play(mode: 'on' | 'shadow', calls: (typeof greet | typeof makeFolder)[]): Promise<string> {
  const workFolder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
  const agent = scriptedAgent(calls.map((call) => ({ tools: [call] })))
  const gate = { rules, approval: 'never', mode } as const
  const tools = defaultTools({ workFolder })
  const hardVerifiers = [command('grep hello dist/greeting.txt')]
  const run = createAgentLoop({ agent, workFolder, tools, gate, hooks, hardVerifiers }).run('Greet.')
  for await (const event of run) {
    if (event.type === 'tool-refused') console.log(`${event.label}: ${event.reason}`)
    if (event.type === 'gate-decided' && event.shadow === 'forbidden') console.log(event.reason)
  }
  rmSync(workFolder, { recursive: true })
  return (await run).transition.outcome
}

const forbidden = [shell('mkdir dist && npm --silent publish'), shell('rm -rf .')]
const tooLong = write('long.txt', 'x'.repeat(2000))
const on = await play('on', [...forbidden, makeFolder, generate, tooLong, greet])
console.log(`on: ${on}, shadow: ${await play('shadow', [makeFolder, generate, greet])}`)

// prints: on: verified, shadow: verified
