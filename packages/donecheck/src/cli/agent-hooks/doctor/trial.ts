/** Installed hooks are run as the agent would run them, over a project of our own with a red and then a green check. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HookEffect, HookReply } from '@donecheck/agents/hooks'
import type { HostEvent } from '@donecheck/agents/host'
import { given, stateHome } from '@donecheck/engine/base'
import { inheritedEnvironment, runProcess } from '@donecheck/engine/process'
import { writeSessionFile } from '@donecheck/agents/session'
import type { CliIo } from '../../process/io.ts'
import { describeFileError } from '../settings/settings-file.ts'
import { goneMessage } from '../settings/wanted-hooks.ts'
import type { InstalledHooks, OurHook } from '../settings/installed-hooks.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import { measurePaceMs } from './pace.ts'

export interface Trial {
  /** As it stands in the command of the hook. */
  readonly word: string
  readonly what:
    | 'fires'
    | 'holds a red check'
    | 'lets a green check go'
    | 'passes what no rule names'
    | 'refuses what a rule forbids'
  readonly isAsExpected: boolean
  readonly effect: HookEffect
  /** Whatever it printed, where it is not as expected. */
  readonly said: string
  /** Of a hook that is run at every call of a tool, where it does as it should. */
  readonly paceMs?: number
}

interface Scene {
  readonly agent: HookedAgent
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** What is pinned has rules of its own, or none: that is another way through the program. */
  readonly pin: (rules: Readonly<Record<string, string>>) => void
  /** As the person has it. */
  readonly hasRules: boolean
  readonly onTrial: OnTrial
}

/** Told what is tried next: each takes as long as the agent would wait for it. */
export type OnTrial = (what: string) => void

const check = 'test -f done.txt'
/** A program that nobody has: it is only proposed. */
const forbidden = 'donecheck-trial'
const rules = { 'trial.rules': `prefix_rule(pattern = ["${forbidden}"], decision = "forbidden")\n` }

/**
 * Nothing of the trial is left, and nothing of it comes into the records of the person.
 * @param hasRules in what the person has pinned
 * @throws {UsageError} where there is no place for it
 */
export async function tryHooks(
  agent: HookedAgent,
  { ours }: InstalledHooks,
  hasRules: boolean,
  onTrial: OnTrial,
  io: CliIo,
): Promise<readonly Trial[]> {
  const root = await trialFolder()
  try {
    const folder = join(root, 'project')
    await mkdir(folder)
    const environment = { ...inheritedEnvironment(io.environment), XDG_STATE_HOME: join(root, 'state') }
    // Without it they start slower, no more.
    await lendCompiled(stateHome(io), environment.XDG_STATE_HOME).catch(() => undefined)
    const place = { environment, homeFolder: io.homeFolder, workFolder: folder }
    const pin: Scene['pin'] = (keptRules) => {
      const config = { until: [{ command: check }], keptRules }
      writeSessionFile(place, { workFolder: folder, config, whenUnchanged: 'verify' })
    }
    const around = { ...environment, ...agent.settings.environment(folder) }
    const scene = { agent, folder, environment: around, pin, hasRules, onTrial }
    return await runTrials(scene, sortHooks(agent, ours))
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

/** Hooks start as fast as those of the person: what Node has compiled of them is not compiled anew. */
async function lendCompiled(ofPerson: string, ofTrial: string): Promise<void> {
  const compiledIn = (home: string) => join(home, 'donecheck', 'compiled')
  await mkdir(compiledIn(ofPerson), { recursive: true, mode: 0o700 })
  await mkdir(dirname(compiledIn(ofTrial)), { recursive: true, mode: 0o700 })
  await symlink(compiledIn(ofPerson), compiledIn(ofTrial))
}

async function trialFolder(): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(tmpdir(), 'donecheck-trial-')))
  } catch (error) {
    throw describeFileError(`${tmpdir()}, where hooks are tried (TMPDIR),`, 'used', error)
  }
}

/** As they are registered, which is as they are called; the end of the session last. */
function sortHooks({ protocol }: HookedAgent, ours: readonly OurHook[]): readonly OurHook[] {
  const words = protocol.registrations.map(({ event, as }) => as ?? event)
  return ours.toSorted((a, b) => words.indexOf(a.ours.word) - words.indexOf(b.ours.word))
}

