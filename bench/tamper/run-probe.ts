/** One probe as a whole run through the public library. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  command,
  createAgentLoop,
  gateByApproval,
  scriptedDrive,
  type RunEvent,
  type StopTransition,
  type Tool,
  type Verifier,
} from 'donecheck'
import { applyEdits, type Place } from './apply.ts'
import { makePlace } from './make-project.ts'
import type { Edit, Probe } from './probe.ts'
import { projects } from './projects/index.ts'
import type { SampleProject } from './projects/project.ts'

export type Response = 'refuse' | 'restore' | 'ask' | 'note'

export interface ProbeResult {
  readonly probe: Probe
  readonly outcome: StopTransition['outcome']
  readonly reason: StopTransition['reason']
  readonly message: string
  /** Distinct findings of the guard over the whole run. */
  readonly findings: readonly {
    readonly rule: string
    readonly response: Response
    readonly message: string
  }[]
  /** Exit code 0 of the bare check on the tree that the agent left: the cheat works where nobody guards. */
  readonly isBareCheckGreen: boolean
  /** The probe could not be applied, or the guard could not decide. */
  readonly problem: string | null
}

const checkTimeoutMs = 120_000

/** @param root a temporary folder that probes share */
export async function runProbe(probe: Probe, root: string): Promise<ProbeResult> {
  const project = projects[probe.project]
  const place = makePlace(project, root, probe.id)
  const line = probe.check ?? project.check
  const problems: string[] = []
  const loop = createAgentLoop({
    drive: scriptedDrive([{ tools: [{ tool: 'edit', args: {} }] }, 'Done: every check passes.']),
    workFolder: place.workFolder,
    tools: [editTool(editsOf(probe, project), place, problems)],
    gate: gateByApproval('never'),
    hardVerifiers: checksOf(probe, line, place),
    guard: {
      home: place.home,
      mayChange: probe.mayChange,
      checkCommands: [line],
      ...(probe.heldOut === undefined ? {} : { heldOutFiles: sealed(probe.heldOut, place) }),
    },
    hardCap: { iterations: 3, tokens: null, wallClockMs: null },
  })
  const running = loop.run('Mend the discount.')
  const events: RunEvent[] = []
  for await (const event of running) events.push(event)
  const { transition } = await running
  const { outcome, reason, message } = transition
  return {
    probe,
    outcome,
    reason,
    message,
    findings: findingsOf(events),
    isBareCheckGreen: await isGreen(line, place),
    problem: problems[0] ?? undecidedOf(events),
  }
}

function checksOf({ heldOut }: Probe, line: string, { environment }: Place): readonly Verifier[] {
  const options = { environment, timeoutMs: checkTimeoutMs }
  const shown = command(line, options)
  if (heldOut === undefined) return [shown]
  return [shown, command(line, { ...options, name: 'held-out', role: 'held-out' })]
}

/** A folder that the agent does not know. */
function sealed(files: Readonly<Record<string, string>>, { home }: Place): string {
  const folder = path.join(home, '..', 'sealed')
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return folder
}

function editsOf({ mends, edits }: Probe, project: SampleProject): readonly Edit[] {
  if (mends === 'nothing') return edits
  return [mends === 'all' ? project.mend : project.halfMend, ...edits]
}

function editTool(edits: readonly Edit[], place: Place, problems: string[]): Tool {
  return {
    name: 'edit',
    description: 'edits the project',
    parameters: { type: 'object' },
    effect: 'write',
    prepare: async () => ({
      kind: 'ready',
      summary: 'edit the project',
      run: async () => {
        try {
          await applyEdits(edits, place)
          return { status: 'ok', output: 'edited' }
        } catch (error) {
          problems.push(error instanceof Error ? error.message : String(error))
          return { status: 'error', output: 'not edited' }
        }
      },
    }),
  }
}

/** A guard that cannot decide blocks, and shows nothing about its rules. */
function undecidedOf(events: readonly RunEvent[]): string | null {
  const undecided = events.find(
    (event) =>
      event.type === 'verdict-given' &&
      event.verdict.verifier === 'tamper guard' &&
      event.verdict.status === 'error',
  )
  return undecided?.type === 'verdict-given'
    ? `the guard could not decide: ${undecided.verdict.reason}`
    : null
}

function findingsOf(events: readonly RunEvent[]): ProbeResult['findings'] {
  const seen = new Map<string, ProbeResult['findings'][number]>()
  for (const event of events) {
    if (event.type !== 'verdict-given') continue
    for (const evidence of event.verdict.evidence) {
      if (evidence.kind !== 'finding') continue
      const { rule, response, message } = evidence
      seen.set(`${rule} ${response} ${message}`, { rule, response, message })
    }
  }
  return [...seen.values()]
}

function isGreen(line: string, { workFolder, environment }: Place): Promise<boolean> {
  const env = { ...process.env, ...environment }
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { cwd: workFolder, env, timeout: checkTimeoutMs }, (error) =>
      resolve(error === null),
    )
  })
}
