/** How a worker opens a run whose agent is a script. */
import { storeApprover } from '@donecheck/engine/internal/policy/approvals'
import { createAgentLoop, type AgentLoopOptions } from '@donecheck/engine/internal/loop/compose'
import type { FleetRequest } from '@donecheck/fleet/internal/coordinator'
import type { OpeningPlace, RunOpener } from '@donecheck/fleet/internal/worker'

export type Script = Pick<AgentLoopOptions, 'agent' | 'tools' | 'hardCap' | 'hardVerifiers' | 'workFolder'>

/** @param asking the tool before which a person is asked */
export function openerOf(
  asking: string,
  scriptOf: (request: FleetRequest, place: OpeningPlace) => Script,
): RunOpener {
  return {
    async open(request, place) {
      const { runId, store, signal, replaces, folder, part, notice } = place
      const loop = createAgentLoop({
        gate: {
          check: async ({ tool }) =>
            tool === asking
              ? { kind: 'prompt', reason: 'a person decides', label: 'approval_required' }
              : { kind: 'allow', reason: 'a test' },
        },
        approver: storeApprover({ store }),
        softVerifiers: { loopDetection: false, stagnation: false },
        ...{ store, signal, workFolder: folder, guard: false },
        ...scriptOf(request, place),
      })
      const allocated = part && { parent: part.parent, caps: part.caps }
      const isBegun = (await store.read(runId)).length > 0
      const beginning = isBegun
        ? ({ kind: 'continue', runId, ...(notice === undefined ? {} : { notice }) } as const)
        : ({ kind: 'new', task: request.task, as: { runId, ...allocated } } as const)
      return loop.open(beginning, { waits: 'elsewhere', ...(replaces ? { isGone: () => true } : {}) })
    },
    rememberBase: async () => undefined,
  }
}