async function runTrials(scene: Scene, hooks: readonly OurHook[]): Promise<readonly Trial[]> {
  const kindOf = (hook: OurHook) => eventOf(scene, hook).kind
  const claims = hooks.filter((hook) => isClaim(eventOf(scene, hook)))
  const atEnd = hooks.filter((hook) => ['session-ended', 'turn-failed'].includes(kindOf(hook)))
  const proposals = hooks.filter((hook) => kindOf(hook) === 'tool-proposed')
  const tried: Trial[] = []
  scene.pin({})
  for (const hook of hooks.filter((one) => !claims.includes(one) && !atEnd.includes(one)))
    tried.push(await tryFiring(scene, hook))
  scene.pin(rules)
  for (const hook of proposals) {
    tried.push(await tryInTime(scene, hook, 'passes what no rule names', scene.hasRules))
    tried.push(await tryOnce(scene, hook, 'refuses what a rule forbids', ['refused'], `${forbidden} now`))
  }
  for (const hook of claims) tried.push(await tryOnce(scene, hook, 'holds a red check', ['held', 'refused']))
  await writeFile(join(scene.folder, 'done.txt'), 'done\n')
  for (const hook of claims) tried.push(await tryOnce(scene, hook, 'lets a green check go', ['passed']))
  for (const hook of atEnd) tried.push(await tryFiring(scene, hook))
  return tried
}

async function tryFiring(scene: Scene, hook: OurHook): Promise<Trial> {
  const { kind } = eventOf(scene, hook)
  const isTimed = kind === 'tool-proposed' && !scene.hasRules
  return tryInTime(scene, hook, 'fires', isTimed)
}

/** The first time fills the caches of the machine, and is not counted. */
async function tryInTime(scene: Scene, hook: OurHook, what: Trial['what'], isTimed: boolean): Promise<Trial> {
  const first = await tryOnce(scene, hook, what, ['passed'])
  if (!isTimed || !first.isAsExpected) return first
  // In a session of its own: so many equal calls would be taken for a loop.
  const sample = sampleOf(scene, hook, { sessionId: 'pace' })
  return { ...first, paceMs: await measurePaceMs(async () => (await runHook(scene, hook, sample)).tookMs) }
}

function isClaim(event: HostEvent): boolean {
  return event.kind === 'stopping' && event.subagent === undefined
}

function eventOf({ agent, folder, environment }: Scene, { ours }: OurHook): HostEvent {
  const sample = agent.protocol.sample(ours.word, { sessionId: 'trial', folder })
  const reading = agent.protocol.read(ours.word, sample, environment)
  return reading.kind === 'read' ? reading.event : { kind: 'irrelevant' }
}

async function tryOnce(
  scene: Scene,
  hook: OurHook,
  what: Trial['what'],
  expected: readonly HookEffect[],
  script?: string,
): Promise<Trial> {
  const { protocol, settings } = scene.agent
  const { word } = hook.ours
  scene.onTrial(`${word} ${what}`)
  const { reply } = await runHook(scene, hook, sampleOf(scene, hook, given({ script })))
  const effect = typeof reply === 'string' ? 'invalid' : protocol.effect(word, reply)
  const isGone = typeof reply !== 'string' && reply.stdout.trim() === settings.goneAnswer(goneMessage)
  const isAsExpected = expected.includes(effect) && !isGone
  return { word, what, isAsExpected, effect, said: isAsExpected ? '' : describeReply(reply) }
}

function sampleOf(
  { agent, folder }: Scene,
  { ours }: OurHook,
  more: { readonly sessionId?: string; readonly script?: string },
): unknown {
  return agent.protocol.sample(ours.word, { sessionId: 'trial', folder, ...more })
}

const trialTimeoutMs = 60_000
const keptBytes = 64 * 1024

/** A text says why it did not come to an answer. */
async function runHook(
  { agent, folder, environment }: Scene,
  hook: OurHook,
  sample: unknown,
): Promise<{ readonly reply: HookReply | string; readonly tookMs: number }> {
  const line = agent.settings.commandIn(hook.entry) ?? ''
  const [shell = 'sh', ...flags] = agent.settings.shell
  let [stdout, stderr] = ['', '']
  const { end, durationMs } = await runProcess({
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
  if (end.kind === 'exited') return { reply: { exitCode: end.exitCode, stdout, stderr }, tookMs: durationMs }
  const why =
    end.kind === 'not-started' ? end.problem : end.kind === 'timed-out' ? 'it hangs' : 'it was killed'
  return { reply: why, tookMs: durationMs }
}

function describeReply(reply: HookReply | string): string {
  if (typeof reply === 'string') return reply
  const { exitCode, stdout, stderr } = reply
  return [`exit code ${exitCode}`, stdout, stderr]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('; ')
}
