import { gitOrWalkWorkspace } from '@donecheck/engine/workspace'
import { askGit } from './git.ts'

/** Object names of a commit and of its tree below the work folder, hex. Empty: no commit is what is in the folder. */
interface GitSubject {
  readonly gitCommit?: string
  readonly gitTree?: string
}

/** Of a folder that has this fingerprint still, and that git holds to be the latest commit's. Never rejects. */
export async function readGitSubject(
  workFolder: string | null,
  fingerprint: string | undefined,
): Promise<GitSubject> {
  if (workFolder === null || fingerprint === undefined) return {}
  return (await fingerprintNow(workFolder)) === fingerprint ? gitSubjectNow(workFolder) : {}
}

export async function gitSubjectNow(workFolder: string): Promise<GitSubject> {
  const [status, flags, named] = await Promise.all([
    askGit(workFolder, ['status', '--porcelain', '--untracked-files=all', '--ignore-submodules=none']),
    askGit(workFolder, ['ls-files', '-v']),
    askGit(workFolder, ['rev-parse', 'HEAD^{commit}', 'HEAD:./']),
  ])
  if (status !== '' || flags === undefined || named === undefined || hidesFiles(flags)) return {}
  const [gitCommit, gitTree] = named.trim().split('\n')
  return gitCommit === undefined || gitTree === undefined ? {} : { gitCommit, gitTree }
}

/** Files whose changes git was told not to see: `h`, `S` and the like instead of `H`. */
function hidesFiles(flags: string): boolean {
  return flags.split('\n').some((line) => line !== '' && !line.startsWith('H '))
}

/** Undefined: it cannot be looked at. */
export async function fingerprintNow(workFolder: string): Promise<string | undefined> {
  try {
    return await gitOrWalkWorkspace(workFolder).fingerprint(new AbortController().signal)
  } catch {
    return undefined
  }
}
