import { indexOf, namesIn } from './names.ts'
import { folderOf, foldersAround, join, nameOf } from './paths.ts'
import type { ReadableTree } from './placement.ts'

/** Lists the baseline files this file reaches by import, read, source or include, itself included. */
export function filesReachedFrom(path: string, baseline: ReadableTree): ReadonlySet<string> {
  const index = indexOf(baseline)
  const reached = new Set([path])
  for (const file of reached) {
    const { files, forTests, folders } = namesIn(file, index)
    for (const next of [...files, ...forTests, ...unpromptedCalls(file)])
      if (baseline.has(next)) reached.add(next)
    for (const folder of file === path ? folders : [])
      for (const next of baseline.paths()) if (next.startsWith(`${folder}/`)) reached.add(next)
  }
  return reached
}

/** Files that pytest loads before a Python file, and snapshots next to a test. */
function unpromptedCalls(path: string): readonly string[] {
  if (path.endsWith('.py')) return foldersAround(folderOf(path)).map((folder) => join(folder, 'conftest.py'))
  return ['.snap', '.ambr'].map((ending) => join(folderOf(path), '__snapshots__', nameOf(path) + ending))
}
