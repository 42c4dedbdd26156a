import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectFiles } from './detected.ts'

const largestManifestBytes = 1024 * 1024
const maxNames = 2_000

/** A folder on this machine. What cannot be read is not there. */
export function projectFiles(folder: string): ProjectFiles {
  return {
    folder,
    has: async (path) => (await stat(join(folder, path)).catch(() => undefined)) !== undefined,
    text: async (path) => {
      const found = await stat(join(folder, path)).catch(() => undefined)
      if (found === undefined || !found.isFile() || found.size > largestManifestBytes) return undefined
      return readFile(join(folder, path), 'utf8').catch(() => undefined)
    },
    names: async (path) => namesIn(join(folder, path)).catch(() => []),
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder)) {
    names.push(name)
    if (names.length >= maxNames) break
  }
  return names.sort()
}
