import { access, constants } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { runProcess, showExcerpt } from '../process/index.ts'
import { bubblewrapWords } from './bubblewrap-words.ts'
import { isWithin, realPath } from './real-path.ts'

/** A bubblewrap that has shown that it works here. */
export interface Bubblewrap {
  readonly program: string
  readonly version: string
  readonly disablesNamespaces: boolean
}

const tryMs = 10_000

/**
 * Looks for the program in the folders of `path` and lets it confine `true`. One that lies where the agent may write is
 * not taken: it would confine as the agent likes.
 * @returns one sentence where there is none, or it does not work here
 */
export async function findBubblewrap(
  path: string,
  writable: readonly string[],
): Promise<Bubblewrap | { readonly problem: string }> {
  const program = await findProgram('bwrap', path, writable)
  if (program === undefined) return { problem: 'there is no program "bwrap"; install the package bubblewrap' }
  const reported = await run([program, '--version'])
  const version = /(\d+(?:\.\d+)+)/.exec(reported.output)?.[1]
  if (reported.exitCode !== 0 || version === undefined)
    return { problem: `${program} --version does not tell a version` }
  const strict = await run(trial(program, true))
  if (strict.exitCode === 0) return { program, version, disablesNamespaces: true }
  const lax = await run(trial(program, false))
  if (lax.exitCode === 0) return { program, version, disablesNamespaces: false }
  return { problem: `bubblewrap ${version} does not work here: ${explainOutput(lax.output)}` }
}

async function findProgram(
  name: string,
  path: string,
  writable: readonly string[],
): Promise<string | undefined> {
  for (const folder of path.split(':').filter(isAbsolute)) {
    const program = await realPath(join(folder, name))
    if (program === undefined || writable.some((place) => isWithin(place, program))) continue
    const isExecutable = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return program
  }
  return undefined
}

function trial(program: string, disablesNamespaces: boolean): readonly [string, ...string[]] {
  const mounts = [{ path: '/tmp', kind: 'temporary' as const }]
  const command = { program, network: 'off' as const, disablesNamespaces, mounts, links: [], folder: '/' }
  return bubblewrapWords({ ...command, words: ['true'] })
}

async function run(words: readonly [string, ...string[]]): Promise<{ exitCode: number; output: string }> {
  const { end, output } = await runProcess({
    command: { words },
    folder: '/',
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin' },
    timeoutMs: tryMs,
    signal: new AbortController().signal,
    headBytes: 1024,
    tailBytes: 1024,
    keepBytes: 0,
  })
  return { exitCode: end.kind === 'exited' ? end.exitCode : -1, output: showExcerpt(output).trim() }
}

function explainOutput(output: string): string {
  const said = output === '' ? 'it says nothing' : (output.split('\n').at(-1) ?? output)
  const isRefused = /namespace|uid map|Operation not permitted|Permission denied/i.test(output)
  return isRefused ? `${said}; user namespaces are not allowed here` : said
}
