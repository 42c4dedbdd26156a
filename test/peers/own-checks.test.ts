/** Real agents, unattended, by one command without `--yes`: each may run the project's tests by a call of its own. */
import { expect, it } from 'vitest'
import { describeWith, inPlace, redSum, shellCall, type AgentName, type Call } from './kit/index.ts'

const fixed = 'export const sum = (left, right) => left + right\n'
const withoutProduct = Object.fromEntries(Object.entries(redSum).filter(([name]) => name !== 'sum.js'))

const agents: readonly {
  readonly name: AgentName
  readonly line: string
  readonly writes: (file: string) => Call
}[] = [
  {
    name: 'claude',
    line: 'claude --model claude-sonnet-4-5',
    writes: (file) => ({ tool: 'Write', args: { file_path: file, content: fixed } }),
  },
  {
    name: 'codex',
    line: 'codex',
    writes: () => ({
      tool: 'apply_patch',
      args: `*** Begin Patch\n*** Add File: sum.js\n+${fixed.trimEnd()}\n*** End Patch\n`,
    }),
  },
  {
    name: 'gemini',
    line: 'gemini -m gemini-2.5-pro',
    writes: (file) => ({ tool: 'write_file', args: { file_path: file, content: fixed } }),
  },
  {
    name: 'opencode',
    line: 'opencode',
    writes: (file) => ({ tool: 'write', args: { filePath: file, content: fixed } }),
  },
]

for (const { name, line, writes } of agents)
  describeWith(name, `given ${name}, nobody who can be asked and no --yes`, () => {
    it('the tests that it runs itself are run, and what they print reaches its model', async () => {
      let project = ''
      const steps = [
        shellCall(name, 'npm test'),
        () => ({ calls: [writes(`${project}/sum.js`)] }),
        shellCall(name, 'npm test 2>&1 | tail -40'),
        { text: 'Done.' },
      ]
      await inPlace(
        {
          agents: [name],
          git: true,
          files: withoutProduct,
          script: { steps, sideSteps: [{ text: 'A title' }] },
        },
        async (place) => {
          project = place.project
          const ended = await place.donecheck(
            ['run', '--events', '--agent', line, '--max-turns', '2', 'Make the tests pass.'],
            { patienceMs: 170_000 },
          )
          const [, red, , green] = place.server.turns.map(({ told }) => told)
          expect(red, ended.output).toMatch(/fail 1/)
          expect(green, ended.output).toMatch(/pass 1/)
          expect(ended.output).toContain('no terminal: what needs an approval is refused (but not npm test)')
          expect(ended.exitCode, ended.output).toBe(0)
        },
      )
    }, 180_000)
  })
