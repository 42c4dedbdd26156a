/** One agent is looked at, and its hooks are tried. */
import { findAgents, knownAgents } from '../../agents/index.ts'
import { oneLine } from '../../display-text.ts'
import type { CliIo } from '../io.ts'
import { untrustedByCodex } from './codex-trust.ts'
import type { DiagnosedInstallation, Diagnosis } from './diagnosis.ts'
import { examine } from './examine.ts'
import { findInstalled, type InstalledHooks } from './installed-hooks.ts'
import type { HookedAgent } from './known-agents.ts'
import { lostInstallations } from './lost-installations.ts'
import { pinnedFor } from './pinned-checks.ts'
import { isTooSlow, ratioOf, slowRatio, type Pace } from './slowness.ts'
import { tryHooks, type Tried } from './trial.ts'
import { quickSeconds } from './wanted-hooks.ts'

export async function diagnose(agent: HookedAgent, workFolder: string, io: CliIo): Promise<Diagnosis> {
  const place = { ...io, workFolder }
  const found = await findInstalled(agent, place)
  const lost = await lostInstallations(agent, found, place, io)
  const pinned = await pinnedFor(place)
  const { problems, notes } = await examine(agent, found, place, io)
  const tried: Outcome[] = []
  for (const one of found.installed) tried.push(await tryOne(agent, one, pinned.hasRules, workFolder, io))
  const all = [...problems, ...lost, ...pinned.problems, ...tried.flatMap((one) => one.problems)]
  const { agent: name, title } = agent.protocol
  return {
    ...{ agent: name, title, version: await versionOf(agent, io) },
    isInstalled: found.installed.length > 0 || lost.length > 0,
    isHealthy: all.length === 0,
    problems: all,
    notes: [...notes, ...tried.flatMap((one) => one.notes)],
    installations: tried.map(({ installation }) => installation),
  }
}

async function versionOf({ program }: HookedAgent, { environment }: CliIo): Promise<string | null> {
  const names = knownAgents.filter((one) => one.program === program).map(({ name }) => name)
  const [found] = await findAgents({ environment, names })
  return found?.version ?? null
}

interface Outcome {
  readonly installation: DiagnosedInstallation
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

async function tryOne(
  agent: HookedAgent,
  hooks: InstalledHooks,
  hasRules: boolean,
  workFolder: string,
  io: CliIo,
): Promise<Outcome> {
  const trials = await tryHooks(agent, hooks, { hasRules }, io)
  const slowest = slowestOf(trials)
  const ratio = slowest === undefined ? null : ratioOf(slowest)
  const isSlow = slowest !== undefined && isTooSlow(slowest)
  return {
    installation: { scope: hooks.scope, file: hooks.file, trials, slowestRatio: ratio },
    problems: [
      ...failuresIn(trials),
      ...(isSlow ? [tooSlow(slowest)] : []),
      ...(agent.protocol.agent === 'codex' ? await untrustedByCodex(agent, hooks, workFolder, io) : []),
    ],
    notes:
      ratio === null || isSlow || ratio <= slowRatio
        ? []
        : [`the hooks are slow: ${ratio.toFixed(1)} times as long as a Node that does nothing`],
  }
}

function tooSlow({ hookMs }: Pace): string {
  return `a hook at a call takes ${(hookMs / 1000).toFixed(1)} s, and after ${quickSeconds} s the agent goes on without it: this machine is too busy, or too slow`
}

function slowestOf(trials: readonly Tried[]): Pace | undefined {
  return trials.flatMap(({ pace }) => pace ?? []).toSorted((a, b) => ratioOf(b) - ratioOf(a))[0]
}

/** What many hooks have in common is told once. */
function failuresIn(trials: readonly Tried[]): readonly string[] {
  const failed = trials.filter(({ isAsExpected }) => !isAsExpected)
  const byCause = Map.groupBy(
    failed,
    ({ effect, said }) => `it was ${effect}${said === '' ? '' : ` (${oneLine(said, 300)})`}`,
  )
  return [...byCause].map(([cause, tries]) => `${tries.map(expectationOf).join('; ')}: ${cause}`)
}

function expectationOf({ word, what }: Tried): string {
  return what === 'fires'
    ? `${word} does not fire as it should`
    : `${word} does not do what it must (${what})`
}
