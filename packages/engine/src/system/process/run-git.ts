import { execFile } from 'node:child_process'
import type { Buffer } from 'node:buffer'
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { distrustWords, gitEnvironment } from '../../base/index.ts'

/** Above it git is abandoned and the folder walked. */
const maxListingBytes = 512 * 1024 * 1024
const defaultTimeoutMs = 60_000

export interface Place {
  readonly folder: string
  /** The folder, or the nearest parent with a valid `.git`; its settings may set another one. */
  readonly root: string
  /** The repository, if git would not find it from the folder. */
  readonly gitFolder?: string
}

/** @returns undefined outside a repository. Synchronous, so that git starts before file reads queue up */
export function findRepository(folder: string): Place | undefined {
  try {
    const real = realpathSync.native(folder)
    for (let root = real; ; root = dirname(root)) {
      if (isGit(join(root, '.git'))) return { folder: real, root }
      if (root === dirname(root)) return undefined
    }
  } catch {
    return undefined
  }
}

/** Ignores an empty `.git`, such as agent sandboxes leave behind; git does too. */
function isGit(path: string): boolean {
  const found = look(path)
  if (found?.isDirectory() !== true) return found !== undefined
  // Not HEAD alone: removing it must not hide what is written into the repository.
  return ['HEAD', 'config', 'objects', 'refs'].some((name) => look(join(path, name)) !== undefined)
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

interface GitAnswer {
  /** Null if it did not end by itself. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  /** Git's message on one line, with its suggested command. */
  readonly problem: string
}

/** Runs git on this repository only, ignoring environment and settings. */
export async function runGit(
  { folder, root, gitFolder }: Place,
  words: readonly string[],
  signal: AbortSignal,
  options: GitOptions = {},
): Promise<GitAnswer> {
  const answer = await new Promise<GitAnswer>((resolve) => {
    const child = execFile(
      'git',
      ['--no-pager', ...distrustWords, ...words],
      {
        cwd: folder,
        env: {
          ...gitEnvironment(process.env),
          GIT_WORK_TREE: gitFolder === undefined ? root : folder,
          GIT_CEILING_DIRECTORIES: dirname(root),
          ...(gitFolder === undefined ? {} : { GIT_DIR: gitFolder }),
          ...options.environment,
        },
        encoding: 'buffer',
        maxBuffer: maxListingBytes,
        timeout: options.timeoutMs ?? defaultTimeoutMs,
        killSignal: 'SIGKILL',
        signal,
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null
        const cause = stderr.length === 0 ? (error?.message ?? '') : stderr.toString()
        resolve({ exitCode, stdout, problem: summarizeProblem(cause) })
      },
    )
    // If git stops reading, its exit code tells.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.stdin)
  })
  signal.throwIfAborted()
  return answer
}

/** Git indents suggested commands by a tab. */
function summarizeProblem(text: string): string {
  const lines = text.split('\n')
  const causes = lines.flatMap((line) => /^(?:error|fatal): (.+)$/u.exec(line)?.[1] ?? [])
  const hints = lines.flatMap((line) => (line.startsWith('\t') ? `; type: ${line.trim()}` : []))
  return `${[...new Set(causes)].slice(0, 3).join('; ') || (lines[0] ?? '')}${hints.join('')}`
}

export interface GitOptions {
  readonly stdin?: string | Buffer
  readonly environment?: Readonly<Record<string, string>>
  /** Milliseconds. Default 60,000. */
  readonly timeoutMs?: number
}
