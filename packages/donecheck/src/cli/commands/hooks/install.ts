import { findProgram } from '@donecheck/engine/internal/system/process'
import { withoutHooks, type SettingsScope } from '@donecheck/agents/internal/protocol/settings'
import { harmless } from '@donecheck/core/internal/base'
import { UsageError } from '@donecheck/engine/internal/base'
import {
  sessionFileOf,
  writeSessionFile,
  type SessionConfiguration,
  type SessionFileLocation,
} from '@donecheck/agents/internal/session'
import {
  confirmChanges,
  changeTogether,
  isChange,
  type FileChange,
} from '../../agent-hooks/install/confirm-changes.ts'
import { writeInstalled, planInstall } from '../../agent-hooks/install/plan.ts'
import {
  problemOfJudgeTime,
  vacuousChecks,
  pinChangeOf,
  questionOf,
  checksText,
  pinSession,
  type InstallFlags,
  type PinnedSession,
  warningsOf,
} from '../../agent-hooks/pin/pin-session.ts'
import { findObstaclesTo } from '../../agent-hooks/doctor/examine.ts'
import type { Line } from '@donecheck/engine/display'
import { paintLines, writeNotice } from '../../output/wrap.ts'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { assertStoreOutside } from '../../settings/store-folder.ts'
import { loadHookedAgent, type HookedAgent } from '../../agents/agents.ts'
import { ownProgram } from '../../process/own-modules.ts'

const usualTimeoutSeconds = 600

export async function installCommand(name: string, flags: InstallFlags, io: CliIo): Promise<number> {
  const agent = await loadHookedAgent(name)
  resolveWorkFolder(flags.workdir, io)
  const agentSession = await pinSession(flags, io)
  const { workFolder, config } = agentSession
  assertStoreOutside({ config: {}, workFolder }, io)
  const timeoutSeconds = flags.hookTimeout ?? usualTimeoutSeconds
  const noTime = problemOfJudgeTime(config, timeoutSeconds)
  if (noTime !== undefined) throw new UsageError(noTime)
  for (const { problem } of vacuousChecks(config)) throw new UsageError(problem)
  const scope = flags.scope ?? 'user'
  const program = ownProgram()
  const place = { ...io, workFolder }
  const planned = { agent, scope, program, node: process.execPath, place, timeoutSeconds }
  const { changes, notes } = await planInstall(planned)
  const warnings = [
    ...warningsOf({ config, workFolder, scope, program, timeoutSeconds }),
    ...(await findObstaclesTo(agent, scope, place)),
  ]
  const sessionPlace = { ...io, workFolder: flags.allProjects === true ? undefined : workFolder }
  const installation = { agent, scope, agentSession, sessionPlace, changes }
  const pin = pinChangeOf(agentSession.configuration, sessionPlace)
  io.stdout.write(`${paintLines(aboutToInstall(installation, pin.known), io)}\n`)
  for (const line of [...warnings, ...notes]) writeNotice(line, io)
  const question = questionOf(pin, agentSession.configuration)
  const isAgreed = await confirmChanges([...changes, pin], flags, io, question)
  if (!isAgreed) return flags.dryRun === true ? 0 : 1
  await write(installation, io)
  io.stdout.write(`${await summary(installation, io)}\n`)
  return 0
}

interface Installation {
  readonly agent: HookedAgent
  readonly scope: SettingsScope
  readonly agentSession: PinnedSession
  readonly sessionPlace: SessionFileLocation
  readonly changes: readonly FileChange[]
}

function aboutToInstall(
  { agent, scope, agentSession, sessionPlace }: Installation,
  known: SessionConfiguration | undefined,
): readonly Line[] {
  const { title } = agent.protocol
  const { workFolder, configuration } = agentSession
  const isForAll = sessionPlace.workFolder === undefined
  const where = isForAll ? 'any project that names no checks of its own' : workFolder
  const [before, pinned] = [known, configuration ?? known].map((one) =>
    one === undefined ? undefined : checksText(one),
  )
  const replaced = before === undefined || before === pinned ? '' : ` (no longer ${before})`
  const checks = `${pinned ?? 'what was pinned before'}${replaced}`
  const hooks =
    scope === 'user'
      ? `Its hooks go into your own settings of ${title}: they are called in every project${isForAll ? '' : ', and check nothing in the others'} (--scope project keeps them here)`
      : `Its hooks go into the settings of this project: whoever works in it with ${title} has them.`
  return [
    {
      tone: 'strong',
      text: harmless(`donecheck will not let ${title} stop in ${where} while a check is red: ${checks}`),
    },
    { tone: 'plain', text: hooks },
  ]
}

/** Writes the pinned checks before the hooks, which need them. All or nothing. */
async function write({ agent, agentSession, sessionPlace, changes }: Installation, io: CliIo): Promise<void> {
  const { settings, companion } = agent
  const { configuration, workFolder } = agentSession
  const [hooks, ...beside] = changes
  const installed = { agent: settings.agent, project: workFolder }
  const status = { file: hooks?.file ?? '', text: hooks?.after ?? '' }
  await changeTogether(async (touch) => {
    if (configuration !== undefined)
      await touch(sessionFileOf(sessionPlace), () => writeSessionFile(sessionPlace, configuration))
    const writing = { io, touch }
    if (hooks !== undefined)
      await writeInstalled(hooks, installed, (text) => withoutHooks(text, settings), writing)
    for (const change of beside)
      await writeInstalled(change, installed, (text) => companion?.without(text, status) ?? text, writing)
  })
}

async function summary({ agent, sessionPlace, changes }: Installation, io: CliIo): Promise<string> {
  const { protocol, program } = agent
  const files = changes.map(({ file }) => file).join(' and ')
  const isHere = findProgram(program, io.environment) !== undefined
  return [
    changes.some(isChange)
      ? `donecheck is installed into ${protocol.title} (${files}).`
      : `donecheck was installed into ${protocol.title} already (${files}); the hooks stand as they did.`,
    `What is checked stands in ${sessionFileOf(sessionPlace)}; take it out again with: donecheck uninstall ${protocol.agent}`,
    ...(isHere ? [] : [`${protocol.title} itself was not found here (no program ${program} on PATH).`]),
    `Prove it with: donecheck doctor ${protocol.agent}`,
  ].join('\n')
}
