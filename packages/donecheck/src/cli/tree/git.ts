/** Kept apart from what looks at trees: settings of every command ask git, and load nothing for it. */
import { execFile } from 'node:child_process'
import { distrustWords, gitEnvironment } from '@donecheck/engine/base'

const maxAnswerBytes = 64 * 1024 * 1024
const timeoutMs = 60_000

/** What git says about a folder, whatever repository the environment points at; undefined where it cannot say. Never rejects. */
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
