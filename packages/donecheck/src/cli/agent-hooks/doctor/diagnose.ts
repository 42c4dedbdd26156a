import { problemOfJudgeTime, vacuousChecks } from '../pin/pin-session.ts'
import { findAgents } from '@donecheck/agents/internal/protocol/registry'
import type { SettingsContext } from '@donecheck/agents/internal/protocol/settings'
import { oneLine } from '@donecheck/core/internal/base'
import { messageOf } from '@donecheck/engine/internal/base'
import type { CliIo } from '../../process/io.ts'
import { examine } from './examine.ts'
import { parseConfig } from '../../../config/index.ts'
import { readRecordedFiles } from '../install/plan.ts'
import { parse } from 'smol-toml'
import { listHooks } from '@donecheck/agents/codex'
import { payloadOf } from '@donecheck/agents/internal/protocol/host'
import {
  findProgram,
  inheritedEnvironment,
  makeScratchFolder,
  removeScratchFolder,
  runProcess,
} from '@donecheck/engine/internal/system/process'
import { assertGit } from '@donecheck/engine/internal/system/trees'
import {
  readSettingsFile,
  describeFileError,
  findInstalled,
  type InstalledHooks,
  type InstalledSettings,
  goneMessage,
  type OurHook,
} from '../settings/settings-file.ts'
import { findHookedProject } from '../../hook/project.ts'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HookEffect, HookReply } from '@donecheck/agents/internal/protocol/hooks'
import { writeSessionFile } from '@donecheck/agents/internal/session'
import type { HookedAgent } from '../../agents/agents.ts'

export interface Diagnosis {
  readonly agent: string
  readonly title: string
  /** Null if the agent is missing or prints no version. */
  readonly version: string | null
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
}

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
  for (const hooks of found.installed) tried.push(await tryOne({ agent, hooks, workFolder, onTrial, io }))
  const all = [...problems, ...lost, ...pinned, ...tried.flatMap((one) => one.problems)]
  const { agent: name, title } = agent.protocol
  return {
    ...{ agent: name, title, version: await version },
    isInstalled: found.installed.length > 0 || lost.length > 0,
    isHealthy: all.length === 0,
    problems: all,
    notes,
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
}

interface Patient {
  readonly agent: HookedAgent
  readonly hooks: InstalledHooks
  readonly workFolder: string
  readonly onTrial: OnTrial
  readonly io: CliIo
}

async function tryOne({ agent, hooks, workFolder, onTrial, io }: Patient): Promise<Outcome> {
  const trials = await tryHooks(agent, hooks, onTrial, io)
  return {
    installation: { scope: hooks.scope, file: hooks.file, trials },
    problems: [
      ...describeFailures(trials),
      ...(agent.protocol.agent === 'codex' ? await findUntrusted(agent, hooks, workFolder, io) : []),
    ],
  }
}

/** Reports a cause shared by several hooks once. */
function describeFailures(trials: readonly Trial[]): readonly string[] {
  const failed = trials.filter(({ isAsExpected }) => !isAsExpected)
  const byCause = Map.groupBy(
    failed,
    ({ effect, said }) => `it was ${effect}${said === '' ? '' : ` (${oneLine(said, 300)})`}`,
  )
  return [...byCause].map(([cause, tries]) => {
    const missing = tries.map(({ word, what }) => `${word} does not do what it must (${what})`)
    return `${missing.join('; ')}: ${cause}`
  })
}

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
      // An unreadable file may still hold them.
      .filter(({ file }) => problems.every((text) => !text.startsWith(`${file} `)))
      .map(
        ({ file, atMs }) =>
          `it was installed on ${new Date(atMs).toISOString().slice(0, 10)} into ${file}, which holds none of our hooks now: donecheck install ${protocol.agent} puts them back, uninstall forgets them`,
      )
  )
}

async function findPinnedChecks(
  place: SettingsContext,
  { installed }: InstalledSettings,
): Promise<readonly string[]> {
  const { workFolder } = place
  try {
    assertGit()
    const pinned = findHookedProject(workFolder, place)
    if (pinned === undefined) {
      const problem = `nothing is to be checked in ${workFolder}: the hooks let everything pass there; name checks with donecheck install`
      return [problem]
    }
    const { configuration, sessionFile } = pinned
    const config = parseConfig(configuration.config, sessionFile)
    const vacuous = vacuousChecks(config)
    const limits = installed.flatMap(({ ours }) => ours.flatMap((hook) => hook.ours.timeoutSeconds ?? []))
    const noTime = limits.length === 0 ? undefined : problemOfJudgeTime(config, Math.min(...limits))
    return [...vacuous.map(({ problem }) => problem), ...(noTime === undefined ? [] : [noTime])]
  } catch (error) {
    return [messageOf(error)]
  }
}

/** Codex silently skips hooks that it does not trust. */
async function findUntrusted(
  agent: HookedAgent,
  { ours, file, scope }: InstalledHooks,
  workFolder: string,
  io: CliIo,
): Promise<readonly string[]> {
  const path = findProgram(agent.program, io.environment)
  if (path === undefined) return []
  const environment = inheritedEnvironment(io.environment)
  const listed = await listHooks({ program: path, folder: workFolder, environment })
  if (listed.kind === 'unknown') return [`whether Codex trusts the hooks is not known: ${listed.problem}`]
  const mine = listed.hooks.filter(({ key }) => key.startsWith(`${file}:`))
  if (mine.length === 0) return [await explainUnread(agent, file, scope, { ...io, workFolder })]
  const commands = new Set(ours.map(({ entry }) => entry['command']))
  const bad = mine.filter(
    ({ command, trust, isEnabled }) =>
      commands.has(command) && (!isEnabled || !['trusted', 'managed'].includes(trust)),
  )
  return bad.map(({ key, trust, isEnabled }) =>
    isEnabled
      ? `Codex does not trust the hook ${key} (${trust}): install it again`
      : `the hook ${key} is switched off in Codex`,
  )
}

