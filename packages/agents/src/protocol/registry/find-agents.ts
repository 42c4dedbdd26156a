/** Which agents are installed here, and in which version. */
import { findProgram, inheritedEnvironment, runProcess } from '@donecheck/engine/process'
import { assertKnownKeys, optionKeys } from '@donecheck/engine/base'
import { knownAgents, namesOf, type KnownAgent } from './known-agents.ts'

export interface FoundAgent extends Pick<KnownAgent, 'name' | 'title' | 'program'> {
  /** Absolute. */
  readonly path: string
  /** Such as `2.1.330`; undefined: it does not say, or not in time. */
  readonly version: string | undefined
}

interface FindOptions {
  /** Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Default: all that are known. */
  readonly names?: readonly string[]
  /** How long a program may take to tell its version. Default 5 s. */
  readonly timeoutMs?: number
}

const findKeys = optionKeys<FindOptions>()('environment names timeoutMs')

const usualTimeoutMs = 5000

/** What stands on PATH of the agents that are known, each asked for its version. Never rejects. */
export async function findAgents(options: FindOptions = {}): Promise<readonly FoundAgent[]> {
  assertKnownKeys(options, findKeys, 'findAgents')
  const { names } = options
  const wanted = knownAgents.filter(
    (agent) => names === undefined || namesOf(agent).some((name) => names.includes(name)),
  )
  const found = await Promise.all(wanted.map((agent) => find(agent, options)))
  return found.filter((agent) => agent !== undefined)
}

async function find(
  { name, title, program }: KnownAgent,
  options: FindOptions,
): Promise<FoundAgent | undefined> {
  const { environment = process.env, timeoutMs = usualTimeoutMs } = options
  const path = findProgram(program, environment)
  return path === undefined
    ? undefined
    : { name, title, program, path, version: await readVersion(path, environment, timeoutMs) }
}

async function readVersion(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<string | undefined> {
  const { end, stdout } = await runProcess({
    command: { words: [path, '--version'] },
    folder: '/',
    environment: inheritedEnvironment(environment),
    timeoutMs,
    signal: new AbortController().signal,
    headBytes: 4096,
    tailBytes: 0,
    keepBytes: 0,
  })
  return end.kind === 'exited' && end.exitCode === 0 ? versionIn(stdout.head) : undefined
}

/** The first that looks like one: agents print names, dates and notices around it. */
export function versionIn(text: string): string | undefined {
  return /(?<![\w.])v?(\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)/.exec(text)?.[1]
}
