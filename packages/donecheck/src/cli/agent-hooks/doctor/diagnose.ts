/** One agent is looked at, and its hooks are tried. */
import { problemOfJudgeTime } from '../pin/judge-time.ts'
import { findAgents } from '@donecheck/agents/registry'
import type { SettingsContext } from '@donecheck/agents/settings'
import { oneLine, seconds } from '@donecheck/core/base'
import { messageOf } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { findUntrusted } from './codex-trust.ts'
import { examine } from './examine.ts'
import { findInstalled, type InstalledHooks, type InstalledSettings } from '../settings/installed-hooks.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import { parseConfig } from '../../../config/index.ts'
import { hasRules } from '../../hook/gate/gate-config.ts'
import { findHookedProject } from '../../hook/input/project.ts'
import { vacuousChecks } from '../pin/vacuous-checks.ts'
import { paceOf } from './pace.ts'
import { tryHooks, type OnTrial, type Trial } from './trial.ts'
import { quickSeconds } from '../settings/wanted-hooks.ts'
import { readRecordedFiles } from '../install/originals.ts'

/** What the doctor found of one agent. */
export interface Diagnosis {
  readonly agent: string
  readonly title: string
  /** Null: it is not here, or does not say. */
  readonly version: string | null
  /** Hooks of ours stand in its settings, or should stand there. */
  readonly isInstalled: boolean
  readonly isHealthy: boolean
  readonly problems: readonly string[]
  readonly notes: readonly string[]
  readonly installations: readonly DiagnosedInstallation[]
}

export interface DiagnosedInstallation {
  readonly scope: string
  readonly file: string
  readonly trials: readonly Trial[]
  /** What the slowest hook at a call of a tool takes, in milliseconds; null: none could be timed. */
  readonly slowestMs: number | null
}

/** Something of ours stands in its settings, or should. */
export async function hasHooksOfOurs(agent: HookedAgent, workFolder: string, io: CliIo): Promise<boolean> {
  const place = { ...io, workFolder }
  const found = await findInstalled(agent, place)
  return found.installed.length > 0 || (await findLostInstallations(agent, found, place, io)).length > 0
}

export async function diagnose(
  agent: HookedAgent,
  workFolder: string,
  onTrial: OnTrial,
  io: CliIo,
): Promise<Diagnosis> {
  const place = { ...io, workFolder }
  const version = readVersion(agent, io)
  const found = await findInstalled(agent, place)
  const lost = await findLostInstallations(agent, found, place, io)
  const pinned = await findPinnedChecks(place, found)
  const { problems, notes } = await examine(agent, found, place, io)
  const tried: Outcome[] = []
  for (const hooks of found.installed)
    tried.push(await tryOne({ agent, hooks, hasRules: pinned.hasRules, workFolder, onTrial, io }))
  const all = [...problems, ...lost, ...pinned.problems, ...tried.flatMap((one) => one.problems)]
  const { agent: name, title } = agent.protocol
  return {
    ...{ agent: name, title, version: await version },
    isInstalled: found.installed.length > 0 || lost.length > 0,
    isHealthy: all.length === 0,
    problems: all,
    notes: [...notes, ...tried.flatMap((one) => one.notes)],
    installations: tried.map(({ installation }) => installation),
  }
}

async function readVersion({ protocol }: HookedAgent, { environment }: CliIo): Promise<string | null> {
  const [found] = await findAgents({ environment, names: [protocol.agent] })
  return found?.version ?? null
}