async function explainUnread(
  { companion }: HookedAgent,
  file: string,
  scope: InstalledHooks['scope'],
  place: SettingsContext,
): Promise<string> {
  const config = companion?.file(place) ?? ''
  if (await isFeatureOff(config))
    return `${config}: the feature "hooks" is switched off there: Codex runs no hook`
  return scope === 'project'
    ? `Codex does not read ${file}: it reads the hooks of a project only where it trusts the project`
    : `Codex does not read ${file}: ask it for its hooks with /hooks`
}

async function isFeatureOff(config: string): Promise<boolean> {
  try {
    const { text = '' } = await readSettingsFile(config)
    return payloadOf(payloadOf(parse(text))?.['features'])?.['hooks'] === false
  } catch {
    return false
  }
}

export interface Trial {
  readonly word: string
  readonly what: 'holds a red check' | 'lets a green check go'
  readonly isAsExpected: boolean
  readonly effect: HookEffect
  /** What the hook printed, if the trial failed. */
  readonly said: string
}

interface Scene {
  readonly agent: HookedAgent
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly onTrial: OnTrial
}

export type OnTrial = (what: string) => void

const check = 'test -f done.txt'

/** Runs in a scratch project; leaves nothing behind. @throws {UsageError} if there is no room for it */
export async function tryHooks(
  agent: HookedAgent,
  { ours }: InstalledHooks,
  onTrial: OnTrial,
  io: CliIo,
): Promise<readonly Trial[]> {
  const root = trialFolder()
  try {
    const folder = join(root, 'project')
    await mkdir(folder)
    const environment = { ...inheritedEnvironment(io.environment), XDG_STATE_HOME: join(root, 'state') }
    const place = { environment, homeFolder: io.homeFolder, workFolder: folder }
    const config = { until: [{ command: check }] }
    writeSessionFile(place, { workFolder: folder, config, whenUnchanged: 'verify' })
    const around = { ...environment, ...agent.settings.environment(folder) }
    const scene = { agent, folder, environment: around, onTrial }
    const { registrations } = agent.protocol
    const claims = ours.filter((hook) =>
      registrations.some(({ event, as, verifies }) => verifies === true && (as ?? event) === hook.ours.word),
    )
    const tried: Trial[] = []
    for (const hook of claims)
      tried.push(await tryOnce(scene, hook, 'holds a red check', ['held', 'refused']))
    await writeFile(join(folder, 'done.txt'), 'done\n')
    for (const hook of claims) tried.push(await tryOnce(scene, hook, 'lets a green check go', ['passed']))
    return tried
  } finally {
    removeScratchFolder(root)
  }
}

function trialFolder(): string {
  try {
    return makeScratchFolder('trial')
  } catch (error) {
    throw describeFileError(`a scratch folder, where hooks are tried,`, 'used', error)
  }
}

async function tryOnce(
  scene: Scene,
  hook: OurHook,
  what: Trial['what'],
  expected: readonly HookEffect[],
): Promise<Trial> {
  const { protocol, settings } = scene.agent
  const { word } = hook.ours
  scene.onTrial(`${word} ${what}`)
  const reply = await runHook(scene, hook)
  const effect = typeof reply === 'string' ? 'invalid' : protocol.effect(reply)
  const isGone = typeof reply !== 'string' && reply.stdout.trim() === settings.goneAnswer(goneMessage)
  const isAsExpected = expected.includes(effect) && !isGone
  return { word, what, isAsExpected, effect, said: isAsExpected ? '' : describeReply(reply) }
}

const trialTimeoutMs = 60_000
const keptBytes = 64 * 1024

/** @returns a message if the hook gave no reply */
async function runHook({ agent, folder, environment }: Scene, hook: OurHook): Promise<HookReply | string> {
  const sample = agent.protocol.sample(hook.ours.word, { sessionId: 'trial', folder })
  const line = agent.settings.commandIn(hook.entry) ?? ''
  const [shell = 'sh', ...flags] = agent.settings.shell
  let [stdout, stderr] = ['', '']
  const { end } = await runProcess({
    command: { words: [shell, ...flags, line] },
    stdin: JSON.stringify(sample),
    folder,
    environment,
    timeoutMs: trialTimeoutMs,
    signal: new AbortController().signal,
    ...{ headBytes: keptBytes, tailBytes: 0, keepBytes: 0 },
    onOutput: (piece, stream) => {
      if (stream === 'stdout') stdout += piece
      else stderr += piece
    },
  })
  if (end.kind === 'exited') return { exitCode: end.exitCode, stdout, stderr }
  return end.kind === 'not-started' ? end.problem : end.kind === 'timed-out' ? 'it hangs' : 'it was killed'
}

function describeReply(reply: HookReply | string): string {
  if (typeof reply === 'string') return reply
  const { exitCode, stdout, stderr } = reply
  return [`exit code ${exitCode}`, stdout, stderr]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('; ')
}
