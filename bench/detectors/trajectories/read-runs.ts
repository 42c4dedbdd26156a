/** Reads every `.jsonl.gz` file of a folder, run by run, so that the size of the data does not matter. */
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { parseRun, type RecordedRun } from './recorded-run.ts'

const ending = '.jsonl.gz'

/** Where the recorded runs lie, if nothing else is said. */
export function defaultFolder(environment: NodeJS.ProcessEnv): string {
  return (
    environment['DONECHECK_TRAJECTORIES'] ??
    fileURLToPath(new URL('../../../../shared/trajectories', import.meta.url))
  )
}

/** Names of the data files, sorted; undefined: there is no such folder. */
export async function filesOf(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).sort()
  } catch {
    return undefined
  }
}

/** `onProblem` is told of what was left out: lines that are not runs of this form, a file that cannot be unpacked. */
export async function* readRuns(
  folder: string,
  files: readonly string[],
  onProblem: (problem: string) => void,
): AsyncGenerator<RecordedRun> {
  for (const file of files) yield* readFile(join(folder, file), file.slice(0, -ending.length), onProblem)
}

async function* readFile(
  path: string,
  name: string,
  onProblem: (problem: string) => void,
): AsyncGenerator<RecordedRun> {
  let strangers = 0
  try {
    for await (const line of linesOf(path)) {
      if (line.trim() === '') continue
      const run = parseRun(line, name)
      if (run === undefined) strangers += 1
      else yield run
    }
  } catch (error) {
    onProblem(`${name}: the rest cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
  if (strangers > 0) onProblem(`${name}: ${strangers} lines are not runs of the known form, left out`)
}

/** Split at line feeds only: `readline` splits at U+2028 as well, which may stand inside a JSON text. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const source = createReadStream(path)
  const unpacked = createGunzip()
  source.once('error', (error) => unpacked.destroy(error))
  source.pipe(unpacked).setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of unpacked as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    yield rest
  } finally {
    source.destroy()
  }
}
