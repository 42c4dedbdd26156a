/** The trees of the experiment, as files to be written. */
import { independentText, type Placement } from '@donecheck/engine/sides'
import type { CommitTree } from './trees.ts'

export interface LaidFile {
  readonly mode: string
  readonly content: Buffer
}

export type LaidTree = ReadonlyMap<string, LaidFile>

export function wholeTree(tree: CommitTree): LaidTree {
  return merged([...tree.entries.keys()].map((path) => [path, fileOf(tree, path)]))
}

/** The baseline with the product side of the change laid over it; of the paths that are excused, all of the change. */
export function independentTree(
  baseline: CommitTree,
  delivered: CommitTree,
  placements: ReadonlyMap<string, Placement>,
  excused: ReadonlySet<string>,
): LaidTree {
  const paths = new Set([...baseline.entries.keys(), ...delivered.entries.keys()])
  return merged(
    [...paths].map((path) => {
      const side = excused.has(path) ? 'product' : placements.get(path)?.side
      if (side === 'both') return [path, splitFile(baseline, delivered, path)]
      return [path, fileOf(side === 'product' ? delivered : baseline, path)]
    }),
  )
}

/** The delivered tree with every test file as it was: the oracle's own experiment. */
export function treeWithEarlierTests(
  baseline: CommitTree,
  delivered: CommitTree,
  isTest: (path: string) => boolean,
): LaidTree {
  const paths = new Set([...baseline.entries.keys(), ...delivered.entries.keys()])
  return merged([...paths].map((path) => [path, fileOf(isTest(path) ? baseline : delivered, path)]))
}

export function isSameTree(one: LaidTree, other: LaidTree): boolean {
  if (one.size !== other.size) return false
  return [...one].every(([path, { mode, content }]) => {
    const file = other.get(path)
    return file?.mode === mode && file.content.equals(content)
  })
}

function merged(files: readonly (readonly [string, LaidFile | undefined])[]): LaidTree {
  return new Map(files.flatMap(([path, file]) => (file === undefined ? [] : [[path, file] as const])))
}

function fileOf(tree: CommitTree, path: string): LaidFile | undefined {
  const mode = tree.entries.get(path)?.mode
  const content = tree.content(path)
  return mode === undefined || content === undefined ? undefined : { mode, content }
}

function splitFile(baseline: CommitTree, delivered: CommitTree, path: string): LaidFile | undefined {
  const text = independentText(path, baseline.text(path), delivered.text(path))
  const file = fileOf(delivered, path) ?? fileOf(baseline, path)
  if (text === undefined || file === undefined) return fileOf(baseline, path)
  return { mode: file.mode, content: Buffer.from(text) }
}
