import { findAgents, knownAgents } from '@donecheck/agents/internal/protocol/registry'
import { detectChecks } from '@donecheck/engine/verify'
import { canLoadModel, installLine } from '@donecheck/engine/internal/system/models'
import { inheritedEnvironment } from '@donecheck/engine/internal/system/process'
import type { CliIo } from '../process/io.ts'
import { withVersion } from './agents.ts'
import { donecheckVersion } from '@donecheck/engine/internal/base'

export const presetNames = ['tests', 'lint', 'typecheck', 'build'] as const
export type PresetName = (typeof presetNames)[number]

export interface Survey {
  /** What a key that is set still needs, one line each. */
  readonly missing: readonly string[]
  readonly checks: readonly { readonly preset: PresetName; readonly command: string }[]
  readonly agents: readonly AgentChoice[]
}

export interface AgentChoice {
  readonly kind: 'agent' | 'model'
  readonly name: string
  readonly why: string
  readonly hasHooks: boolean
}

const modelsByKey = {
  ANTHROPIC_API_KEY: 'anthropic/claude-sonnet-4-5',
  OPENAI_API_KEY: 'openai/gpt-5',
  GOOGLE_GENERATIVE_AI_API_KEY: 'google/gemini-2.5-flash',
} as const

export const keysLookedFor: readonly string[] = Object.keys(modelsByKey)

/** Runs nothing of the project. Never rejects. */
export async function surveyProject(folder: string, { environment }: CliIo): Promise<Survey> {
  const [found, agents] = await Promise.all([detectChecks(folder), findAgentChoices(environment)])
  const checks = presetNames.flatMap((preset) => {
    const check = found[preset]
    return check.kind === 'found' ? [{ preset, command: check.command }] : []
  })
  return { checks, agents, missing: packagesToInstall(environment) }
}

export async function findAgentChoices(environment: CliIo['environment']): Promise<readonly AgentChoice[]> {
  const agents = await findAgents({ environment: inheritedEnvironment(environment) })
  const driven = agents.flatMap((found): readonly AgentChoice[] => {
    const known = knownAgents.find((agent) => agent.name === found.name)
    if (known?.driven === undefined) return []
    const why = withVersion(found.title, found)
    return [{ kind: 'agent', name: found.program, why, hasHooks: known.hasHooks }]
  })
  const models = Object.entries(modelsByKey).flatMap(([key, name]): readonly AgentChoice[] =>
    (environment[key] ?? '') === '' || !canLoadModel(name)
      ? []
      : [{ kind: 'model', name, why: `${key} is set`, hasHooks: false }],
  )
  return [...driven, ...models]
}

/** A key also needs the package of its provider, which is installed separately. */
function packagesToInstall(environment: CliIo['environment']): readonly string[] {
  return Object.entries(modelsByKey).flatMap(([key, name]) =>
    (environment[key] ?? '') === '' || canLoadModel(name)
      ? []
      : [`${key} is set; to use it: ${installLine(name)}`],
  )
}

export function surveyLines({ checks, agents, missing }: Survey): readonly string[] {
  return [
    'Found here:',
    ...checks.map(({ preset, command }) => `  ✓ ${preset}: ${command}`),
    ...(checks.length === 0 ? ['  – no check of its own in this project'] : []),
    ...agents.map(({ name, why }) => `  ✓ ${name}: ${why}`),
    ...missing.map((line) => `  – ${line}`),
    ...(agents.length === 0 && missing.length === 0
      ? [`  – no known agent on PATH, and no model API key (${keysLookedFor.join(', ')})`]
      : []),
  ]
}

export function runLine({ kind, name }: AgentChoice, task: string): string {
  return `donecheck run --${kind} ${name} ${JSON.stringify(task)}`
}

/** @returns undefined if the user chose none */
export async function pickAgent(agents: readonly AgentChoice[], io: CliIo): Promise<AgentChoice | undefined> {
  const { isCancel, select } = await import('@clack/prompts')
  const options = agents.map((one) => ({ value: one, label: one.name, hint: one.why }))
  const streams = { input: io.stdin, output: io.stderr }
  const chosen = await select<AgentChoice>({ ...streams, message: 'Who works?', options })
  return isCancel(chosen) ? undefined : chosen
}

/** Tests are found without a flag; other checks need one. */
function checkFlags({ checks }: Survey): string {
  if (checks.some(({ preset }) => preset === 'tests')) return ''
  const flags = checks.map(({ preset }) => ` --preset ${preset}`).join('')
  return flags === '' ? ' --until "test -s README.md"' : flags
}

export async function firstScreen(io: CliIo): Promise<number> {
  const survey = await surveyProject(io.currentFolder, io)
  const [agent] = survey.agents
  const until = checkFlags(survey)
  const run =
    agent === undefined
      ? `donecheck run${until} --agent 'program {prompt}' "Fix the failing test."`
      : runLine(agent, 'Fix the failing test.').replace('donecheck run', `donecheck run${until}`)
  const lines = [
    `donecheck ${donecheckVersion}: done is a check, not a claim.`,
    '',
    ...surveyLines(survey),
    '',
    'Type:',
    `  ${run}`,
    '      lets it work until the checks pass, and says why it stopped',
    `  donecheck verify${until}`,
    '      runs the checks once, without an agent',
    '  donecheck init',
    '      keeps this in a small file, and offers hooks and CI; nothing needs it',
    '  donecheck --help',
  ]
  io.stderr.write(`${lines.join('\n')}\n`)
  return 2
}
