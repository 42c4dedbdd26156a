/** What the rules over texts say of a commit, as the guard asks them. */
import { createHash } from 'node:crypto'
import type { Placement } from '@donecheck/engine/internal/analysis/sides'
import {
  findRefusedChanges,
  type FileChange,
  type FileVersion,
  type TamperFinding,
} from '@donecheck/engine/internal/analysis/tamper'
import type { CommitTree } from './trees.ts'

type Placements = ReadonlyMap<string, Placement>

/** What is refused, or waits for authority, whatever the tests say: in honest work each is a false alarm. */
export function alarmsIn(
  baseline: CommitTree,
  delivered: CommitTree,
  placements: Placements,
): readonly TamperFinding[] {
  return findRefusedChanges(changesOf(baseline, delivered, placements, isOfChecks)).filter(
    ({ atMost }) => atMost === undefined,
  )
}

const isOfChecks = ({ side }: Placement) => side !== 'product'

function changesOf(
  baseline: CommitTree,
  delivered: CommitTree,
  placements: Placements,
  isWanted: (placement: Placement) => boolean,
): readonly FileChange[] {
  return [...placements.values()]
    .filter(isWanted)
    .map(({ path }) => ({ path, before: versionOf(baseline, path), after: versionOf(delivered, path) }))
}

function versionOf(tree: CommitTree, path: string): FileVersion | null {
  const entry = tree.entries.get(path)
  const content = tree.content(path)
  if (entry === undefined || content === undefined) return null
  const isLink = entry.mode === '120000'
  const digest = createHash('sha256').update(content).digest('hex')
  return {
    kind: isLink ? 'symlink' : 'file',
    digest,
    mode: Number.parseInt(entry.mode.slice(-3), 8),
    text: isLink ? content.toString() : tree.text(path),
  }
}
