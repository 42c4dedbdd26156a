/** How a worker of the chaos opens a run: a script for a drive, and tools that write a ledger. */
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonValue } from '@donecheck/core/events'
import { storeApprover } from '@donecheck/engine/approvals'
import { createAgentLoop } from '@donecheck/engine/compose'
import { scriptedDrive, type ScriptedStep } from '@donecheck/engine/drives'
import type { Tool } from '@donecheck/engine/ports/loop'
import type { RunOpener } from '@donecheck/fleet/worker'
import { z } from 'zod'
import { plannedRun, type PlannedRun } from './plan.ts'
import type { LedgerLine } from './verdict.ts'

const call = z.strictObject({ number: z.int(), takesMs: z.number() })
const busy = { kind: 'server-error', message: 'HTTP 503', retryable: true, retryAfterMs: 3_000 } as const

export function scriptedOpener(ledgerPath: string, workerId: string): RunOpener {
  return {
    async open(request, { runId, store, signal, replaces }) {
      const plan = plannedRun.parse(request.settings['plan'])
      const write = (name: string) => ledgerTool(name, { runId, workerId }, ledgerPath)
      const loop = createAgentLoop({
        drive: scriptedDrive([...plan.turns.map(stepOf), 'It is done.']),
        tools: [write('does'), write('asks')],
        gate: {
          check: async ({ tool }) =>
            tool === 'asks'
              ? { kind: 'prompt', reason: 'a person decides', label: 'approval_required' }
              : { kind: 'allow', reason: 'it is planned' },
        },
        approver: storeApprover({ store }),
        hardCap: { toolCalls: plan.maxToolCalls },
        softVerifiers: { loopDetection: false, stagnation: false },
        ...{ store, signal },
      })
      const isBegun = (await store.read(runId)).length > 0
      const beginning = isBegun
        ? ({ kind: 'continue', runId } as const)
        : ({ kind: 'new', task: request.task, as: { runId } } as const)
      return loop.open(beginning, { waits: 'elsewhere', ...(replaces ? { isGone: () => true } : {}) })
    },
    rememberBase: async () => undefined,
  }
}

function stepOf({ number, kind, takesMs }: PlannedRun['turns'][number]): ScriptedStep {
  const tools = [{ tool: kind === 'asks' ? 'asks' : 'does', args: { number, takesMs } }]
  return kind === 'busy' ? { fails: [busy], then: { tools } } : { tools }
}

/** Not to be done twice: each time it leaves a line. */
function ledgerTool(name: string, by: Omit<LedgerLine, 'number'>, ledgerPath: string): Tool {
  return {
    name,
    description: name,
    parameters: { type: 'object' },
    effect: 'write',
    async prepare(args: JsonValue) {
      const { number, takesMs } = call.parse(args)
      return {
        kind: 'ready',
        summary: `${name} ${number}`,
        async run() {
          await pause(takesMs / 2)
          const line: LedgerLine = { ...by, number }
          appendFileSync(ledgerPath, `${JSON.stringify(line)}\n`)
          await pause(takesMs / 2)
          return { status: 'ok', output: `${name} ${number}: done` }
        },
      }
    },
  }
}
