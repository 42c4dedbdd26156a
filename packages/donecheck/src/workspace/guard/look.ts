import { inspectChanges, type ProtectOptions, type TamperFinding } from '../../tamper/index.ts'
import { parentOf, textOf, type BytePath } from '../byte-path.ts'
import type { ContentDigests } from '../content-digests.ts'
import { endLeftOvers, leftOverProcesses } from '../processes/left-over.ts'
import { readTree, type TreeEntries } from '../read-tree.ts'
import type { Manifest } from '../snapshot/manifest.ts'
import type { ObjectStore } from '../snapshot/object-store.ts'
import { lookAtScripts, namedScripts } from '../watch/check-scripts.ts'
import { gitFindings, lookAtGit } from '../watch/git-settings.ts'
import { lookOutside, outsideFindings } from '../watch/outside.ts'
import { runnerFindings } from '../watch/runner-findings.ts'
import { lookAtRunners } from '../watch/runners.ts'
import { scriptFindings } from '../watch/script-findings.ts'
import { updatesIn } from '../watch/updates.ts'
import { changesSince, type TreeChange } from './changes.ts'

export interface LookRequest {
  readonly workFolder: string
  readonly home: string | null
  readonly digests: ContentDigests
  /** Names of scripts of the checks. */
  readonly scripts: readonly string[]
  readonly signal: AbortSignal
}

/** The tree, and what stands beside it. */
export interface Seen {
  readonly tree: TreeEntries
  readonly watched: Manifest['watched']
}

/** @throws the system's error for what is there and cannot be listed */
export async function look(request: LookRequest): Promise<Seen> {
  const { tree, watched } = await lookAtTree(request)
  const runners = await lookAtRunners(request.workFolder, foldersOf(tree), request.signal)
  return { tree, watched: { ...watched, runners } }
}

export interface SeenTree {
  readonly tree: TreeEntries
  readonly watched: Omit<Manifest['watched'], 'runners'>
}

/** The same without installed runners, whose files are many. Throws as `look` does. */
export async function lookAtTree({
  workFolder,
  home,
  digests,
  scripts,
  signal,
}: LookRequest): Promise<SeenTree> {
  const tree = await readTree(workFolder, digests, signal)
  digests.keepOnly(tree)
  return {
    tree,
    watched: {
      git: await lookAtGit(workFolder, signal),
      outside: lookOutside(workFolder, home),
      scripts: lookAtScripts(workFolder, scripts),
    },
  }
}

/** Every folder that a file of the tree is in, relative to the work folder. */
export function foldersOf(tree: TreeEntries): readonly string[] {
  return [...new Set(['', ...[...tree.keys()].map(parentOf)])].map(textOf)
}

export interface Compared {
  readonly changes: ReadonlyMap<string, TreeChange>
  readonly findings: readonly TamperFinding[]
}

export interface CompareRequest {
  readonly workFolder: string
  readonly objects: ObjectStore
  readonly protect: ProtectOptions
  readonly home: string | null
  /** What the checks themselves wrote before anybody else had worked. */
  readonly written: readonly BytePath[]
}

function plainFileIn(entries: ReadonlyMap<BytePath, { readonly kind: string }>): (path: BytePath) => boolean {
  return (path) => ['file', 'executable'].includes(entries.get(path)?.kind ?? '')
}

/** @throws {SnapshotError} for what cannot be compared */
export function compare(
  manifest: Manifest,
  { tree, watched }: Seen,
  { workFolder, objects, protect, home, written }: CompareRequest,
): Compared {
  const changes = changesSince(manifest, tree, workFolder, objects)
  const before = manifest.watched
  const byPath = new Map(changes.map((change) => [change.path, change]))
  const named = namedScripts({ workFolder, home, commands: protect.checkCommands })
  return {
    changes: byPath,
    findings: [
      ...inspectChanges(changes, protect),
      ...runnerFindings(before.runners, watched.runners, updatesIn(workFolder, changes, tree)),
      ...gitFindings(before.git, watched.git),
      ...outsideFindings(before.outside, watched.outside),
      ...scriptFindings(before.scripts, watched.scripts, {
        named,
        wasInTree: plainFileIn(new Map(manifest.entries.map((entry) => [entry.path, entry]))),
        isInTree: plainFileIn(tree),
        earlierText: (path) => byPath.get(path)?.before?.text ?? undefined,
        isWrittenByChecks: (path) => written.includes(path),
      }),
    ],
  }
}

export interface ProcessesSeen {
  readonly findings: readonly TamperFinding[]
  readonly notes: readonly string[]
  /** False: one could not be ended, so it may still answer for a check. */
  readonly areEnded: boolean
}

/** @param isEnding whether processes of ours are ended, or only told of */
export async function lookAtProcesses(
  workFolder: string,
  sinceMs: number,
  isEnding: boolean,
): Promise<ProcessesSeen> {
  const found = leftOverProcesses(workFolder, sinceMs)
  if (found === undefined)
    return {
      findings: [],
      notes: ['this system does not tell which processes run: none that was left behind is ended'],
      areEnded: true,
    }
  const areEnded = !isEnding || found.marked.length === 0 || (await endLeftOvers(workFolder))
  const rule = 'process.left-over' as const
  return {
    areEnded,
    notes: [],
    findings: [
      ...found.marked.map(({ id, command }) => ({
        rule,
        path: `process ${id}`,
        message: `"${command}" was left running${isEnding ? ` and ${areEnded ? 'is' : 'could not be'} ended` : ''}`,
      })),
      ...found.suspects.map(({ id, command }) => ({
        rule,
        path: `process ${id}`,
        message: `"${command}" was started during the run and is still there`,
        atMost: 'note' as const,
      })),
    ],
  }
}
