import { z } from 'zod'
import { maskText, type SecretValues } from '@donecheck/core/internal/secrets'
import { fold } from '@donecheck/core/internal/state'
import { messageOf } from '@donecheck/engine/internal/base'
import type {
  ConductedCall,
  EndedSubRun,
  SubRunGrant,
  Tool,
  ToolOutcome,
} from '@donecheck/engine/internal/ports/loop'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { defineTool } from '@donecheck/engine/tools'
import type { FleetClient, FleetRequest } from '../coordinator/index.ts'
import { baseOf, type RunFolder } from './folders/index.ts'

interface Delegating {
  readonly request: FleetRequest
  readonly store: Store
  /** Null if the run has no folder. */
  readonly folder: RunFolder | null
  readonly client: Pick<FleetClient, 'submit' | 'cancel' | 'run'>
  /** A part ends on the same version as its parent. */
  readonly version: string
}

const maxTasks = 8
const atMost = { maxIterations: 50 }

const task = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1)
    .describe('What is to be done, and how it is known to be done: all that the helper must know.'),
  part: z.string().min(1).exactOptional().describe('Id of the part of the goal that it is, where it is one.'),
})
type Task = z.output<typeof task>
const schema = z.strictObject({ tasks: z.array(task).min(1).max(maxTasks) })

export function delegateTool(delegating: Delegating): Tool {
  return defineTool({
    name: 'delegate',
    description:
      'Hands parts of the task to helpers that work at the same time, each in a copy of the work folder as it is now, and report back. ' +
      'What they change comes into your folder when all have ended; give them different files. They share what is left of your budget.',
    effect: 'write',
    schema,
    prepare: ({ tasks }) => Promise.resolve(callOf(tasks, delegating)),
  })
}

function callOf(tasks: readonly Task[], delegating: Delegating): ConductedCall {
  const { client, folder } = delegating
  return {
    kind: 'sub-runs',
    summary: `delegate ${tasks.length === 1 ? 'a part' : `${tasks.length} parts`} of the task`,
    preview: tasks.map((one) => one.task).join('\n\n'),
    // The call changes no file; its sub-runs are gated themselves.
    action: { kind: 'change', files: [] },
    shares: tasks.map(({ part }) => (part === undefined ? { atMost } : { atMost, subGoalId: part })),
    async conduct(grant, index) {
      const known = await client.run(grant.runId)
      if (known?.phase.kind === 'over') return { kind: 'over', message: known.phase.message }
      if (known !== undefined) return { kind: 'at-work' }
      // The current tree is its start, saved before the run is announced.
      await folder?.handOver(grant.runId)
      await client.submit(await requestOf(grant, tasks[index], delegating))
      return { kind: 'at-work' }
    },
    interrupt: (childRunId, by) => client.cancel(childRunId, by),
    report: (ended) => outcomeOf(ended, tasks, delegating),
  }
}

async function requestOf(
  { runId, parent, secrets }: SubRunGrant,
  given: Task | undefined,
  { request, store, version }: Delegating,
): Promise<FleetRequest> {
  const { tenant, labels, priority, settings, provider, folder, repository } = request
  const { commit } = (await baseOf(store, request.runId)) ?? {}
  return {
    ...{ runId, version, parent, tenant, labels, priority, settings, task: maskedTask(given, secrets) },
    ...(provider === undefined ? {} : { provider }),
    ...(folder === undefined ? {} : { folder }),
    ...(repository && { repository: { ...repository, revision: commit ?? repository.revision } }),
  }
}

/** Recorded by the fleet, so it must hold no secret of the run. */
function maskedTask(given: Task | undefined, secrets: SecretValues): string {
  return maskText(given?.task ?? '', secrets)
}

async function outcomeOf(
  ended: readonly EndedSubRun[],
  tasks: readonly Task[],
  delegating: Delegating,
): Promise<ToolOutcome> {
  const reports: string[] = []
  let isWhole = true
  // One after the other, each on top of the previous results.
  for (const [index, { runId, end }] of ended.entries()) {
    const { outcome, message } = end
    const work = await takeOver(runId, delegating)
    isWhole &&= work.isWhole && (outcome === 'verified' || outcome === 'unverified')
    const head = `Helper ${index + 1} (run ${runId}) ended as ${outcome ?? 'unfinished'}: ${message}. ${work.sentence}`
    const words = fold(await delegating.store.read(runId))?.lastText.trim() ?? ''
    reports.push(words === '' ? head : `${head}\nIts last words:\n${words}`)
  }
  return {
    status: isWhole ? 'ok' : 'error',
    output: reports.join('\n\n'),
  }
}

async function takeOver(runId: string, { folder }: Delegating) {
  const way = `"donecheck fleet patch ${runId}" has them; do that part anew, or delegate it again`
  try {
    const laid = (await folder?.layOver(runId)) ?? { kind: 'unchanged' as const }
    switch (laid.kind) {
      case 'in-place':
        return { isWhole: true, sentence: 'It has worked in your folder.' }
      case 'unchanged':
        return { isWhole: true, sentence: 'It has changed no file.' }
      case 'laid':
        return { isWhole: true, sentence: `Its changes are in your folder: ${laid.files.join(', ')}.` }
      case 'conflict':
        return {
          isWhole: false,
          sentence: `Its changes are NOT in your folder, for they meet other ones in ${laid.files.join(', ')}: ${way}.`,
        }
    }
  } catch (error) {
    return { isWhole: false, sentence: `Its changes are NOT in your folder (${messageOf(error)}): ${way}.` }
  }
}
