import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { distrustWords, gitEnvironment, UsageError } from '@donecheck/engine/internal/base'
import { ownGitEnvironment } from '@donecheck/engine/internal/system/trees'

/** A folder that cannot be made, kept or delivered, in one sentence. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/** A repository that belongs to the worker. Questions about a tree never go to the run's `.git`. */
export interface OwnRepository {
  readonly gitFolder: string
  readonly workTree?: string
  readonly index?: string
}

interface GitOptions {
  readonly stdin?: Buffer | string
  readonly environment?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** An exit with 1 is an answer too: of a command that compares. */
  readonly mayDiffer?: true
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
  return runGit(words, {
    ...options,
    // Outside of the tree: git would look for a repository from here.
    folder: workTree ?? gitFolder,
    environment: {
      ...ownGitEnvironment(gitFolder),
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
        else reject(new FolderError(formatProblem(words, stderr.toString(), error.message)))
      },
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(stdin)
  })
}

/** The command is named by its first word that is no setting; addresses hold no secrets, see `assertAddress`. */
function formatProblem(words: readonly string[], said: string, otherwise: string): string {
  const command = words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '-c') ?? 'git'
  return `git ${command}: ${complaintsIn(said) || otherwise}`
}

/** Of what git said, the lines that say what is wrong; empty: none does. */
function complaintsIn(said: string): string {
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

/** @param name one character for each byte, see `namesOf` */
export function pathBelow(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(join(folder, '/')), Buffer.from(name, 'latin1')])
}

export interface Credential {
  /** Scheme and host, and the beginning of a path: it is told to nobody else. */
  readonly scope: string
  readonly username: string
  readonly password: string
}

/** @param text a line each, as `git credential-store` keeps them: `https://user:token@host`, with a path where it holds below that alone */
export function readCredentials(text: string): readonly Credential[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line, at) => {
      const url = URL.parse(line)
      if (url === null || !/^https?:$/.test(url.protocol) || url.password === '')
        throw new UsageError(
          `line ${at + 1} of the git credentials is none; write https://USER:TOKEN@HOST, one a line`,
        )
      return {
        scope: `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`,
        username: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
      }
    })
}

/** @throws {UsageError} for an address with a secret in it, which would be recorded, and for one that is an option or runs a program */
export function assertAddress(address: string): void {
  const url = URL.parse(address)
  if (url !== null && (url.password !== '' || (/^https?:$/.test(url.protocol) && url.username !== '')))
    throw new UsageError(
      'the address of the repository holds a credential; leave it out: the workers have theirs',
    )
  if (/^(?:-|[\w+.-]+::)/.test(address) || /[\0\n]/.test(address) || address === '')
    throw new UsageError(`"${address}" is no address of a repository; use https, ssh or a path`)
}

/** The credential with the longest matching scope. Undefined if none matches the address. */
function credentialFor(address: string, credentials: readonly Credential[]): Credential | undefined {
  return credentials
    .filter(({ scope }) => address === scope || address.startsWith(`${scope}/`))
    .sort((one, other) => other.scope.length - one.scope.length)[0]
}

/** A helper that answers once, from a pipe that this very git alone has; for this scope and no host that leads elsewhere. */
function credentialWords({ scope }: Credential): readonly string[] {
  const helper = '!f() { test "$1" = get && cat <&3; }; f'
  return [
    '-c',
    'credential.helper=',
    '-c',
    `credential.${scope}.helper=${helper}`,
    '-c',
    'http.followRedirects=false',
  ]
}

/**
 * The settings of the machine hold (proxies, certificates), but for other credentials.
 * @throws {FolderError} with git's own last words
 */
export async function askRemote(
  gitFolder: string,
  address: string,
  words: readonly string[],
  credentials: readonly Credential[],
  signal?: AbortSignal,
): Promise<void> {
  const credential = credentialFor(address, credentials)
  const settings = credential === undefined ? ['-c', 'credential.helper='] : credentialWords(credential)
  const child = spawn('git', ['--no-pager', ...distrustWords, '-c', 'gc.auto=0', ...settings, ...words], {
    cwd: gitFolder,
    env: {
      ...gitEnvironment(process.env),
      GIT_DIR: gitFolder,
      GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
      GIT_ASKPASS: 'true',
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(signal === undefined ? {} : { signal }),
  })
  const [, , stderr, secret] = child.stdio
  if (secret !== null && secret !== undefined && 'end' in secret) {
    secret.on('error', () => undefined)
    secret.end(
      credential === undefined ? '' : `username=${credential.username}\npassword=${credential.password}\n`,
    )
  }
  let said = ''
  stderr?.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-4000)))
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject).once('close', ended.resolve)
  if ((await ended.promise) === 0) return
  throw new FolderError(`${address}: ${complaintsIn(said) || 'git could not reach it'}`)
}
