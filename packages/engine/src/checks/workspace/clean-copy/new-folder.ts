import { mkdtempSync, realpathSync } from 'node:fs'
import { chmod, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface CleanCopy {
  readonly folder: string
  /** Never rejects, and follows no link. */
  dispose(): Promise<void>
}

/** The folder goes again if it cannot be filled. */
export async function inNewFolder<Filled>(
  fill: (root: string) => Promise<Filled>,
): Promise<Filled & Pick<CleanCopy, 'dispose'>> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'copy-'))
  try {
    return { ...(await fill(root)), dispose: () => removeCopy(root) }
  } catch (error) {
    await removeCopy(root)
    throw error
  }
}

/** Links are removed, never followed. Folders that a check closed are opened for it. Never rejects: a rest stays. */
async function removeCopy(folder: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 }
  await rm(folder, options)
    .catch(() => openFolders(folder).then(() => rm(folder, options)))
    .catch(() => undefined)
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name))
}
