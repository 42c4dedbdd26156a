import { execFile } from 'node:child_process'
import type { Buffer } from 'node:buffer'
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { distrustWords, gitEnvironment } from '../../base/index.ts'

/** Above that, git is given up and the folder is walked instead. */
const maxListingBytes = 512 * 1024 * 1024
const defaultTimeoutMs = 60_000

/** A folder in a git repository. */
export interface Place {
  readonly folder: string
  /** The folder itself or the nearest one above it whose `.git` is of a repository; its settings may name another one. */
  readonly root: string
  /** The repository itself, if it is not the one that git finds from the folder. */
  readonly gitFolder?: string
}

/**
 * Undefined: the folder is in no repository, or is not there. At once, so that git is at work while others look at files: every
 * question in the background would wait for them.
 */
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

/** Not a folder without anything of a repository, such as sandboxes of agents leave behind above us: git passes over it too. */
function isGit(path: string): boolean {
  const found = look(path)
  if (found?.isDirectory() !== true) return found !== undefined
  // Not HEAD alone: whoever removes that from a repository is still to be seen with all that he lays into it.
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
  /** Null: it did not run to its own end. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  /** Why git refused, in its own words and on one line, with the command that it suggests. */
  readonly problem: string
}

/** Asks git about this place and no other, whatever the environment and the repository's settings say. */
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
    // What git does not read any more is told by its end.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.stdin)
  })
  signal.throwIfAborted()
  return answer
}

/** Git indents by a tab what it suggests to type. */
function summarizeProblem(text: string): string {
  const lines = text.split('\n')
  const causes = lines.flatMap((line) => /^(?:error|fatal): (.+)$/u.exec(line)?.[1] ?? [])
  const hints = lines.flatMap((line) => (line.startsWith('\t') ? `; type: ${line.trim()}` : []))
  return `${[...new Set(causes)].slice(0, 3).join('; ') || (lines[0] ?? '')}${hints.join('')}`
}

export interface GitOptions {
  readonly stdin?: string | Buffer
  readonly environment?: Readonly<Record<string, string>>
  /** Milliseconds. Default a minute. */
  readonly timeoutMs?: number
}
