import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What pip and a person write for an editable install: lines of paths, and finders that map a package to its folder. */
const pointers = [
  '{.venv,venv,env}/lib/python*/site-packages/*.pth',
  '{.venv,venv,env}/lib/python*/site-packages/__editable__*.py',
  '{.venv,venv,env}/Lib/site-packages/*.pth',
]

/**
 * Finds an installed file that names the work folder by its absolute path. A check in a copy then imports the work folder
 * itself, so the copy says nothing about it.
 * @returns the path from the work folder, or undefined if there is none
 */
export async function findEditableInstall(workFolder: string): Promise<string | undefined> {
  for await (const path of glob(pointers, { cwd: workFolder })) {
    const text = await readFile(join(workFolder, path), 'utf8').catch(() => '')
    if (text.includes(workFolder)) return path
  }
  return undefined
}
