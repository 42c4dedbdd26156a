/** Files that a check is made of: read once, before the agent begins, and kept with the run. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseConfig, type CheckSpec, type Config } from '../../config/index.ts'
import { orUsageError, toUsageError } from '../process/usage-error.ts'

/** @throws {UsageError} for a file that cannot be read, or holds no JSON where a schema is wanted */
export async function withCheckFiles(config: Config, workFolder: string): Promise<Config> {
  const { checks } = config
  if (checks === undefined) return config
  const read = await Promise.all(checks.map((check) => withFiles(check, workFolder)))
  // What was read is looked at as if it had been written there.
  return { ...config, ...parseConfig({ checks: read }, 'checks') }
}

async function withFiles(check: CheckSpec, workFolder: string): Promise<object> {
  switch (check.kind) {
    case 'all':
    case 'any':
    case 'quorum':
    case 'weighted':
      return { ...check, of: await Promise.all(check.of.map((one) => withFiles(one, workFolder))) }
    case 'schema':
      return typeof check.schema === 'string'
        ? { ...check, schema: await readJson(check.schema, workFolder) }
        : check
    case 'similarity': {
      const { toFile, ...rest } = check
      return toFile === undefined ? check : { ...rest, to: await read(toFile, workFolder) }
    }
    default:
      return check
  }
}

async function readJson(path: string, workFolder: string): Promise<unknown> {
  const text = await read(path, workFolder)
  return orUsageError<unknown>(
    () => JSON.parse(text),
    (error) => `the schema ${path} is no JSON: ${String(error)}`,
  )
}

function read(path: string, workFolder: string): Promise<string> {
  return readFile(resolve(workFolder, path), 'utf8').catch(
    toUsageError((error) => `a check names ${path}, which cannot be read: ${String(error)}`),
  )
}
