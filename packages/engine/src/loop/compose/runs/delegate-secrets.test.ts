import { describe, expect, it } from 'vitest'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import { delegateTool, type DelegateOptions } from './delegate.ts'
import { scriptedAgent, type ScriptedStep } from '../../agents/index.ts'
import { fold } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { Gate } from '../../../ports/gate.ts'
import type { Store } from '../../../ports/store.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { countingIds } from '../../../testing/index.ts'

const delegating = (task: string): ScriptedStep => ({ tools: [{ tool: 'delegate', args: { task } }] })
const allowAll: Gate = { check: async () => ({ kind: 'allow', reason: 'a test' }) }

async function childOf(store: Store, runId: string) {
  const started = (await store.read(runId)).find((event) => event.type === 'sub-run-started')
  const events: readonly RunEvent[] = await store.read(started?.childRunId ?? '')
  const reply = events.find((event) => event.type === 'model-replied')
  return { task: fold(events)?.task, replied: reply?.text }
}

describe('given secrets of the run that delegates', () => {
  const secret = 'correct-horse-4711'
  const own = 'battery-staple-0815'

  /** Full content of the store after a helper has repeated the secret. */
  async function written(child: Partial<AgentLoopOptions>, parent: Partial<AgentLoopOptions>) {
    const script = [`I have ${secret} and ${own}.`]
    const loop: DelegateOptions['loop'] = () => ({ agent: scriptedAgent(script), ...child })
    const store = memoryStore()
    const agent = scriptedAgent([delegating(`use ${secret}`), 'Done.'])
    const tools = [delegateTool({ loop })]
    const { runId } = await createAgentLoop({ agent, tools, gate: allowAll, store, ...parent }).run('find it')
    const runs = await Promise.all((await store.list()).map((run) => store.read(run.runId)))
    return { ...(await childOf(store, runId)), all: JSON.stringify(runs) }
  }

  it('they are masked in the record of the child as well', async () => {
    const { task, replied, all } = await written({}, { secrets: { PASSWORD: secret } })
    expect(task).toBe('use [masked:PASSWORD]')
    expect(replied).toBe(`I have [masked:PASSWORD] and ${own}.`)
    expect(all).not.toContain(secret)
  })

  it('a name that both have hides neither value', async () => {
    const { replied, all } = await written(
      { secrets: { PASSWORD: own } },
      { secrets: { PASSWORD: secret }, ids: countingIds('run') },
    )
    expect(replied).toMatch(/^I have \[masked:PASSWORD of run-\S+\] and \[masked:PASSWORD\]\.$/)
    expect(all).not.toContain(secret)
    expect(all).not.toContain(own)
  })

  it('they reach the children of the child', async () => {
    const inner: DelegateOptions = { loop: () => ({ agent: scriptedAgent([`It is ${secret}.`]) }) }
    const { all } = await written(
      {
        agent: scriptedAgent([delegating(`pass ${secret} on`), 'Done.']),
        tools: [delegateTool(inner)],
        gate: allowAll,
      },
      { secrets: { PASSWORD: secret } },
    )
    expect(all).toContain('It is [masked:PASSWORD].')
    expect(all).not.toContain(secret)
  })
})
