/** A separate file, because every command loads it. */
import { execFile } from 'node:child_process'
import { distrustWords, gitEnvironment } from '@donecheck/engine/base'

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
