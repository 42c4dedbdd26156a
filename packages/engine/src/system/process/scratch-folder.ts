/** Folders that live as long as this process, in the user's cache folder: nothing of ours stays in the temporary folder. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, scratchPlace } from '../../base/index.ts'

const ours = new Set<string>()
const sweptParents = new Set<string>()
let isWatched = false

/**
 * Makes an empty folder that only this user can read, and returns its real path. It is removed by `removeScratchFolder`, at the
 * latest when this process exits. What a killed process left is removed by the next process that makes one. Where the cache
 * folder cannot be written, the folder lies in the system's temporary folder.
 * @param purpose a short word that a person recognises in a listing
 * @throws the system's error if neither place can be written
 * @example
 * const folder = makeScratchFolder('index')
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

/** Follows no link, and never throws: what cannot be removed now is removed by a later process. */
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

/** A program may have closed folders that it made. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name))
}

/** @returns undefined if the parent cannot be written */
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

/** Process ids mean something on one machine only, and containers may share a home folder. */
function nameStart(): string {
  return `${hostname()}.${process.pid}.`
}

/** The age after which a folder of another machine is taken for left behind. */
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
