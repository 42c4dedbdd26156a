/** A real agent that runs the hooks which `donecheck install` wrote, in a place of its own. */
import { expect } from 'vitest'
import { readCommand } from '../../e2e/read-command.ts'
import {
  check,
  inPlace,
  redProject,
  type AgentName,
  type Ended,
  type Place,
  type PlaceOptions,
  type ScriptedStep,
} from '../kit/index.ts'

export interface HookedAgent {
  readonly name: AgentName
  /** As it is installed. */
  readonly installedAs: string
  /** Where its hooks stand, below the home folder and below the project. The first of each holds them. */
  readonly settings: { readonly user: readonly string[]; readonly project: readonly string[] }
  /** What is appended to the words of a prompt to go on with a session. */
  resume(session: string): readonly string[]
  /** Its stream says that all went well. */
  saysSuccess(stdout: string): boolean
}

/** As `status --json` tells it. */
export interface Status {
  readonly session: string
  readonly task: string
  readonly outcome: string | null
  readonly reason: string | null
  readonly phase: string
  readonly checks: readonly { readonly name: string; readonly status?: string; readonly reason: string }[]
}

export interface StartedSession extends Partial<PlaceOptions> {
  readonly steps: readonly ScriptedStep[]
  /** After `install AGENT`, instead of `--until` with the check of the red project. */
  readonly install?: readonly string[]
}

export const testTimeoutMs = 240_000

/** An agent may need five seconds of a processor to start, and calls many hooks. */
export const patient = { patienceMs: 200_000 }

/** The red project, and the agent with our hooks in its user's settings. */
export async function withHooks<Value>(
  agent: HookedAgent,
  { steps, install: words = ['--until', check], files, ...options }: StartedSession,
  work: (place: Place) => Promise<Value>,
): Promise<Value> {
  const around = { agents: [agent.name], git: true, ...options }
  return inPlace({ ...around, files: { ...redProject, ...files }, script: { steps } }, async (place) => {
    await install(agent, place, words)
    return work(place)
  })
}

export async function install(agent: HookedAgent, place: Place, words: readonly string[]): Promise<void> {
  await read(place, ['install', agent.installedAs, ...words, '--yes'])
}

export async function statusesOf(place: Place): Promise<readonly Status[]> {
  return JSON.parse(await read(place, ['list', '--sessions', '--json'])) as readonly Status[]
}

/** Of the only session that there is; nothing where there is none. */
export async function statusOf(place: Place): Promise<Status | undefined> {
  const [status, ...others] = await statusesOf(place)
  expect(others).toEqual([])
  return status
}

/** How the runs ended, the latest first, as `list --json` tells it. */
export async function listedOutcomes(place: Place): Promise<readonly unknown[]> {
  const runs = JSON.parse(await read(place, ['list', '--json'])) as readonly { outcome?: unknown }[]
  return runs.map(({ outcome }) => outcome)
}

/** What a command prints that starts no agent. */
export function read({ project, home, environment }: Place, words: readonly string[]): Promise<string> {
  return readCommand({ folder: project, home, environment }, words)
}

export function go(agent: HookedAgent, place: Place, prompt = 'Create done.txt'): Promise<Ended> {
  return place.prompt(agent.name, prompt, [], patient)
}

/** What a test shows that failed. */
export function shown({ exitCode, stdout, stderr }: Ended): string {
  return `exit ${exitCode}\n${stdout}\n${stderr}`
}
