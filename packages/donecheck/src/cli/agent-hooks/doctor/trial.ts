import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HookEffect, HookReply } from '@donecheck/agents/hooks'
import {
  inheritedEnvironment,
  makeScratchFolder,
  removeScratchFolder,
  runProcess,
} from '@donecheck/engine/process'
import { writeSessionFile } from '@donecheck/agents/session'
import type { CliIo } from '../../process/io.ts'
import { describeFileError } from '../settings/settings-file.ts'
import { goneMessage, type InstalledHooks, type OurHook } from '../settings/installed-hooks.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'

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
