/** Which files an installation changes, and how: worked out before anything is written. */
import {
  readSettings,
  withHooks,
  withoutHooks,
  type SettingsContext,
  type SettingsScope,
} from '@donecheck/agents/settings'
import { UsageError, jsonOf, stateHome } from '@donecheck/engine/base'
import type { FileChange, ChangeFile } from './confirm-changes.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import {
  readSettingsFile,
  type SettingsFile,
  isLink,
  removeSettingsFile,
  writeSettingsFile,
} from '../settings/settings-file.ts'
import { wantedHooks, type Wanted } from '../settings/installed-hooks.ts'
import type { CliIo } from '../../process/io.ts'
import { isDeepStrictEqual } from 'node:util'
import { parse as parseJson, type ParseError } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

interface PlanRequest {
  readonly agent: HookedAgent
  readonly scope: SettingsScope
  readonly place: SettingsContext
}

interface Plan {
  readonly changes: readonly FileChange[]
  /** What the person must do or know. */
  readonly notes: readonly string[]
}

/** @throws {UsageError} for settings that cannot be read: nothing of them may be changed */
export async function planInstall(request: PlanRequest & Wanted): Promise<Plan> {
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

/** @throws {UsageError} as `planInstall` */
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
  /** The project for which it is done. */
  readonly project: string
}

interface WriteContext {
  readonly io: CliIo
  readonly touch: ChangeFile
}

/**
 * The original is kept before the file is written: whoever is killed in between has changed nothing.
 * @throws {UsageError} where somebody has written the file since the plan was made
 */
export async function writeInstalled(
  { file, before, after }: FileChange,
  { agent, project }: Installed,
  bareText: (text: string) => string,
  { io, touch }: WriteContext,
): Promise<void> {
  const now = await readUnchanged(file, before)
  const kept = await findOriginal(file, io)
  const isAsWritten = kept !== undefined && now.bytes !== undefined && digestOf(now.bytes) === kept.written
  const projects = [...new Set([...(kept?.projects ?? []), project])]
  if (after === undefined) return
  const original = isAsWritten ? kept.original : originalBytes(now.text, bareText)
  const record = { version: 1 as const, file, agent, original, written: digestOf(after), projects }
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

/** Hooks of an earlier installation, of which nothing is kept, are not part of it. */
function originalBytes(text: string | undefined, bareText: (text: string) => string): string | null {
  return text === undefined ? null : Buffer.from(bareText(text)).toString('base64')
}

export interface Removal extends FileChange {
  readonly folders: readonly string[]
  /** To the byte as it was before. */
  readonly isOriginal: boolean
  readonly bytes: Uint8Array | undefined
}

/** The original itself where nobody else has written since; otherwise the file without what is ours. */
export async function planRemoval(change: FileChange, io: CliIo): Promise<Removal> {
  const kept = await findOriginal(change.file, io)
  const now = await readSettingsFile(change.file)
  const { after } = change
  const withoutOurs = {
    ...change,
    ...{ folders: [], isOriginal: false, bytes: after === undefined ? undefined : Buffer.from(after) },
  }
  if (kept === undefined || now.bytes === undefined || digestOf(now.bytes) !== kept.written)
    return withoutOurs
  const bytes = kept.original === null ? undefined : Buffer.from(kept.original, 'base64')
  const isOurs = isSameSettings(change.file, bytes?.toString('utf8'), after)
  // A file that is gone would take the link along, which is somebody else's.
  if (!isOurs || (bytes === undefined && (await isLink(change.file)))) return withoutOurs
  return { ...change, after: bytes?.toString('utf8'), folders: kept.folders, isOriginal: true, bytes }
}

/** @throws {UsageError} where somebody has written the file since */
export async function writeRemoval(
  { file, before, bytes, folders }: Removal,
  { io, touch }: WriteContext,
): Promise<void> {
  await readUnchanged(file, before)
  await touch(file, async () => {
    if (bytes === undefined) await removeSettingsFile(file, folders)
    else await writeSettingsFile(file, bytes)
  })
  await touch(recordOf(file, io), () => forgetOriginal(file, io))
}

/** Of a file that is made for hooks: they say nothing by themselves. */
const idleKeys: readonly string[] = ['version', '$schema']

/**
 * Whether two texts of settings say the same, whatever their spaces and comments: what was kept could have been forged.
 * @param original undefined: there was no file, which is as good as one with nothing in it
 */
function isSameSettings(file: string, original: string | undefined, without: string | undefined): boolean {
  try {
    const rest = parseMeaning(file, without)
    const known = parseMeaning(file, original)
    return known === undefined ? isNothing(rest) : isDeepStrictEqual(known, rest)
  } catch {
    return false
  }
}

function isNothing(rest: unknown): boolean {
  return (
    rest === undefined ||
    (typeof rest === 'object' && rest !== null && Object.keys(rest).every((key) => idleKeys.includes(key)))
  )
}

/** @throws {SyntaxError} for what is neither */
function parseMeaning(file: string, text: string | undefined): unknown {
  const bare = text?.replace(/^\u{feff}/u, '').trim()
  if (bare === undefined || bare === '') return undefined
  if (file.endsWith('.toml')) return withoutEmpty(parseToml(bare))
  const errors: ParseError[] = []
  const value: unknown = parseJson(bare, errors, { allowTrailingComma: true })
  if (errors.length > 0) throw new SyntaxError(`${file} is no JSON`)
  return withoutEmpty(value)
}

/** Without objects and lists that hold nothing; undefined: nothing is left. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((one: unknown) => withoutEmpty(one))
  const kept = Object.entries(value)
    .map(([name, one]) => [name, withoutEmpty(one)] as const)
    .filter(([, one]) => one !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

const schema = z.strictObject({
  version: z.literal(1),
  file: z.string(),
  agent: z.string(),
  /** Base64; null: there was no file. */
  original: z.base64().nullable(),
  /** SHA-256 of the file as it was written, hex. */
  written: z.string(),
  /** Made for it, the outermost first. */
  folders: z.array(z.string()),
  /** The projects for which it was installed. */
  projects: z.array(z.string()),
})

type Kept = z.infer<typeof schema>

export interface Original extends Readonly<Omit<Kept, 'folders' | 'projects'>> {
  readonly folders: readonly string[]
  readonly projects: readonly string[]
}

/** Undefined: none is known, or what is kept cannot be read: then ours is taken out of the file as it stands. */
export async function findOriginal(file: string, io: CliIo): Promise<Original | undefined> {
  const kept = await readRecord(recordOf(file, io))
  return kept?.file === file ? kept : undefined
}

async function readRecord(path: string): Promise<Original | undefined> {
  return schema.safeParse(jsonOf(await readFile(path, 'utf8').catch(() => ''))).data
}

interface RecordedFile {
  readonly file: string
  /** When it was last installed. */
  readonly atMs: number
}

/** All files that hooks of the agent were written to, by our own record. */
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

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Where it is kept. */
export function recordOf(file: string, io: CliIo): string {
  return join(folderOf(io), `${digestOf(file).slice(0, 32)}.json`)
}

function folderOf(io: CliIo): string {
  return join(stateHome(io), 'donecheck', 'installed')
}
