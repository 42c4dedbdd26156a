/** Settings of other programs on disk: read as they are, and written as a whole or not at all. */
import { chmod, lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { fileTrouble } from './file-trouble.ts'

export interface SettingsFile {
  /** As it was named; a link is followed when it is written. */
  readonly file: string
  /** Undefined: there is none. */
  readonly bytes: Buffer | undefined
  readonly text: string | undefined
}

/** @throws {UsageError} for what is no text, or cannot be read */
export async function readSettingsFile(file: string): Promise<SettingsFile> {
  const bytes = await bytesOf(file)
  if (bytes === undefined) return { file, bytes, text: undefined }
  try {
    // A mark of the byte order stays.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { file, bytes, text }
  } catch {
    throw new UsageError(`${file} is no UTF-8 text; nothing was changed`)
  }
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    // Whoever puts a link to a device there, so that nothing is ever kept, would lose the device.
    const found = await stat(file)
    if (!found.isFile())
      throw new UsageError(
        `${file} is ${found.isDirectory() ? 'a folder' : 'no regular file'}: put a file there, or take another scope with --scope; nothing was changed`,
      )
    return await readFile(file)
  } catch (error) {
    if (isNoFile(error) && !(await isLink(file))) return undefined
    throw fileTrouble(file, 'read', error)
  }
}

function isNoFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** One that leads nowhere is no missing file: somebody else manages it. */
export async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch {
    return false
  }
}

/**
 * Whoever reads meanwhile sees the old file or the new one. Its mode is kept.
 * @param newMode of a file that is not there yet
 * @returns folders that were made for it, the outermost first
 */
export async function writeSettingsFile(
  file: string,
  content: string | Uint8Array,
  newMode = 0o644,
): Promise<readonly string[]> {
  const folders = await makeFolders(dirname(file))
  const place = await realPlace(file)
  const mode = await modeOf(place, newMode)
  const draft = join(dirname(place), `.donecheck-${process.pid}-${performance.now()}`)
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // What is asked for at the opening is less what the process may not give.
    await chmod(draft, mode)
    await rename(draft, place)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return folders
}

/** With the folders that were made for it, as far as nothing else is in them. */
export async function removeSettingsFile(file: string, folders: readonly string[]): Promise<void> {
  await rm(file, { force: true })
  for (const folder of folders.toReversed()) {
    try {
      await rmdir(folder)
    } catch {
      return
    }
  }
}

async function makeFolders(folder: string): Promise<readonly string[]> {
  const first = await mkdir(folder, { recursive: true, mode: 0o755 })
  if (first === undefined) return []
  const made: string[] = []
  for (let one = folder; one.length >= first.length; one = dirname(one)) made.unshift(one)
  return made
}

async function realPlace(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return file
  }
}

async function modeOf(file: string, newMode: number): Promise<number> {
  try {
    return (await stat(file)).mode & 0o777
  } catch {
    return newMode
  }
}
