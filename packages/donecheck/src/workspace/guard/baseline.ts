import type { GuardedTree, GuardRequest } from '../../ports.ts'
import { protectionOf } from '../../tamper/index.ts'
import { textOf } from '../byte-path.ts'
import { cleanCopy } from '../clean-copy/clean-copy.ts'
import type { Manifest } from '../snapshot/manifest.ts'
import { keepRevision } from '../snapshot/revision-tree.ts'
import { keepTree } from '../snapshot/take-snapshot.ts'
import { lookAtCaches } from '../watch/caches.ts'
import { checkScripts } from '../watch/check-scripts.ts'
import { agreedFiles, stampsOf } from './agreed-files.ts'
import { foldersOf, look } from './look.ts'
import { emptyMemory, writeMemory } from './memory.ts'
import { passed } from './reports.ts'
import { dependenciesOf, withScripts, type GuardParts } from './parts.ts'
import { asItIs, treeToCheck, watched as watchedTree, type Watch } from './tree-to-check.ts'

/** Remembers the tree as it is now, or as the named revision has it. What stands beside the tree is taken as it is now. */
export async function rememberUntouched(
  request: GuardRequest,
  given: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const { runId } = request
  const { options, workFolder, snapshots, digests } = given
  const home = options.home ?? null
  const marks = checkScripts({ workFolder, home, commands: given.protect.checkCommands })
  const parts = withScripts(given, marks)
  const { protect } = parts
  const { tree, watched } = await look({
    ...{ workFolder, home, digests, signal },
    scripts: Object.keys(marks),
  })
  const isProtected = (path: string) => protectionOf(path, protect) !== undefined
  const common = { version: 1 as const, runId, workFolder, takenAtMs: Date.now(), watched }
  writeMemory(snapshots, runId, emptyMemory)
  parts.trustedCaches.set(runId, await lookAtCaches(workFolder, foldersOf(tree), signal))
  if (options.baseline !== undefined) {
    const kept = await keepRevision(workFolder, options.baseline, snapshots.objects, signal)
    const manifest: Manifest = { ...common, commit: kept.commit, entries: [...kept.entries] }
    snapshots.save(manifest)
    const submodules = kept.submodules.map((path) => `the submodule ${path} is not compared`)
    return copyOfRevision(manifest, [...notesOf(manifest, isProtected), ...submodules], parts, signal)
  }
  const kept = await keepTree(tree, { folder: workFolder, objects: snapshots.objects, isProtected, signal })
  const manifest: Manifest = { ...common, commit: null, entries: [...kept.entries] }
  snapshots.save(manifest)
  const leftOut =
    kept.leftOut === 0 ? [] : [`for ${kept.leftOut} files there was no room: only their digests are kept`]
  const notes = [...notesOf(manifest, isProtected), ...leftOut]
  const agreed = agreedFiles(manifest, protect)
  const watch: Watch = {
    ...{ request, isUntouched: true, manifest, seen: { tree, watched }, findings: [], runners: new Map() },
    ...{ agreed, stamps: stampsOf(workFolder, agreed) },
  }
  return options.checkIn === 'clean-copy'
    ? treeToCheck({ rulings: [], changes: new Map(), tree, notes, watch }, parts, signal)
    : watchedTree(asItIs(passed('the untouched tree is remembered', [], notes), parts), watch, parts)
}

function notesOf({ entries, commit }: Manifest, isProtected: (path: string) => boolean): readonly string[] {
  const protectedFiles = entries.filter(({ path }) => isProtected(textOf(path))).length
  const source = commit === null ? 'as it was at the start' : `of commit ${commit}`
  return [`the tree ${source}: ${entries.length} files, ${protectedFiles} of them protected`]
}

async function copyOfRevision(
  manifest: Manifest,
  notes: readonly string[],
  parts: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const { workFolder, snapshots } = parts
  const commit = manifest.commit ?? 'HEAD'
  const copy = await cleanCopy(
    {
      folder: workFolder,
      entries: manifest.entries,
      source: ({ digest }) => snapshots.objects.get(digest),
      overlay: new Map(),
      dependencies: dependenciesOf(parts),
      git: true,
      commit,
    },
    signal,
  )
  return {
    report: passed(`commit ${commit.slice(0, 12)} is remembered as the untouched tree`, [], notes),
    folder: copy.folder,
    kind: 'clean-copy',
    variant: `commit:${commit}:${dependenciesOf(parts)}`,
    dispose: () => copy.dispose(),
  }
}
