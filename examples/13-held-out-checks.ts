/**
 * A check that the agent knows can be satisfied to the letter. Held-out checks run at the end only, on files that are laid
 * over a copy of the work; the agent learns nothing of them but a number.
 */
import { command, createAgentLoop, scriptedAgent } from 'donecheck'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const [work, heldOut] = [path.join(root, 'work'), path.join(root, 'held-out')]
for (const folder of [work, heldOut]) mkdirSync(folder)

const testOf = (input: number, output: number) => `import { test } from 'node:test'
import { double } from './double.mjs'
test('doubles ${input}', (t) => t.assert.equal(double(${input}), ${output}))
`
writeFileSync(path.join(work, 'double.test.mjs'), testOf(2, 4))
writeFileSync(path.join(heldOut, 'more.test.mjs'), testOf(21, 42))

const writeDouble = (body: string) =>
  writeFileSync(path.join(work, 'double.mjs'), `export const double = (number) => ${body}\n`)

const loop = createAgentLoop({
  agent: scriptedAgent(
    [
      () => (writeDouble('4'), 'The test passes.'),
      ({ conversation }) => {
        console.log(`told: ${conversation.rounds.at(-1)?.feedback ?? 'nothing'}`)
        writeDouble('2 * number')
        return 'Now it doubles every number.'
      },
    ],
    { description: { sideEffects: true } },
  ),
  workFolder: work,
  hardVerifiers: [
    command('node --test double.test.mjs'),
    command('node --test more.test.mjs', { name: 'held-out 1', role: 'held-out' }),
  ],
  guard: { heldOutFiles: heldOut },
  hardCap: { iterations: 3 },
})
const run = loop.run('Write double.mjs.')
for await (const event of run)
  if (event.type === 'verdict-given') console.log(`${event.verdict.verifier}: ${event.verdict.status}`)
const { transition, usage } = await run

rmSync(root, { recursive: true })
console.log(`${transition.outcome} after turn ${usage.iterations}`)

// prints: verified after turn 2
