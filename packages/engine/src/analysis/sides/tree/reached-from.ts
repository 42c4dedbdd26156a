import type { ReadableTree } from '../request.ts'
import { nodeOf } from './nodes.ts'
import { indexOf } from './path-index.ts'
import { folderOf, foldersAround, join, nameOf } from './paths.ts'

/**
 * The files of the baseline tree that this file reaches by import, read, source or include, itself included: to tell
 * whether an earlier failing test was touched by the agent.
 */
export function filesReachedFrom(path: string, baseline: ReadableTree): ReadonlySet<string> {
  const index = indexOf(baseline)
  const reached = new Set([path])
  for (const file of reached) {
    const { targets, testTargets, namesakes, folders } = nodeOf(file, index)
    for (const next of [...targets, ...testTargets, ...namesakes, ...unpromptedCalls(file)])
      if (baseline.has(next)) reached.add(next)
    for (const folder of file === path ? folders : [])
      for (const next of baseline.paths()) if (next.startsWith(`${folder}/`)) reached.add(next)
  }
  return reached
}

/** What pytest loads before a file of Python, and the snapshots that runners keep beside a test. */
function unpromptedCalls(path: string): readonly string[] {
  const snapshots = ['.snap', '.ambr'].map((ending) =>
    join(folderOf(path), '__snapshots__', nameOf(path) + ending),
  )
  return path.endsWith('.py')
    ? foldersAround(folderOf(path)).map((folder) => join(folder, 'conftest.py'))
    : snapshots
}
