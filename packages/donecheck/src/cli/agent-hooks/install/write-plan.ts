/** A plan is written; what was there before is kept. */
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import type { ChangeFile } from '../settings/transaction.ts'
import type { FileChange } from '../settings/file-change.ts'
import { digestOf, forgetOriginal, keepOriginal, findOriginal, recordOf, type Original } from './originals.ts'
import {
  isLink,
  readSettingsFile,
  removeSettingsFile,
  writeSettingsFile,
  type SettingsFile,
} from '../settings/settings-file.ts'
import { isDeepStrictEqual } from 'node:util'
import { parse as parseJson, type ParseError } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'

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
export function isSameSettings(
  file: string,
  original: string | undefined,
  without: string | undefined,
): boolean {
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
