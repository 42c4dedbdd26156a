/** `donecheck run --fleet`: the same run, done by another machine. */
import { UsageError } from '@donecheck/engine/base'
import { sortableIds, systemClock } from '@donecheck/engine/run'
import type { FleetRequest } from '@donecheck/fleet/coordinator'
import { z } from 'zod'
import type { Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { writeNotice } from '../../output/painter.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { askGit } from '../../tree/git.ts'
import { fleetAddressOf, loadFleet, reachFleet, type FleetFlags } from '../../settings/load-fleet.ts'

export interface SubmitFlags extends FleetFlags {
  readonly repository?: string
  readonly revision?: string
}

export interface Submission {
  readonly task: string
  readonly config: Config
  readonly workFolder: string
  readonly runId?: string
}

/** What names a place of this machine, and means nothing on another. */
const ofThisMachine = ['heldOutFiles', 'writable', 'baseline'] as const

/** @returns the id of the run @throws {UsageError} for what a fleet cannot do */
export async function submitRun(
  { task, config, workFolder, runId: named }: Submission,
  flags: SubmitFlags,
  io: CliIo,
): Promise<string> {
  const here = ofThisMachine.find((key) => config[key] !== undefined)
  if (here !== undefined)
    throw new UsageError(
      `${here} names something of this machine, which the workers of a fleet do not have; leave it out`,
    )
  const fleet = fleetAddressOf(flags, io)
  const { fleetClient } = await loadFleet(() => import('@donecheck/fleet/coordinator'))
  const repository = await repositoryOf(flags, workFolder)
  if (flags.revision === undefined && (await isKnownHereAlone(repository.revision, workFolder)))
    writeNotice(
      `commit ${repository.revision.slice(0, 12)} is on no branch of a remote that is known here; push it, or no worker can begin`,
      io,
    )
  const runId = named ?? sortableIds(systemClock).next()
  const request = {
    ...{ runId, task, tenant: tenantOf(config) },
    repository,
    ...{ labels: [...(config.needs ?? [])], priority: config.priority ?? 0 },
    ...orderOf(config),
  }
  await reachFleet(fleet, () => fleetClient(fleet.ingressUrl).submit(request))
  return runId
}

/** The whole configuration, as it is recorded with a run, and whose models it calls: `anthropic` of `anthropic/claude-x`, or an agent's name. */
export function orderOf(config: Config): Pick<FleetRequest, 'settings' | 'provider'> {
  const [provider = ''] = (config.model ?? config.agent ?? '').split(/[/ ]/)
  return {
    settings: z.record(z.string(), z.json()).parse(recipeOf(config)),
    ...(provider === '' ? {} : { provider }),
  }
}

export function tenantOf({ tenant, store }: Config): string {
  return tenant ?? URL.parse(store ?? '')?.searchParams.get('tenant') ?? 'default'
}

async function isKnownHereAlone(commit: string, workFolder: string): Promise<boolean> {
  return (await askGit(workFolder, ['branch', '--remotes', '--contains', commit])) === ''
}

/** What was named, or what is checked out here: the commit must be where the workers clone from. */
export async function repositoryOf({ repository, revision }: SubmitFlags, workFolder: string) {
  const ask = async (...words: readonly string[]) => (await askGit(workFolder, words))?.trim() ?? ''
  const url = repository ?? (await ask('remote', 'get-url', 'origin'))
  if (url === '')
    throw new UsageError(
      `${workFolder} has no remote "origin" that the workers could clone; name one with --repository URL`,
    )
  if (revision !== undefined) return { url, revision }
  if (repository !== undefined)
    throw new UsageError('--repository needs --revision: a branch, a tag or a whole commit id')
  const head = await ask('rev-parse', 'HEAD')
  if (head === '')
    throw new UsageError(`${workFolder} has no commit yet; commit and push, or name a --revision`)
  return { url, revision: head }
}
