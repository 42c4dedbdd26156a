/** Notes of hooks without a store: folders, crashes, unchecked stops. A session is named `agent/session`. */
import { mkdirSync, readdirSync, rmSync, statSync, lstatSync } from 'node:fs'
import { join, dirname, resolve } from 'node:path'
import { numberIn, payloadOf, textIn, type HostEvent } from '@donecheck/agents/internal/protocol/host'
import { given, type HomeEnvironment, sha256, stateHome, jsonOf } from '@donecheck/engine/internal/base'
import { replaceFile } from '@donecheck/agents/internal/session'
import { tmpdir } from 'node:os'
import type { HostReading } from '@donecheck/agents/internal/protocol/hooks'
import { readSmallFile, areTreesOfOneRepository, findHookedProject, type HookedProject } from './project.ts'

const failureKinds = ['crashes', 'allow-stop'] as const

/** Blocks in a row caused by our own failures. */
export const maxCrashes = 3

/** @returns the count, or undefined if it cannot be stored */
export function countCrash(session: string, home: HomeEnvironment): number | undefined {
  return inNoteFolder('crashes', home, (folder) => {
    const file = noteOf(session, folder)
    const before = Number(readSmallFile(file))
    const count = Number.isSafeInteger(before) && before > 0 ? before + 1 : 1
    replaceFile(file, String(count))
    return count
  })
}

export interface AllowedStop {
  readonly session: string
  readonly atMs: number
  readonly problem: string
  readonly folder?: string
}

export function recordAllowedStop(stop: AllowedStop, home: HomeEnvironment): void {
  inNoteFolder('allow-stop', home, (folder) =>
    replaceFile(noteOf(stop.session, folder), JSON.stringify(stop)),
  )
}

export function readAllowedStops(home: HomeEnvironment): readonly AllowedStop[] {
  const files = noteFolders('allow-stop', home).flatMap((folder) =>
    namesIn(folder).map((name) => join(folder, name)),
  )
  return files.flatMap((file) => parseAllowedStop(file) ?? []).toSorted((a, b) => b.atMs - a.atMs)
}

/** The checks ran again, so the store has the result. */
export function forgetFailures(session: string, home: HomeEnvironment): void {
  for (const folder of failureKinds.flatMap((kind) => noteFolders(kind, home)))
    try {
      rmSync(noteOf(session, folder), { force: true })
    } catch {
      continue
    }
}

function noteOf(session: string, folder: string): string {
  return join(folder, `${sha256(session).slice(0, 32)}.json`)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

function parseAllowedStop(file: string): AllowedStop | undefined {
  const fields = payloadOf(jsonOf(readSmallFile(file) ?? '')) ?? {}
  const [session, problem] = [textIn(fields, 'session'), textIn(fields, 'problem')]
  const [atMs, folder] = [numberIn(fields, 'atMs'), textIn(fields, 'folder')]
  if (session === undefined || problem === undefined || atMs === undefined) return undefined
  return { session, problem, atMs, ...given({ folder }) }
}

const keptMs = 30 * 24 * 3_600_000

/** Folders in which the session started and wrote: its checks apply wherever the agent goes. */
export function readSessionFolders(session: string, home: HomeEnvironment): readonly string[] {
  const text = readSmallFile(noteOf(session, locationFolder(home))) ?? ''
  return text.split('\0').filter((folder) => folder !== '')
}

export function noteSessionFolders(
  session: string,
  workFolders: readonly string[],
  home: HomeEnvironment,
): void {
  const folder = locationFolder(home)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(noteOf(session, folder), workFolders.join('\0'))
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      if (statSync(file).mtimeMs < Date.now() - keptMs) rmSync(file, { force: true })
    }
  } catch {
    return
  }
}

/** Not in a temporary folder, where the agent could write. */
function locationFolder(home: HomeEnvironment): string {
  return join(stateHome(home), 'donecheck', 'sessions')
}

/** Beside the records, or in a temporary folder if that cannot be written. */
export function noteFolders(kind: string, home: HomeEnvironment): readonly string[] {
  const own = join(stateHome(home), 'donecheck')
  const elsewhere = join(tmpdir(), `donecheck-${process.getuid?.() ?? 'user'}`, sha256(own).slice(0, 16))
  return [join(own, kind), join(elsewhere, kind)]
}

/** @returns undefined if no folder works */
function inNoteFolder<Value>(
  kind: string,
  home: HomeEnvironment,
  work: (folder: string) => Value,
): Value | undefined {
  for (const folder of noteFolders(kind, home))
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (isOwn(folder)) return work(folder)
    } catch {
      continue
    }
  return undefined
}

/** Others may create files in a temporary folder. */
function isOwn(folder: string): boolean {
  const status = lstatSync(folder)
  return status.isDirectory() && (process.getuid === undefined || status.uid === process.getuid())
}

/** A session belongs to the project where it started. Another work tree of the repository joins when the agent writes there. */
export function findSessionTrees(
  reading: HostReading,
  folder: string,
  session: string,
  home: HomeEnvironment,
) {
  const here = findHookedProject(folder, home)
  if (reading.kind === 'unreadable') return here === undefined ? undefined : { trees: [here], current: here }
  const noted = reading.event.kind === 'session-started' ? [] : readSessionFolders(session, home)
  const known = noted.flatMap((one) => findHookedProject(one, home) ?? [])
  const [first = here, ...others] = known
  if (first === undefined) return undefined
  const isBeside = ({ workFolder }: HookedProject) => areTreesOfOneRepository(workFolder, first.workFolder)
  const target = writtenFolder(reading.event, folder)
  const written = target === undefined ? undefined : findHookedProject(target, home)
  const besides = [written, here].flatMap((one) => (one !== undefined && isBeside(one) ? one : []))
  const isWritten = written !== undefined && besides.includes(written)
  const kept = unique([first, ...others, ...(isWritten ? [written] : [])])
  if (kept.length !== noted.length || kept[0]?.workFolder !== noted[0])
    noteSessionFolders(
      session,
      kept.map(({ workFolder }) => workFolder),
      home,
    )
  // A file outside these trees belongs where the agent is.
  const current = written?.workFolder === first.workFolder ? first : (besides[0] ?? first)
  return { trees: unique([...kept, current]), current }
}

function unique(trees: readonly HookedProject[]): readonly HookedProject[] {
  const folders = trees.map(({ workFolder }) => workFolder)
  return trees.filter(({ workFolder }, index) => folders.indexOf(workFolder) === index)
}

function writtenFolder(event: HostEvent, folder: string): string | undefined {
  if (event.kind !== 'tool-proposed' && event.kind !== 'tool-finished') return undefined
  const { act } = event.call
  return act.kind === 'write' || act.kind === 'edit' ? dirname(resolve(folder, act.path)) : undefined
}
