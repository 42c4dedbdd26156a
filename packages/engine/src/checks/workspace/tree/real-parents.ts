import { lstatSync } from 'node:fs'
import { fileUnder, parentOf, type BytePath } from './tree-entry.ts'

/**
 * Tells whether every folder above a path is a folder, and no symlink to one: git keeps a path in its index when
 * somebody puts a symlink in the place of its folder. Answers are remembered as long as the function lives.
 */
export function realParents(folder: string): (path: BytePath) => boolean {
  const known = new Map<BytePath, boolean>([['', true]])
  const isReal = (parent: BytePath): boolean => {
    if (!hasRealParents(parent)) return false
    try {
      return lstatSync(fileUnder(folder, parent)).isDirectory()
    } catch {
      return false
    }
  }
  const hasRealParents = (path: BytePath): boolean => {
    const parent = parentOf(path)
    const answer = known.get(parent) ?? isReal(parent)
    known.set(parent, answer)
    return answer
  }
  return hasRealParents
}
