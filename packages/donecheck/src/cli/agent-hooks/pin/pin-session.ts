import { given } from '@donecheck/engine/internal/base'
import { memoryStore, isInside } from '@donecheck/engine/store'
import type { Config } from '../../../config/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import {
  readSessionFile,
  type SessionConfiguration,
  sessionFileOf,
  type SessionFileLocation,
} from '@donecheck/agents/internal/session'
import type { SettingsFlags, FileChange } from '../install/confirm-changes.ts'
import type { CliIo } from '../../process/io.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { projectRulesNow, rulesNow } from '../../wiring/gate/rules.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { storeFolderOf } from '../../settings/store-folder.ts'
import { namesJudge, withTextsRead, leftOutOf } from '../../wiring/judging/judge.ts'
import { isSuccessWritten } from '@donecheck/engine/verify'
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { SettingsScope } from '@donecheck/agents/internal/protocol/settings'
import { bounds, capTable } from '@donecheck/core/internal/budgets'
import { packageScriptsNamedIn } from '@donecheck/engine/internal/analysis/protect'
import { secondsForChecks } from '../../hook/call.ts'
import { checkingOptions, checksOf } from '../../wiring/checks.ts'
import { decides, withSomeCheck, checkLinesOf } from '../../wiring/some-check.ts'
import type { RunFlags, Flags } from '../../options/flags.ts'

export type InstallFlags = SettingsFlags &
  RunFlags &
  Flags<never, 'allProjects'> & {
    readonly hookTimeout?: number
    readonly onBrokenCheck?: 'hold' | 'allow-stop'
    readonly whenUnchanged?: 'verify' | 'allow-stop'
    readonly onGatePrompt?: 'agent' | 'ask'
  }

export interface PinnedSession {
  /** Undefined keeps what was pinned. */
  readonly configuration: SessionConfiguration | undefined
  readonly config: Config
  readonly workFolder: string
}

export async function pinSession(flags: InstallFlags, io: CliIo): Promise<PinnedSession> {
  const { workFolder, config: resolved } = await resolveSettings(runFlagsOf(flags), io)
  const project = flags.allProjects === true ? undefined : workFolder
  const named = await withTextsRead(resolved, project, io)
  const isKept = !changesAnything(flags) && !(await decides(named, workFolder, io))
  if (isKept && readSessionFile({ ...io, workFolder: project }) !== undefined)
    return { configuration: undefined, config: named, workFolder }
  const config = await withSomeCheck(named, workFolder, io)
  // Opens no store, so that a refused installation leaves nothing behind.
  const store = { ...memoryStore(), folder: storeFolderOf(config.store, workFolder, io) }
  await checksOf({ config, workFolder, store, io })
  checkingOptions(config, Date.now())
  return { configuration: await resolveConfiguration(config, flags, project, io), config, workFolder }
}

async function resolveConfiguration(
  config: Config,
  flags: InstallFlags,
  workFolder: string | undefined,
  io: CliIo,
): Promise<SessionConfiguration> {
  const { onBrokenCheck, whenUnchanged, onGatePrompt } = flags
  const kept = {
    ...config,
    keptRules: await rulesNow(config, io),
    ...(workFolder === undefined
      ? {}
      : {
          keptProjectRules: await projectRulesNow(config, workFolder),
          keptCheckLines: [...(await checkLinesOf(config, workFolder))],
        }),
  }
  return {
    config: plainData(recipeOf(kept)),
    ...given({ workFolder, onBrokenCheck, onCrash: onBrokenCheck, whenUnchanged, onGatePrompt }),
  }
}

function plainData(recipe: JsonValue): SessionConfiguration['config'] {
  return typeof recipe === 'object' && recipe !== null && !('length' in recipe) ? { ...recipe } : {}
}

const installationFlags: readonly string[] = ['scope', 'yes', 'dryRun', 'allProjects', 'hookTimeout']
const sessionChoices: readonly string[] = ['onBrokenCheck', 'whenUnchanged', 'onGatePrompt']

function runFlagsOf(flags: InstallFlags): RunFlags {
  const others = [...installationFlags, ...sessionChoices]
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !others.includes(name)))
}

/** Flags about checks mean a change; without them the pinned checks stay. */
function changesAnything(flags: InstallFlags): boolean {
  const others = [...installationFlags, 'workdir', 'config']
  // Commander sets flags such as `--no-x` to true if they are not typed.
  return Object.entries(flags).some(
    ([name, value]: readonly [string, unknown]) =>
      !others.includes(name) && value !== undefined && value !== true,
  )
}

interface PinChange extends FileChange {
  /** Undefined if nothing was pinned, or it cannot be read. */
  readonly known: SessionConfiguration | undefined
}

/** @param wanted undefined keeps what is pinned */
export function pinChangeOf(wanted: SessionConfiguration | undefined, place: SessionFileLocation): PinChange {
  const file = sessionFileOf(place)
  const known = readPinned(place)
  const before = known === undefined ? undefined : textOf(known)
  return { file, known, before, after: wanted === undefined ? before : textOf(wanted) }
}

/** A broken file is replaced, as its error message suggests. */
function readPinned(place: SessionFileLocation): SessionConfiguration | undefined {
  try {
    return readSessionFile(place)
  } catch {
    return undefined
  }
}

