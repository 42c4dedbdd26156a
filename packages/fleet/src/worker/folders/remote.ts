/** Questions to the host of a repository, asked in a repository of our own and with the worker's credential. */
import { spawn } from 'node:child_process'
import { distrustWords, gitEnvironment } from '@donecheck/engine/base'
import { credentialFor, type Credential } from './credentials.ts'
import { complaintsIn, FolderError } from './git.ts'

const timeoutMs = 30 * 60_000

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
