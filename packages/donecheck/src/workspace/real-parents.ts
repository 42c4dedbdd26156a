import { lstat } from 'node:fs/promises'
import { fileUnder, type BytePath } from './byte-path.ts'

/**
 * Tells whether every folder above a path is a folder, and no symlink to one: git keeps a path in its index when
 * somebody puts a symlink in the place of its folder. Answers are remembered as long as the function lives.
 */
export function realParents(folder: string): (path: BytePath) => Promise<boolean> {
  const known = new Map<BytePath, Promise<boolean>>([['', Promise.resolve(true)]])
  const isReal = async (parent: BytePath): Promise<boolean> => {
    if (!(await hasRealParents(parent))) return false
    try {
      return (await lstat(fileUnder(folder, parent))).isDirectory()
    } catch {
      return false
    }
  }
  const hasRealParents = (path: BytePath): Promise<boolean> => {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const answer = known.get(parent) ?? isReal(parent)
    known.set(parent, answer)
    return answer
  }
  return hasRealParents
}
