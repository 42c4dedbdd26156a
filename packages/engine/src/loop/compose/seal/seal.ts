/** Sealed checks of a run: written before its first event, found again when it goes on. */
import { join } from 'node:path'
import type { FactOf } from '@donecheck/core/events'
import { maskText, type SecretValues } from '@donecheck/core/secrets'
import { given, UsageError, messageOf } from '../../../base/index.ts'
import {
  baselineTree,
  excerptOf,
  keepChecks,
  readKept,
  sealChecks,
  sealedVerifier,
  type CheckAuthor,
  type KeptCheck,
  type Permission,
  type ProposedCheck,
  type SealResult,
} from '../../../checks/seal/index.ts'
import type { Approver, Gate, GateRequest } from '../../../ports/gate.ts'
import type { Guard, Verifier } from '../../../ports/checks.ts'
import {
  groundOf,
  guardOf,
  stateFolderOf,
  type Ground,
  type GuardedParts,
  type GuardingOptions,
} from '../options/guard.ts'

export interface SealingOptions {
  /**
   * Who writes checks from the task and the baseline tree, before the first turn: the drive never sees them, and they are asked
   * as held-out checks. Each must prove itself in copies of the tree; what is dropped, and whoever cannot be asked, is told, and
   * the run goes on without it; where nothing else would decide, one of them must stand, or the run ends before its first turn.
   * Where two are named, each must take the other's solution.
   */
  readonly seal?: readonly CheckAuthor[]
}

/** What a run is given more. */
export interface SealedParts {
  readonly fact: FactOf<'checks-sealed'>
  readonly verifiers: readonly Verifier[]
  /** With their files in the tree of the held-out checks. */
  readonly guard: Guard | null
}

/** Who is asked before anything of a proposed check runs, and what nobody is shown. */
interface SealingDoors {
  readonly gate: Gate
  readonly approver: Approver
  readonly secrets: SecretValues
}

interface NewRun {
  readonly runId: string
  readonly task: string
}

export interface Sealing {
  /** Null: nobody is asked. Never rejects for what an author does. */
  write(run: NewRun, doors: SealingDoors, signal: AbortSignal): Promise<SealedParts | null>
  /** @throws {UsageError} where the checks are not what they were */
  reopen(fact: FactOf<'checks-sealed'>, runId: string): SealedParts
}

/** @throws {UsageError} where sealed checks could never be asked */
export function sealingOf(options: SealingOptions & GuardingOptions, guarded: GuardedParts): Sealing {
  const { seal: authors = [] } = options
  const { workFolder, verifiers, store } = guarded
  assertSealable(authors, guardOf(options, guarded))
  const folderOf = (runId: string) => join(stateFolderOf(store), 'sealed', runId)
  const partsFrom = (fact: FactOf<'checks-sealed'>, checks: readonly KeptCheck[]): SealedParts => ({
    fact,
    verifiers: checks.map(({ name, command }) => sealedVerifier(name, command)),
    guard: guardOf(
      options,
      guarded,
      checks.flatMap(({ files }) => files),
    ),
  })
  return {
    async write(run, doors, signal) {
      const ground = groundOf(options, guarded)
      if (authors.length === 0 || workFolder === null || ground === null) return null
      try {
        const site = { ...ground, ...doors, authors, workFolder, verifiers }
        const { checks, ...record } = await checksWritten(site, run, signal)
        const digest = keepChecks(folderOf(run.runId), checks)
        return partsFrom({ type: 'checks-sealed', ...record, checks: checks.map(recorded), digest }, checks)
      } catch (error) {
        return partsFrom(nothingSealed(authors, error), [])
      }
    },
    reopen: (fact, runId) =>
      partsFrom(fact, fact.checks.length === 0 ? [] : readKept(folderOf(runId), fact.digest)),
  }
}

/** No word of what it asks for. */
function recorded({ name, kind, author, approvedBy }: KeptCheck): FactOf<'checks-sealed'>['checks'][number] {
  return { name, kind, author, ...given({ approvedBy }) }
}

function nothingSealed(authors: readonly CheckAuthor[], error: unknown): FactOf<'checks-sealed'> {
  const problem = `nothing could be sealed: ${messageOf(error)}`
  const asked = authors.map(({ name }) => ({ name, costUsd: null, problem }))
  return { type: 'checks-sealed', authors: asked, checks: [], dropped: [], digest: '' }
}

interface Site extends Ground, SealingDoors {
  readonly authors: readonly CheckAuthor[]
  readonly workFolder: string
  readonly verifiers: readonly Verifier[]
}

async function checksWritten(site: Site, { runId, task }: NewRun, signal: AbortSignal): Promise<SealResult> {
  const { authors, workFolder, protect, trees, verifiers, secrets } = site
  const tree = await baselineTree(workFolder, trees, protect, signal)
  const projectChecks = verifiers.filter(isOfProject)
  const read = (path: string) => {
    const text = tree.read(path)
    return text === null ? null : maskText(text, secrets)
  }
  const checks = projectChecks.map(({ description }) => description.name)
  return sealChecks({
    authors,
    projectChecks,
    tree,
    request: { runId, task, tree: excerptOf({ task, paths: [...tree.paths], checks, read }) },
    bench: { runId, task, workFolder, trees, signal },
    permit: (check, author) => permit(check, author, runId, site, signal),
  })
}

/** Whom it costs nothing to ask of each solution, and who says the same of it each time. */
function isOfProject({ description: { required, reads, role, deterministic } }: Verifier): boolean {
  return required && deterministic && reads === 'workspace' && role === 'check'
}

/** What the gate forbids is run for nobody, and where a person sits, nothing is run without a yes. */
async function permit(
  check: ProposedCheck,
  author: string,
  runId: string,
  { gate, approver, workFolder }: Site,
  signal: AbortSignal,
): Promise<Permission> {
  const request: GateRequest = {
    tool: 'sealed check',
    effect: 'execute',
    args: { command: check.command, files: check.files.map(({ path, text }) => ({ path, text })) },
    summary: check.title,
    action: { kind: 'command', script: check.command, folder: workFolder },
  }
  const decision = await gate.check(request)
  if (decision.kind === 'forbidden')
    return { kind: 'denied', reason: `the gate forbids its command: ${decision.reason}` }
  if (approver.isAttended === false) return { kind: 'permitted' }
  const asked = { runId, callId: 'seal', reason: `a check by ${author}`, preview: previewOf(check) }
  const { approved, by, reason } = await approver.ask({ ...request, ...asked }, signal)
  return approved ? { kind: 'permitted', by } : { kind: 'denied', reason: `${by} said no: ${reason}` }
}

const maxPreviewLength = 20_000

function previewOf({ kind, command, files }: ProposedCheck): string {
  const texts = files.map(({ path, text }) => `--- ${path}\n${text}`)
  return [`${kind}: ${command}`, ...texts].join('\n').slice(0, maxPreviewLength)
}

function assertSealable(authors: readonly CheckAuthor[], guard: Guard | null): void {
  if (authors.length === 0) return
  if (guard === null)
    throw new UsageError(
      'sealed checks are asked on trees of the tamper guard: leave it on, and give a work folder',
    )
  const names = authors.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new UsageError(`seal names ${twice} twice; name two different authors, or one`)
}
