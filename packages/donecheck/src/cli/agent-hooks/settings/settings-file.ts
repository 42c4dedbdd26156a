import { chmod, lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '@donecheck/engine/base'

export interface SettingsFile {
  /** As it was named; links are followed when it is written. */
  readonly file: string
  readonly bytes: Buffer | undefined
  readonly text: string | undefined
}

export async function readSettingsFile(file: string): Promise<SettingsFile> {
  const bytes = await readBytes(file)
  if (bytes === undefined) return { file, bytes, text: undefined }
  try {
    // Keeps a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { file, bytes, text }
  } catch {
    throw new UsageError(`${file} is no UTF-8 text; nothing was changed`)
  }
}

async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    // Writing over a link to a device would replace the device.
    const found = await stat(file)
    if (!found.isFile())
      throw new UsageError(
        `${file} is ${found.isDirectory() ? 'a folder' : 'no regular file'}: put a file there, or take another scope with --scope; nothing was changed`,
      )
    return await readFile(file)
  } catch (error) {
    if (isNoFile(error) && !(await isLink(file))) return undefined
    throw describeFileError(file, 'read', error)
  }
}

function isNoFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** A dangling link is not a missing file: somebody else manages it. */
export async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Atomic; keeps the mode. @param newMode mode of a new file @returns folders it created, the outermost first */
export async function writeSettingsFile(
  file: string,
  content: string | Uint8Array,
  newMode = 0o644,
): Promise<readonly string[]> {
  const folders = await makeFolders(dirname(file))
  const place = await resolveFile(file)
  const mode = await readMode(place, newMode)
  const draft = join(dirname(place), `.donecheck-${process.pid}-${performance.now()}`)
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // The umask may have removed bits.
    await chmod(draft, mode)
    await rename(draft, place)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return folders
}

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

async function resolveFile(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return file
  }
}

async function readMode(file: string, newMode: number): Promise<number> {
  try {
    return (await stat(file)).mode & 0o777
  } catch {
    return newMode
  }
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'it is a link that leads nowhere: mend it, or take it away',
  EACCES: 'permission denied: change its owner or its mode, or those of its folder',
  EPERM: 'not permitted: it may be locked, or belong to somebody else: change that',
  EROFS: 'the file system is read-only: another scope (--scope) may lie on another one',
  ENOSPC: 'no space is left on the device: make some, then try again',
  EDQUOT: 'your quota of the device is used up: make some space, then try again',
  ENOTDIR: 'something on the way to it is no folder: move that out of the way',
  EEXIST: 'something on the way to it is no folder: move that out of the way',
  EISDIR: 'it is a folder: move that out of the way',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** Returns other errors unchanged. */
export function describeFileError(file: string, doing: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || error instanceof UsageError || !/^E[A-Z0-9]+$/u.test(code)) return error
  return new UsageError(
    `${file} cannot be ${doing} (${code}: ${meanings[code] ?? 'the file system refused'})`,
    {
      cause: error,
    },
  )
}
