import { describe, expect, it } from 'vitest'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { UsageError } from '../../../base/index.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { HookLists } from '../../../policy/callbacks/index.ts'
import type { Agent } from '../../../ports/loop.ts'
import type { Gate } from '../../../ports/gate.ts'
import { tool, verifier } from '../../../testing/index.ts'

const allowAll: Gate = { check: async () => ({ kind: 'allow', reason: 'a test' }) }
const writes = () => tool('write', () => ({ status: 'ok', output: 'written' }))

interface Recorded {
  readonly events: readonly RunEvent[]
  /** Messages to the agent before each of its replies. */
  readonly heard: readonly string[]
}

async function run(hooks: HookLists, more: Partial<AgentLoopOptions> = {}): Promise<Recorded> {
  const heard: string[] = []
  const script = scriptedAgent([{ tools: [{ tool: 'write', args: { path: 'a' } }] }, 'Done.', 'Done now.'])
  const agent: Agent = {
    description: script.description,
    next: (request, signal) => {
      heard.push(JSON.stringify(request.conversation))
      return script.next(request, signal)
    },
  }
  const events: RunEvent[] = []
  const loop = createAgentLoop({
    agent,
    gate: allowAll,
    tools: [writes()],
    hardVerifiers: [verifier('tests', () => ({ status: 'passed' }))],
    completeWhen: 'checks-and-claim',
    hardCap: { iterations: 4 },
    ...more,
    hooks,
  })
  for await (const event of loop.run('do it')) events.push(event)
  return { events, heard }
}

function ranIn(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'hook-ran' ? [`${event.point}:${event.effect}`] : []))
}

describe('given a hook at every point', () => {
  it('each of them is fired at its moment, and what it did stands in the record', async () => {
    const { events } = await run({
      lifecycle: [
        { point: 'run_started', name: 'start', run: () => ({}) },
        { point: 'before_turn', name: 'turn', run: () => undefined },
        { point: 'after_turn', name: 'turned', run: () => undefined },
        { point: 'on_transition', name: 'transition', run: () => undefined },
        { point: 'run_ended', name: 'end', run: () => undefined },
      ],
      tools: [
        { point: 'before_tool_call', name: 'before', run: () => ({ decision: 'allow' }) },
        { point: 'tool_result_persist', name: 'persist', run: () => ({ output: 'rewritten' }) },
        { point: 'after_tool_call', name: 'after', run: () => ({ message: 'well written' }) },
      ],
      verifiers: [
        { point: 'before_verification', name: 'asked', run: () => undefined },
        { point: 'after_verification', name: 'answered', run: () => undefined },
        { point: 'before_finalize', name: 'last', run: () => undefined },
      ],
    })
    expect(new Set(ranIn(events))).toEqual(
      new Set([
        'run_started:none',
        'before_turn:none',
        'before_tool_call:allowed',
        'tool_result_persist:rewrote',
        'after_tool_call:told',
        'before_verification:none',
        'after_verification:none',
        'after_turn:none',
        'on_transition:none',
        'before_finalize:none',
        'run_ended:none',
      ]),
    )
    expect(events.at(-1)).toMatchObject({ type: 'run-stopped', transition: { reason: 'task_complete' } })
    expect(events.find(({ type }) => type === 'tool-returned')).toMatchObject({ output: 'rewritten' })
  })
})

describe('given hooks around a tool call', () => {
  it('one that rewrites the arguments: the gate and the tool see the rewritten ones', async () => {
    const judged: unknown[] = []
    const gate: Gate = {
      check: async ({ args }) => {
        judged.push(args)
        return { kind: 'allow', reason: 'a test' }
      },
    }
    await run(
      { tools: [{ point: 'before_tool_call', name: 'safer', run: () => ({ args: { path: 'b' } }) }] },
      { gate },
    )
    expect(judged).toEqual([{ path: 'b' }])
  })

  it('one that wants it asked: whoever approves is asked although the gate allows', async () => {
    const asked: string[] = []
    const { events } = await run(
      { tools: [{ point: 'before_tool_call', name: 'ask', run: () => ({ decision: 'prompt' }) }] },
      {
        approver: {
          ask: async ({ summary }) => {
            asked.push(summary)
            return { approved: false, by: 'a test', reason: 'no' }
          },
        },
      },
    )
    expect(asked).toHaveLength(1)
    expect(events.find(({ type }) => type === 'tool-refused')).toMatchObject({ label: 'approval_denied' })
  })

  it('one that throws refuses the call in its name', async () => {
    const { events } = await run({
      tools: [
        {
          point: 'before_tool_call',
          name: 'broken',
          run: () => {
            throw new Error('no disk')
          },
        },
      ],
    })
    expect(events.some(({ type }) => type === 'tool-called')).toBe(false)
    expect(ranIn(events)).toContain('before_tool_call:failed')
  })
})

describe('given hooks around verification', () => {
  it('a hook that fails before a verification lets nothing of it pass', async () => {
    const { events } = await run({
      verifiers: [
        {
          point: 'before_verification',
          name: 'broken',
          run: () => {
            throw new Error('no disk')
          },
        },
      ],
    })
    const verdicts = events.flatMap((event) => (event.type === 'verdict-given' ? [event.verdict.status] : []))
    expect(new Set(verdicts)).toEqual(new Set(['error']))
    expect(events.at(-1)).not.toMatchObject({ transition: { outcome: 'verified' } })
  })

  it('hooks alone verify nothing', async () => {
    const { events } = await run(
      { verifiers: [{ point: 'before_finalize', name: 'last', onFailure: 'open', run: () => undefined }] },
      { hardVerifiers: [] },
    )
    expect(events.at(-1)).not.toMatchObject({ transition: { outcome: 'verified' } })
  })

  it('a hook cannot make a red check green', async () => {
    const { events } = await run(
      { verifiers: [{ point: 'after_verification', name: 'kind', run: () => ({}) }] },
      { hardVerifiers: [verifier('tests', () => ({ status: 'failed' }))] },
    )
    expect(events.at(-1)).toMatchObject({ transition: { outcome: 'exhausted' } })
  })
})

describe('given a hook for errors', () => {
  it('it is told of a check that cannot decide, of a hook that fails and of a gate that breaks', async () => {
    const places: string[] = []
    await run(
      {
        lifecycle: [
          {
            point: 'on_error',
            name: 'listen',
            run: ({ where }) => {
              places.push(where)
              return undefined
            },
          },
          {
            point: 'before_turn',
            name: 'broken',
            once: true,
            run: () => {
              throw new Error('x')
            },
          },
        ],
      },
      {
        hardVerifiers: [verifier('tests', () => ({ status: 'error' }))],
        gate: {
          check: () => {
            throw new Error('y')
          },
        },
      },
    )
    expect(new Set(places)).toEqual(new Set(['hook broken (before_turn)', 'gate', 'verifier tests']))
  })
})

describe('given a hook that can never fire', () => {
  it('one that is meant to refuse stops the start, and says why', async () => {
    const lists: HookLists = {
      tools: [
        { point: 'before_tool_call', name: 'guard', match: 'Bash', run: () => ({ decision: 'forbidden' }) },
      ],
    }
    await expect(run(lists)).rejects.toThrow(UsageError)
    await expect(run(lists)).rejects.toThrow(/guard.*Bash/s)
  })
})
