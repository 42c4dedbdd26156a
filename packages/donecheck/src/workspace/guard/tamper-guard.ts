import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import type { VerifierDescription } from '../../events/index.ts'
import type { Guard, GuardedTree, GuardRequest } from '../../ports.ts'
import { defaultResponses, type ProtectOptions } from '../../tamper/index.ts'
import { ContentDigests, fileReader } from '../content-digests.ts'
import { openSnapshots, type Snapshots } from '../snapshot/snapshots.ts'
import { agreedFiles, stampsOf } from './agreed-files.ts'
import { askAbout } from './ask.ts'
import { rememberUntouched } from './baseline.ts'
import { distrustedCaches } from './distrust.ts'
import { heldOutOverlay } from './held-out-files.ts'
import { compare, look, lookAtProcesses } from './look.ts'
import { readMemory, writeMemory } from './memory.ts'
import { assertWaivers, type TamperGuardOptions } from './options.ts'
import { withScripts, type GuardParts } from './parts.ts'
import { refused, undecided, waiting } from './reports.ts'
import { keyOf, rule, ruledAs, type Ruling, type RulingContext } from './rulings.ts'
import { runnerStamps } from './runner-stamps.ts'
import { asItIs, treeToCheck } from './tree-to-check.ts'

const description: VerifierDescription = {
  name: 'tamper guard',
  required: true,
  weight: 0,
  deterministic: true,
  reads: 'workspace',
  role: 'guard',
}

/**
 * Compares the tree with the untouched one and says which tree the checks shall look at: the work folder, a clean copy,
 * or a copy with the agreed checks put back, in which the drive's new tests are too.
 * It reads the work tree, installed runners, git hooks and settings, configuration outside of the folder, and the table
 * of processes; it proves that what it protects is as it was, or names what is not. Fails closed: what cannot be read
 * or compared is `error`. Whoever may write to the snapshot folder while no process of donecheck runs can forge it.
 * @throws {UsageError} for a snapshot folder inside the work folder, and for a waiver that makes no sense
 */
export function tamperGuard(options: TamperGuardOptions): Guard {
  assertWaivers(options.waivers ?? [])
  const parts = partsOf(options)
  return {
    description,
    async prepare(request, signal) {
      try {
        signal.throwIfAborted()
        return await (request.trigger === 'baseline' && options.snapshotRunId === undefined
          ? rememberUntouched(request, parts, signal)
          : examine(request, parts, signal))
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        return asItIs(undecided(signal.aborted ? 'interrupted' : problem), parts)
      }
    },
  }
}

function partsOf(options: TamperGuardOptions): GuardParts {
  const workFolder = realOf(options.workFolder)
  const snapshotFolder = realOf(options.snapshotFolder)
  assertOutside(workFolder, 'snapshot folder', snapshotFolder)
  if (options.heldOutFiles !== undefined)
    assertOutside(workFolder, 'folder of held-out files', realOf(options.heldOutFiles))
  const { protect = [], mayChange = [], checkCommands = [] } = options
  const snapshots: Snapshots = openSnapshots(snapshotFolder)
  const digests = new ContentDigests(fileReader)
  const protectOptions: ProtectOptions = { protect, mayChange, checkCommands }
  return { options, workFolder, snapshots, digests, protect: protectOptions, trustedCaches: new Map() }
}

function assertOutside(workFolder: string, what: string, folder: string): void {
  const way = relative(workFolder, folder)
  if (way.startsWith('..') || isAbsolute(way)) return
  throw new UsageError(
    `the ${what} ${folder} is inside the work folder ${workFolder}, where the drive could read and edit it; name a place outside`,
  )
}

/** Neither needs to exist yet. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return resolve(folder)
  }
}

async function examine(request: GuardRequest, given: GuardParts, signal: AbortSignal): Promise<GuardedTree> {
  const { options, workFolder, snapshots } = given
  const manifest = snapshots.load(options.snapshotRunId ?? request.runId)
  const parts = withScripts(given, manifest.watched.scripts)
  const { protect } = parts
  const processes = await lookAtProcesses(workFolder, manifest.takenAtMs, isEnding(options))
  const agreed = agreedFiles(manifest, protect)
  const beforeLook = {
    stamps: stampsOf(workFolder, agreed),
    runners: runnerStamps(workFolder, manifest.watched.runners),
  }
  const home = options.home ?? null
  const scripts = Object.keys(manifest.watched.scripts)
  const seen = await look({ workFolder, home, digests: parts.digests, scripts, signal })
  const memory = readMemory(snapshots, request.runId)
  const common = { workFolder, home, objects: snapshots.objects, protect, written: memory.written }
  const { changes, findings } = compare(manifest, seen, common)
  const context: RulingContext = { options, protect, changes, nowMs: options.clock.nowMs() }
  const ruled = rule([...processes.findings, ...findings], context)
  const asked = await askAbout(processes.areEnded ? ruled : ruled.map(refuseProcess), memory, context, signal)
  const { rulings } = asked
  const told = new Set([...memory.told, ...ruledAs(rulings, 'refuse').map(({ finding }) => keyOf(finding))])
  writeMemory(snapshots, request.runId, { ...asked.memory, told: [...told] })
  if (ruledAs(rulings, 'refuse').length > 0)
    return asItIs(refused(rulings, memory.told, request.trigger, processes.notes), parts)
  if (ruledAs(rulings, 'ask').length > 0) return asItIs(waiting(rulings, processes.notes), parts)
  const { notes } = processes
  const heldOut = heldOutFilesOf(request, options)
  const watch = { request, isUntouched: false, manifest, seen, findings, agreed, ...beforeLook }
  const trusted = parts.trustedCaches.get(request.runId)
  const distrusted = await distrustedCaches(workFolder, seen.tree, manifest, trusted, signal)
  return treeToCheck({ rulings, changes, tree: seen.tree, notes, heldOut, watch, distrusted }, parts, signal)
}

/** Only then: no other check may meet them. */
function heldOutFilesOf({ trigger }: GuardRequest, { heldOutFiles }: TamperGuardOptions) {
  return trigger === 'held-out' && heldOutFiles !== undefined
    ? heldOutOverlay(realOf(heldOutFiles))
    : undefined
}

function isEnding({ responses }: TamperGuardOptions): boolean {
  return (responses?.['process.left-over'] ?? defaultResponses['process.left-over']) !== 'note'
}

function refuseProcess(ruling: Ruling): Ruling {
  const isLeft = ruling.finding.rule === 'process.left-over' && ruling.response === 'restore'
  return isLeft ? { ...ruling, response: 'refuse' } : ruling
}