interface Outcome {
  readonly installation: DiagnosedInstallation
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

interface Patient {
  readonly agent: HookedAgent
  readonly hooks: InstalledHooks
  readonly hasRules: boolean
  readonly workFolder: string
  readonly onTrial: OnTrial
  readonly io: CliIo
}

async function tryOne({ agent, hooks, hasRules, workFolder, onTrial, io }: Patient): Promise<Outcome> {
  const trials = await tryHooks(agent, hooks, hasRules, onTrial, io)
  const times = trials.flatMap(({ paceMs }) => paceMs ?? [])
  const slowestMs = times.length === 0 ? null : Math.round(Math.max(...times))
  const pace = paceOf(slowestMs ?? 0)
  return {
    installation: { scope: hooks.scope, file: hooks.file, trials, slowestMs },
    problems: [
      ...describeFailures(trials),
      ...(pace === 'too-slow' ? [slownessProblem(slowestMs ?? 0)] : []),
      ...(agent.protocol.agent === 'codex' ? await findUntrusted(agent, hooks, workFolder, io) : []),
    ],
    notes: pace === 'slow' ? ['the hooks are slow: this machine is busy, or every call of a tool waits'] : [],
  }
}

function slownessProblem(hookMs: number): string {
  return `a hook at a call takes ${seconds(hookMs)}, and after ${quickSeconds} s the agent goes on without it: this machine is too busy, or too slow`
}

/** What many hooks have in common is told once. */
function describeFailures(trials: readonly Trial[]): readonly string[] {
  const failed = trials.filter(({ isAsExpected }) => !isAsExpected)
  const byCause = Map.groupBy(
    failed,
    ({ effect, said }) => `it was ${effect}${said === '' ? '' : ` (${oneLine(said, 300)})`}`,
  )
  return [...byCause].map(([cause, tries]) => `${tries.map(expectationOf).join('; ')}: ${cause}`)
}

function expectationOf({ word, what }: Trial): string {
  return what === 'fires'
    ? `${word} does not fire as it should`
    : `${word} does not do what it must (${what})`
}

/** What our record knows of, and the settings of the agent do not: somebody has emptied, broken or replaced them. */
async function findLostInstallations(
  { protocol, settings }: HookedAgent,
  { installed, problems }: InstalledSettings,
  place: SettingsContext,
  io: CliIo,
): Promise<readonly string[]> {
  const here = (['user', 'project'] as const).map((scope) => settings.file(scope, place))
  const recorded = await readRecordedFiles(protocol.agent, io)
  return (
    recorded
      .filter(({ file }) => here.includes(file) && installed.every((one) => one.file !== file))
      // What is in a file that cannot be read nobody knows.
      .filter(({ file }) => problems.every((text) => !text.startsWith(`${file} `)))
      .map(
        ({ file, atMs }) =>
          `it was installed on ${new Date(atMs).toISOString().slice(0, 10)} into ${file}, which holds none of our hooks now: donecheck install ${protocol.agent} puts them back, uninstall forgets them`,
      )
  )
}

/** What the hooks go by in a project, read as they read it. */
interface PinnedChecks {
  /** Any of them means that a claim cannot be verified. */
  readonly problems: readonly string[]
  /** Commands are put before rules that were pinned along. */
  readonly hasRules: boolean
}

async function findPinnedChecks(
  place: SettingsContext,
  { installed }: InstalledSettings,
): Promise<PinnedChecks> {
  const { workFolder } = place
  try {
    const pinned = findHookedProject(workFolder, place)
    if (pinned === undefined) {
      const problem = `nothing is to be checked in ${workFolder}: the hooks let everything pass there; name checks with donecheck install`
      return { problems: [problem], hasRules: false }
    }
    const { configuration, sessionFile } = pinned
    const config = parseConfig(configuration.config, sessionFile)
    const vacuous = vacuousChecks(config)
    const limits = installed.flatMap(({ ours }) => ours.flatMap((hook) => hook.ours.timeoutSeconds ?? []))
    const noTime = limits.length === 0 ? undefined : problemOfJudgeTime(config, Math.min(...limits))
    const problems = [...vacuous.map(({ problem }) => problem), ...(noTime === undefined ? [] : [noTime])]
    return { problems, hasRules: hasRules(config) }
  } catch (error) {
    return { problems: [messageOf(error)], hasRules: false }
  }
}
