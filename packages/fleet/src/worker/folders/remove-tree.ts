import { chmod, readdir, rm } from 'node:fs/promises'

/** Whatever was done to it: some tools leave folders behind that nobody may write to, such as caches of packages. */
export async function removeTree(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true })
  await remove().catch(async () => {
    await openFolders(Buffer.from(folder))
    await remove()
  })
}

async function openFolders(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' }))
    if (entry.isDirectory()) await openFolders(Buffer.concat([folder, Buffer.from('/'), entry.name]))
}
