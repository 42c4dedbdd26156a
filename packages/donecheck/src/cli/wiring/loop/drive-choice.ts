import { given, UsageError } from '@donecheck/engine/base'
import type { Config } from '../../../config/index.ts'
import { commandDrive, modelDrive } from '@donecheck/engine/drives'
import type { Drive } from '@donecheck/engine/ports/loop'
import { nearestModel } from '@donecheck/engine/models'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { findDrives, keysLookedFor, runLine } from '../../agents/survey.ts'
import { namedAgent, namedAgentDrive } from '../../agents/agents.ts'
import type { CliIo } from '../../process/io.ts'
import { noticeOfOwnLine, refuseUnknownProgram } from './own-agent-line.ts'

const defaultAgentTimeoutSeconds = 600
/** A turn of an agent with tools of its own is a whole loop. */
const defaultNamedAgentTimeoutSeconds = 1800

/** The one drive that is configured. @throws {UsageError} for none, or for two */
export async function chooseDrive(config: Config, workFolder: string, io: CliIo): Promise<Drive> {
  const { agent, model, baseUrl, prices, contextWindowTokens } = config
  if (agent !== undefined && (model !== undefined || baseUrl !== undefined))
    throw new UsageError(
      `--agent "${agent}" and --model "${model ?? baseUrl ?? ''}" are both given: choose one drive`,
    )
  if (agent !== undefined) return await agentDrive(agent, config, workFolder, io)
  if (model === undefined)
    throw new UsageError(
      baseUrl === undefined
        ? await noDrive(io)
        : `--base-url ${baseUrl} needs --model: the name of a model that this server has`,
    )
  const near = baseUrl === undefined ? nearestModel(model) : undefined
  if (near !== undefined)
    io.stderr.write(`donecheck: no model "${model}" is known here; did you mean "${near}"?\n`)
  return modelDrive({
    model,
    environment: io.environment,
    ...given({ baseUrl, prices, contextWindowTokens }),
  })
}

/** By its name with an adapter of its own, which sees what it does; any other program by what it prints. */
async function agentDrive(agent: string, config: Config, folder: string, io: CliIo): Promise<Drive> {
  const named = namedAgent(agent)
  const usualSeconds = named === undefined ? defaultAgentTimeoutSeconds : defaultNamedAgentTimeoutSeconds
  const options = {
    folder,
    timeoutMs: (config.agentTimeoutSeconds ?? usualSeconds) * 1000,
    environment: inheritedEnvironment(io.environment),
  }
  if (named !== undefined) {
    const unasked = isAskedForAll(config) ? 'refused' : 'watched'
    const { keptCheckLines: ownChecks } = config
    return await namedAgentDrive(named, { ...options, ...given({ ownChecks }), words: named.words, unasked })
  }
  await refuseUnknownProgram(agent, options.environment)
  const notice = noticeOfOwnLine(agent)
  if (notice !== undefined) io.stderr.write(`donecheck: ${notice}\n`)
  return commandDrive({ ...options, command: agent })
}

/** Whoever wants to be asked for everything does not want calls that are only watched. */
function isAskedForAll({ approval }: Config): boolean {
  return approval === 'all' || approval === 'untrusted' || approval === 'writes'
}

async function noDrive({ environment }: CliIo): Promise<string> {
  const drives = await findDrives(environment)
  const found = drives.map((drive) => `  ${runLine(drive, '…')}   (${drive.why})`)
  return [
    'No agent or model is set: choose one.',
    ...(found.length > 0
      ? ['Found here:', ...found]
      : [
          `Found here: no known agent on PATH, and no model API key in the environment (${keysLookedFor.join(', ')}).`,
        ]),
    'Or:',
    '  --base-url URL --model NAME             any server that speaks the OpenAI protocol',
    '  --agent acp:program                     any agent that speaks the Agent Client Protocol',
    "  --agent 'program {prompt}'              any agent program",
    '"donecheck init" keeps the choice; agent and model of donecheck.config.ts, DONECHECK_AGENT and DONECHECK_MODEL are looked at.',
  ].join('\n')
}
