import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lookAtTree, makeTree, type Entry, type Tree } from '../test/peers/codex/patch-tree.ts'
import type { BenchOptions } from './gate-figures.ts'
import { patchCases, patchGroups, type PatchCase, type PatchGroup } from './patch-cases.ts'
import { aimOf, changesNothing, patchSubjects, referenceName, type Applies } from './patch-subjects.ts'
import { median, rounded, timed, type Table } from './table.ts'

/** The same cases in turn; every way must leave the same files. */
export async function patchReferenceTable({ full }: BenchOptions): Promise<Table> {
  const cases = patchCases(full ? 300 : 100)
  const subjects = patchSubjects()
  const times = new Map(Object.keys(subjects).map((name) => [name, noTimes()]))
  const root = await mkdtemp(join(tmpdir(), 'donecheck-bench-'))
  try {
    for (const one of cases) {
      const left = new Set<string>()
      for (const [name, apply] of Object.entries(subjects)) {
        const { ms, tree } = await measured(one, apply, root)
        times.get(name)?.[one.group].push(ms)
        if (!changesNothing(name)) left.add(tree)
      }
      if (left.size > 1) throw new Error(`a case was applied in different ways:\n${one.patch}`)
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  const skipped =
    subjects[referenceName] === undefined ? ' (the reference program is not installed: skipped)' : ''
  return {
    title: `a patch from its text to the files on the disk, ${cases.length} cases in turn${skipped}`,
    rows: rowsOf(times),
  }
}

type Times = Readonly<Record<PatchGroup, number[]>>

function noTimes(): Times {
  return { small: [], mid: [], many: [] }
}

function rowsOf(times: ReadonlyMap<string, Times>): Table['rows'] {
  const medianOf = (of: Times | undefined) => median(Object.values(of ?? noTimes()).flat())
  const reference = medianOf(times.get(referenceName))
  return [...times].map(([name, of]) => ({
    name,
    ...Object.fromEntries(
      Object.keys(patchGroups).map((group) => [`${group} ms`, rounded(median(groupOf(of, group)), 2)]),
    ),
    'all ms': rounded(medianOf(of), 2),
    ratio: Number.isNaN(reference) ? '' : rounded(medianOf(of) / reference, 3),
    aim: aimOf(name),
  }))
}

function groupOf(times: Times, group: string): readonly number[] {
  return Object.entries(times).find(([name]) => name === group)?.[1] ?? []
}

async function measured(
  { files, patch }: PatchCase,
  apply: Applies,
  root: string,
): Promise<{ readonly ms: number; readonly tree: string }> {
  const folder = join(root, 'tree')
  try {
    await makeTree(folder, treeOf(files))
    const ms = await timed(() => apply(patch, { folder }))
    return { ms, tree: JSON.stringify(await lookAtTree(folder)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function treeOf(files: PatchCase['files']): Tree {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]): [string, Entry] => [path, { kind: 'file', content }]),
  )
}
