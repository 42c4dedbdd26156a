/** Small trees of files on the disk, made for one case and looked at afterwards. */
import { chmod, lstat, mkdir, readFile, readdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type Entry =
  | { readonly kind: 'file'; readonly content: string | Uint8Array; readonly mode?: number }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }

/** By path, `/` between the parts; folders of files come by themselves. */
export type Tree = Readonly<Record<string, Entry>>

export async function makeTree(root: string, tree: Tree): Promise<void> {
  await mkdir(root, { recursive: true })
  for (const [path, entry] of Object.entries(tree)) {
    const absolute = join(root, path)
    await mkdir(dirname(absolute), { recursive: true })
    if (entry.kind === 'folder') await mkdir(absolute, { recursive: true })
    else if (entry.kind === 'link') await symlink(entry.target, absolute)
    else {
      await writeFile(absolute, entry.content)
      if (entry.mode !== undefined) await chmod(absolute, entry.mode)
    }
  }
}

/** Every entry under the root with its permission bits and content; equal trees give equal records. */
export async function lookAtTree(root: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  const names = await readdir(root, { recursive: true })
  for (const name of names.toSorted()) {
    const absolute = join(root, name)
    const status = await lstat(absolute)
    const mode = (status.mode & 0o777).toString(8)
    if (status.isSymbolicLink()) found[name] = `link to ${await readlink(absolute)}`
    else if (status.isDirectory()) found[name] = `folder ${mode}`
    else found[name] = `file ${mode} ${(await readFile(absolute)).toString('latin1')}`
  }
  return found
}
