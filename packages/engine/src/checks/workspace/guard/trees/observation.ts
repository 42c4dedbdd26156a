import type { TamperFinding } from '../../../../analysis/tamper/index.ts'
import { parentOf, textOf, type BytePath } from '../../tree/tree-entry.ts'
import { isAsked, endLeftOvers, leftOverProcesses, type LeftOver } from '../../processes/left-over.ts'
import { listTree } from '../../fingerprint/list-tree.ts'
import { markTree, type CheckFolder } from '../../steady.ts'
import { readWholeTree, type TreeEntries } from '../../tree/read-tree.ts'
import type { Manifest } from '../../snapshot/manifest.ts'
import { lookAtScripts, namedScripts, scriptFindings } from '../../watch/check-scripts.ts'
import { gitFindings, lookAtGit } from '../../watch/git-settings.ts'
import { lookOutside, outsideFindings } from '../../watch/outside.ts'
import { installedPackage } from '../../watch/package-version.ts'
import { foldUpdates } from '../../watch/fold-updates.ts'
import { runnerFindings } from '../../watch/runner-findings.ts'
import { lookAtRunners, type Installed } from '../../watch/runners.ts'
import { updatesIn } from '../../watch/updates.ts'
import type { TreeChange } from '../compare/changes.ts'
import type { GuardParts } from '../guard-parts.ts'

/** The tree, and what stands beside it. */
export interface Observation {
  /** With ignored files that decide checks. */
  readonly tree: TreeEntries
  /** Which of them git ignores. */
  readonly ignored: ReadonlySet<BytePath>
  readonly watched: Manifest['watched']
  /** The tree, marked before it was read. */
  readonly inPlace: CheckFolder
}

/**
 * @param scripts names of scripts of the checks
 * @param known what an earlier look has read
 * @throws the system's error for what is there and cannot be listed
 */
export async function observe(
  parts: GuardParts,
  scripts: readonly string[],
  known: Installed,
  signal: AbortSignal,
): Promise<Observation> {
  const { workFolder, digests } = parts
  // What comes into the folder after it was listed is found by the look after the checks.
  const listing = await listTree(workFolder, signal)
  const mark = await markTree(workFolder, [], signal, listing)
  const { tree, ignored } = await readWholeTree(workFolder, scripts, digests, signal, listing)
  const beside = await lookBeside(parts, scripts, signal)
  const installed = await lookAtRunners(workFolder, foldersOf(tree), known, signal)
  return {
    tree,
    ignored,
    watched: { ...beside, ...installed },
    inPlace: { mark, known: tree, isCopy: false },
  }
}

/** What stands beside the tree, without installed packages, whose files are many. Throws as `observe` does. */
export async function lookBeside(
  { workFolder, options }: GuardParts,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<Omit<Manifest['watched'], keyof Installed>> {
  return {
    git: await lookAtGit(workFolder, signal),
    outside: lookOutside(workFolder, options.home),
    scripts: lookAtScripts(workFolder, scripts),
  }
}

/** Every folder that a file of the tree is in, relative to the work folder. */
export function foldersOf(tree: TreeEntries): readonly string[] {
  return [...new Set(['', ...[...tree.keys()].map(parentOf)])].map(textOf)
}

/** What the drive did in the tree. */
interface Work {
  readonly changes: readonly TreeChange[]
  /** See `Installers`. */
  readonly hasMoved: (from: string, to: string) => boolean
}

export const noWork: Work = { changes: [], hasMoved: () => false }

/**
 * What became of what stands beside the tree: installed packages, git, configuration and scripts elsewhere.
 * @param written what the checks themselves wrote before anybody else had worked
 */
export function besideOf(
  { entries, watched: before }: Manifest,
  { tree, watched }: Observation,
  { changes, hasMoved }: Work,
  written: readonly BytePath[],
  { workFolder, options, protect }: GuardParts,
): readonly TamperFinding[] {
  const inTree = new Set([...entries.map(({ path }) => path), ...tree.keys()])
  return [
    ...foldUpdates(
      runnerFindings(before.runners, watched.runners, {
        isUpdate: updatesIn(workFolder, changes, tree),
        isNoted: (path) => installedPackage(workFolder, path) !== undefined,
        hasMoved,
      }),
      [...tree.keys()].map(textOf),
    ),
    ...gitFindings(before.git, watched.git),
    ...outsideFindings(before.outside, watched.outside),
    ...scriptFindings(before.scripts, watched.scripts, {
      named: namedScripts({ workFolder, home: options.home, commands: protect.checkCommands }),
      isInTree: (path) => inTree.has(path),
      isWrittenByChecks: (path) => written.includes(path),
    }),
  ]
}

interface ObservedProcesses {
  readonly findings: readonly TamperFinding[]
  readonly notes: readonly string[]
  /** One that may answer for a check: nothing can be decided while it runs. Undefined: there is none. */
  readonly problem: string | undefined
}

/** Ends what the drive has left running, but for what a check asks. */
export async function observeProcesses(
  { workFolder, options: { asked = [] } }: GuardParts,
  sinceMs: number,
): Promise<ObservedProcesses> {
  const find = () => leftOverProcesses(workFolder, sinceMs)?.filter((one) => !isAsked(one, asked, workFolder))
  const found = find()
  if (found === undefined)
    return {
      findings: [],
      notes: ['this system does not tell which processes run: none that was left behind is ended'],
      problem: undefined,
    }
  const areEnded = !found.some(({ isMarked }) => isMarked) || (await endLeftOvers(() => find() ?? []))
  const inTheWay = found.find((one) => one.isInTheWay || (one.isMarked && !areEnded))
  return {
    notes: [],
    problem: inTheWay === undefined ? undefined : problemOf(inTheWay),
    findings: found.map(({ id, command, isMarked, why }) => ({
      rule: 'process.left-over',
      path: `process ${id}`,
      message: `"${command}" was left running${isMarked ? ' and is ended' : ''}: ${why}`,
      atMost: 'note',
    })),
  }
}

function problemOf({ id, command, listensOn, why }: LeftOver): string {
  const where = listensOn.length === 0 ? '' : ` and listens on port ${listensOn.join(', ')}`
  return `"${command}" (process ${id}) still runs${where}; ${why}. What it answers to a check proves nothing. Stop it: kill ${id}`
}
