/** What a call of the host's agent would do, as the gate wants to know it. Looks at files, changes none. */
import { Buffer } from 'node:buffer'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { HostAct, HostCall, HostEdit } from '../agents/index.ts'
import type { FileChange, PreparedCall } from '../ports.ts'
import { realPath } from '../real-path.ts'
import { isOwnPlace } from './own-places.ts'
import { longestBytes, readText } from './read-text.ts'

export interface ActPlace {
  /** Null: there is no folder, and nothing is known of files. */
  readonly workFolder: string | null
  /** Absolute; what lies there is ours. */
  readonly ownPlaces: readonly string[]
}

export type PrepareAct = typeof prepareAct

export async function prepareAct({ tool, act }: HostCall, place: ActPlace): Promise<PreparedCall> {
  switch (act.kind) {
    case 'command':
      return ready(`${tool}: ${oneLine(act.script)}`, {
        kind: 'command',
        script: act.script,
        folder: folderOf(act.folder, place),
      })
    case 'write':
      return prepareChange(tool, act.path, () => act.content, place)
    case 'edit':
      return prepareChange(tool, act.path, (before) => edited(before, act.edits), place)
    case 'patch':
      return preparePatch(tool, act, place)
    case 'read':
    case 'unknown':
      return ready(tool)
  }
}

function folderOf(folder: string | undefined, { workFolder }: ActPlace): string {
  const from = workFolder ?? process.cwd()
  return folder === undefined ? from : resolve(from, folder)
}

type Change = (before: string | null) => string | undefined

function prepareChange(tool: string, path: string, change: Change, place: ActPlace): PreparedCall {
  const summary = `${tool} ${oneLine(path)}`
  const { workFolder, ownPlaces } = place
  if (workFolder === null) return ready(summary)
  const folder = realPath(workFolder)
  const absolute = realPath(resolve(workFolder, path))
  if (isOwnPlace(absolute, ownPlaces)) return ownSettings(path)
  const inside = relative(folder, absolute)
  // What lies elsewhere is between the agent and its user.
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return ready(summary)
  const files = [changeOf(absolute, inside.split(sep).join('/'), change)]
  return ready(summary, { kind: 'change', files })
}

function ownSettings(path: string): PreparedCall {
  const reason = `\`${path}\` is part of what watches over this work: it is not changed from within`
  return { kind: 'invalid', reason, label: 'protected_file' }
}

function changeOf(absolute: string, path: string, change: Change): FileChange {
  const before = readText(absolute)
  if (before === undefined) return { path, before, after: undefined }
  const after = change(before)
  const isTooLong = after !== undefined && Buffer.byteLength(after) > longestBytes
  return { path, before, after: isTooLong ? undefined : after }
}

/** Undefined: the agent may make of it what nobody here can tell. */
function edited(before: string | null, edits: readonly HostEdit[]): string | undefined {
  let text = before ?? ''
  for (const { old, replacement, all } of edits) {
    if (old === '' && text === '') text = replacement
    else if (old === '' || !text.includes(old)) return undefined
    else text = all ? text.replaceAll(old, () => replacement) : text.replace(old, () => replacement)
  }
  return text
}

async function preparePatch(
  tool: string,
  { patch }: Extract<HostAct, { kind: 'patch' }>,
  { workFolder, ownPlaces }: ActPlace,
): Promise<PreparedCall> {
  if (workFolder === null) return ready(tool)
  const { changesOfPatch } = await import('./act-of-patch.ts')
  const files = await changesOfPatch(patch, workFolder)
  // The agent's own tool may take what ours does not: only that it writes is known then.
  if (files === undefined) return ready(`${tool}: a patch that could not be read`)
  const own = files.find(({ path }) => isOwnPlace(resolve(workFolder, path), ownPlaces))
  if (own !== undefined) return ownSettings(own.path)
  return ready(`${tool}: ${files.map(({ path }) => oneLine(path)).join(', ')}`, { kind: 'change', files })
}

function ready(summary: string, action?: Extract<PreparedCall, { kind: 'ready' }>['action']): PreparedCall {
  return {
    kind: 'ready',
    summary,
    ...(action === undefined ? {} : { action }),
    // The host runs it.
    run: () => Promise.resolve({ status: 'error', output: 'the host runs its calls itself' }),
  }
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  return line.length <= 160 ? line : `${line.slice(0, 157)}...`
}
