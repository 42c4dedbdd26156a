import { existsSync } from 'node:fs'
import { join, resolve, posix, isAbsolute, relative } from 'node:path'
import { configFileNames, type Config, toMilliseconds } from '../../../config/index.ts'
import { given } from '@donecheck/engine/internal/base'
import type { Sandbox, Approver } from '@donecheck/engine/internal/ports/gate'
import { makeScratchFolder, findProgram } from '@donecheck/engine/internal/system/process'
import { chooseSandbox } from '@donecheck/engine/internal/system/sandbox'
import { protectionOf, scriptsNamedIn } from '@donecheck/engine/internal/analysis/protect'
import { isAtTerminal, type CliIo } from '../../process/io.ts'
import { userRulesFolder } from './rules-folder.ts'
import type { PolicyGateOptions, PolicyRule, GateChoices } from '@donecheck/engine/gate'
import { askGit } from '../../tree/git.ts'
import { acceptAll, refuseAll, storeApprover } from '@donecheck/engine/internal/policy/approvals'
import { terminalApprover } from '../../../terminal/index.ts'
import type { Questions } from '@donecheck/engine/internal/ports/questions'
import { oneLine } from '@donecheck/core/internal/base'
import { hookPoints, type HookPoint } from '@donecheck/core/internal/events/gate'
import {
  commandHooks,
  digestHookScripts,
  unfixedProgramsOf,
  type HookLists,
} from '@donecheck/engine/internal/policy/callbacks'
import { secretsOf } from '../../settings/secrets.ts'

/** For runs with our own tools; agents bring their own sandbox. @throws {UsageError} if the named driver does not work here */
export function sandboxFor(
  config: Config,
  workFolder: string,
  storeFolder: string,
  io: CliIo,
): Promise<Sandbox> {
  return chooseSandbox({
    wanted: config.sandbox ?? 'auto',
    workFolder,
    network: config.allowNetwork === true ? 'on' : 'off',
    deniedPaths: [storeFolder, userRulesFolder(io)],
    homeFolder: io.homeFolder,
    environment: io.environment,
    temporaryFolder: makeScratchFolder('sandbox'),
    protectedPaths: fixedPaths(config, workFolder),
    ...given({ writableFolders: writableOf(config, io) }),
  })
}

/** Scripts that checks and hooks run, and our configuration: no command may change them. */
function fixedPaths(config: Config, workFolder: string): readonly string[] {
  const { until = [], mayChange = [], protect = [], tamperGuard } = config
  if (tamperGuard === false) return []
  const checkCommands = [...until.map(({ command }) => command), ...hookCommands(config)]
  const options = { checkCommands, mayChange, protect }
  const scripts = [...scriptsNamedIn(checkCommands)].filter(
    (path) => protectionOf(path, options) === 'check-script',
  )
  return [...scripts, ...configFileNames, ownFolder].filter((path) => existsSync(join(workFolder, path)))
}

const ownFolder = '.donecheck'

type Choices = GateChoices & Pick<PolicyGateOptions, 'approval' | 'rules'>

export async function choicesWith(
  rules: readonly PolicyRule[],
  config: Config,
  workFolder: string,
  io: CliIo,
): Promise<Choices> {
  return {
    approval: config.approval ?? 'on-request',
    rules,
    keep: { file: join(userRulesFolder(io), 'default.rules') },
    homeFolder: io.homeFolder,
    canBeMadeAgain: await regenerablePaths(workFolder),
    ownChecks: config.keptCheckLines ?? (config.until ?? []).map(({ command }) => command),
    ...given({
      mode: config.gate,
      writableFolders: writableOf(config, io),
    }),
  }
}

export function writableOf({ writable }: Config, { currentFolder }: CliIo): string[] | undefined {
  return writable?.map((folder) => resolve(currentFolder, folder))
}

/** Names that only ever hold generated files. */
const unmistakable =
  /^(?:node_modules|__pycache__|\.(?:pytest|mypy|ruff|parcel)[_-]cache|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.turbo|\.vite|\.angular|\.tox|\.nox|\.dart_tool|coverage|htmlcov|[\w.-]+\.egg-info)$/u
/** Names that usually hold generated files. */
const usual =
  /^(?:dist|build|_build|out|target|obj|tmp|\.tmp|\.cache|\.output|\.gradle|\.?venv|cmake-build-[\w-]+|storybook-static|playwright-report|test-results)$/u

