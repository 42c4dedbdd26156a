import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../errors.ts'
import { parseConfig, type Config } from './schema.ts'

const names = ['donecheck.config.ts', 'donecheck.config.js', 'donecheck.config.json']

/**
 * Reads the configuration of a folder, or the named file. It is read once, before the agent begins: what the agent writes
 * into it later changes nothing.
 * @throws {UsageError} when a named file is missing, cannot be read or holds something else
 */
export async function configFromFile(folder: string, named: string | undefined): Promise<Config> {
  const file = named === undefined ? names.map((name) => join(folder, name)).find(existsSync) : resolve(named)
  if (file === undefined) return {}
  if (!existsSync(file)) throw new UsageError(`there is no configuration file ${file}`)
  const config = parseConfig(await read(file), file)
  if (config.workdir !== undefined)
    throw new UsageError(
      `${file}: workdir cannot be set here, for the file is looked for in it; use --workdir`,
    )
  // The agent can write to this file: it must not say where its own record is looked for.
  if (config.store !== undefined)
    throw new UsageError(
      `${file}: store cannot be set here, where the agent can write; use --store or DONECHECK_STORE`,
    )
  return config
}

async function read(file: string): Promise<unknown> {
  try {
    if (extname(file) === '.json') return JSON.parse(await readFile(file, 'utf8')) as unknown
    const module: unknown = await import(pathToFileURL(file).href)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : module
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const isUninstalled = problem.includes("package 'donecheck'")
    const wayOut = isUninstalled ? '; install donecheck in the project, or export a plain object' : ''
    throw new UsageError(`${file} cannot be read: ${problem}${wayOut}`, { cause: error })
  }
}
