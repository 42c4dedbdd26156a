/** Which agent is better? Two of them on two seeds of one environment: the folder that is left decides, and no word of theirs. */
import { command, scriptedAgent } from 'donecheck'
import { defineEnvironment, evaluate, type Attempt } from '@donecheck/engine/environments'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const sum = defineEnvironment({
  name: 'sum',
  setup: (folder, seed) => writeFileSync(path.join(folder, 'numbers.txt'), `${seed}\n${seed * 10}\n`),
  task: 'Write the sum of numbers.txt into sum.txt.',
  checks: [
    command(
      'test -s sum.txt && test "$(cat sum.txt)" = "$(awk "{ s += \\$1 } END { print s }" numbers.txt)"',
    ),
  ],
  loop: () => ({ hardCap: { iterations: 2 } }),
  // Half of it for a file, all of it for the right one.
  score: ({ folder, outcome }) =>
    outcome === 'verified' ? 1 : existsSync(path.join(folder, 'sum.txt')) ? 0.5 : 0,
})

/** Stands for a model: it works in the folder of its try. */
const agent = (work: (folder: string) => string) => (attempt: Attempt) =>
  scriptedAgent(
    [() => (writeFileSync(path.join(attempt.folder, 'sum.txt'), work(attempt.folder)), 'Done: 100 %!')],
    {
      repeatLast: true,
      description: { sideEffects: true },
    },
  )

const numbersIn = (folder: string) =>
  readFileSync(path.join(folder, 'numbers.txt'), 'utf8').trim().split('\n').map(Number)
const careful = agent((folder) => String(numbersIn(folder).reduce((one, other) => one + other)))
const hasty = agent((folder) => String(numbersIn(folder)[0]))

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const { items, byAgent } = await evaluate({
  environments: [sum],
  agents: { careful, hasty },
  seeds: [1, 2],
  folder,
  onItem: ({ agent: name, seed, score, reason }) =>
    console.log(`${name}, seed ${seed}: ${score} (${reason})`),
})
rmSync(folder, { recursive: true })

for (const [name, { passed, items: tries, passInterval, meanScore }] of Object.entries(byAgent)) {
  const bounds = [passInterval.low, passInterval.high].map((share) => share.toFixed(2)).join('–')
  console.log(`${name}: ${passed} of ${tries} passed (95 %: ${bounds}), mean score ${meanScore}`)
}
console.log(
  `${items.length} tries: careful ${byAgent['careful']?.meanScore}, hasty ${byAgent['hasty']?.meanScore}`,
)

// prints: 4 tries: careful 1, hasty 0.5
