/** Reads recorded runs from files, run by run, so that the size of the data does not matter. */
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { messageOf } from '../../base/index.ts'
import { parseRun, type RecordedRun } from './recorded-run.ts'

const packed = '.gz'
const ending = /\.jsonl(?:\.gz)?$/

/** Paths of the `.jsonl` and `.jsonl.gz` files of a folder, sorted; undefined: there is no such folder. */
export async function filesOf(folder: string): Promise<readonly string[] | undefined> {
  try {
    const names = (await readdir(folder)).filter((name) => ending.test(name)).sort()
    return names.map((name) => join(folder, name))
  } catch {
    return undefined
  }
}

/** `onProblem` is told of what was left out: lines that are not runs of this form, a file that cannot be read. */
export async function* readRuns(
  files: readonly string[],
  onProblem: (problem: string) => void,
): AsyncGenerator<RecordedRun> {
  for (const file of files) yield* readFile(file, basename(file).replace(ending, ''), onProblem)
}

async function* readFile(
  path: string,
  name: string,
  onProblem: (problem: string) => void,
): AsyncGenerator<RecordedRun> {
  let strangers = 0
  try {
    for await (const line of linesOf(createReadStream(path), path.endsWith(packed))) {
      if (line.trim() === '') continue
      const run = parseRun(line, name)
      if (run === undefined) strangers += 1
      else yield run
    }
  } catch (error) {
    onProblem(`${name}: the rest cannot be read (${messageOf(error)})`)
  }
  if (strangers > 0) onProblem(`${name}: ${strangers} lines are not runs of the known form, left out`)
}

/** Split at line feeds only: `readline` splits at U+2028 as well, which may stand inside a JSON text. */
export async function* linesOf(source: Readable, isPacked: boolean): AsyncGenerator<string> {
  const unpacked = isPacked ? createGunzip() : new PassThrough()
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
