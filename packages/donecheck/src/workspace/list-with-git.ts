import { execFile } from 'node:child_process'
import type { Buffer } from 'node:buffer'
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytePathOf, type BytePath } from './byte-path.ts'

/** Whatever the repository's own settings say: no program of theirs is run, no cache of theirs is believed. */
const distrust = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting])

const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']

/** Above that, git is given up and the folder is walked instead. */
const longestListingBytes = 512 * 1024 * 1024
const listingTimeoutMs = 60_000

/**
 * Tracked files and untracked ones that are not ignored, those below the folder alone. A path may be gone from the
 * disk, or be a folder: a submodule or a repository inside this one. Undefined where git cannot say: it is not
 * installed, the folder is in no repository, or the repository ignores the folder or is broken.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listWithGit(
  folder: string,
  signal: AbortSignal,
): Promise<ReadonlySet<BytePath> | undefined> {
  const place = await placeOf(folder)
  if (place === undefined) return undefined
  const [ignored, listed] = await Promise.all([
    git(place, ['check-ignore', '--quiet', '--no-index', '.'], signal),
    git(place, listing, signal),
  ])
  signal.throwIfAborted()
  if (listed.exitCode !== 0 || ignored.exitCode !== 1) return undefined
  return new Set(bytePathOf(listed.stdout).split('\0').filter(Boolean).map(withoutSlash))
}

interface Place {
  readonly folder: string
  /** The folder itself or the nearest one above it that has a `.git`; its settings may name another one. */
  readonly root: string
}

async function placeOf(folder: string): Promise<Place | undefined> {
  try {
    const real = await realpath(folder)
    for (let root = real; ; root = dirname(root)) {
      if (await exists(join(root, '.git'))) return { folder: real, root }
      if (root === dirname(root)) return undefined
    }
  } catch {
    return undefined
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Git marks an untracked repository by a slash at its end. */
function withoutSlash(path: BytePath): BytePath {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

interface GitAnswer {
  readonly exitCode: number | null
  readonly stdout: Buffer
}

function git({ folder, root }: Place, words: readonly string[], signal: AbortSignal): Promise<GitAnswer> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['--no-pager', ...distrust, ...words],
      {
        cwd: folder,
        env: { ...gitEnvironment(process.env), GIT_WORK_TREE: root, GIT_CEILING_DIRECTORIES: dirname(root) },
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
  })
}

/** Variables such as GIT_DIR would point git at another tree. */
export function gitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
}
