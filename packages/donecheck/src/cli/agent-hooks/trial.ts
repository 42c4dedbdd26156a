/** Installed hooks are run as the agent would run them, over a project of our own with a red and then a green check. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HookEffect, HookReply, HostEvent } from '../../agents/index.ts'
import { inheritedEnvironment, runProcess } from '../../process/index.ts'
import { writeRideFile } from '../../ride/index.ts'
import type { CliIo } from '../io.ts'
import { goneMessage } from './gone-message.ts'
import type { InstalledHooks, OurHook } from './installed-hooks.ts'
import type { HookedAgent } from './known-agents.ts'

export interface Tried {
  /** As it stands in the command of the hook. */
  readonly word: string
  readonly what: 'fires' | 'holds a red check' | 'lets a green check go' | 'refuses what a rule forbids'
  readonly isAsExpected: boolean
  readonly effect: HookEffect
  /** Whatever it printed, where it is not as expected. */
  readonly said: string
  readonly tookMs: number
  /** It is run at every call of a tool. */
  readonly isAtCall: boolean
}

interface Scene {
  readonly agent: HookedAgent
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

const check = 'test -f done.txt'
/** A program that nobody has: it is only proposed. */
const forbidden = 'donecheck-trial'
const forbiddenRule = `prefix_rule(pattern = ["${forbidden}"], decision = "forbidden")\n`

/** Nothing of the trial is left, and nothing of it comes into the records of the person. */
export async function tryHooks(
  agent: HookedAgent,
  { ours }: InstalledHooks,
  io: CliIo,
): Promise<readonly Tried[]> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-trial-')))
  try {
    const folder = join(root, 'project')
    await mkdir(folder)
    const environment = { ...inheritedEnvironment(io.environment), XDG_STATE_HOME: join(root, 'state') }
    writeRideFile(
      { environment, homeFolder: io.homeFolder, workFolder: folder },
      {
        workFolder: folder,
        config: { until: [{ command: check }], keptRules: { 'trial.rules': forbiddenRule } },
        whenUnchanged: 'verify',
      },
    )
    const scene = { agent, folder, environment: { ...environment, ...agent.settings.environment(folder) } }
    return await play(scene, inOrder(agent, ours))
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

/** As they are registered, which is as they are called; the end of the session last. */
function inOrder({ protocol }: HookedAgent, ours: readonly OurHook[]): readonly OurHook[] {
  const words = protocol.registrations.map(({ event, as }) => as ?? event)
  return ours.toSorted((a, b) => words.indexOf(a.ours.word) - words.indexOf(b.ours.word))
}

async function play(scene: Scene, hooks: readonly OurHook[]): Promise<readonly Tried[]> {
  const kindOf = (hook: OurHook) => eventOf(scene, hook).kind
  const claims = hooks.filter((hook) => isClaim(eventOf(scene, hook)))
  const atEnd = hooks.filter((hook) => ['session-ended', 'turn-failed'].includes(kindOf(hook)))
  const tried: Tried[] = []
  for (const hook of hooks.filter((one) => !claims.includes(one) && !atEnd.includes(one)))
    tried.push(await fired(scene, hook))
  for (const hook of hooks.filter((one) => kindOf(one) === 'tool-proposed'))
    tried.push(await one(scene, hook, 'refuses what a rule forbids', ['refused'], `${forbidden} now`))
  for (const hook of claims) tried.push(await one(scene, hook, 'holds a red check', ['held', 'refused']))
  await writeFile(join(scene.folder, 'done.txt'), 'done\n')
  for (const hook of claims) tried.push(await one(scene, hook, 'lets a green check go', ['passed']))
  for (const hook of atEnd) tried.push(await fired(scene, hook))
  return tried
}

/** Hooks at calls are run twice: the first time fills the caches of the machine. */
async function fired(scene: Scene, hook: OurHook): Promise<Tried> {
  const isAtCall = ['tool-proposed', 'tool-finished'].includes(eventOf(scene, hook).kind)
  const first = await one(scene, hook, 'fires', ['passed'])
  if (!isAtCall || !first.isAsExpected) return { ...first, isAtCall }
  return { ...(await one(scene, hook, 'fires', ['passed'])), isAtCall }
}

function isClaim(event: HostEvent): boolean {
  return event.kind === 'stopping' && event.subagent === undefined
}

function eventOf({ agent, folder, environment }: Scene, { ours }: OurHook): HostEvent {
  const { protocol } = agent
  const place = { sessionId: 'trial', folder }
  const reading = protocol.read(ours.word, protocol.sample(ours.word, place), environment)
  return reading.kind === 'read' ? reading.event : { kind: 'irrelevant' }
}

async function one(
  scene: Scene,
  hook: OurHook,
  what: Tried['what'],
  expected: readonly HookEffect[],
  script?: string,
): Promise<Tried> {
  const { protocol } = scene.agent
  const { word } = hook.ours
  const sample = protocol.sample(word, {
    ...{ sessionId: 'trial', folder: scene.folder },
    ...(script === undefined ? {} : { script }),
  })
  const { reply, tookMs } = await run(scene, hook, sample)
  const effect = typeof reply === 'string' ? 'invalid' : protocol.effect(word, reply)
  const isGone = typeof reply !== 'string' && reply.stdout.trim() === goneAnswerOf(scene)
  const isAsExpected = expected.includes(effect) && !isGone
  return {
    word,
    what,
    isAsExpected,
    effect,
    said: isAsExpected ? '' : saidBy(reply),
    tookMs,
    isAtCall: false,
  }
}

function goneAnswerOf({ agent }: Scene): string {
  return agent.settings.goneAnswer(goneMessage)
}

const trialTimeoutMs = 60_000
const keptBytes = 64 * 1024

/** A text says why it did not come to an answer. */
async function run(
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

function saidBy(reply: HookReply | string): string {
  if (typeof reply === 'string') return reply
  const { exitCode, stdout, stderr } = reply
  return [`exit code ${exitCode}`, stdout, stderr]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('; ')
}
