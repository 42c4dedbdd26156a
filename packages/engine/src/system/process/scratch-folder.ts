/** Folders that live as long as this process, in the user's cache folder: nothing of ours stays in the temporary folder. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, scratchPlace } from '../../base/index.ts'

const ours = new Set<string>()
const sweptParents = new Set<string>()
let isWatched = false

/**
 * Makes an empty private folder and returns its real path. It is removed by `removeScratchFolder`, at exit,
 * or by a later process. Falls back to the temporary folder.
 * @param purpose short word for listings
 * @throws the system's error
 * @example makeScratchFolder('index')
 */
export function makeScratchFolder(purpose: string): string {
  const parent = scratchPlace({ environment: process.env, homeFolder: homedir() })
  const folder = makeIn(parent, purpose) ?? mkdtempSync(join(tmpdir(), nameStart()))
  if (!isWatched) process.once('exit', removeAll)
  isWatched = true
  const real = realpathSync(folder)
  ours.add(real)
  return real
}

/** Follows no link and never throws: a later process retries. */
export function removeScratchFolder(folder: string): void {
  try {
    removeTree(folder)
    ours.delete(folder)
  } catch {
    return
  }
}

function removeAll(): void {
  for (const folder of ours) removeScratchFolder(folder)
}

function removeTree(folder: string): void {
  const options = { recursive: true, force: true, maxRetries: 3 }
  try {
    rmSync(folder, options)
  } catch {
    openFolders(folder)
    rmSync(folder, options)
  }
}

/** Restores access to folders that a program closed. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name))
}

/** @returns undefined if the parent is not writable */
function makeIn(parent: string, purpose: string): string | undefined {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 })
    if (!sweptParents.has(parent)) sweep(parent)
    sweptParents.add(parent)
    return mkdtempSync(join(parent, `${nameStart()}${purpose}-`))
  } catch {
    return undefined
  }
}

/** Process ids are per machine, and containers may share a home folder. */
function nameStart(): string {
  return `${hostname()}.${process.pid}.`
}

/** Age after which another machine's folder is removed. */
const maxForeignAgeMs = 7 * 24 * 3_600_000

function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name)
    if (isLeftBehind(name, folder)) removeScratchFolder(folder)
  }
}

function isLeftBehind(name: string, folder: string): boolean {
  const [, host, pid] = /^(.*)\.(\d+)\.[^.]*$/u.exec(name) ?? []
  if (host === hostname()) return Number(pid) !== process.pid && !isRunning(Number(pid))
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats !== undefined && stats.mtimeMs < Date.now() - maxForeignAgeMs
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
