/** What a file was before hooks of ours came into it: kept outside of every tree, so that it can become that again. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonOf, stateHome } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { writeSettingsFile } from '../settings/settings-file.ts'

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

export async function keepOriginal(original: Original, io: CliIo): Promise<void> {
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
