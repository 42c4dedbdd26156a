import { listHooks } from '../../adapters/codex/index.ts'
import { findProgram } from '../../agents/index.ts'
import { inheritedEnvironment } from '../../process/index.ts'
import type { DiagnosedInstallation, Diagnosis } from '../agent-hooks/diagnosis.ts'
import { examine } from '../agent-hooks/examine.ts'
import { findInstalled, type InstalledHooks } from '../agent-hooks/installed-hooks.ts'
import { hookedAgent, hookedAgentNames, type HookedAgent } from '../agent-hooks/known-agents.ts'
import { bareNodeMs, ratioOf, slowRatio } from '../agent-hooks/slowness.ts'
import { tryHooks, type Tried } from '../agent-hooks/trial.ts'
import type { DoctorFlags } from '../hook-options.ts'
import type { CliIo } from '../io.ts'
import { diagnosisLines } from '../output/doctor-text.ts'
import { paintedLines } from '../output/painted-lines.ts'
import { workFolderOf } from '../work-folder.ts'

/** Exits with 1 where an agent could be let go unchecked. */
export async function doctorCommand(
  name: string | undefined,
  flags: DoctorFlags,
  io: CliIo,
): Promise<number> {
  const workFolder = workFolderOf(flags.workdir, io)
  const diagnoses: Diagnosis[] = []
  for (const one of name === undefined ? hookedAgentNames : [name]) {
    const diagnosis = await diagnose(await hookedAgent(one), workFolder, io)
    if (name !== undefined || diagnosis.installations.length > 0) diagnoses.push(diagnosis)
  }
  if (flags.json === true) io.stdout.write(`${JSON.stringify(diagnoses)}\n`)
  else if (diagnoses.length === 0) io.stdout.write('donecheck is installed into no agent here.\n')
  else io.stdout.write(`${paintedLines(diagnoses.flatMap(diagnosisLines), io)}\n`)
  return diagnoses.length > 0 && diagnoses.every(({ isHealthy }) => isHealthy) ? 0 : 1
}

async function diagnose(agent: HookedAgent, workFolder: string, io: CliIo): Promise<Diagnosis> {
  const place = { ...io, workFolder }
  const found = await findInstalled(agent, place)
  const { problems, notes: known } = await examine(agent, found, place, io)
  const notes = [...known]
  const bareMs = found.installed.length === 0 ? 0 : bareNodeMs()
  const installations: DiagnosedInstallation[] = []
  const more: string[] = []
  for (const one of found.installed) {
    const trials = await tryHooks(agent, one, io)
    const slowestRatio = slowest(trials, bareMs)
    installations.push({ scope: one.scope, file: one.file, trials, slowestRatio })
    more.push(...trials.flatMap(failureOf), ...(await untrusted(agent, one, workFolder, io)))
    if (slowestRatio > slowRatio)
      notes.push(`the hooks are slow: ${slowestRatio.toFixed(1)} times as long as a Node that does nothing`)
  }
  const all = [...problems, ...more]
  const { agent: name, title } = agent.protocol
  return { agent: name, title, isHealthy: all.length === 0, problems: all, notes, installations }
}

function slowest(trials: readonly Tried[], bareMs: number): number {
  return Math.max(0, ...trials.filter(({ isAtCall }) => isAtCall).map((tried) => ratioOf(tried, bareMs)))
}

function failureOf({ isAsExpected, word, what, effect, said }: Tried): readonly string[] {
  if (isAsExpected) return []
  const expected = what === 'fires' ? 'does not fire as it should' : `does not do what it must (${what})`
  return [`${word} ${expected}: it was ${effect}${said === '' ? '' : ` (${said.slice(0, 500)})`}`]
}

/** Codex runs no hook that it does not trust, and says nothing of it. */
async function untrusted(
  { protocol, program }: HookedAgent,
  { ours, file }: InstalledHooks,
  workFolder: string,
  io: CliIo,
): Promise<readonly string[]> {
  if (protocol.agent !== 'codex') return []
  const path = await findProgram(program, io.environment)
  if (path === undefined) return []
  const environment = inheritedEnvironment(io.environment)
  const listed = await listHooks({ program: path, folder: workFolder, environment })
  if (listed.kind === 'unknown') return [`whether Codex trusts the hooks is not known: ${listed.problem}`]
  const mine = listed.hooks.filter(({ key }) => key.startsWith(`${file}:`))
  const commands = new Set(ours.map(({ entry }) => entry['command']))
  const bad = mine.filter(
    ({ command, trust, isEnabled }) =>
      commands.has(command) && (!isEnabled || !['trusted', 'managed'].includes(trust)),
  )
  if (mine.length === 0)
    return [`Codex does not read ${file}: it reads the hooks of a project only where it trusts the project`]
  return bad.map(({ key, trust, isEnabled }) =>
    isEnabled
      ? `Codex does not trust the hook ${key} (${trust}): install it again`
      : `the hook ${key} is switched off in Codex`,
  )
}
