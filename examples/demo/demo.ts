/**
 * The demo: `npm run demo`. Offline, without a key and without a model.
 *
 *   node examples/demo/demo.ts                                     three runs on small broken projects
 *   node examples/demo/demo.ts FOLDER --until "npm test"           look for a one-place repair of your own project
 *                                     --in-place                   and apply it there
 *                                     --max-tries 100 --timeout 20 (seconds for one run of the check)
 */
import { UsageError } from 'donecheck'
import { repairOwnProject } from './own-project.ts'
import { honestEnd, refusedClaim, verifiedRepair } from './parts.ts'
import { heading, print } from './show.ts'
import { ownProjectOf } from './words.ts'

const wrongUsage = 2

async function main(words: readonly string[], signal: AbortSignal): Promise<number> {
  const own = ownProjectOf(words)
  return own === undefined ? threeParts(signal) : repairOwnProject(own, signal)
}

async function threeParts(signal: AbortSignal): Promise<number> {
  print('donecheck: done is a check, not a claim.')
  const ends = {
    'an empty claim was refused': await refusedClaim(signal),
    'a real repair was verified by the tests': await verifiedRepair(signal),
    'a failed search ended as a failure, with nothing left behind': await honestEnd(signal),
  }
  heading('What you saw', 'One loop, one check, three honest ends:')
  for (const [end, isAsItShould] of Object.entries(ends)) print(`  ${isAsItShould ? 'yes' : 'NO '}  ${end}`)
  return Object.values(ends).every(Boolean) ? 0 : 1
}

const interrupts = new AbortController()
process.once('SIGINT', () => interrupts.abort('SIGINT'))

try {
  process.exitCode = await main(process.argv.slice(2), interrupts.signal)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = wrongUsage
}
