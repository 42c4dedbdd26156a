/** Runs git on our own repository, without foreign settings, hooks, filters or programs. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { Buffer } from 'node:buffer'
import { existsSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { distrustSettings, gitEnvironment } from '../../../base/index.ts'
import { SnapshotError, errorCodeOf } from '../paths.ts'

/** Exact names, contents and stamps, and no background work. */
const ownSettings = [
  ...distrustSettings,
  ...['core.attributesFile', 'core.excludesFile'].map((name) => [name, '/dev/null'] as const),
  ...['core.fileMode', 'core.symlinks', 'core.trustctime'].map((name) => [name, 'true'] as const),
  ...[
    'ignoreCase',
    'precomposeUnicode',
    'protectNTFS',
    'protectHFS',
    'autocrlf',
    'sparseCheckout',
    'splitIndex',
  ].map((name) => [`core.${name}`, 'false'] as const),
  ['core.checkStat', 'default'],
  ['core.fsync', 'all'],
  ['core.fsyncMethod', 'fsync'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['protocol.allow', 'never'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
] as const

/** Environment for git that ignores user and machine settings. */
export function ownGitEnvironment(gitFolder?: string): Record<string, string | undefined> {
  const settings = ownSettings.flatMap(([name, value], index): readonly (readonly [string, string])[] => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    ...gitEnvironment(process.env),
    ...(gitFolder === undefined ? {} : { GIT_DIR: gitFolder }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_CONFIG_COUNT: String(ownSettings.length),
    ...Object.fromEntries(settings),
  }
}

export class GitNeededError extends SnapshotError {
  override readonly name = 'GitNeededError'
}

const oldestGit = [2, 38] as const
let gitVersion: string | undefined

/** @throws {GitNeededError} with found and required version */
export function assertGit(): void {
  gitVersion ??= readGitVersion()
  const [major = 0, minor = 0] = gitVersion.split('.').map(Number)
  if (major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1])) return
  throw gitVersion === '' ? missingGit() : gitNeeded(`git ${gitVersion} was found`)
}

function missingGit(): GitNeededError {
  return gitNeeded('git was not found')
}

/** The system reports a missing folder like a missing program. */
function whatIsMissing(gitFolder: string): SnapshotError {
  return existsSync(gitFolder) ? missingGit() : new SnapshotError('no trees are stored here')
}

function gitNeeded(present: string): GitNeededError {
  return new GitNeededError(
    `donecheck stores trees of files with git ${oldestGit.join('.')} or newer, and ${present}. Install it: sudo apt install git (Debian, Ubuntu), sudo dnf install git (Fedora), brew install git (macOS)`,
  )
}

/** Empty if there is none. */
function readGitVersion(): string {
  const options = { env: ownGitEnvironment(), encoding: 'utf8', stdio: 'pipe' } as const
  try {
    return /\d+\.\d+(?:\.\d+)*/.exec(execFileSync('git', ['version'], options))?.[0] ?? ''
  } catch {
    return ''
  }
}

interface GitInput {
  /** Default: what `take` writes. */
  readonly stdin?: Iterable<Buffer | string>
  readonly signal: AbortSignal
}

/** @returns output @throws {SnapshotError} with git's message @throws the signal's reason or the input's */
export async function runOwnGit(
  gitFolder: string,
  args: readonly string[],
  { stdin = [], signal }: GitInput,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  await streamOwnGit(gitFolder, args, { stdin, signal }, (piece) => pieces.push(piece))
  return Buffer.concat(pieces)
}

/** {@link runOwnGit} in chunks. @param take first gets an empty chunk; a throw ends git */
export async function streamOwnGit(
  gitFolder: string,
  args: readonly string[],
  { stdin, signal }: GitInput,
  take: (piece: Buffer, input: Writable) => void,
): Promise<void> {
  signal.throwIfAborted()
  // On SIGTERM git removes its temporary files and locks.
  const child = spawn('git', args, { cwd: gitFolder, env: ownGitEnvironment(gitFolder), signal })
  const ended = Promise.withResolvers<number | string>()
  const refuse = (error: unknown) => {
    ended.reject(error)
    child.kill()
  }
  const offer = (piece: Buffer) => {
    try {
      take(piece, child.stdin)
    } catch (error) {
      refuse(error)
    }
  }
  let complaint = ''
  child.stderr.on('data', (piece: Buffer) => (complaint = `${complaint}${piece.toString()}`.slice(0, 4000)))
  child.stdout.on('data', offer)
  child.once('error', (error) => refuse(errorCodeOf(error) === 'ENOENT' ? whatIsMissing(gitFolder) : error))
  child.once('close', (code, killedBy) => ended.resolve(code ?? killedBy ?? 'unknown'))
  // If git stops reading, its exit code tells.
  child.stdin.on('error', () => undefined)
  if (stdin === undefined) offer(Buffer.alloc(0))
  else Readable.from(stdin, { objectMode: true }).on('error', refuse).pipe(child.stdin)
  const end = await ended.promise.catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  signal.throwIfAborted()
  if (end === 0 && complaint === '') return
  throw new SnapshotError(`git ${args[0] ?? ''} failed on the stored trees: ${firstLine(complaint) || end}`)
}

/** Synchronous {@link runOwnGit} for small answers. */
export function runOwnGitNow(gitFolder: string, args: readonly string[], stdin: string): Buffer {
  const options = { cwd: gitFolder, env: ownGitEnvironment(gitFolder), input: stdin, maxBuffer: 1024 ** 3 }
  const { status, stdout, stderr, error } = spawnSync('git', args, options)
  if (status === 0 && stderr.length === 0) return stdout
  if (errorCodeOf(error) === 'ENOENT') throw whatIsMissing(gitFolder)
  const problem = error === undefined ? firstLine(stderr.toString()) : errorCodeOf(error)
  throw new SnapshotError(`git ${args[0] ?? ''} failed on the stored trees: ${problem}`)
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}
