import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { distrustWords, gitEnvironment, UsageError } from '@donecheck/engine/internal/base'
import { ownGitEnvironment } from '@donecheck/engine/internal/system/trees'

/** A folder that cannot be created, kept or delivered, explained in one sentence. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/** A repository of the worker. Tree queries never use the run's own `.git`. */
export interface OwnRepository {
  readonly gitFolder: string
  readonly workTree?: string
  readonly index?: string
}

interface GitOptions {
  readonly stdin?: Buffer | string
  readonly environment?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Exit code 1 is a valid result of comparing commands. */
  readonly mayDiffer?: true
}

/** Written to `info/attributes`, which overrides the tree: no conversions, no filters. */
export const rawAttributes = '* -text -eol -ident -filter -working-tree-encoding !diff !merge\n'

/** Also the limit of a kept patch: more would not fit one database text. */
const maxOutputBytes = 256 * 1024 * 1024
const timeoutMs = 30 * 60_000

/** @throws {FolderError} with git's last output */
export async function askOwn(
  { gitFolder, workTree, index }: OwnRepository,
  words: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  return runGit(words, {
    ...options,
    // Outside the tree, because git would search for a repository from here.
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

/** Shows the first argument that is not an option. Addresses hold no secrets, see `assertAddress`. */
function formatProblem(words: readonly string[], said: string, otherwise: string): string {
  const command = words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '-c') ?? 'git'
  return `git ${command}: ${complaintsIn(said) || otherwise}`
}

/** The error lines of git's output, or empty. */
function complaintsIn(said: string): string {
  return said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:fatal|error|remote|!)/.test(line))
    .slice(-3)
    .join('; ')
}

/** Names in git's order, one character per byte. */
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
  /** Scheme, host and path prefix; the credential is sent nowhere else. */
  readonly scope: string
  readonly username: string
  readonly password: string
}

/** @param text lines of `git credential-store`: `https://user:token@host`, with an optional path scope */
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

/** @throws {UsageError} for an address that contains a secret, is an option or runs a program */
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

/** A helper that answers once, from a pipe of this git only, for this scope only. */
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

/** Uses the machine's settings (proxies, certificates) but no other credentials. @throws {FolderError} */
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
