/** What a coordinator holds tenants and providers to: a file of JSON, read when it starts. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf, readJson } from '@donecheck/engine/base'
import type { Limits } from '@donecheck/fleet/schedule'
import type { CliIo } from '../../process/io.ts'
import { orUsageError } from '../../process/usage-error.ts'
import { loadFleet } from '../../settings/load-fleet.ts'

export interface LimitsFlags {
  readonly limits?: string
}

const form = '{"everyTenant":{"atOnce":20},"tenants":{…},"providers":{"anthropic":{"atOnce":50}}}'

/** Undefined: none are named, and those that hold stay. @throws {UsageError} for a file that cannot be read, or holds something else */
export async function readLimits(
  { limits }: LimitsFlags,
  { currentFolder }: Pick<CliIo, 'currentFolder'>,
): Promise<Limits | undefined> {
  if (limits === undefined) return undefined
  const { limitsSchema } = await loadFleet(() => import('@donecheck/fleet/schedule'))
  const file = resolve(currentFolder, limits)
  const text = orUsageError(
    () => readFileSync(file, 'utf8'),
    (error) => `--limits ${file} cannot be read (${messageOf(error)})`,
  )
  return readJson(limitsSchema, text, { file: `--limits ${limits}`, form })
}
