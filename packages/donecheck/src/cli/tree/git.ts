/** A separate file, because every command loads it. */
import { execFile } from 'node:child_process'
import { distrustWords, gitEnvironment } from '@donecheck/engine/internal/base'
import { gitOrWalkWorkspace } from '@donecheck/engine/internal/system/trees'

const maxAnswerBytes = 64 * 1024 * 1024
const timeoutMs = 60_000

/** Never rejects; undefined if git fails. */
export function askGit(folder: string, words: readonly string[]): Promise<string | undefined> {
  const env = gitEnvironment(process.env)
  return new Promise((resolve) => {
    execFile(
      'git',
      ['--no-pager', ...distrustWords, ...words],
      { cwd: folder, env, maxBuffer: maxAnswerBytes, timeout: timeoutMs, killSignal: 'SIGKILL' },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    )
  })
}

/** Returns nothing if the folder has changed since the fingerprint. Never rejects. */
export async function readGitSubject(workFolder: string | null, fingerprint: string | undefined) {
  if (workFolder === null || fingerprint === undefined) return {}
  return (await fingerprintNow(workFolder)) === fingerprint ? gitSubjectNow(workFolder) : {}
}

export async function gitSubjectNow(workFolder: string) {
  const [status, flags, named] = await Promise.all([
    askGit(workFolder, ['status', '--porcelain', '--untracked-files=all', '--ignore-submodules=none']),
    askGit(workFolder, ['ls-files', '-v']),
    askGit(workFolder, ['rev-parse', 'HEAD^{commit}', 'HEAD:./']),
  ])
  if (
    status !== '' ||
    flags === undefined ||
    named === undefined ||
    flags.split('\n').some((line) => line !== '' && !line.startsWith('H '))
  )
    return {}
  const [gitCommit, gitTree] = named.trim().split('\n')
  return gitCommit === undefined || gitTree === undefined ? {} : { gitCommit, gitTree }
}

export async function fingerprintNow(workFolder: string): Promise<string | undefined> {
  try {
    return await gitOrWalkWorkspace(workFolder).fingerprint(new AbortController().signal)
  } catch {
    return undefined
  }
}