function textOf(configuration: SessionConfiguration): string {
  const inOrder = Object.entries(configuration).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`
}

export function questionOf(
  { known, before, after }: PinChange,
  wanted: SessionConfiguration | undefined,
): string {
  if (known === undefined || wanted === undefined || before === after) return 'Change these files?'
  const [old, next] = [checksText(known), checksText(wanted)]
  return old === next
    ? `Change how ${next} is checked, and these files?`
    : `Check ${next} from now on, and no longer ${old}?`
}

export function checksText({ config }: SessionConfiguration): string {
  const { until, presets, checks, judge, heldOut } = config
  const commands = listOf(until).map((check) =>
    typeof check === 'object' && check !== null && 'command' in check ? String(check.command) : String(check),
  )
  const hidden = listOf(heldOut).length
  return [
    ...commands,
    ...listOf(presets).map((preset) => `the preset ${String(preset)}`),
    ...listOf(checks).map((check) => `the check ${nameOf(check)}`),
    ...listOf(fieldsOf(judge)['models']).map(
      (model) => `the judge ${String(model)}, as far as it may decide`,
    ),
    ...(hidden === 0 ? [] : [hidden === 1 ? 'a held-out check' : `${hidden} held-out checks`]),
  ].join(', ')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function nameOf(check: unknown): string {
  const { name, kind } = fieldsOf(check)
  return String(name ?? kind)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

const usualJudgeSeconds = 30

/** @param timeoutSeconds of a hook that runs checks @returns undefined if there is time for the judge */
export function problemOfJudgeTime(config: Config, timeoutSeconds: number): string | undefined {
  if (!namesJudge(config)) return undefined
  const needed = config.judge?.timeoutSeconds ?? usualJudgeSeconds
  const left = secondsForChecks(timeoutSeconds)
  if (needed < left) return undefined
  return `a judge may take ${needed} s, and of the ${timeoutSeconds} s of a hook ${left} s are left for all checks: raise --hook-timeout or lower judge.timeoutSeconds; or configure no judge for hooks, and let donecheck run or donecheck verify ask it`
}

/** Checks whose command line always succeeds. */
export function vacuousChecks({ until = [], heldOut = [] }: Config) {
  return [...until, ...heldOut]
    .filter(({ command }) => isSuccessWritten(command))
    .map(({ command: line }) => ({
      line,
      problem: `"${line}" proves nothing: it ends with success whatever the work is like; use a command that ends with the check's own exit code`,
    }))
}

interface Installation {
  readonly config: Config
  readonly timeoutSeconds: number
  readonly workFolder: string
  readonly scope: SettingsScope
  readonly program: string
}

export function warningsOf(installation: Installation): readonly string[] {
  const { config, workFolder, scope, program } = installation
  const lines = [...(config.until ?? []), ...(config.heldOut ?? [])].map(({ command }) => command)
  const inTree = new Set(lines.flatMap((line) => filesIn(line, workFolder)))
  const warnings = [
    idleCaps(config),
    ...leftOutOf(config),
    longChecks(installation),
    inTree.size > 0 &&
      `the agent can write to ${[...inTree].join(', ')}, on which its check rests: a change is found, and nothing is verified over it`,
    isInside(program, workFolder) &&
      `donecheck itself lies in the project (${program}), where the agent can write; install it elsewhere`,
    scope === 'project' &&
      'the settings lie in the project, where a command of the agent can write; those of the user do not',
  ]
  return warnings.filter((warning) => typeof warning === 'string')
}

/** Hooks receive neither tokens nor cost, so these caps would never end a session. */
function idleCaps(config: Config): string | false {
  const idle = bounds
    .filter((bound) => ['tokens', 'cost'].includes(capTable[bound].kind))
    .map((bound) => capTable[bound].key)
    .filter((key) => typeof config[key] === 'number')
  return (
    idle.length > 0 &&
    `${idle.join(' and ')} cannot be kept by hooks, which are told neither tokens nor cost: agent the agent with donecheck run --agent for that`
  )
}

/** Such a check runs out of time and cannot decide. */
function longChecks({ config, timeoutSeconds }: Installation): string | false {
  const longest = Math.max(
    config.verifyTimeoutSeconds ?? 0,
    ...[...(config.until ?? []), ...(config.heldOut ?? [])].map((check) => check.timeoutSeconds ?? 0),
  )
  return (
    longest >= timeoutSeconds &&
    `a check may take ${longest} s, and all checks of a turn together ${timeoutSeconds} s: raise --hook-timeout, or a slow check will never decide`
  )
}

/** Files of the project that a line names, and package.json if it runs a script of it. */
function filesIn(line: string, workFolder: string): readonly string[] {
  const words = line.split(/[\s'"`;&|()<>=]+/).filter((word) => word !== '' && !word.startsWith('-'))
  const named = words.filter((word) => {
    const path = resolve(workFolder, word)
    const way = relative(workFolder, path)
    return way !== '' && !way.startsWith('..') && !isAbsolute(way) && existsSync(path) && /[./]/.test(word)
  })
  const runsScripts = packageScriptsNamedIn(line).length > 0
  return runsScripts && existsSync(resolve(workFolder, 'package.json')) ? [...named, 'package.json'] : named
}
