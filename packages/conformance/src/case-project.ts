import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inheritedEnvironment } from '@donecheck/engine/internal/system/process'
import type { Case } from './case.ts'

const run = promisify(execFile)

export const defaultTurns = 4
const defaultCheckSeconds = 30

/** An uncommitted file of the user, which no loop may delete. */
export const userFile = { name: 'notes.txt', text: 'Ada: ask Ben about the release.\n' } as const

export interface CaseProject {
  readonly work: string
  /** Variables for the subject: `AGENT`, `CHECK`, `TASK`, `MAX_TURNS`, `CHECK_SECONDS`, `SCRATCH`. */
  readonly environment: Readonly<Record<string, string>>
  /** Returns how many times the agent was called. */
  turns(): Promise<number>
  /** Reads a project file. @returns undefined if it is unreadable */
  read(name: string): Promise<string | undefined>
  remove(): Promise<void>
}

export async function createProject(one: Case): Promise<CaseProject> {
  const root = await mkdtemp(join(await realpath(tmpdir()), 'donecheck-conformance-'))
  const [work, agent, scratch] = [join(root, 'work'), join(root, 'agent'), join(root, 'scratch')]
  for (const folder of [work, agent, scratch]) await mkdir(folder)
  for (const [name, text] of Object.entries(one.scenario.files)) await writeText(join(work, name), text)
  const environment = buildEnvironment(one, { agent, scratch })
  await commitAll(work, environment)
  await writeText(join(work, userFile.name), userFile.text)
  await writeText(join(agent, 'script.json'), JSON.stringify(one.turns))
  await writeText(environment.AGENT, buildAgentScript(agent))
  await chmod(environment.AGENT, 0o755)
  const readOr = (path: string) => readFile(path, 'utf8').catch(() => undefined)
  return {
    work,
    environment,
    turns: async () => Number((await readOr(join(agent, 'turn'))) ?? 0),
    read: (name) => readOr(join(work, name)),
    // Leftover processes exit once their folder is deleted; until then they may write.
    remove: async () => {
      await rm(agent, { recursive: true, force: true })
      await rm(root, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

function buildEnvironment(
  one: Case,
  { agent, scratch }: { readonly agent: string; readonly scratch: string },
) {
  const { scenario, maxTurns = defaultTurns, checkSeconds = defaultCheckSeconds } = one
  return {
    ...inheritedEnvironment(),
    ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@localhost' },
    ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@localhost' },
    // Stores the loop's user data inside the case.
    XDG_STATE_HOME: join(scratch, 'state'),
    AGENT: join(agent, 'agent'),
    CHECK: scenario.check.replaceAll('{scratch}', scratch),
    TASK: scenario.task,
    MAX_TURNS: String(maxTurns),
    CHECK_SECONDS: String(checkSeconds),
    SCRATCH: scratch,
  }
}

async function commitAll(work: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const git = (...args: readonly string[]) => run('git', args, { cwd: work, env: environment })
  await git('init', '--quiet')
  await git('add', '--all', '--force')
  await git('commit', '--quiet', '--no-verify', '--message', 'baseline')
}

/** Builds a script without arguments, so that loops can call it no matter how they split a command line. */
function buildAgentScript(agent: string): string {
  const args = [process.execPath, agentProgram, agent].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`)
  return `#!/bin/sh\nexec ${args.join(' ')} "$@"\n`
}

const agentProgram = fileURLToPath(new URL('../bin/agent.js', import.meta.url))

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
