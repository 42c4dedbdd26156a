/** One numbered example: run as its reader would, and compared with what its last line promises. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const timeoutMs = 60_000

/** The numbered examples in a folder, in their order: a file each, or `main.ts` of a folder of their own. */
export function exampleNames(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => /^\d\d-/.test(entry.name))
    .map((entry) => (entry.isDirectory() ? path.join(entry.name, 'main.ts') : entry.name))
    .sort()
}

/** @returns what is wrong with it; undefined when it ends well and prints at last what it promises */
export async function problemOf(file: string): Promise<string | undefined> {
  const promised = /^\/\/ prints: (.+)\s*$/.exec(
    readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '',
  )?.[1]
  if (promised === undefined) return 'its last line does not say what it prints'
  const { exitCode, stdout, stderr } = await run(file)
  if (exitCode !== 0) return `it ended with exit code ${exitCode}: ${stderr.trim()}`
  const printed = stdout.trimEnd().split('\n').at(-1)
  return printed === promised ? undefined : `it promises "${promised}", but prints "${printed ?? ''}"`
}

interface Ended {
  readonly exitCode: number | string
  readonly stdout: string
  readonly stderr: string
}

/** All of them load the same library. */
const env = { ...process.env, NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache') }

function run(file: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file],
      { cwd: path.dirname(file), env, timeout: timeoutMs },
      (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : (error.code ?? error.signal ?? 'none'), stdout, stderr })
      },
    )
  })
}
