import { assertGit } from '@donecheck/engine/internal/system/trees'
import { given, messageOf, UsageError } from '@donecheck/engine/internal/base'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import { goalTools, defaultTools } from '@donecheck/engine/tools'
import { assertShowsCalls, type AgentLoopOptions } from '@donecheck/engine/internal/loop/compose'
import { waitingMs, type Config, toMilliseconds } from '../../../config/index.ts'
import type { Approver } from '@donecheck/engine/internal/ports/gate'
import type { Memory } from '@donecheck/engine/internal/ports/memory'
import { inheritedEnvironment, findProgram } from '@donecheck/engine/internal/system/process'
import type { CliIo } from '../../process/io.ts'
import { type JudgingRequest, judgedOptions } from '../judging/judging-options.ts'
import { loadAllRules } from '../gate/rules.ts'
import { sandboxFor, choicesWith, hooksOf } from '../gate/gate.ts'
import { storeFolderOf } from '../../settings/store-folder.ts'
import { commandAgent, modelAgent } from '@donecheck/engine/internal/loop/agents'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import { nearestModel } from '@donecheck/engine/internal/system/models'
import { findAgentChoices, keysLookedFor, runLine } from '../../agents/survey.ts'
import { namedAgent, createNamedAgent, searchAgents, wordsOfLine } from '../../agents/agents.ts'
import { basename } from 'node:path'
import { knownAgents, namesOf } from '@donecheck/agents/internal/protocol/registry'
import { nearest } from '@donecheck/core/internal/base'
import { checkAdded } from '../checks.ts'

interface LoopRequest extends JudgingRequest {
  readonly io: CliIo
  readonly signal: AbortSignal
  readonly approver: Approver
  readonly shown: Pick<AgentLoopOptions, 'onText' | 'onOutput'>
  readonly memory: Memory | undefined
}

export async function loopOptions(request: LoopRequest): Promise<AgentLoopOptions> {
  const { config, workFolder, store, signal, approver, shown, memory, io } = request
  const agent = await chooseAgent(config, workFolder, io)
  if (config.keptHeartbeat !== undefined) assertShowsCalls(agent)
  const { finalSummary, tags, allowConcurrent } = config
  const environment = inheritedEnvironment(io.environment)
  const judged = await judgedOptions(request, true)
  if (
    judged.guard !== false &&
    judged.hardVerifiers.some(({ description }) => description.reads === 'workspace')
  )
    assertGitIsHere()
  const ownsTools = agent.description.kind === 'model'
  // Agents with their own tools ask before some calls.
  const isGated = ownsTools || agent.own !== undefined
  return {
    agent,
    signal,
    approver,
    ...shown,
    ...judged,
    tools: ownsTools
      ? [
          ...(config.keptGoal === true ? goalTools(store, () => systemClock.nowMs()) : []),
          ...defaultTools({
            workFolder,
            environment,
            sandbox: await sandboxFor(config, workFolder, storeFolderOf(config.store, workFolder, io), io),
            ...given({ shellTimeoutMs: toMilliseconds(config.shellTimeoutSeconds) }),
          }),
        ]
      : [],
    addedCheck: (check) => checkAdded(check, config),
    ...(config.hooks === undefined ? {} : { hooks: hooksOf(config, workFolder, environment) }),
    ...(isGated ? { gate: await choicesWith(await loadAllRules(config, io), config, workFolder, io) } : {}),
    ...(finalSummary === undefined ? {} : { finalSummary: finalSummary === true || finalSummary === 'on' }),
    ...given({ memory, tags, allowConcurrent }),
    providerWaits: given({
      providerMs: waitingMs(config.waitForProvider ?? ''),
      limitMs: waitingMs(config.waitForLimit ?? ''),
    }),
  }
}

/** @throws {UsageError} now, instead of at every turn */
function assertGitIsHere(): void {
  try {
    assertGit()
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error })
  }
}

