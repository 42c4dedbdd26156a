import { hookedAgentNames } from '@donecheck/agents/registry'
import { diagnose, type Diagnosis } from '../agent-hooks/doctor/diagnose.ts'
import { loadHookedAgent } from '../agents/agent-adapters.ts'
import type { DoctorFlags } from '../options/hook-options.ts'
import type { CliIo } from '../process/io.ts'
import { diagnosisLines } from '../output/doctor-text.ts'
import { paintLines } from '../output/painter.ts'
import { resolveWorkFolder } from '../settings/work-folder.ts'

/** Exits with 1 where an agent could be allowed to stop unchecked. */
export async function doctorCommand(
  name: string | undefined,
  flags: DoctorFlags,
  io: CliIo,
): Promise<number> {
  const workFolder = resolveWorkFolder(flags.workdir, io)
  const diagnoses: Diagnosis[] = []
  for (const one of name === undefined ? hookedAgentNames : [name]) {
    const diagnosis = await diagnose(await loadHookedAgent(one), workFolder, io)
    if (name !== undefined || diagnosis.isInstalled) diagnoses.push(diagnosis)
  }
  if (flags.json === true) io.stdout.write(`${JSON.stringify(diagnoses)}\n`)
  else if (diagnoses.length === 0) io.stdout.write('donecheck is installed into no agent here.\n')
  else io.stdout.write(`${paintLines(diagnoses.flatMap(diagnosisLines), io)}\n`)
  return diagnoses.length > 0 && diagnoses.every(({ isHealthy }) => isHealthy) ? 0 : 1
}
