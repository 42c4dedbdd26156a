import { z } from 'zod'
import { parseConfig, type Config } from '../../config/index.ts'
import { UsageError } from '@donecheck/engine/internal/base'
import { originOf } from '@donecheck/engine/internal/insight/recordings'
import type { JsonValue, RunEvent } from '@donecheck/core/internal/events'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'

const passing: readonly (keyof Config)[] = [
  ...(['store', 'workdir', 'allowConcurrent'] as const),
  ...(['needs', 'priority', 'tenant'] as const),
]

/** Recorded with the run, so that resume needs nothing the agent could change. */
export function recipeOf(config: Config): JsonValue {
  const kept = Object.entries(config).filter(([key]) => !passing.some((name) => name === key))
  return JSON.parse(JSON.stringify(Object.fromEntries(kept))) as JsonValue
}

/** SHA-256 in hex by relative path. */
export type ConfigDigests = Readonly<Record<string, string>>

export function recipeOfBaseline(config: Config, configFiles: ConfigDigests): JsonValue {
  const recipe = recipeOf(config)
  return isObject(recipe) ? { ...recipe, configFiles: { ...configFiles } } : recipe
}

const recipeWithFiles = z.object({ configFiles: z.record(z.string(), z.string()) })

export function configFilesOfRecipe(recipe: JsonValue): ConfigDigests {
  return recipeWithFiles.safeParse(recipe).data?.configFiles ?? {}
}

/** @throws {UsageError} if another program recorded it, or a secret was masked in it */
export function configFromRecipe(recipe: JsonValue, runId: string): Config {
  if (recipe === null)
    throw new UsageError(
      `run ${runId} was not started by this command; resume it with the program that started it`,
    )
  if (originOf(recipe) !== undefined) throw new UsageError(`run ${runId} was imported and cannot be resumed`)
  if (JSON.stringify(recipe).includes('[masked:'))
    throw new UsageError(
      `the command lines of run ${runId} held a secret, which is not kept: start a new run, with secrets in the environment instead of the line`,
    )
  const config = isObject(recipe)
    ? Object.fromEntries(Object.entries(recipe).filter(([key]) => key !== 'configFiles'))
    : recipe
  return parseConfig(config, `the record of run ${runId}`)
}

function isObject(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param wanted an id, a unique prefix, or `last` */
export async function findRun(store: Store, wanted: string): Promise<string> {
  const { runId } = await findSummary(store, wanted)
  return runId
}

export async function findSummary(store: Store, wanted: string): Promise<RunSummary> {
  if (wanted.trim() === '')
    throw new UsageError('the id of the run is empty; "donecheck list" shows what is there')
  const runs = await store.list()
  if (wanted === 'last') {
    const [latest] = runs
    if (latest === undefined) throw new UsageError(`there are no runs in ${store.place}`)
    return latest
  }
  const found = runs.filter(({ runId }) => runId.startsWith(wanted.toUpperCase()) || runId.startsWith(wanted))
  const [only] = found
  if (only === undefined)
    throw new UsageError(
      `there is no run ${wanted} in ${store.place}; "donecheck list" shows what is there${ofFleet(store, wanted)}`,
    )
  if (found.length > 1)
    throw new UsageError(`${wanted} could be ${someOf(found.map(({ runId }) => runId))}; give more of the id`)
  return only
}

/** A fleet run has no record before it starts. */
function ofFleet({ place }: Store, wanted: string): string {
  return place.startsWith('postgres')
    ? `, "donecheck fleet status ${wanted}" where it is if a fleet has it`
    : ''
}

const maxShown = 5

function someOf(ids: readonly string[]): string {
  const more = ids.length - maxShown
  return ids.slice(0, maxShown).join(' or ') + (more > 0 ? ` or one of ${more} more` : '')
}

export type Baseline =
  | { readonly kind: 'none' }
  | { readonly kind: 'revision'; readonly revision: string }
  | { readonly kind: 'recorded'; readonly runId: string; readonly events: readonly RunEvent[] }

export const baselineTask = 'baseline'

/** Prefers a recorded baseline to a git revision of the same name. */
export async function readBaseline(named: string | undefined, store: Store): Promise<Baseline> {
  if (named === undefined) return { kind: 'none' }
  const runId = await recordedBaseline(named, store)
  if (runId === undefined) return { kind: 'revision', revision: named }
  return { kind: 'recorded', runId, events: await store.read(runId) }
}

async function recordedBaseline(named: string, store: Store): Promise<string | undefined> {
  const baselines = (await store.list()).filter(
    ({ task, outcome }) => task === baselineTask && (outcome === 'verified' || outcome === 'failed'),
  )
  if (named === 'last') return baselines[0]?.runId
  const begins = baselines.filter(({ runId }) => runId.startsWith(named.toUpperCase()))
  // Short prefixes could be revisions; this is the length that `list` shows.
  return named.length >= 5 && begins.length > 0 ? await findRun(store, named) : undefined
}
