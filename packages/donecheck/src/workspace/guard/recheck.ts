import type { GuardRequest, VerifierReport } from '../../ports.ts'
import type { TamperFinding } from '../../tamper/index.ts'
import { lookAtCaches } from '../watch/caches.ts'
import { lookAtRunners } from '../watch/runners.ts'
import { bytePathOfText, type BytePath } from '../byte-path.ts'
import { lookAtScripts } from '../watch/check-scripts.ts'
import { compareMarks } from '../watch/compare-marks.ts'
import type { Manifest } from '../snapshot/manifest.ts'
import type { LaidFiles } from './agreed-files.ts'
import { compare, foldersOf, lookAtTree, type Seen } from './look.ts'
import { readMemory, writeMemory } from './memory.ts'
import type { GuardParts } from './parts.ts'
import { refused, undecided } from './reports.ts'
import { partlyRestamped, restamped, runnerStamps } from './runner-stamps.ts'
import { keyOf, rule, ruledAs, type Ruling } from './rulings.ts'
import { writtenFiles, type Written } from './written-files.ts'

/** What there was before the checks. */
export interface BeforeChecks {
  readonly request: GuardRequest
  /** Nobody but the agreed checks has worked yet. */
  readonly isUntouched: boolean
  readonly manifest: Manifest
  readonly seen: Seen
  /** What the rules say of it. */
  readonly findings: readonly TamperFinding[]
  /** In the work folder, and in the copy where there is one. */
  readonly laid: readonly LaidFiles[]
  readonly runners: ReadonlyMap<string, string | undefined>
}

/**
 * Looks again, after the checks: at agreed files of the work folder and of the copy, and by the usual rules at all that
 * was changed meanwhile. Undefined: nothing was, or the checks did it at the start as well. Never rejects.
 */
export async function recheck(
  before: BeforeChecks,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<VerifierReport | undefined> {
  try {
    await trustCaches(before, parts, signal)
    if (!before.isUntouched) return await lookAgain(before, parts, signal)
    learnWhatChecksWrite(before, parts)
    return undefined
  } catch (error) {
    if (before.isUntouched) return undefined
    const problem = error instanceof Error ? error.message : String(error)
    return undecided(
      signal.aborted ? 'interrupted' : `what the checks left behind cannot be looked at: ${problem}`,
    )
  }
}

/**
 * What the checks themselves wrote in the work folder is theirs. Where they ran in a copy, or the drive had written to
 * caches before, nothing is known anew.
 */
async function trustCaches(
  { request, seen, laid }: BeforeChecks,
  { workFolder, trustedCaches }: GuardParts,
  signal: AbortSignal,
): Promise<void> {
  if (laid.some(({ isCopy }) => isCopy)) return
  trustedCaches.set(request.runId, await lookAtCaches(workFolder, foldersOf(seen.tree), signal))
}

/** What they write then is their own doing, later on too. */
function learnWhatChecksWrite(before: BeforeChecks, parts: GuardParts): void {
  const { runId } = before.request
  const memory = readMemory(parts.snapshots, runId)
  const scripts = before.seen.watched.scripts
  const now = lookAtScripts(parts.workFolder, Object.keys(scripts))
  const moved = compareMarks(scripts, now).map(({ name }) => bytePathOfText(name))
  const paths = new Set([...memory.written, ...writtenIn(before, parts, new Set()).paths, ...moved])
  writeMemory(parts.snapshots, runId, { ...memory, written: [...paths].sort() })
}

function writtenIn({ laid }: BeforeChecks, { snapshots, protect }: GuardParts, known: ReadonlySet<string>) {
  const all = laid.map((files) => writtenFiles(files, snapshots.objects, protect, known))
  const joined: Written = {
    findings: all.flatMap(({ findings }) => findings),
    putBack: all.flatMap(({ putBack }) => putBack),
    paths: all.flatMap(({ paths }) => paths),
  }
  return joined
}

async function lookAgain(
  before: BeforeChecks,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<VerifierReport | undefined> {
  const { options, protect, snapshots } = parts
  const { runId, trigger } = before.request
  const memory = readMemory(snapshots, runId)
  const written = writtenIn(before, parts, new Set(memory.written))
  const paths = new Set(written.findings.map(({ path }) => path))
  const later = await newFindings(before, parts, memory.written, signal)
  const findings = [...written.findings, ...later.findings.filter(({ path }) => !paths.has(path))]
  const context = { options, protect, changes: new Map(), nowMs: options.clock.nowMs() }
  const rulings = rule(findings, context).map(withoutAsking)
  const refusals = ruledAs(rulings, 'refuse')
  if (refusals.length > 0) {
    const told = new Set([...memory.told, ...refusals.map(({ finding }) => keyOf(finding))])
    writeMemory(snapshots, runId, { ...memory, told: [...told] })
    return refused(rulings, memory.told, trigger, ['found after the checks had run'])
  }
  const [swapped] = [...written.putBack, ...later.restamped]
  return swapped === undefined
    ? undefined
    : undecided(
        `${swapped} was written while the checks ran, and put back: what they saw of it is not known. Leave it alone while they run`,
      )
}

/** The checks have run already: there is nothing to wait for. */
function withoutAsking(ruling: Ruling): Ruling {
  return ruling.response === 'ask' ? { ...ruling, response: 'refuse' } : ruling
}

interface Later {
  readonly findings: readonly TamperFinding[]
  /** Installed runners that were written to, and are equal again. */
  readonly restamped: readonly string[]
}

async function newFindings(
  { manifest, seen, findings, runners }: BeforeChecks,
  { workFolder, options, digests, snapshots, protect }: GuardParts,
  known: readonly BytePath[],
  signal: AbortSignal,
): Promise<Later> {
  const home = options.home ?? null
  const scripts = Object.keys(seen.watched.scripts)
  const now = await lookAtTree({ workFolder, home, digests, scripts, signal })
  const stamps = runnerStamps(workFolder, manifest.watched.runners)
  const moved = restamped(runners, stamps)
  const marks =
    moved.length === 0 ? seen.watched.runners : await lookAtRunners(workFolder, foldersOf(now.tree), signal)
  const later: Seen = { tree: now.tree, watched: { ...now.watched, runners: marks } }
  const changed = new Set(compareMarks(seen.watched.runners, marks).map(({ name }) => name))
  const old = new Set(findings.map(keyOf))
  return {
    findings: isEqual(seen, later)
      ? []
      : compare(manifest, later, {
          ...{ workFolder, home, protect, written: known },
          objects: snapshots.objects,
        }).findings.filter((finding) => !old.has(keyOf(finding))),
    restamped: partlyRestamped(moved, stamps).filter((name) => !changed.has(name)),
  }
}

function isEqual(before: Seen, now: Seen): boolean {
  const { runners, git, outside, scripts } = before.watched
  const marks = [
    [runners, now.watched.runners],
    [git, now.watched.git],
    [outside, now.watched.outside],
    [scripts, now.watched.scripts],
  ] as const
  if (marks.some(([then, later]) => compareMarks(then, later).length > 0)) return false
  return (
    before.tree.size === now.tree.size &&
    [...before.tree].every(([path, { kind, digest }]) => {
      const is = now.tree.get(path)
      return is?.kind === kind && is.digest === digest
    })
  )
}
