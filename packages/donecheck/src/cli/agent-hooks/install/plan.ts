import {
  readSettings,
  withHooks,
  withoutHooks,
  type SettingsContext,
  type SettingsScope,
} from '@donecheck/agents/internal/protocol/settings'
import { UsageError, jsonOf, sha256, stateHome } from '@donecheck/engine/internal/base'
import type { FileChange, ChangeFile } from './confirm-changes.ts'
import {
  readSettingsFile,
  type SettingsFile,
  isLink,
  removeSettingsFile,
  writeSettingsFile,
  wantedHooks,
  type Wanted,
} from '../settings/settings-file.ts'
import type { CliIo } from '../../process/io.ts'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { HookedAgent } from '../../agents/agents.ts'

interface PlanRequest {
  readonly agent: HookedAgent
  readonly scope: SettingsScope
  readonly place: SettingsContext
}

/** @throws {UsageError} if the settings cannot be read */
export async function planInstall(request: PlanRequest & Wanted) {
  const { agent, scope, place } = request
  const { companion, settings, protocol } = agent
  const hooks = await readSettingsOf(agent, settings.file(scope, place))
  const after = withHooks(hooks.text, wantedHooks(request), settings)
  const change = changeOf(hooks, after)
  if (companion === undefined) return { changes: [change], notes: [] }
  const beside = await readSettingsFile(companion.file(place))
  const written = { file: hooks.file, text: after }
  const agreeing = await companion.agreeing({ text: beside.text, place, hooks: written })
  if (agreeing.kind === 'agrees') return { changes: [change, changeOf(beside, agreeing.text)], notes: [] }
  const note = `${protocol.title} runs no hook that it does not trust, and it could not be told to (${agreeing.problem}): start it once, and trust the hooks of donecheck`
  return { changes: [change], notes: [note] }
}

export async function planUninstall({ agent, scope, place }: PlanRequest): Promise<readonly FileChange[]> {
  const { companion, settings } = agent
  const hooks = await readSettingsOf(agent, settings.file(scope, place))
  const { file, text } = hooks
  if (text === undefined) return []
  const change = changeOf(hooks, withoutHooks(text, settings))
  const beside = companion === undefined ? undefined : await readSettingsFile(companion.file(place))
  if (companion === undefined || beside?.text === undefined) return [change]
  return [change, changeOf(beside, companion.without(beside.text, { file, text }))]
}

function changeOf({ file, text }: SettingsFile, after: string): FileChange {
  return { file, before: text, after }
}

async function readSettingsOf({ settings, protocol }: HookedAgent, file: string): Promise<SettingsFile> {
  const read = await readSettingsFile(file)
  const said = readSettings(read.text, settings)
  if (said.kind === 'unreadable')
    throw new UsageError(
      `${file}, the settings of ${protocol.title}, cannot be read (${said.problem}); mend it first: nothing was changed`,
    )
  return read
}

interface Installed {
  readonly agent: string
  readonly project: string
}

interface WriteContext {
  readonly io: CliIo
  readonly touch: ChangeFile
}

/** Records the original first, so that being killed in between changes nothing. @throws {UsageError} if the file changed since the plan was made */
export async function writeInstalled(
  { file, before, after }: FileChange,
  { agent, project }: Installed,
  bareText: (text: string) => string,
  { io, touch }: WriteContext,
): Promise<void> {
  const now = await readUnchanged(file, before)
  const kept = await findOriginal(file, io)
  const bare = now.text === undefined ? undefined : bareText(now.text)
  const isKept = kept !== undefined && bare !== undefined && isSameSettings(kept.original ?? '', bare)
  const projects = [...new Set([...(kept?.projects ?? []), project])]
  if (after === undefined) return
  // Hooks of an earlier installation are not part of the original.
  const original = isKept ? kept.original : (bare ?? null)
  const record = { version: 1 as const, file, agent, original, projects }
  const keep = (one: Original) => touch(recordOf(file, io), () => keepOriginal(one, io))
  await keep({ ...record, folders: kept?.folders ?? [] })
  if (after === before) return
  const folders = await touch(file, () => writeSettingsFile(file, after))
  if (folders.length > 0) await keep({ ...record, folders })
}