const defaultAgentTimeoutSeconds = 600
/** A turn of such an agent is a whole loop. */
const defaultNamedAgentTimeoutSeconds = 1800

/** @throws {UsageError} unless exactly one agent or model is configured */
export async function chooseAgent(config: Config, workFolder: string, io: CliIo): Promise<Agent> {
  const { agent, model, baseUrl, prices, contextWindowTokens } = config
  if (agent !== undefined && (model !== undefined || baseUrl !== undefined))
    throw new UsageError(
      `--agent "${agent}" and --model "${model ?? baseUrl ?? ''}" are both given: choose one agent`,
    )
  if (agent !== undefined) return await createExternalAgent(agent, config, workFolder, io)
  if (model === undefined)
    throw new UsageError(
      baseUrl === undefined
        ? await noAgent(io)
        : `--base-url ${baseUrl} needs --model: the name of a model that this server has`,
    )
  const near = baseUrl === undefined ? nearestModel(model) : undefined
  if (near !== undefined)
    io.stderr.write(`donecheck: no model "${model}" is known here; did you mean "${near}"?\n`)
  return modelAgent({
    model,
    environment: io.environment,
    ...given({ baseUrl, prices, contextWindowTokens }),
  })
}

/** Named agents have adapters that report calls; other programs only print. */
async function createExternalAgent(agent: string, config: Config, folder: string, io: CliIo): Promise<Agent> {
  const named = namedAgent(agent)
  const usualSeconds = named === undefined ? defaultAgentTimeoutSeconds : defaultNamedAgentTimeoutSeconds
  const options = {
    folder,
    timeoutMs: (config.agentTimeoutSeconds ?? usualSeconds) * 1000,
    environment: inheritedEnvironment(io.environment),
  }
  if (named !== undefined) {
    return await createNamedAgent(named, { ...options, words: named.words })
  }
  await refuseUnknownProgram(agent, options.environment)
  const notice = noticeOfOwnLine(agent)
  if (notice !== undefined) io.stderr.write(`donecheck: ${notice}\n`)
  return commandAgent({ ...options, command: agent })
}

async function noAgent({ environment }: CliIo): Promise<string> {
  const agents = await findAgentChoices(environment)
  const found = agents.map((agent) => `  ${runLine(agent, '…')}   (${agent.why})`)
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

const driven = knownAgents.filter((agent) => agent.driven !== undefined)

/** After variable assignments, possibly at the end of a path. */
const firstProgram = /^(?:\s*\w+=\S*)*\s*["']?(?<program>[^\s"';|&<>()]+)/

/** @returns a notice if a known agent runs without its adapter */
export function noticeOfOwnLine(line: string): string | undefined {
  const program = basename(firstProgram.exec(line)?.groups?.['program'] ?? '')
  const name = driven.find((known) => known.program === program)?.name
  if (name === undefined) return undefined
  return `--agent ${JSON.stringify(line)} is run as a program of your own, anew for each turn: its calls, tokens and session are not seen. With --agent ${name}, and nothing but its flags behind it, they are`
}

const shellWords = new Set(['.', ':', 'builtin', 'command', 'eval', 'exec', 'source', 'time'])

/** @throws {UsageError} if there is no such program; paths are left to the shell */
export async function refuseUnknownProgram(
  line: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const [program = '/'] = wordsOfLine(line.replaceAll('{prompt}', 'prompt')) ?? []
  if (program.includes('/') || shellWords.has(program)) return
  if (findProgram(program, environment) !== undefined) return
  const near = nearestAgent(program)
  throw new UsageError(
    `--agent ${JSON.stringify(line)}: there is no program "${program}" on PATH${near === undefined ? '.' : `; did you mean "${near}"?`} Found here: ${await searchAgents(environment)}`,
  )
}

export function nearestAgent(word: string): string | undefined {
  return nearest(
    word,
    driven.flatMap((agent) => namesOf(agent)),
  )
}
