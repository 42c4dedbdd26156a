import { UsageError } from '@donecheck/engine/base'
import type { Config } from '../../../config/index.ts'
import { commandDrive, modelDrive } from '@donecheck/engine/drives'
import type { Drive } from '@donecheck/engine/ports/loop'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { searchAgents, namedAgent, namedAgentDrive } from '../../agents/agents.ts'
import type { CliIo } from '../../process/io.ts'
import { noticeOfOwnLine, refuseMisspelt } from './own-agent-line.ts'

const defaultAgentTimeoutSeconds = 600
/** A turn of an agent with tools of its own is a whole loop. */
const defaultNamedAgentTimeoutSeconds = 1800

/** The one drive that is configured. @throws {UsageError} for none, or for two */
export async function chooseDrive(config: Config, workFolder: string, io: CliIo): Promise<Drive> {
  const { agent, model, baseUrl } = config
  if (agent !== undefined && (model !== undefined || baseUrl !== undefined))
    throw new UsageError(
      `--agent "${agent}" and --model "${model ?? baseUrl ?? ''}" are both given: choose one drive`,
    )
  if (agent !== undefined) return await agentDrive(agent, config, workFolder, io)
  if (model === undefined) throw new UsageError(baseUrl === undefined ? await noDrive(io) : noModel(baseUrl))
  return modelDrive({
    model,
    environment: io.environment,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(config.prices === undefined ? {} : { prices: config.prices }),
    ...(config.contextWindowTokens === undefined ? {} : { contextWindowTokens: config.contextWindowTokens }),
    ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
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
    return await namedAgentDrive(named, { ...options, words: named.words, unasked })
  }
  await refuseMisspelt(agent, options.environment)
  const notice = noticeOfOwnLine(agent)
  if (notice !== undefined) io.stderr.write(`donecheck: ${notice}\n`)
  return commandDrive({ ...options, command: agent })
}

/** Whoever wants to be asked for everything does not want calls that are only watched. */
function isAskedForAll({ approval }: Config): boolean {
  return approval === 'all' || approval === 'untrusted' || approval === 'writes'
}

function noModel(baseUrl: string): string {
  return `--base-url ${baseUrl} needs --model: the name of a model that this server has`
}

async function noDrive(io: CliIo): Promise<string> {
  const keys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']
  const found = keys.filter((key) => (io.environment[key] ?? '') !== '')
  return [
    'nothing drives this run. Choose one:',
    '  --model openai/…|anthropic/…|google/…   a hosted model; its key comes from the environment',
    '  --base-url URL --model NAME             any server that speaks the OpenAI protocol',
    '  --agent claude|codex|gemini|opencode    an agent that is installed here',
    '  --agent acp:program                     any agent that speaks the Agent Client Protocol',
    "  --agent 'program {prompt}'              any agent program",
    'or set DONECHECK_MODEL, DONECHECK_BASE_URL or DONECHECK_AGENT, or model, baseUrl or agent in donecheck.config.ts.',
    `Looked for: those flags, those variables, the configuration file; keys in the environment: ${found.length > 0 ? found.join(', ') : 'none'}; agents on PATH: ${await searchAgents(inheritedEnvironment(io.environment))}.`,
  ].join('\n')
}
