import { UsageError } from '../errors.ts'
import type { Config } from '../config/index.ts'
import { commandDrive, modelDrive } from '../drive/index.ts'
import type { Drive } from '../ports.ts'
import { inheritedEnvironment } from '../process/index.ts'
import { namedAgent, namedAgentDrive } from './agents.ts'
import type { CliIo } from './io.ts'

const defaultAgentTimeoutSeconds = 600

/** The one drive that is configured. @throws {UsageError} for none, or for two */
export async function chooseDrive(config: Config, workFolder: string, io: CliIo): Promise<Drive> {
  const { agent, model, baseUrl } = config
  if (agent !== undefined && (model !== undefined || baseUrl !== undefined))
    throw new UsageError(
      `--agent "${agent}" and --model "${model ?? baseUrl ?? ''}" are both given: choose one drive`,
    )
  if (agent !== undefined) return await agentDrive(agent, config, workFolder, io)
  if (model === undefined) throw new UsageError(baseUrl === undefined ? noDrive(io) : noModel(baseUrl))
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
  const options = {
    folder,
    timeoutMs: (config.agentTimeoutSeconds ?? defaultAgentTimeoutSeconds) * 1000,
    environment: inheritedEnvironment(io.environment),
  }
  const named = namedAgent(agent)
  return named === undefined
    ? commandDrive({ ...options, command: agent })
    : await namedAgentDrive(named, { ...options, words: named.words })
}

function noModel(baseUrl: string): string {
  return `--base-url ${baseUrl} needs --model: the name of a model that this server has`
}

function noDrive(io: CliIo): string {
  const keys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']
  const found = keys.filter((key) => (io.environment[key] ?? '') !== '')
  return [
    'nothing drives this run. Choose one:',
    '  --model openai/…|anthropic/…|google/…   a hosted model; its key comes from the environment',
    '  --base-url URL --model NAME             any server that speaks the OpenAI protocol',
    '  --agent claude|codex|gemini|opencode    an agent that is installed here',
    "  --agent 'program {prompt}'              any agent program",
    'or set DONECHECK_MODEL, DONECHECK_BASE_URL or DONECHECK_AGENT, or model, baseUrl or agent in donecheck.config.ts.',
    `Looked for: those flags, those variables, the configuration file; keys in the environment: ${found.length > 0 ? found.join(', ') : 'none'}.`,
  ].join('\n')
}
