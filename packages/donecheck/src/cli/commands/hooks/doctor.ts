import { hookedAgentNames } from '@donecheck/agents/internal/protocol/registry'
import { findProgram } from '@donecheck/engine/internal/system/process'
import {
  diagnose,
  hasHooksOfOurs,
  type Diagnosis,
  type DiagnosedInstallation,
} from '../../agent-hooks/doctor/diagnose.ts'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { liveArea } from '../../output/text-output.ts'
import { paintLines } from '../../output/wrap.ts'
import { harmless, plural } from '@donecheck/core/internal/base'
import { messageOf } from '@donecheck/engine/internal/base'
import { assertGit } from '@donecheck/engine/internal/system/trees'
import { tidyStorage } from '@donecheck/engine/internal/checks/workspace'
import { join } from 'node:path'
import { storeFolderOf } from '../../settings/store-folder.ts'
import type { Line } from '@donecheck/engine/display'
import { loadHookedAgent } from '../../agents/agents.ts'
import type { Flags } from '../../options/flags.ts'

type DoctorFlags = Flags<'workdir', 'json'>

/** Exits with 1 if an agent could stop unchecked. */
export async function doctorCommand(
  name: string | undefined,
  flags: DoctorFlags,
  io: CliIo,
): Promise<number> {
  const workFolder = resolveWorkFolder(flags.workdir, io)
  const area = liveArea(io.stderr)
  const diagnoses: Diagnosis[] = []
  try {
    for (const one of name === undefined ? hookedAgentNames : [name]) {
      const agent = await loadHookedAgent(one)
      const onTrial = (what: string) => area.show(() => `${agent.protocol.title}: trying ${what}`)
      if (name === undefined && !(await hasHooksOfOurs(agent, workFolder, io))) continue
      const diagnosis = await diagnose(agent, workFolder, onTrial, io)
      area.show(undefined)
      diagnoses.push(diagnosis)
      if (flags.json !== true) io.stdout.write(`${paintLines(diagnosisLines(diagnosis), io)}\n`)
    }
  } finally {
    area.close()
  }
  if (flags.json === true) io.stdout.write(`${JSON.stringify(diagnoses)}\n`)
  else {
    if (diagnoses.length === 0) io.stdout.write(`${await wayIn(io)}\n`)
    io.stdout.write(`${paintLines(await storageLines(workFolder, io), io)}\n`)
  }
  return diagnoses.length > 0 && diagnoses.every(({ isHealthy }) => isHealthy) ? 0 : 1
}

async function wayIn({ environment }: CliIo): Promise<string> {
  const found: string[] = []
  for (const one of hookedAgentNames)
    if (findProgram((await loadHookedAgent(one)).program, environment) !== undefined) found.push(one)
  const here = found.length === 0 ? '' : ` (found here: ${found.join(', ')})`
  return [
    `donecheck is installed into no agent here${here}.`,
    `Next: donecheck install ${found[0] ?? 'claude-code'} --until "npm test"`,
  ].join('\n')
}

async function storageLines(workFolder: string, io: CliIo): Promise<readonly Line[]> {
  try {
    assertGit()
  } catch (error) {
    return [{ tone: 'bad', text: `✗ ${messageOf(error)}` }]
  }
  const snapshotFolder = join(storeFolderOf(undefined, workFolder, io), 'snapshots')
  const { rooms, trees, removedRooms } = await tidyStorage(
    { workFolder, snapshotFolder },
    new AbortController().signal,
  )
  const removed = removedRooms === 0 ? '' : `; ${plural(removedRooms, 'old clean room')} removed just now`
  return [
    {
      tone: 'quiet',
      text: `Clean rooms of this project: ${inMegabytes(rooms.sizeBytes)} in ${rooms.folder}, up to ${rooms.most}, each removed ${inDays(rooms.keptForMs)} after its last use${removed}`,
    },
    {
      tone: 'quiet',
      text: `Trees of its runs: ${inMegabytes(trees.sizeBytes)} in ${trees.folder}, each removed after ${inDays(trees.keptForMs)}`,
    },
  ]
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}

function inDays(durationMs: number): string {
  return plural(Math.round(durationMs / 86_400_000), 'day')
}

function diagnosisLines(diagnosis: Diagnosis): readonly Line[] {
  const { title, version, isHealthy, problems, notes, installations } = diagnosis
  return [
    { tone: 'strong', text: version === null ? title : `${title} ${version}` },
    ...installations.flatMap(installationLines),
    ...problems.map((text): Line => ({ tone: 'bad', text: `  ✗ ${harmless(text)}` })),
    ...notes.map((text): Line => ({ tone: 'warning', text: `  · ${harmless(text)}` })),
    isHealthy
      ? { tone: 'good', text: '  ✓ it is not allowed to stop while a check is red' }
      : { tone: 'bad', text: '  ✗ it may be allowed to stop unchecked' },
  ]
}

function installationLines({ scope, file, trials }: DiagnosedInstallation): readonly Line[] {
  const words = (what: string) =>
    trials.filter((tried) => tried.what === what && tried.isAsExpected).map(({ word }) => word)
  const reported = [
    ['holds a red check', 'blocks while a check is red'],
    ['lets a green check go', 'passes when it is green'],
  ] as const
  return [
    { tone: 'quiet', text: `  settings of the ${scope}: ${file}` },
    ...reported
      .map(([what, text]) => ({ names: words(what), text }))
      .filter(({ names }) => names.length > 0)
      .map(({ names, text }): Line => ({ tone: 'good', text: `  ✓ ${text}: ${names.join(', ')}` })),
  ]
}
