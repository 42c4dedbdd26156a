/** Runs of a test: what the agent does stands in the request, and what it does to the world in a file. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { scriptedAgent } from '@donecheck/engine/internal/loop/agents'
import type { ToolOutcome } from '@donecheck/engine/internal/ports/loop'
import { tool } from '@donecheck/engine/testing'
import { command } from '@donecheck/engine/verify'
import { z } from 'zod'
import type { RunOpener } from '@donecheck/fleet/internal/worker'
import { openerOf } from './opener.ts'

/**
 * One turn each: `do` writes a line, `ask` does it when a person agrees, `hang` begins and goes on when it is let go. `spread` hands
 * two parts on, each of which leaves a file in its folder, and hangs then: the run is done when it has both.
 */
export const plan = z.array(z.enum(['do', 'ask', 'hang', 'back-off', 'spread']))

export const filesOf = (folder: string, runId: string) => ({
  effects: join(folder, `${runId}.effects`),
  hanging: join(folder, `${runId}.hanging`),
  go: join(folder, `${runId}.go`),
})

/** What a provider says that takes nothing for now. */
export const busy = {
  kind: 'server-error',
  message: 'HTTP 503',
  retryable: true,
  retryAfterMs: 3_000,
} as const

const parts = ['left', 'right'] as const
const hasBoth = command('test -f left.txt && test -f right.txt')

/** @param folder where effects of all runs are seen, from whatever worker */
export function scriptedOpener(folder: string, workerId: string): RunOpener {
  return openerOf('ask', (request, { runId, signal, folder: workFolder, part, tools }) => {
    const files = filesOf(folder, part === undefined ? runId : request.task)
    const act = async (name: string): Promise<ToolOutcome> => {
      appendFileSync(files.effects, `${name} by ${workerId}\n`)
      return { status: 'ok', output: `${name}: done` }
    }
    const planned = plan.parse(request.settings['plan'])
    const names = part === undefined ? planned : (['leave', 'hang'] as const)
    const steps = names.map((name) => {
      if (name === 'spread')
        return {
          tools: [
            { tool: 'delegate', args: { tasks: parts.map((name) => ({ task: `${name} of ${runId}` })) } },
          ],
        }
      if (name === 'back-off') return { fails: [busy], then: { tools: [{ tool: 'do', args: {} }] } }
      return { tools: [{ tool: name, args: {} }] }
    })
    return {
      agent: scriptedAgent([...steps, 'It is done.']),
      ...(names.some((name) => name === 'spread') ? { hardVerifiers: [hasBoth] } : {}),
      tools: [
        ...tools,
        tool('leave', async () => {
          writeFileSync(join(workFolder ?? '', `${request.task.split(' ')[0]}.txt`), request.task)
          return act('leave')
        }),
        tool('do', () => act('do')),
        tool('ask', () => act('ask')),
        tool('hang', async () => {
          writeFileSync(files.hanging, workerId)
          while (!existsSync(files.go) && !signal.aborted) await pause(20)
          return act('hang')
        }),
      ],
    }
  })
}
