import { Buffer } from 'node:buffer'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { HostCall, HostEdit } from '../../protocol/host/index.ts'
import { oneLine } from '@donecheck/core/internal/base'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { FileChange } from '@donecheck/engine/internal/ports/gate'
import type { PreparedCall } from '@donecheck/engine/internal/ports/loop'
import { realPath, given } from '@donecheck/engine/internal/base'
import { readRegularFile } from '../settings/own-file.ts'

export interface ActionContext {
  /** Null without a folder; then files are unknown. */
  readonly workFolder: string | null
  /** Absolute; everything at or below these paths is donecheck's. */
  readonly ownPlaces: readonly string[]
}

const maxSummary = 160

export async function prepareAct(call: HostCall, place: ActionContext): Promise<PreparedCall> {
  const { tool, act, args } = call
  const from = resolve(place.workFolder ?? process.cwd(), call.folder ?? '')
  const here = { ...place, from }
  switch (act.kind) {
    case 'command': {
      const folder = resolve(from, act.folder ?? '')
      return ready(`${tool}: ${oneLine(act.script, maxSummary)}`, {
        kind: 'command',
        script: act.script,
        folder,
      })
    }
    case 'write':
      return prepareChange(tool, act.path, () => act.content, here)
    case 'edit':
      return prepareChange(tool, act.path, (before) => applyEdits(before, act.edits), here)
    case 'patch':
      return preparePatch(tool, act.patch, here)
    case 'unreadable':
      return unreadable(tool, 'its arguments name no file')
    case 'read':
      return ready(tool)
    case 'unknown':
      return prepareUnknown(tool, args, here)
  }
}

interface Here extends ActionContext {
  readonly from: string
}

/** Null deletes the file; undefined is unknown. */
type Change = (before: string | null) => string | null | undefined

function prepareChange(tool: string, path: string, change: Change, here: Here): PreparedCall {
  const summary = `${tool} ${oneLine(path, maxSummary)}`
  if (here.workFolder === null) return ready(summary)
  if (namesOwnPlace(path, here)) return refuseOwnPlace(path)
  const file = changeAt(realPath(resolve(here.from, expandHome(path))), change, here.workFolder)
  return file === undefined ? ready(summary) : ready(summary, { kind: 'change', files: [file] })
}

/** Some hosts trim paths, expand the home folder or drop control characters. */
function namesOwnPlace(path: string, { from, ownPlaces }: Here): boolean {
  const readings = new Set([path, path.trim(), path.replaceAll(/[\t\r\n]/gu, '')])
  return [...readings].some((reading) => isOwnPlace(resolve(from, expandHome(reading)), ownPlaces))
}

function expandHome(path: string): string {
  return /^~(?:\/|$)/u.test(path) ? join(homedir(), path.slice(1)) : path
}

/** @returns undefined outside the work folder, which is left to the agent and its user */
function changeAt(absolute: string, change: Change, workFolder: string): FileChange | undefined {
  const inside = relative(realPath(workFolder), absolute)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined
  return changeOf(absolute, inside.split(sep).join('/'), change)
}

function prepareUnknown(tool: string, args: JsonValue, here: Here): PreparedCall {
  const own = here.workFolder === null ? undefined : textsIn(args).find((text) => namesOwnPlace(text, here))
  return own === undefined ? ready(tool) : refuseOwnPlace(own)
}

const maxPathLength = 4096

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return value.length > maxPathLength ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function refuseOwnPlace(path: string): PreparedCall {
  const reason = `\`${path}\` is part of what watches over this work: it is not changed from within`
  return { kind: 'invalid', reason, label: 'protected_file' }
}

function changeOf(absolute: string, path: string, change: Change): FileChange {
  const before = readText(absolute)
  if (before === undefined) return { path, before, after: undefined }
  const after = change(before)
  const isTooLong = typeof after === 'string' && Buffer.byteLength(after) > maxBytes
  return { path, before, after: isTooLong ? undefined : after }
}

function applyEdits(before: string | null, edits: readonly HostEdit[]): string | undefined {
  let text = before ?? ''
  for (const { old, replacement, all } of edits) {
    if (old === '' && text === '') text = replacement
    else if (old === '' || !text.includes(old)) return undefined
    else text = all ? text.replaceAll(old, () => replacement) : text.replace(old, () => replacement)
  }
  return text
}

async function preparePatch(tool: string, patch: string, here: Here): Promise<PreparedCall> {
  const { workFolder, from, ownPlaces } = here
  if (workFolder === null) return ready(tool)
  const { readHostPatch } = await import('./read-patch.ts')
  const reading = await readHostPatch(patch, from)
  if (reading.kind === 'unreadable') return { ...unreadable(tool, reading.problem), label: 'invalid_patch' }
  const own = [...reading.named, ...reading.files.keys()].find((path) => isOwnPlace(path, ownPlaces))
  if (own !== undefined) return refuseOwnPlace(own)
  const files = [...reading.files].flatMap(([path, after]) => changeAt(path, () => after, workFolder) ?? [])
  return ready(`${tool}: ${files.map(({ path }) => oneLine(path, maxSummary)).join(', ')}`, {
    kind: 'change',
    files,
  })
}

function unreadable(tool: string, problem: string): Extract<PreparedCall, { kind: 'invalid' }> {
  return { kind: 'invalid', reason: `nobody can tell what this call of ${tool} would change: ${problem}` }
}

function ready(summary: string, action?: Extract<PreparedCall, { kind: 'ready' }>['action']): PreparedCall {
  return {
    kind: 'ready',
    summary,
    ...given({ action }),
    run: () => Promise.resolve({ status: 'error', output: 'the host runs its calls itself' }),
  }
}

const maxBytes = 8 * 1024 * 1024

/** Null without a file; undefined if it is binary, too large or unreadable. Never blocks on a pipe. */
function readText(absolute: string): string | null | undefined {
  try {
    const bytes = readRegularFile(absolute, maxBytes)
    return bytes === null ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** @param paths relative to the work folder, absolute, or below `~/` */
export function placesOf(
  paths: readonly string[],
  workFolder: string | null,
  homeFolder = homedir(),
): readonly string[] {
  return paths.flatMap((path) => {
    if (path.startsWith('~/')) return [join(homeFolder, path.slice(2))]
    return workFolder === null ? [] : [resolve(workFolder, path)]
  })
}

export function isOwnPlace(path: string, ownPlaces: readonly string[]): boolean {
  if (ownPlaces.length === 0) return false
  const real = realPath(path)
  const places = ownPlaces.map(realPath)
  const isAtOrBelow = (one: string, place: string) => one === place || one.startsWith(`${place}${sep}`)
  return [...ownPlaces, ...places].some((place) => isAtOrBelow(path, place) || isAtOrBelow(real, place))
}