/** Whether tools can regenerate a path. Tracked files never count; without git only unmistakable names do. */
export async function regenerablePaths(workFolder: string): Promise<(path: string) => boolean> {
  const root = resolve(workFolder)
  const listing = await askGit(root, ['ls-files', '-z'])
  const tracked = listing === undefined ? undefined : withFolders(listing.split('\0'))
  return (path) => {
    const relative = posix.relative(root, path)
    const parts = relative.split('/')
    if (relative === '' || parts[0] === '..') return false
    if (tracked === undefined) return parts.some((part) => unmistakable.test(part))
    return parts.some((part) => unmistakable.test(part) || usual.test(part)) && !tracked.has(relative)
  }
}

function withFolders(files: readonly string[]): ReadonlySet<string> {
  const all = new Set(files)
  for (const file of files)
    for (let folder = posix.dirname(file); folder !== '.' && !all.has(folder); folder = posix.dirname(folder))
      all.add(folder)
  return all
}

export interface Asking {
  /** Raw mode sends no signal for Ctrl-C. */
  readonly interrupt: (name: string) => void
  readonly asked?: Approver | undefined
  readonly store?: Questions
  readonly notice?: (message: string) => void
}

export function approverOf(config: Config, io: CliIo, { interrupt, asked, store, notice }: Asking): Approver {
  if (config.yes === true) return acceptAll('--yes')
  const atTerminal = { input: io.stdin, output: io.stderr, onCancel: () => interrupt('Ctrl-C') }
  const person = asked ?? (isAtTerminal(io) ? terminalApprover(atTerminal) : undefined)
  if (store === undefined) return person ?? refuseAll(nobody)
  const kept = { store, secrets: secretsOf(io.environment, config.secrets ?? []) }
  // Refuses calls at once, but keeps questions of the tamper guard for later.
  if (person === undefined && config.ask !== 'page') return keepGuardQuestions(storeApprover(kept))
  return storeApprover({
    ...kept,
    ...(person === undefined ? { onWaiting: ({ id }) => notice?.(waysToAnswer(id)) } : { beside: person }),
  })
}

function keepGuardQuestions(keeper: Approver): Approver {
  const askOnce = keeper.askOnce?.bind(keeper)
  return { ...refuseAll(nobody), ...given({ askOnce }) }
}

/** @returns undefined if a person can be asked, or nothing would be */
export function refusalNotice(
  { ask, yes, approval, gate, keptCheckLines = [] }: Config,
  io: CliIo,
): string | undefined {
  if (yes === true || ask === 'page' || isAtTerminal(io) || approval === 'never' || gate === 'shadow')
    return undefined
  const own = keptCheckLines.length === 0 ? '' : ` (but not ${keptCheckLines.join(', ')})`
  return `no terminal: what needs an approval is refused${own}; allow it with --yes`
}

const nobody =
  'nobody can be asked, for there is no terminal and the run was started without --yes or DONECHECK_ASK=page'

export function waysToAnswer(id: string): string {
  return `it waits: donecheck approve ${id}, or donecheck approve deny ${id} --reason "why"`
}

export function hooksOf(
  config: Config,
  folder: string,
  environment: Readonly<Record<string, string>>,
): HookLists {
  const commands = configured(config).map(({ point, command, name, timeoutSeconds, ...options }) => ({
    ...options,
    point,
    command,
    name: name ?? `${point}: ${oneLine(command, 50)}`,
    ...given({ timeoutMs: toMilliseconds(timeoutSeconds) }),
  }))
  const { keptHookScripts: scripts = {} } = config
  return commandHooks(commands, { folder, environment, scripts })
}

/** Later changes of the scripts by the agent have no effect. */
export function withHooksKept(config: Config, folder: string): Config {
  if (config.hooks === undefined) return config
  return { ...config, keptHookScripts: digestHookScripts(hookCommands(config), folder) }
}

/** Lists hooks that the agent could change because nothing of them is fixed. */
export async function unfixedHookNotices(
  config: Config,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const notices: string[] = []
  for (const line of new Set(hookCommands(config))) {
    for (const { program, looksInProject } of unfixedProgramsOf(line, folder)) {
      if (shellWords.test(program)) continue
      const found = looksInProject ? undefined : findProgram(program, environment)
      if (found !== undefined && isOutside(found, folder)) continue
      notices.push(
        `nothing of the hook "${oneLine(line, 50)}" could be fixed; keep it outside of the project`,
      )
      break
    }
  }
  return notices
}

const shellWords =
  /^(?:exit|read|set|cd|test|\[|:|export|return|shift|command|trap|unset|local|break|continue)$/u

function isOutside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way.startsWith('../') || isAbsolute(way)
}

export function hookCommands(config: Config): readonly string[] {
  return configured(config).map(({ command }) => command)
}

function configured({ hooks = {} }: Config) {
  return hookPoints.flatMap((point: HookPoint) => (hooks[point] ?? []).map((hook) => ({ ...hook, point })))
}
