/** This program as it was before an agent or a check ran: either may be able to write to the files that we still have to load. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '@donecheck/engine/base'

/** Where the built program lies in one folder, file beside file. */
const programFolder = import.meta.dirname

/** The program's files by their addresses, and when they were read, in milliseconds since 1970. */
interface OwnModules {
  readonly sources: ReadonlyMap<string, Buffer>
  readonly readAtMs: number
}

let kept: OwnModules | undefined

/**
 * Reads all files of the program, from which its modules are loaded from now on. A package that is loaded later must not have changed
 * since. Call it before an agent or a check starts.
 */
export function keepOwnModules(): void {
  if (kept !== undefined || isSea()) return
  const sources = readSources(programFolder)
  // Run from its sources it has no files of that kind, and only those who develop it do that.
  if (sources.size === 0) return
  kept = { sources, readAtMs: Date.now() }
  registerHooks({ resolve: resolveKept(sources), load: loadUnchanged(kept) })
  // It is loaded at the first report in XML, and an honest installation of packages may come before that.
  void import('fast-xml-parser').catch(() => undefined)
}

/**
 * For a process that is started from the files on the disk.
 * @throws {UsageError} if they are no longer what they were
 */
export function assertOwnModulesUnchanged(): void {
  if (kept === undefined) return
  const now = readSources(programFolder)
  const changed = [...kept.sources].find(([url, source]) => now.get(url)?.equals(source) !== true)
  if (changed !== undefined) throw changedError(fileURLToPath(changed[0]))
}

export function readSources(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const paths = names.map((name) => join(folder, name))
  return new Map(paths.map((path) => [pathToFileURL(path).href, readFileSync(path)]))
}

/** Node would look for the file, which may be gone for a while. */
function resolveKept(sources: OwnModules['sources']): ResolveHookSync {
  return (specifier, context, nextResolve) => {
    const isOwn = specifier.startsWith('.') && context.parentURL !== undefined
    const url = isOwn ? new URL(specifier, context.parentURL).href : ''
    return sources.has(url) ? { url, format: 'module', shortCircuit: true } : nextResolve(specifier, context)
  }
}

export function loadUnchanged({ sources, readAtMs }: OwnModules): LoadHookSync {
  return (url, context, nextLoad) => {
    const source = sources.get(url)
    if (source !== undefined) return { format: 'module', source, shortCircuit: true }
    const loaded = nextLoad(url, context)
    // Afterwards: a change between the look and the reading would be missed.
    if (url.startsWith('file:')) assertUnchangedPackage(fileURLToPath(url), readAtMs)
    return loaded
  }
}

/** A change time, unlike the other times of a file, cannot be set. A folder that was moved into place has one too. */
function assertUnchangedPackage(file: string, readAtMs: number): void {
  const packages = file.lastIndexOf('/node_modules/')
  if (packages === -1) return
  const top = packages + '/node_modules/'.length
  for (let path = file; path.length > top; path = dirname(path))
    if (statSync(path).ctimeMs > readAtMs) throw changedError(file)
}

function changedError(file: string): UsageError {
  return new UsageError(
    `${file} was changed after this donecheck started, so it is not loaded. If you changed it, start donecheck again`,
  )
}
