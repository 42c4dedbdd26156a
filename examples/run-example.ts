/** One numbered example: run, and compared with what its last line promises. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { capture } from './capture.ts'

/** The numbered examples in a folder, in their order: a file each, or `main.ts` of a folder of their own. */
export function exampleNames(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => /^\d\d-/.test(entry.name))
    .map((entry) => (entry.isDirectory() ? path.join(entry.name, 'main.ts') : entry.name))
    .sort()
}

/**
 * It runs in this process, where the library is loaded already: that takes longer than most of them do.
 *
 * @returns what is wrong with it; undefined when it ends well and prints at last what it promises
 */
export async function problemOf(file: string): Promise<string | undefined> {
  const promised = /^\/\/ prints: (.+)\s*$/.exec(
    readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '',
  )?.[1]
  if (promised === undefined) return 'its last line does not say what it prints'
  const { exitCode, stdout, error } = await run(file)
  if (error !== undefined) return `it threw ${error}`
  if (exitCode !== 0) return `it ended with exit code ${exitCode}`
  const printed = stdout.trimEnd().split('\n').at(-1)
  return printed === promised ? undefined : `it promises "${promised}", but prints "${printed ?? ''}"`
}

const timeoutMs = 60_000

/** A failure of its own is told as what it throws. */
async function run(file: string) {
  process.exitCode = 0
  process.chdir(path.dirname(file))
  const { value: error, stdout } = await capture(() =>
    Promise.race([
      import(pathToFileURL(file).href).then(
        () => undefined,
        (thrown: unknown) => inspect(thrown),
      ),
      setTimeout(timeoutMs, 'nothing, and did not end', { ref: false }),
    ]),
  )
  const { exitCode } = process
  process.exitCode = 0
  return { exitCode, stdout, error }
}
