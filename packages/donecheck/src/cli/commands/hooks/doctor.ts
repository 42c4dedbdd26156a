import { findProgram, hookedAgentNames } from '@donecheck/agents/registry'
import { diagnose, hasHooksOfOurs, type Diagnosis } from '../../agent-hooks/doctor/diagnose.ts'
import { loadHookedAgent } from '../../agents/agent-adapters.ts'
import type { DoctorFlags } from './hook-options.ts'
import type { CliIo } from '../../process/io.ts'
import { diagnosisLines } from '../../output/doctor-text.ts'
import { liveArea } from '../../output/live/live-area.ts'
import { paintLines } from '../../output/painter.ts'
import { resolveWorkFolder } from '../../settings/work-folder.ts'

/** Exits with 1 where an agent could be allowed to stop unchecked. */
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
  else if (diagnoses.length === 0) io.stdout.write(`${await wayIn(io)}\n`)
  return diagnoses.length > 0 && diagnoses.every(({ isHealthy }) => isHealthy) ? 0 : 1
}

/** By the agents that are here. */
async function wayIn({ environment }: CliIo): Promise<string> {
  const found: string[] = []
  for (const one of hookedAgentNames)
    if ((await findProgram((await loadHookedAgent(one)).program, environment)) !== undefined) found.push(one)
  const here = found.length === 0 ? '' : ` (found here: ${found.join(', ')})`
  return [
    `donecheck is installed into no agent here${here}.`,
    `Next: donecheck install ${found[0] ?? 'claude-code'} --until "npm test"`,
  ].join('\n')
}
