/**
 * The demo: `npm run demo`. Offline, without a key and without a model.
 *
 *   node examples/demo/demo.ts                                     three runs on small broken projects
 *   node examples/demo/demo.ts FOLDER --until "npm test"           look for a one-place repair of your own project
 *                                     --in-place                   and apply it there
 *                                     --max-tries 100 --timeout 20 (seconds for one run of the check)
 */
import { UsageError } from 'donecheck'
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { repairOwnProject, type OwnProject } from './own-project.ts'
import { honestEnd, refusedClaim, verifiedRepair } from './parts.ts'
import { heading, print } from './show.ts'

const wrongUsage = 2

async function main(words: readonly string[], signal: AbortSignal): Promise<number> {
  const own = ownProject(words)
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

/** Undefined without arguments. @throws {UsageError} */
function ownProject(words: readonly string[]): OwnProject | undefined {
  if (words.length === 0) return undefined
  const { values, positionals } = read(words)
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1)
    throw new UsageError(
      `name one folder, such as demo.ts FOLDER --until "npm test"; it got ${positionals.length}`,
    )
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${folder} is not a folder; name the one that holds the project`)
  if (values.until === undefined) throw new UsageError('add the check that fails, such as --until "npm test"')
  return {
    folder,
    until: values.until,
    inPlace: values['in-place'],
    maxTries: wholeNumber('max-tries', values['max-tries']),
    timeoutMs: wholeNumber('timeout', values.timeout) * 1000,
  }
}

function read(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        until: { type: 'string' },
        'in-place': { type: 'boolean', default: false },
        'max-tries': { type: 'string', default: '200' },
        timeout: { type: 'string', default: '60' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} must be a whole number from 1, not ${text}`)
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
