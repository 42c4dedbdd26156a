/** A small real project, an agent that does as its script says, and the loop around both: real files, commands and shell. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  createAgentLoop,
  defaultTools,
  exitCodeOf,
  gateByApproval,
  scriptedDrive,
  type AgentLoopOptions,
  type Drive,
  type RunEvent,
  type RunResult,
  type Verdict,
} from 'donecheck'
import type { ScriptedReply, ScriptedStep } from '@donecheck/engine/testing'

export interface Project {
  readonly folder: string
  /** Beside the project: what the agent has no business with. */
  readonly outside: string
  read(file: string): Promise<string>
  write(file: string, content: string): Promise<void>
}

/** A fresh project with the given files, gone afterwards. */
export async function inProject<Value>(
  files: Readonly<Record<string, string>>,
  work: (project: Project) => Promise<Value>,
): Promise<Value> {
  const root = await mkdtemp(join(tmpdir(), 'donecheck-peers-'))
  const [folder, outside] = [join(root, 'project'), join(root, 'outside')]
  const project: Project = {
    folder,
    outside,
    read: (file) => readFile(join(folder, file), 'utf8'),
    async write(file, content) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), content, { mode: 0o755 })
    },
  }
  try {
    for (const place of [folder, outside]) await mkdir(place)
    for (const [file, content] of Object.entries(files)) await project.write(file, content)
    return await work(project)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

export interface Ran extends RunResult {
  readonly exitCode: number
  readonly outcome: RunResult['transition']['outcome']
  readonly events: readonly RunEvent[]
  /** All that the drive was ever given to read, as JSON. */
  readonly told: string
}

export interface Trial extends Omit<AgentLoopOptions, 'drive'> {
  readonly steps: readonly ScriptedStep[]
}

/** At most six turns, unless the trial says otherwise; after its last step the agent repeats it. */
export async function runAgent(project: Project | null, { steps, ...options }: Trial): Promise<Ran> {
  const requests: unknown[] = []
  const script = scriptedDrive(steps, { repeatLast: true })
  const drive: Drive = {
    description: script.description,
    next: (request, signal) => {
      requests.push(request.conversation)
      return script.next(request, signal)
    },
  }
  const running = createAgentLoop({
    drive,
    workFolder: project?.folder ?? null,
    tools: project === null ? [] : defaultTools({ workFolder: project.folder }),
    gate: gateByApproval('never'),
    hardCap: { iterations: 6 },
    ...options,
  }).run('Mend it.')
  const events: RunEvent[] = []
  for await (const event of running) events.push(event)
  const result = await running
  const { outcome } = result.transition
  return { ...result, events, told: JSON.stringify(requests), outcome, exitCode: exitCodeOf[outcome] }
}

/** The agent edits through the shell, where nobody sees which files it touches. */
export function shell(command: string): ScriptedReply {
  return { tools: [{ tool: 'run_shell', args: { command } }] }
}

/** Every verdict of one check, the one on the baseline tree first. */
export function verdictsOf({ events }: Pick<Ran, 'events'>, name: string): readonly Verdict[] {
  return events.flatMap((event) =>
    event.type === 'verdict-given' && event.verdict.verifier === name ? [event.verdict] : [],
  )
}

/** The latest verdict of one check. @throws {Error} where it gave none */
export function latestOf({ verdicts }: Pick<RunResult, 'verdicts'>, name: string): Verdict {
  const verdict = verdicts.find(({ verifier }) => verifier === name)
  if (verdict === undefined) throw new Error(`${name} gave no verdict`)
  return verdict
}

/** What a rival reads: the exit code of the whole line. */
export function bareExitCode(line: string, folder: string): Promise<number> {
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', line], { cwd: folder }, () => resolve(child.exitCode ?? -1))
  })
}
