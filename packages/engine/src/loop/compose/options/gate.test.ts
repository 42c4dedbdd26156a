import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acceptAll, refuseAll } from '../../../policy/approvals/index.ts'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import { scriptedAgent } from '../../agents/index.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { UsageError } from '../../../base/index.ts'
import { prefixRule } from '../../../policy/gate/index.ts'
import { gateOf } from './gate.ts'
import { defaultTools } from '../../tools/index.ts'
import { command } from '../../../checks/verify/index.ts'
import { eachInFolder } from '../fixtures/temporary-folder.ts'

type Step = Parameters<typeof scriptedAgent>[0][number]

let folder = ''

eachInFolder(async (made) => {
  folder = made
  await writeFile(join(folder, 'check.sh'), 'grep -q done work.txt\n')
  await writeFile(join(folder, 'work.txt'), 'open\n')
})

async function run(
  steps: readonly Step[],
  more: Partial<AgentLoopOptions> = {},
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  const loop = createAgentLoop({
    agent: scriptedAgent([...steps, 'Done.']),
    workFolder: folder,
    tools: defaultTools({ workFolder: folder }),
    hardVerifiers: [command('sh check.sh')],
    hardCap: { iterations: steps.length + 1 },
    finalSummary: false,
    ...more,
  })
  for await (const event of loop.run('do it')) events.push(event)
  return events
}

function refusals(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.type === 'tool-refused' ? [event] : []))
}

const shell = (line: string): Step => ({ tools: [{ tool: 'run_shell', args: { command: line } }] })

describe('given tools that change files and nobody who could allow it', () => {
  const loopWith = (more: Partial<AgentLoopOptions> = {}) =>
    createAgentLoop({
      agent: scriptedAgent([]),
      workFolder: folder,
      tools: defaultTools({ workFolder: folder }),
      ...more,
    })

  it('a loop is refused before its first turn, with the tools and the ways out', () => {
    expect(() => loopWith()).toThrow(UsageError)
    expect(() => loopWith({ gate: { approval: 'all' } })).toThrow(
      /write_file, edit_file, apply_patch can change nothing: approval is "all" .* acceptAll\('me'\)/,
    )
  })

  it.each<[string, Partial<AgentLoopOptions>]>([
    ['somebody who accepts', { approver: acceptAll('me') }],
    ['somebody who refuses, by name', { approver: refuseAll('a dry run') }],
    ['a gate that asks nobody', { gate: { approval: 'never' } }],
    ['a gate of its own', { gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) } }],
    ['a gate that only records', { gate: { mode: 'shadow' } }],
    ['rules, which may allow it', { gate: { rules: [prefixRule({ pattern: ['touch'] })] } }],
    ['hooks, which may allow it', { hooks: {} }],
  ])('a loop with %s is one', (_, more) => {
    expect(() => loopWith(more)).not.toThrow()
  })
})

describe('given a gate that asks nobody', () => {
  const gate = { approval: 'never' } as const

  it('what destroys is refused with its label and the rule that says so, and the agent is told', async () => {
    const events = await run([shell('git push --force origin main')], { gate })
    expect(refusals(events)).toMatchObject([{ by: 'gate', label: 'dangerous_command' }])
    const decided = events.find((event) => event.type === 'gate-decided')
    expect(decided).toMatchObject({ decision: 'forbidden', matches: [{ source: 'built-in' }] })
  })

  it('a patch of the work is written, and so is one of the check, with which nothing is verified', async () => {
    const tamper = { tools: [{ tool: 'write_file', args: { path: 'check.sh', content: 'true\n' } }] }
    const work = { tools: [{ tool: 'write_file', args: { path: 'work.txt', content: 'half\n' } }] }
    const events = await run([tamper, work], { gate })
    expect(refusals(events)).toEqual([])
    expect(await readFile(join(folder, 'check.sh'), 'utf8')).toBe('true\n')
    expect(events.at(-1)).not.toMatchObject({ transition: { outcome: 'verified' } })
  })
})

describe('given an agent with settings of its own by which it asks', () => {
  const own = { untouched: ['/srv/home/.claude/settings.json'] } as const
  const agent = {
    own: {
      ...own,
      toolOf: () => undefined,
      refuse: () => Promise.resolve(),
      cancel: () => Promise.resolve(),
    },
  }
  const asked = (script: string) => ({
    ...{ tool: 'Bash', effect: 'execute' as const, args: {}, summary: script },
    action: { kind: 'command' as const, script, folder: '/srv/project' },
    hasOwnPermissions: true as const,
  })

  it('no command of it writes there', async () => {
    const gate = gateOf({ agent }, { workFolder: '/srv/project', tools: [], guarded: null, ownChecks: [] })
    const writes = asked("echo '{}' > /srv/home/.claude/settings.json")
    expect(await gate.check(writes)).toMatchObject({ kind: 'forbidden' })
    expect(await gate.check(asked('cat /srv/home/.claude/settings.json'))).toMatchObject({ kind: 'allow' })
  })
})
