/** A copy of a project to try things in, so that whatever happens the project itself stays as it is. */
import { cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface WorkingCopy {
  readonly folder: string
  remove(): Promise<void>
}

/**
 * History is left out. Installed packages are linked, not copied: they are large, and no repair touches them; a package
 * that is linked back into the project (a workspace) is met there as it is, without the repair.
 */
export async function workingCopy(project: string): Promise<WorkingCopy> {
  const from = await realpath(project)
  const parent = await mkdtemp(path.join(await realpath(tmpdir()), 'donecheck-demo-'))
  const folder = path.join(parent, path.basename(from))
  const installed: string[] = []
  await cp(from, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => {
      const name = path.basename(source)
      if (name === 'node_modules') installed.push(source)
      return name !== 'node_modules' && name !== '.git'
    },
  })
  for (const packages of installed) await symlink(packages, path.join(folder, path.relative(from, packages)))
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) }
}
