/** From the configuration to what confines the commands of a model. */
import { existsSync } from 'node:fs'
import { join, resolve, posix } from 'node:path'
import { configFileNames, type Config } from '../../../config/index.ts'
import { given } from '@donecheck/engine/base'
import type { Sandbox, Approver } from '@donecheck/engine/ports/gate'
import { makeScratchFolder } from '@donecheck/engine/process'
import { chooseSandbox } from '@donecheck/engine/sandbox'
import { protectionOf, scriptsNamedIn } from '@donecheck/engine/protect'
import { hookCommands } from '../loop/command-hooks.ts'
import type { CliIo } from '../../process/io.ts'
import { userRulesFolder } from './rules-folder.ts'
import type { PolicyGateOptions, PolicyRule, GateChoices } from '@donecheck/engine/gate'
import { loadAllRules } from './rules.ts'
import { askGit } from '../../tree/git.ts'
import { acceptAll, refuseAll, storeApprover } from '@donecheck/engine/approvals'
import { terminalApprover } from '../../../terminal/index.ts'
import type { Questions } from '@donecheck/engine/ports/questions'
import { secretsOf } from '../../settings/secrets.ts'

/**
 * Of a run with tools of its own: agent programs bring theirs, and what confines them.
 * @throws {UsageError} when a named driver does not work here
 */
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
    // What one command leaves in its temporary folder the next one finds.
    temporaryFolder: makeScratchFolder('sandbox'),
    protectedPaths: fixedPaths(config, workFolder),
    ...given({ writableFolders: writableOf(config, io) }),
  })
}

/** The scripts that the checks and hooks name, and what later runs would go by: whatever a command does, they stay as they are. */
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

/** Of the project, with its rules in it. */
const ownFolder = '.donecheck'

/** @throws {UsageError} for rules that cannot be understood */
export async function resolveGateChoices(
  config: Config,
  workFolder: string,
  io: CliIo,
): Promise<GateChoices> {
  return await choicesWith(await loadAllRules(config, io), config, workFolder, io)
}

type Choices = GateChoices & Pick<PolicyGateOptions, 'approval' | 'rules'>

/** The same with rules that are at hand. */
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

/** Absolute. Undefined: none are named. */
export function writableOf({ writable }: Config, { currentFolder }: CliIo): string[] | undefined {
  return writable?.map((folder) => resolve(currentFolder, folder))
}

/** Nobody keeps anything in a folder of such a name. */
const unmistakable =
  /^(?:node_modules|__pycache__|\.(?:pytest|mypy|ruff|parcel)[_-]cache|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.turbo|\.vite|\.angular|\.tox|\.nox|\.dart_tool|coverage|htmlcov|[\w.-]+\.egg-info)$/u
/** So it is usually; some projects keep their sources there. */
const usual =
  /^(?:dist|build|_build|out|target|obj|tmp|\.tmp|\.cache|\.output|\.gradle|\.?venv|cmake-build-[\w-]+|storybook-static|playwright-report|test-results)$/u

/**
 * Whether what lies at an absolute path can be made again by tools: an agent may clear that away in a sandbox without a question. Nothing that git held when this was called can, and without git
 * names that are not unmistakable say nothing. Never rejects.
 */
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

/** Every file, and every folder that one of them lies in. */
function withFolders(files: readonly string[]): ReadonlySet<string> {
  const all = new Set(files)
  for (const file of files)
    for (let folder = posix.dirname(file); folder !== '.' && !all.has(folder); folder = posix.dirname(folder))
      all.add(folder)
  return all
}

export interface Asking {
  /** For Ctrl-C at a question, which no signal tells of. */
  readonly interrupt: (name: string) => void
  /** Somebody else than this terminal. */
  readonly asked?: Approver | undefined
  /** Where questions are kept, for other processes to answer. */
  readonly store?: Questions
  /** Told how to answer where nobody is asked here. */
  readonly notice?: (message: string) => void
}

/** Who is asked. */
export function approverOf(config: Config, io: CliIo, { interrupt, asked, store, notice }: Asking): Approver {
  if (config.yes === true) return acceptAll('--yes')
  const isAtTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true
  const atTerminal = { input: io.stdin, output: io.stderr, onCancel: () => interrupt('Ctrl-C') }
  const person = asked ?? (isAtTerminal ? terminalApprover(atTerminal) : undefined)
  if (store === undefined) return person ?? refuseAll(nobody)
  const kept = { store, secrets: secretsOf(io.environment, config.secrets ?? []) }
  // Calls are refused at once; what the tamper guard asks is kept for an answer after the run.
  if (person === undefined && config.ask !== 'page') return keepGuardQuestions(storeApprover(kept))
  return storeApprover({
    ...kept,
    ...(person === undefined ? { onWaiting: ({ id }) => notice?.(waysToAnswer(id)) } : { beside: person }),
  })
}

/** Nobody is here: a call is refused, and what can wait for an answer is kept. */
function keepGuardQuestions(keeper: Approver): Approver {
  const askOnce = keeper.askOnce?.bind(keeper)
  return { ...refuseAll(nobody), ...given({ askOnce }) }
}

/**
 * One line at the start of a run that can ask no person: what it refuses, and how to allow it.
 * @returns undefined if somebody can be asked, or nothing would be
 */
export function refusalNotice(
  { ask, yes, approval, gate, keptCheckLines = [] }: Config,
  { stdin, stderr }: CliIo,
): string | undefined {
  const isAtTerminal = stdin.isTTY === true && stderr.isTTY === true
  if (yes === true || ask === 'page' || isAtTerminal || approval === 'never' || gate === 'shadow')
    return undefined
  const own = keptCheckLines.length === 0 ? '' : ` (but not ${keptCheckLines.join(', ')})`
  return `no terminal: what needs an approval is refused${own}; allow it with --yes`
}

const nobody =
  'nobody can be asked, for there is no terminal and the run was started without --yes or DONECHECK_ASK=page'

/** For whoever reads what a run says that has no terminal. */
export function waysToAnswer(id: string): string {
  return `it waits: donecheck approve ${id}, or donecheck approve deny ${id} --reason "why"`
}
