/** Every commit compared as the guard compares a run: its parent is the baseline, and what it changed is the agent's work. */
import { placeChanges, type Placement } from '@donecheck/engine/internal/analysis/sides'
import { honestCommits, type HonestCommit } from './commits.ts'
import type { Repository } from './git.ts'
import { expectedSide, type Project } from './projects.ts'
import type { Disagreement, Replay } from './results.ts'
import { TreeReader, type CommitTree } from './trees.ts'
import { alarmsIn } from './words.ts'

export function replay(repository: Repository, project: Project, limit: number): Replay {
  const reader = new TreeReader(repository)
  const commits: Replay['commits'] = []
  const reasons: Record<string, number> = {}
  const disagreements: Disagreement[] = []
  const alarms: Replay['alarms'] = []
  let files = 0
  for (const commit of honestCommits(repository, project, limit)) {
    const baseline = reader.read(commit.parent)
    const delivered = reader.read(commit.hash)
    const before = process.cpuUsage()
    const placements = place(project, commit, baseline, delivered)
    const { user, system } = process.cpuUsage(before)
    const placeMs = Math.round((user + system) / 1000)
    const placed = [...placements.values()]
    commits.push({
      commit: commit.hash,
      placeMs,
      isCheckSideChanged: placed.some(({ side }) => side !== 'product'),
    })
    files += placed.length
    for (const { side, reason } of placed) {
      const key = `${side}: ${reason}`
      reasons[key] = (reasons[key] ?? 0) + 1
    }
    for (const { path, rule, message } of alarmsIn(baseline, delivered, placements))
      alarms.push({ path, commit: commit.hash, rule, message })
    disagreements.push(...disagreementsOf(project, commit, baseline, placed))
  }
  return { name: project.name, commits, files, reasons, disagreements, alarms }
}

/** What a change may touch: files alone, for a submodule has none here. */
export function place(
  project: Project,
  commit: HonestCommit,
  baseline: CommitTree,
  delivered: CommitTree,
): ReadonlyMap<string, Placement> {
  const changed = commit.changed.filter((path) => baseline.has(path) || delivered.has(path))
  return placeChanges({ baseline, delivered, changed, checkLines: project.checks, protect: [] })
}

function disagreementsOf(
  project: Project,
  { hash }: HonestCommit,
  baseline: CommitTree,
  placed: readonly Placement[],
): readonly Disagreement[] {
  return placed.flatMap(({ path, side, reason, because }) => {
    const expected = expectedSide(path, project)
    // A file with parts of both sides is split, and the oracle knows paths alone.
    if (expected === undefined || side === 'both' || side === expected || reason === 'check-part') return []
    const isEarlier = baseline.has(path)
    return [{ path, commit: hash, expected, placed: side, reason, because, isEarlier }]
  })
}
