/** What a call of the host's agent would do, as the gate wants to know it. Looks at files, changes none. */
import { Buffer } from 'node:buffer'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { HostCall, HostEdit } from '../../protocol/host/index.ts'
import { oneLine } from '@donecheck/core/base'
import type { JsonValue } from '@donecheck/core/events'
import type { FileChange } from '@donecheck/engine/ports/gate'
import type { PreparedCall } from '@donecheck/engine/ports/loop'
import { realPath, given } from '@donecheck/engine/base'
import { isOwnPlace } from './own-places.ts'
import { maxBytes, readText } from './read-text.ts'

export interface ActionContext {
  /** Null: there is no folder, and nothing is known of files. */
  readonly workFolder: string | null
  /** Absolute; what lies there is ours. */
  readonly ownPlaces: readonly string[]
}

/** Characters of a script, or of a path. */
const maxSummary = 160

export type PrepareAct = typeof prepareAct

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
  /** Absolute: there relative paths begin. */
  readonly from: string
}

/** Null: the file goes. Undefined: nobody can tell. */
type Change = (before: string | null) => string | null | undefined

function prepareChange(tool: string, path: string, change: Change, here: Here): PreparedCall {
  const summary = `${tool} ${oneLine(path, maxSummary)}`
  if (here.workFolder === null) return ready(summary)
  if (namesOwnPlace(path, here)) return refuseOwnPlace(path)
  const file = changeAt(realPath(resolve(here.from, expandHome(path))), change, here.workFolder)
  return file === undefined ? ready(summary) : ready(summary, { kind: 'change', files: [file] })
}

/** Whether a host may take the path for one of our places: some trim it, some know the home folder, some drop what no path has. */
function namesOwnPlace(path: string, { from, ownPlaces }: Here): boolean {
  const readings = new Set([path, path.trim(), path.replaceAll(/[\t\r\n]/gu, '')])
  return [...readings].some((reading) => isOwnPlace(resolve(from, expandHome(reading)), ownPlaces))
}

function expandHome(path: string): string {
  return /^~(?:\/|$)/u.test(path) ? join(homedir(), path.slice(1)) : path
}

/** Undefined: it lies elsewhere, and is between the agent and its user. @param absolute with links followed */
function changeAt(absolute: string, change: Change, workFolder: string): FileChange | undefined {
  const inside = relative(realPath(workFolder), absolute)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined
  return changeOf(absolute, inside.split(sep).join('/'), change)
}

/** A tool that nobody knows may change what it names. */
function prepareUnknown(tool: string, args: JsonValue, here: Here): PreparedCall {
  const own = here.workFolder === null ? undefined : textsIn(args).find((text) => namesOwnPlace(text, here))
  return own === undefined ? ready(tool) : refuseOwnPlace(own)
}

/** A longer text is no path. */
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

/** Undefined: the agent may make of it what nobody here can tell. */
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
    // The host runs it.
    run: () => Promise.resolve({ status: 'error', output: 'the host runs its calls itself' }),
  }
}