async function readUnchanged(file: string, before: string | undefined): Promise<SettingsFile> {
  const now = await readSettingsFile(file)
  if (now.text === before) return now
  throw new UsageError(`${file} was changed meanwhile; try again`)
}

export interface Removal extends FileChange {
  readonly folders: readonly string[]
  readonly isOriginal: boolean
}

/** Restores the original if no other program changed the file since; otherwise only removes our hooks. */
export async function planRemoval(change: FileChange, io: CliIo): Promise<Removal> {
  const kept = await findOriginal(change.file, io)
  const isOurs = kept !== undefined && isSameSettings(kept.original ?? '', change.after ?? '')
  // Deleting the file would delete a link that the user made.
  if (!isOurs || (kept.original === null && (await isLink(change.file))))
    return { ...change, folders: [], isOriginal: false }
  return { ...change, after: kept.original ?? undefined, folders: kept.folders, isOriginal: true }
}

/** @throws {UsageError} if the file changed since the plan was made */
export async function writeRemoval(
  { file, before, after, folders }: Removal,
  { io, touch }: WriteContext,
): Promise<void> {
  await readUnchanged(file, before)
  await touch(file, async () => {
    if (after === undefined) await removeSettingsFile(file, folders)
    else await writeSettingsFile(file, after)
  })
  await touch(recordOf(file, io), () => forgetOriginal(file, io))
}

/** Whether they differ only in blanks, commas and empty lists: the stored original could be forged. */
function isSameSettings(original: string, without: string): boolean {
  return bareMeaning(original) === bareMeaning(without)
}

function bareMeaning(text: string): string {
  const short = text
    .replaceAll(/("(?:[^"\\]|\\.)*"|'[^'\n]*')|[\s,\u{feff}]/gu, '$1')
    .replaceAll(/"version":\d+|"\$schema":"[^"]*"/g, '')
  for (let before = short; ;) {
    const after = before.replaceAll(/("\w+":)?(\{\}|\[\])/g, '')
    if (after === before) return after
    before = after
  }
}

const schema = z.strictObject({
  version: z.literal(1),
  file: z.string(),
  agent: z.string(),
  /** Null if there was no file. */
  original: z.string().nullable(),
  folders: z.array(z.string()),
  projects: z.array(z.string()),
})

type Kept = z.infer<typeof schema>

export interface Original extends Readonly<Omit<Kept, 'folders' | 'projects'>> {
  readonly folders: readonly string[]
  readonly projects: readonly string[]
}

/** @returns undefined if none is known or the record cannot be read */
export async function findOriginal(file: string, io: CliIo): Promise<Original | undefined> {
  const kept = await readRecord(recordOf(file, io))
  return kept?.file === file ? kept : undefined
}

async function readRecord(path: string): Promise<Original | undefined> {
  return schema.safeParse(jsonOf(await readFile(path, 'utf8').catch(() => ''))).data
}

interface RecordedFile {
  readonly file: string
  readonly atMs: number
}

export async function readRecordedFiles(agent: string, io: CliIo): Promise<readonly RecordedFile[]> {
  const found: RecordedFile[] = []
  for (const name of await readdir(folderOf(io)).catch(() => [])) {
    const path = join(folderOf(io), name)
    const kept = await readRecord(path)
    const written = await stat(path).catch(() => undefined)
    if (kept?.agent === agent && written !== undefined) found.push({ file: kept.file, atMs: written.mtimeMs })
  }
  return found
}

async function keepOriginal(original: Original, io: CliIo): Promise<void> {
  await mkdir(folderOf(io), { recursive: true, mode: 0o700 })
  await writeSettingsFile(recordOf(original.file, io), `${JSON.stringify(original)}\n`, 0o600)
}

export async function forgetOriginal(file: string, io: CliIo): Promise<void> {
  await rm(recordOf(file, io), { force: true })
}

export function recordOf(file: string, io: CliIo): string {
  return join(folderOf(io), `${sha256(file).slice(0, 32)}.json`)
}

function folderOf(io: CliIo): string {
  return join(stateHome(io), 'donecheck', 'installed')
}
