/** What a run here would be held to. */
import type { DriveDescription } from '@donecheck/core/settings'
import { UsageError } from '@donecheck/engine/base'
import { partsOf } from '@donecheck/engine/compose'
import { scriptedDrive } from '@donecheck/engine/drives'
import type { Drive } from '@donecheck/engine/ports/loop'
import type { Store } from '@donecheck/engine/ports/store'
import type { Config } from '../../config/index.ts'
import { namedAgent } from '../agents/agents.ts'
import type { CliIo } from '../process/io.ts'
import type { Settings } from '../settings/settings.ts'
import { chooseDrive } from '../wiring/loop/drive-choice.ts'
import { judgedOptions } from '../wiring/loop/loop-options.ts'
import { withProjectTests } from '../wiring/checks/some-check.ts'
import { withTextsRead } from '../wiring/judging/texts.ts'
import { projectChecks } from './project-checks.ts'
import type { TierSubject } from './tier.ts'

/** @throws {UsageError} for settings with which a run would be refused, whatever drives it */
export async function subjectOfRun(
  { config: given, workFolder }: Settings,
  store: Store,
  io: CliIo,
): Promise<TierSubject> {
  const notes: string[] = []
  const read = await withTextsRead(given, workFolder, io)
  const config = await withProjectTests(read, workFolder, io, (note) => void notes.push(note))
  const { drive, note } = await driveOf(config, workFolder, io)
  const judged = await judgedOptions({ config, workFolder, store, io })
  const { settings } = partsOf({ ...judged, drive })
  return {
    ...{ workFolder, config, settings, host: null },
    ...(await projectChecks(config, workFolder)),
    ...(note === undefined ? { drive: drive.description, notes } : { drive: null, notes: [...notes, note] }),
  }
}

/** Only defaults hang on it: an audit needs neither key nor program. */
async function driveOf(
  config: Config,
  workFolder: string,
  io: CliIo,
): Promise<{ drive: Drive; note?: string }> {
  const { agent, model, baseUrl } = config
  if ((agent ?? model ?? baseUrl) === undefined)
    return { drive: unknownDrive(false), note: 'no agent or model is set: the defaults are those of a model' }
  try {
    return { drive: await chooseDrive(config, workFolder, io) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const ownsTools = agent !== undefined && namedAgent(agent) !== undefined
    return { drive: unknownDrive(ownsTools), note: `a run cannot begin here: ${error.message}` }
  }
}

function unknownDrive(ownsTools: boolean): Drive {
  const description: Partial<DriveDescription> = {
    ...{ name: 'unknown', prices: null, contextWindowTokens: 2048 },
    // Nobody knows: a cap on cost is taken as said.
    reportsCost: true,
    ...(ownsTools ? { ownsTools } : {}),
  }
  return scriptedDrive([], { description })
}
