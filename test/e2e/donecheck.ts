/** The real command, with a home and a work folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { performCommand, type Ended } from './read-command.ts'

export type { Ended }

export const program = fileURLToPath(new URL('../../packages/donecheck/bin/donecheck.js', import.meta.url))

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves once stderr or stdout holds the text; rejects when the process ends without it. */
  shows(expected: string): Promise<void>
  /** Resolves once it reads its standard input; only with `holdsStdin`. */
  reads(): Promise<void>
}

export interface Place {
  readonly folder: string
  readonly home: string
  start(words: readonly string[], options?: StartOptions): Started
  /** In this process where it makes no difference: a hook, or an environment that others are to inherit, has a process of its own. */
  run(words: readonly string[], options?: StartOptions): Promise<Ended>
  write(file: string, content: string | Uint8Array): Promise<void>
}

interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** The environment is for the command alone: nothing that it starts looks at it. */
  readonly inProcess?: true
  readonly stdin?: string
  /** Standard input stays open. */
  readonly holdsStdin?: boolean
}

/** A fresh work folder with the given files, gone afterwards. */
export async function inPlace<Value>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (place: Place) => Promise<Value>,
): Promise<Value> {
  const root = await mkdtemp(join(tmpdir(), 'donecheck-e2e-'))
  const folder = join(root, 'project')
  const home = join(root, 'home')
  await mkdir(folder)
  await mkdir(home)
  const place = placeAt(folder, home)
  try {
    for (const [file, content] of Object.entries(files)) await place.write(file, content)
    return await work(place)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function environmentOf(home: string): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: home }
}

/** Words such as `DONECHECK_ASK=page` are variables: a key of the configuration that has no flag. */
export function splitWords(given: readonly string[]) {
  const isVariable = (word: string) => /^DONECHECK_[A-Z_]+=/.test(word)
  const words = given.filter((word) => !isVariable(word))
  const variables = Object.fromEntries(
    given
      .filter(isVariable)
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  )
  return { words, variables }
}

function placeAt(folder: string, home: string): Place {
  const start = (given: readonly string[], options: StartOptions = {}): Started => {
    const { words, variables } = splitWords(given)
    const environment = { ...environmentOf(home), ...variables, ...options.environment }
    const child = spawn(process.execPath, [program, ...words], { cwd: folder, env: environment })
    if (options.holdsStdin !== true) child.stdin.end(options.stdin ?? '')
    return watch(child)
  }
  return {
    folder,
    home,
    start,
    run(given, { inProcess, ...options } = {}) {
      const { words, variables } = splitWords(given)
      const isInherited = options.environment !== undefined && inProcess !== true
      if (words[0] === 'hook' || isInherited) return start(given, options).ended
      const environment = { ...environmentOf(home), ...variables, ...options.environment }
      return performCommand({ folder, ...options, home: environment['HOME'] ?? home, environment }, words)
    },
    async write(file, content) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), content)
    },
  }
}

function watch(child: ReturnType<typeof spawn>): Started {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new TypeError('the child has no pipes')
  let seen = ''
  const waiting: { expected: string; resolve: () => void }[] = []
  const look = (piece: string) => {
    seen += piece
    for (const { expected, resolve } of waiting) if (seen.includes(expected)) resolve()
  }
  stdout.setEncoding('utf8').on('data', look)
  stderr.setEncoding('utf8').on('data', look)
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const ended = Promise.all([text(stdout), text(stderr), exit]).then(([out, err, exitCode]) => ({
    stdout: out,
    stderr: err,
    output: seen,
    exitCode,
  }))
  const shows = (expected: string) =>
    new Promise<void>((resolve, reject) => {
      if (seen.includes(expected)) {
        resolve()
        return
      }
      waiting.push({ expected, resolve })
      void exit.then(() => reject(new Error(`the process ended without showing "${expected}":\n${seen}`)))
    })
  return { child, ended, shows, reads: () => reading(child) }
}

/** More than a pipe holds: what has been taken in was read. */
function reading(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    if (child.stdin === null) throw new TypeError('the child has no standard input')
    child.stdin.on('error', reject)
    child.stdin.write('x'.repeat(1 << 20), () => resolve())
  })
}

/** The last line of stdout as JSON. */
export function lastJson({ stdout }: Pick<Ended, 'stdout'>): Record<string, unknown> {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
}
