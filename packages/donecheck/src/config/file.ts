import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { jsonOf, messageOf, UsageError } from '@donecheck/engine/internal/base'
import { keysOfRecords, parseFile, type Config, configKeys, parseConfig, textKeys } from './schema.ts'
import { registerHooks, type ResolveHookSync } from 'node:module'
import { nearest } from '@donecheck/core/internal/base'
import { runVariable } from '@donecheck/engine/internal/system/process'

export const configFileNames = [
  'donecheck.config.ts',
  'donecheck.config.js',
  'donecheck.config.json',
] as const

/** Read once, before the agent starts. @throws {UsageError} if unreadable, or a project file loosens rules */
export async function configFromFile(folder: string, named: string | undefined): Promise<Config> {
  const usual = configFileNames.map((name) => join(folder, name))
  const file = named === undefined ? usual.find(existsSync) : resolve(named)
  if (file === undefined) return {}
  if (!existsSync(file)) throw new UsageError(`there is no configuration file ${file}`)
  const config = parseFile(await readConfigModule(file), file)
  if (config.workdir !== undefined)
    throw new UsageError(
      `${file}: workdir cannot be set here, for the file is looked for in it; use --workdir`,
    )
  // The agent can write this file, so it must not choose where the record is.
  if (config.store !== undefined)
    throw new UsageError(
      `${file}: store cannot be set here, where the agent can write; use --store or DONECHECK_STORE`,
    )
  for (const key of Object.keys(config))
    if (keysOfRecords.includes(key))
      throw new UsageError(`${file}: ${key} is kept with a run, and cannot be set; use rules or commandRules`)
  return isInside(file, folder) ? ofProject(config, file, folder) : config
}

function ofProject(config: Config, file: string, folder: string): Config {
  const problems = problemsInside(config, folder)
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `${file}: ${problem}`).join('\n'))
  const { commandRules, ...rest } = config
  return commandRules === undefined ? rest : { ...rest, projectCommandRules: commandRules }
}

/** Also resolves links. */
function isInside(file: string, folder: string): boolean {
  if (!existsSync(folder)) return false
  const pairs = [
    [file, resolve(folder)],
    [realpathSync(file), realpathSync(folder)],
  ] as const
  return pairs.some(([path, root]) => {
    const way = relative(root, path)
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  })
}

async function readConfigModule(file: string): Promise<unknown> {
  try {
    if (extname(file) === '.json') return JSON.parse(await readFile(file, 'utf8')) as unknown
    const module: unknown = await importOnly(pathToFileURL(file).href, file)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : module
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

/** An exit code of the command. */
const faultExitCode = 70

/** An import that exits, or never settles, must not look like success. */
async function importOnly(url: string, file: string): Promise<unknown> {
  const onExit = () => {
    process.exitCode = faultExitCode
    process.stderr.write(
      `donecheck: ${file} ended the process while it was read, or never came to its own end\n`,
    )
  }
  process.once('exit', onExit)
  const own = registerHooks({ resolve: resolveOwn })
  try {
    return (await import(url)) as unknown
  } finally {
    own.deregister()
    process.off('exit', onExit)
  }
}

/** Lets a global installation resolve its own packages. */
const resolveOwn: ResolveHookSync = (specifier, context, nextResolve) => {
  try {
    return nextResolve(specifier, context)
  } catch (error) {
    if (!/^(?:donecheck|@donecheck\/.*)$/u.test(specifier)) throw error
    return nextResolve(specifier, { ...context, parentURL: import.meta.url })
  }
}

interface OutsideAlone {
  readonly key: keyof Config
  /** The only value that is refused. Default: every value. */
  readonly value?: unknown
  readonly ways: string
  readonly why?: string
}

const canRead = 'where the agent can read it'

const refused: readonly OutsideAlone[] = [
  { key: 'heldOut', ways: '--held-out or DONECHECK_HELD_OUT', why: canRead },
  { key: 'heldOutFiles', ways: 'DONECHECK_HELD_OUT_FILES', why: canRead },
  { key: 'yes', value: true, ways: '--yes or DONECHECK_YES' },
  { key: 'gate', value: 'shadow', ways: '--gate or DONECHECK_GATE' },
  { key: 'sandbox', value: 'off', ways: '--sandbox or DONECHECK_SANDBOX' },
  { key: 'allowNetwork', value: true, ways: 'DONECHECK_ALLOW_NETWORK' },
  { key: 'writable', ways: 'DONECHECK_WRITABLE' },
  { key: 'rules', ways: '--rules or DONECHECK_RULES' },
  { key: 'projectRules', value: 'trusted', ways: 'DONECHECK_PROJECT_RULES' },
]

function problemsInside(config: Config, folder: string): readonly string[] {
  return refused.flatMap(({ key, value, ways, why = 'where the agent can write it' }) => {
    if (config[key] === undefined || (value !== undefined && config[key] !== value)) return []
    const what = value === undefined ? key : `${key}: ${JSON.stringify(value)}`
    return `${what} cannot be set here, ${why}; use ${ways}, or a configuration outside of ${folder}, named with --config`
  })
}

export const configSchemaPath = 'dist/config.schema.json'

const fleetVariables = ['DONECHECK_FLEET', 'DONECHECK_GIT_CREDENTIALS']

const otherVariables = ['DONECHECK_API_KEY', ...fleetVariables, runVariable]

/** Values are JSON except for text keys; empty variables count as unset. */
export function configFromEnvironment(environment: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, unknown> = {}
  for (const [variable, value] of Object.entries(environment)) {
    const isOurs = variable.startsWith('DONECHECK_') && !otherVariables.includes(variable)
    if (!isOurs || value === undefined || value === '') continue
    const key = keyOf(variable)
    given[key] = isText(key, value) ? value : (jsonOf(value) ?? value)
  }
  return parseConfig(given, 'environment')
}

function keyOf(variable: string): string {
  const key = configKeys.find((candidate) => variableOf(candidate) === variable)
  if (key !== undefined) return key
  const near = nearest(variable, configKeys.map(variableOf))
  throw new UsageError(
    `environment: unknown variable ${variable}${near === undefined ? '' : `; did you mean ${near}?`}`,
  )
}

const lineKeys = ['until', 'checks', 'heldOut']

/** A command such as `true` is text although it is valid JSON. */
function isText(key: string, value: string): boolean {
  return textKeys.includes(key) || (lineKeys.includes(key) && !value.trimStart().startsWith('['))
}

export function variableOf(key: string): string {
  return `DONECHECK_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
