/** How the worker asks git: in repositories of its own, whatever a run has laid into its tree or the machine has configured. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { distrustWords, gitEnvironment } from '@donecheck/engine/base'

/** A folder that cannot be made, kept or delivered, in one sentence. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/** A repository of the worker's own. A run's `.git` is never asked. */
export interface OwnRepository {
  /** Bare. */
  readonly gitFolder: string
  /** Whose files are looked at; absent: none. */
  readonly workTree?: string
  readonly index?: string
}

export interface GitOptions {
  readonly stdin?: Buffer | string
  readonly environment?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** An exit with 1 is an answer too: of a command that compares. */
  readonly mayDiffer?: true
}

/** File names of a tree stay what they are: no rule for other systems refuses one. Contents stay as git stores them, see `rawAttributes`. */
const ownSettings = [
  ['core.protectNTFS', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.quotePath', 'true'],
  ['core.fileMode', 'true'],
  ['core.symlinks', 'true'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
] as const

export const ownWords = [
  ...distrustWords,
  ...ownSettings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

/** Settings of the machine and of the user would bring filters and line ends of their own. */
export function ownEnvironment(): Record<string, string | undefined> {
  return {
    ...gitEnvironment(process.env),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
  }
}

/** Laid into `info/attributes` of our repositories, where it goes before what a tree says: nothing is converted, and no filter has a name. */
export const rawAttributes = '* -text -eol -ident -filter -working-tree-encoding !diff !merge\n'

/** Of a patch that may be kept, too: more would not fit in one text of the database, and hold up the other runs of the worker. */
const maxOutputBytes = 256 * 1024 * 1024
const timeoutMs = 30 * 60_000

/** @throws {FolderError} with git's own last words */
export async function askOwn(
  { gitFolder, workTree, index }: OwnRepository,
  words: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  return runGit([...ownWords, ...words], {
    ...options,
    // Outside of the tree: git would look for a repository from here.
    folder: workTree ?? gitFolder,
    environment: {
      ...ownEnvironment(),
      GIT_DIR: gitFolder,
      ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      ...options.environment,
    },
  })
}

interface Call extends Omit<GitOptions, 'environment'> {
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export function runGit(words: readonly string[], call: Call): Promise<Buffer> {
  const { folder, environment, stdin, signal, mayDiffer = false } = call
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['--no-pager', ...words],
      {
        cwd: folder,
        env: environment,
        encoding: 'buffer',
        maxBuffer: maxOutputBytes,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null || (mayDiffer && error.code === 1)) resolve(stdout)
        else reject(new FolderError(problemOf(words, stderr.toString(), error.message)))
      },
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(stdin)
  })
}

/** The command is named by its first word that is no setting; addresses hold no secrets, see `assertAddress`. */
function problemOf(words: readonly string[], said: string, otherwise: string): string {
  const command = words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '-c') ?? 'git'
  return `git ${command}: ${complaintsIn(said) || otherwise}`
}

/** Of what git said, the lines that say what is wrong; empty: none does. */
export function complaintsIn(said: string): string {
  return said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:fatal|error|remote|!)/.test(line))
    .slice(-3)
    .join('; ')
}

/** Names in the order that git gives them, a character for each byte. */
export function namesOf(listed: Buffer): readonly string[] {
  return listed.toString('latin1').split('\0').filter(Boolean)
}

export function bytesOf(names: Iterable<string>): Buffer {
  return Buffer.from([...names].map((name) => `${name}\0`).join(''), 'latin1')
}

/** A path below a folder whose name is bytes, see `namesOf`. */
export function pathBelow(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(join(folder, '/')), Buffer.from(name, 'latin1')])
}
