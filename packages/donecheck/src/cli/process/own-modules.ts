/** Keeps the program as it was when the run started: agents and checks may be able to write to its files. */
import { readdirSync, readFileSync, statSync, realpathSync } from 'node:fs'
import { registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '@donecheck/engine/internal/base'

const programFolder = import.meta.dirname

interface OwnModules {
  readonly sources: ReadonlyMap<string, Buffer>
  readonly readAtMs: number
}

let kept: OwnModules | undefined

/** Call before an agent or a check starts. */
export function keepOwnModules(): void {
  if (kept !== undefined || isSea()) return
  const sources = readSources(programFolder)
  // There are no built files if it runs from source.
  if (sources.size === 0) return
  kept = { sources, readAtMs: Date.now() }
  registerHooks({ resolve: resolveKept(sources), load: loadUnchanged(kept) })
  // Loaded late otherwise, possibly after an honest package installation.
  void import('fast-xml-parser').catch(() => undefined)
}

/** @throws {UsageError} if files on disk have changed */
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

/** Node would look for the file, which may be missing for a moment. */
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
    // Checked after loading, so that no change is missed.
    if (url.startsWith('file:')) assertUnchangedPackage(fileURLToPath(url), readAtMs)
    return loaded
  }
}

/** A change time cannot be set by hand, and moving a folder updates it. */
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

/** Follows links: the path that `npx` uses may be gone tomorrow. */
export function ownProgram(): string {
  if (isSea()) return process.execPath
  return realpathSync(fileURLToPath(new URL('../../../bin/donecheck.js', import.meta.url)))
}
