import { execFile } from 'node:child_process'

/** Whatever the repository's own settings say: no program of theirs is run. */
const distrust = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting])

const longestAnswerBytes = 64 * 1024 * 1024
const timeoutMs = 60_000

/** What git says about a folder, whatever repository the environment points at; undefined where it cannot say. Never rejects. */
export function askGit(folder: string, words: readonly string[]): Promise<string | undefined> {
  const ownVariables = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  const env = {
    ...Object.fromEntries(ownVariables),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    LC_ALL: 'C',
  }
  return new Promise((resolve) => {
    execFile(
      'git',
      ['--no-pager', ...distrust, ...words],
      { cwd: folder, env, maxBuffer: longestAnswerBytes, timeout: timeoutMs, killSignal: 'SIGKILL' },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    )
  })
}
