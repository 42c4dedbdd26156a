/** What the parts of the clean room do with folders and their paths. */
import { readdirSync } from 'node:fs'
import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const options = { recursive: true, force: true, maxRetries: 3 }

/** Links are removed, never followed; folders that a check closed are opened for it. Never rejects: a rest may stay. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, options)
    .catch(() => openFolders(folder).then(() => rm(folder, options)))
    .catch(() => undefined)
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name))
}

/** The text with the path of a folder replaced where it stands as a whole path, or as the start of one. */
export function renameFolder(text: string, from: string, to: string): string {
  if (!text.includes(from)) return text
  const pattern = new RegExp(`${from.replace(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)}(?![\\w.~-])`, 'gu')
  return text.replaceAll(pattern, () => to)
}

/** Empty if the folder cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
