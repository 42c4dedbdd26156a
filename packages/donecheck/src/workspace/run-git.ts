import { execFile } from 'node:child_process'
import type { Buffer } from 'node:buffer'
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Whatever the repository's own settings say: no program of theirs is run, no cache of theirs is believed. */
const distrust = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting])

/** Above that, git is given up and the folder is walked instead. */
const longestListingBytes = 512 * 1024 * 1024
const listingTimeoutMs = 60_000

/** A folder in a git repository. */
export interface Place {
  readonly folder: string
  /** The folder itself or the nearest one above it whose `.git` is of a repository; its settings may name another one. */
  readonly root: string
}

/** Undefined: the folder is in no repository, or is not there. */
export async function placeOf(folder: string): Promise<Place | undefined> {
  try {
    const real = await realpath(folder)
    for (let root = real; ; root = dirname(root)) {
      if (await isGit(join(root, '.git'))) return { folder: real, root }
      if (root === dirname(root)) return undefined
    }
  } catch {
    return undefined
  }
}

/** Not a folder without anything of a repository, such as sandboxes of agents leave behind above us: git passes over it too. */
async function isGit(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) return found !== undefined
  // Not HEAD alone: whoever removes that from a repository is still to be seen with all that he lays into it.
  const parts = await Promise.all(
    ['HEAD', 'config', 'objects', 'refs'].map((name) => exists(join(path, name))),
  )
  return parts.includes(true)
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

export interface GitAnswer {
  /** Null: it did not run to its own end. */
  readonly exitCode: number | null
  readonly stdout: Buffer
}

/** Asks git about this place and no other, whatever the environment and the repository's settings say. Never rejects. */
export function runGit(
  { folder, root }: Place,
  words: readonly string[],
  signal: AbortSignal,
  options: GitOptions = {},
): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      ['--no-pager', ...distrust, ...words],
      {
        cwd: folder,
        env: {
          ...gitEnvironment(process.env),
          GIT_WORK_TREE: root,
          GIT_CEILING_DIRECTORIES: dirname(root),
          ...options.environment,
        },
        encoding: 'buffer',
        maxBuffer: longestListingBytes,
        timeout: listingTimeoutMs,
        killSignal: 'SIGKILL',
        signal,
      },
      (error, stdout) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null
        resolve({ exitCode, stdout })
      },
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.stdin)
  })
}

export interface GitOptions {
  readonly stdin?: string | Buffer
  readonly environment?: Readonly<Record<string, string>>
}

/** Variables such as GIT_DIR would point git at another tree. */
export function gitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    LC_ALL: 'C',
  }
}
