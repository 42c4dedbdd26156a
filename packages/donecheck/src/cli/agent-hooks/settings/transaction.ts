/** Several files are changed, or none is. */
import { existsSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '@donecheck/engine/base'
import { describeFileError, readSettingsFile, writeSettingsFile } from './settings-file.ts'

/** Every change of a file goes through it. */
export type ChangeFile = <Result>(file: string, act: () => Result | Promise<Result>) => Promise<Result>

interface Before {
  readonly file: string
  /** Undefined: there was none. */
  readonly bytes: Uint8Array | undefined
  /** The innermost first. */
  readonly missingFolders: readonly string[]
}

/**
 * Where the work fails in the middle, what it has touched is put back, the latest first, and folders that it has made go.
 * @throws what the work throws, with a word of what became of the files
 */
export async function changeTogether(work: (touch: ChangeFile) => Promise<void>): Promise<void> {
  const touched: Before[] = []
  try {
    await work(async (file, act) => {
      touched.push(await remember(file))
      try {
        return await act()
      } catch (error) {
        throw describeFileError(file, 'changed', error)
      }
    })
  } catch (error) {
    const lost = await restoreAll(touched.toReversed())
    if (!(error instanceof UsageError)) throw error
    const end = lost.length === 0 ? 'nothing was changed' : `could not be put back: ${lost.join(', ')}`
    throw new UsageError(`${error.message.replace(/; nothing was changed$/u, '')}; ${end}`, { cause: error })
  }
}

async function remember(file: string): Promise<Before> {
  const { bytes } = await readSettingsFile(file)
  const missingFolders: string[] = []
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) missingFolders.push(folder)
  return { file, bytes, missingFolders }
}

/** @returns what could not be put back */
async function restoreAll(before: readonly Before[]): Promise<readonly string[]> {
  const lost: string[] = []
  for (const one of before) if (!(await restore(one))) lost.push(one.file)
  return lost
}

async function restore({ file, bytes, missingFolders }: Before): Promise<boolean> {
  try {
    const now = await readSettingsFile(file)
    if (bytes === undefined) {
      await rm(file, { force: true })
      for (const folder of missingFolders) await rmdir(folder).catch(() => undefined)
    } else if (now.bytes?.equals(bytes) !== true) await writeSettingsFile(file, bytes)
    return true
  } catch {
    return false
  }
}
