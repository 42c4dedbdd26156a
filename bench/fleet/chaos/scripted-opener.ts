/** How a worker of the chaos opens a run: a script for an agent, and tools that write a ledger. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonValue } from '@donecheck/core/internal/events'
import { scriptedAgent, type ScriptedStep } from '@donecheck/engine/internal/loop/agents'
import type { Tool } from '@donecheck/engine/internal/ports/loop'
import type { RunOpener } from '@donecheck/fleet/internal/worker'
import { z } from 'zod'
import { openerOf } from '../../../test/fleet/kit/opener.ts'
import { busy } from '../../../test/fleet/kit/scripted-opener.ts'
import { plannedRun, type PlannedRun } from './plan.ts'
import type { LedgerLine } from './verdict.ts'
import { fileOfTurn } from './work.ts'

const call = z.strictObject({ number: z.int(), takesMs: z.number() })
export function scriptedOpener(ledgerPath: string, workerId: string): RunOpener {
  return openerOf('asks', (request, { runId, folder }) => {
    const plan = plannedRun.parse(request.settings['plan'])
    const write = (name: string) =>
      ledgerTool(name, { runId, workerId }, { ledgerPath, folder: folder ?? '.' })
    return {
      agent: scriptedAgent([...plan.turns.map(stepOf), 'It is done.']),
      tools: [write('does'), write('asks')],
      hardCap: { toolCalls: plan.maxToolCalls, iterations: null, tokens: null, wallClockMs: null },
      // Machines are folders here, and a run that knew its own would have to stay on it.
      workFolder: null,
    }
  })
}

function stepOf({ number, kind, takesMs }: PlannedRun['turns'][number]): ScriptedStep {
  const tools = [{ tool: kind === 'asks' ? 'asks' : 'does', args: { number, takesMs } }]
  return kind === 'busy' ? { fails: [busy], then: { tools } } : { tools }
}

interface Marks {
  readonly ledgerPath: string
  /** The work folder. */
  readonly folder: string
}

/** Not to be done twice: each time it leaves a line; and it leaves a file in the work folder. */
function ledgerTool(name: string, by: Omit<LedgerLine, 'number'>, { ledgerPath, folder }: Marks): Tool {
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
          writeFileSync(join(folder, fileOfTurn(number)), `${name}\n`)
          await pause(takesMs / 2)
          return { status: 'ok', output: `${name} ${number}: done` }
        },
      }
    },
  }
}
