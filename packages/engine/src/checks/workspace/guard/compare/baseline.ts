import type { GuardedTree, GuardRequest } from '../../../../ports/checks.ts'
import { protectionOf } from '../../../../analysis/protect/index.ts'
import { textOf } from '../../tree/tree-entry.ts'
import { treeOfRevision, type RevisionCopy } from '../../revision/tree-of-revision.ts'
import type { Manifest } from '../../snapshot/manifest.ts'
import { keepTree } from '../../snapshot/keep-tree.ts'
import { lookAtCaches } from '../../watch/caches.ts'
import { checkScripts } from '../../watch/check-scripts.ts'
import { foldersOf, observe } from '../trees/observation.ts'
import { emptyMemory, remember } from '../memory.ts'
import { passedReport } from '../reports.ts'
import { readableTrees } from './sided-changes.ts'
import { dependenciesOf, withScripts, type GuardParts } from '../guard-parts.ts'
import { recheck } from '../recheck.ts'
import { asItIs, treeToCheck } from '../trees/tree-to-check.ts'
import { z } from 'zod'
import type { Snapshots } from '../../snapshot/snapshots.ts'
import { nothingInstalled, type Installed } from '../../watch/runners.ts'

/** Remembers the tree as it is now, or as the named revision has it. What stands beside the tree is taken as it is now. */
export async function rememberBaseline(
  request: GuardRequest,
  given: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const { runId } = request
  const { options, workFolder, snapshots } = given
  const { checkCommands: commands } = given.protect
  const scripts = checkScripts({ workFolder, home: options.home, commands })
  const parts = withScripts(given, scripts)
  const { protect } = parts
  const seen = await observe(parts, Object.keys(scripts), readKnownInstalled(snapshots), signal)
  keepInstalled(snapshots, seen.watched)
  const isProtected = (path: string) => protectionOf(path, protect) !== undefined
  const common = { version: 1 as const, runId, workFolder, takenAtMs: Date.now(), watched: seen.watched }
  remember(snapshots, runId, emptyMemory)
  parts.trustedCaches.set(runId, await lookAtCaches(workFolder, foldersOf(seen.tree), signal))
  if (options.baseline !== undefined) {
    const revision = { folder: workFolder, revision: options.baseline, dependencies: dependenciesOf(parts) }
    const copy = await treeOfRevision(
      revision,
      (digest, content) => snapshots.objects.put(digest, content),
      signal,
    )
    const manifest: Manifest = { ...common, commit: copy.commit, entries: [...copy.entries] }
    snapshots.save(manifest)
    return guardedRevision(copy, [...notesOf(manifest, isProtected), ...copy.notes], parts)
  }
  const kept = await keepTree(seen.tree, {
    folder: workFolder,
    objects: snapshots.objects,
    isProtected,
    signal,
  })
  const manifest: Manifest = { ...common, commit: null, entries: [...kept.entries] }
  snapshots.save(manifest)
  const leftOut =
    kept.leftOut === 0 ? [] : [`for ${kept.leftOut} files there was no room: only their digests are kept`]
  const notes = [...notesOf(manifest, isProtected), ...leftOut]
  const watch = { request, isBaseline: true, manifest, seen }
  if (options.checkIn === 'clean-copy') {
    const trees = readableTrees(manifest, seen.tree, workFolder, snapshots.objects)
    const sides = { checkSide: [], product: [], placements: new Map() }
    return treeToCheck({ rulings: [], sides, trees, notes, watch }, parts, signal)
  }
  const said = passedReport('the baseline tree is remembered', { rulings: [], notes })
  return {
    ...asItIs(said, parts),
    recheck: (within) => recheck({ ...watch, laid: [seen.inPlace], isInPlace: true }, parts, within),
  }
}

function notesOf({ entries, commit }: Manifest, isProtected: (path: string) => boolean): readonly string[] {
  const protectedFiles = entries.filter(({ path }) => isProtected(textOf(path))).length
  const source = commit === null ? 'as it was at the start' : `of commit ${commit}`
  return [`the tree ${source}: ${entries.length} files, ${protectedFiles} of them protected`]
}

function guardedRevision(copy: RevisionCopy, notes: readonly string[], parts: GuardParts): GuardedTree {
  const { commit, folder } = copy
  const reason = `commit ${commit.slice(0, 12)} is remembered as the baseline tree`
  return {
    report: passedReport(reason, { rulings: [], notes }),
    folder,
    kind: 'clean-copy',
    variant: `commit:${commit}:${dependenciesOf(parts)}`,
    dispose: () => copy.dispose(),
  }
}

/** What earlier runs have read of installed packages: one whose stamp is the same need not be read again. */

const name = 'installed.json'
const marks = z.record(z.string(), z.string())
const shape = z.strictObject({ runners: marks, runnerStamps: marks })

/** Nothing where it cannot be read: then it is read anew. */
export function readKnownInstalled(snapshots: Snapshots): Installed {
  try {
    const { runners, runnerStamps } = shape.parse(JSON.parse(snapshots.readNote(null, name) ?? ''))
    const read = Object.entries(runners).filter(([, mark]) => !mark.startsWith('unread '))
    return { runners: Object.fromEntries(read), runnerStamps }
  } catch {
    return nothingInstalled
  }
}

export function keepInstalled(snapshots: Snapshots, { runners, runnerStamps }: Installed): void {
  const text = JSON.stringify({ runners, runnerStamps })
  if (text !== snapshots.readNote(null, name)) snapshots.writeNote(null, name, text)
}
