/** A real project, a home of its own, the fake model, the real agents and the real donecheck: one test's whole world. */
import { splitWords } from '../../e2e/donecheck.ts'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, rmdir, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { promptWords, realAgent, type AgentName } from './agents.ts'
import { environmentFor, plainEnvironment, temporaryFolder, type Environment } from './environment.ts'
import { killAll, leftoversOf, type Leftover } from './leftovers.ts'
import { startModelServer, type ModelServer } from './model-server.ts'
import { startProgram, type Ended, type ProgramOptions, type Running } from './program.ts'
import type { Script } from './step.ts'

/** The command as it is published; it runs what was last built. */
export const donecheckProgram = join(import.meta.dirname, '../../../packages/donecheck/bin/donecheck.js')

export interface PlaceOptions {
  readonly script: Script
  /** Prepared, and on the PATH under their names. */
  readonly agents?: readonly AgentName[]
  /** In the project. A file that starts with `#!` may be run. */
  readonly files?: Readonly<Record<string, string>>
  /** The project is a git repository, and its files are committed. */
  readonly git?: boolean
  readonly environment?: Environment
}

export interface StartOptions extends Omit<ProgramOptions, 'folder' | 'environment'> {
  readonly folder?: string
  /** Besides the environment of the place. */
  readonly environment?: Environment
}

export interface Place {
  /** Above all the others. Nothing else knows it. */
  readonly root: string
  readonly project: string
  readonly home: string
  /** Beside the project: what the agent has no business with. */
  readonly outside: string
  readonly server: ModelServer
  /** Of every program that the place starts. */
  readonly environment: Environment
  /** Relative to the project, or absolute. */
  write(file: string, content: string): Promise<void>
  read(file: string): Promise<string>
  has(file: string): boolean
  /** The real agent, with these words and nothing else. */
  startAgent(name: AgentName, words: readonly string[], options?: StartOptions): Running
  agent(name: AgentName, words: readonly string[], options?: StartOptions): Promise<Ended>
  /** The real agent with a prompt, every tool allowed, its stream of JSON on stdout; and further words. */
  prompt(name: AgentName, prompt: string, words?: readonly string[], options?: StartOptions): Promise<Ended>
  /** The real command. */
  startDonecheck(words: readonly string[], options?: StartOptions): Running
  donecheck(words: readonly string[], options?: StartOptions): Promise<Ended>
  /** What this place has started and what still runs. */
  leftovers(): Promise<readonly Leftover[]>
}

/** Everything is gone afterwards: the server, the folders, and every process that the place has started. */
export async function inPlace<Value>(
  options: PlaceOptions,
  work: (place: Place) => Promise<Value>,
): Promise<Value> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-agents-')))
  const server = await startModelServer(options.script)
  try {
    return await work(await placeAt(root, server, options))
  } finally {
    killAll(await leftoversOf(root))
    await server.close()
    // Who was killed may still be writing for a moment.
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    if (options.agents?.some((agent) => agent.startsWith('codex')) === true) await removeMountPoints()
  }
}

/** Over its adapter nobody can keep Codex out of `/tmp`: its sandbox lays empty folders there, and leaves them when it is killed. */
async function removeMountPoints(): Promise<void> {
  for (const name of ['.git', '.agents', '.codex']) await rmdir(join('/tmp', name)).catch(() => undefined)
}

async function placeAt(root: string, server: ModelServer, options: PlaceOptions): Promise<Place> {
  const [project, home, outside] = [join(root, 'project'), join(root, 'home'), join(root, 'outside')]
  for (const folder of [project, home, outside, temporaryFolder(home)]) await mkdir(folder)
  const environment = { ...(await environmentOf(options, server, home)), ...options.environment }
  const start = (program: string, words: readonly string[], start: StartOptions = {}) =>
    startProgram(program, words, {
      folder: project,
      ...start,
      environment: { ...environment, ...start.environment },
    })
  const startAgent = (name: AgentName, words: readonly string[], startOptions?: StartOptions) =>
    start(programOf(name), words, startOptions)
  const startDonecheck = (given: readonly string[], startOptions: StartOptions = {}) => {
    const { words, variables } = splitWords(given)
    const own = { ...startOptions, environment: { ...variables, ...startOptions.environment } }
    return start(process.execPath, [donecheckProgram, ...words], own)
  }
  const write = (file: string, content: string) => writeAt(project, file, content)
  for (const [file, content] of Object.entries(options.files ?? {})) await write(file, content)
  if (options.git === true) await commitAll(project, home)
  return {
    ...{ root, project, home, outside, server, environment, write },
    read: (file) => readFile(pathOf(project, file), 'utf8'),
    has: (file) => existsSync(pathOf(project, file)),
    startAgent,
    agent: (name, words, startOptions) => startAgent(name, words, startOptions).ended,
    prompt: (name, prompt, words = [], startOptions) =>
      startAgent(name, [...promptWords(name, prompt), ...words], startOptions).ended,
    startDonecheck,
    donecheck: (words, startOptions) => startDonecheck(words, startOptions).ended,
    leftovers: () => leftoversOf(root),
  }
}

async function environmentOf(
  { agents = [] }: PlaceOptions,
  server: ModelServer,
  home: string,
): Promise<Environment> {
  let environment = plainEnvironment(home)
  for (const agent of agents)
    environment = { ...environment, ...(await environmentFor(agent, server.url, home)) }
  return environment
}

function programOf(name: AgentName): string {
  const agent = realAgent(name)
  if (agent.kind === 'missing') throw new Error(agent.problem)
  return agent.program
}

function pathOf(project: string, file: string): string {
  return file.startsWith('/') ? file : join(project, file)
}

async function writeAt(project: string, file: string, content: string): Promise<void> {
  const path = pathOf(project, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content, { mode: content.startsWith('#!') ? 0o755 : 0o644 })
}

async function commitAll(project: string, home: string): Promise<void> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false']
  const git = (...words: string[]) =>
    promisify(execFile)('git', [...who, ...words], { cwd: project, env: plainEnvironment(home) })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '--all')
  await git('commit', '--quiet', '--allow-empty', '--message=start')
}
