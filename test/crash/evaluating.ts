/**
 * A child process that evaluates a small environment, and kills itself in the middle of the try with a chosen seed. Every try that
 * begins is written down. Prints the report as JSON when it is not killed.
 *
 * Words: FOLDER LOG [SEED_TO_DIE_AT]
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, scriptedAgent } from 'donecheck'
import { defineEnvironment, evaluate, type Attempt } from '@donecheck/engine/environments'

const [folder = '', log = '', fatal] = process.argv.slice(2)

const environment = defineEnvironment({
  name: 'two files',
  setup: (tree, seed) => writeFileSync(join(tree, 'seed.txt'), `${seed}`),
  task: 'Write a and b.',
  checks: [command('test -e a && test -e b')],
})

const writer = ({ folder: tree, seed }: Attempt) => {
  appendFileSync(log, `${seed}\n`)
  const step = () => {
    writeFileSync(join(tree, 'a'), '')
    if (String(seed) === fatal) process.kill(process.pid, 'SIGKILL')
    writeFileSync(join(tree, 'b'), '')
    return 'Done.'
  }
  return scriptedAgent([step], { description: { sideEffects: true } })
}

const seeds = [1, 2, 3]
console.log(
  JSON.stringify(
    await evaluate({ environments: [environment], agents: { writer }, seeds, parallel: 1, folder }),
  ),
)
