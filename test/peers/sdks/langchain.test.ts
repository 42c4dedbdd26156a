/** LangChain's own agents and graphs of LangGraph over LangChain's own model of OpenAI, from a folder of their own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { acceptAll } from 'donecheck'
import { verifiedNode, type VerifiedMiddlewareOptions } from '@donecheck/agents/langchain'
import { z } from 'zod'
import { describeWithSdk } from '../kit/index.ts'
import {
  sdk,
  folder,
  write,
  shell,
  ask,
  givenProgram,
  givenModel,
  saysYes,
  orphans,
  type Result,
} from './langchain-program.ts'

const packages = ['langchain', '@langchain/openai', '@langchain/langgraph']

describeWithSdk(packages, 'given an agent of LangChain', () => {
  it('is kept from stopping with the evidence, and ends verified', async () => {
    const { agent, verified, server } = await givenProgram([
      write('no'),
      { text: 'Done.' },
      write('yes'),
      { text: 'Done again.' },
    ])
    const result = await agent.invoke(ask('write yes'))
    expect(result.messages.at(-1)?.content).toBe('Done again.')
    expect(server.turns[2]?.told).toContain('the file says yes')
    expect(readFileSync(join(folder, 'done.txt'), 'utf8')).toBe('yes')
    expect(await verified.verification(result)).toMatchObject({
      isVerified: true,
      blockedStops: 1,
      stoppedBy: undefined,
      transition: { reason: 'task_complete', outcome: 'verified' },
      result: { usage: { modelCalls: 4, toolCalls: 2, inputTokens: 4000, outputTokens: 200 } },
    })
  })

  it('ends capped, not verified, where LangChain just returns', async () => {
    const steps = ['1', '2', '3'].flatMap((content) => [{ text: 'Done.' }, write(content)])
    const { agent, verified } = await givenProgram([...steps, { text: 'Done.' }], {
      options: { hardCap: { blockedStops: 2 } },
    })
    expect(await verified.verification(await agent.invoke(ask('write yes')))).toMatchObject({
      isVerified: false,
      transition: { reason: 'hard_cap', cap: 'blocked_stops', outcome: 'exhausted' },
    })
  })

  it('makes no call of the model more than a cap allows, and keeps the reason', async () => {
    const { agent, verified, server } = await givenProgram(['a', 'b', 'c', 'd'].map(write), {
      options: { hardCap: { modelCalls: 3 } },
    })
    const result = await agent.invoke(ask('write yes'))
    expect(server.turns).toHaveLength(3)
    expect(result.messages.at(-1)?.type).toBe('ai')
    expect(result.messages.at(-1)?.content).toContain('model_calls')
    expect(orphans(result)).toEqual([])
    const { transition } = await verified.verification(result)
    expect(transition).toMatchObject({ reason: 'hard_cap', cap: 'model_calls', outcome: 'exhausted' })
  })

  it('answers every call where a cap on tools ends it in the middle of several', async () => {
    const calls = [1, 2, 3].map((n) => shell(`echo ${n}`))
    const { agent, verified, ran } = await givenProgram([{ calls }, { calls }], {
      options: { hardCap: { toolCalls: 2 } },
    })
    const result = await agent.invoke(ask('write yes'))
    expect(ran).toHaveLength(2)
    expect(orphans(result)).toEqual([])
    expect(result.messages.at(-1)?.type).toBe('ai')
    const { transition } = await verified.verification(result)
    expect(transition).toMatchObject({ reason: 'hard_cap', cap: 'tool_calls' })
  })

  it('says what the checks say when another middleware has ended it', async () => {
    const { modelCallLimitMiddleware } = await sdk()
    const { agent, verified } = await givenProgram([write('yes'), write('yes'), write('yes')], {
      others: [modelCallLimitMiddleware({ runLimit: 2 })],
    })
    const result = await agent.invoke(ask('write yes'))
    expect(await verified.verification(result)).toMatchObject({ isVerified: true })
  })

  it('serves invocations at the same time', async () => {
    const { agent, verified } = await givenProgram([{ text: 'Done.' }])
    writeFileSync(join(folder, 'done.txt'), 'no')
    const results = await Promise.all([agent.invoke(ask('one')), agent.invoke(ask('two'))])
    const verifications = await Promise.all(results.map((result) => verified.verification(result)))
    expect(new Set(verifications.map(({ runId }) => runId)).size).toBe(2)
    expect(verifications.map(({ isVerified }) => isVerified)).toEqual([false, false])
  })

  it('lets the model read what a tool threw, as LangChain does', async () => {
    const { tool } = await sdk()
    const fails = tool(
      () => {
        throw new Error('no such thing')
      },
      { name: 'fails', description: 'fails', schema: z.object({}) },
    )
    const { agent, verified, server } = await givenProgram([{ tool: 'fails', args: {} }, { text: 'Done.' }], {
      agent: { tools: [fails] },
      options: { hardCap: { blockedStops: 1 } },
    })
    const { result } = await verified.verification(await agent.invoke(ask('write yes')))
    expect(server.turns[1]?.told).toContain('no such thing')
    expect(result?.usage.toolCalls).toBe(1)
  })

  it('records a failure of the model, and throws it on', async () => {
    const { agent } = await givenProgram([{ status: 400, message: 'no such model' }])
    await expect(agent.invoke(ask('write yes'))).rejects.toThrow('no such model')
  })
})

describeWithSdk(packages, 'given calls that the gate stands before', () => {
  it('refuses what must not run, tells the model why, and goes on', async () => {
    const { agent, verified, server, ran } = await givenProgram([
      shell('rm -rf /'),
      write('yes'),
      { text: 'Done.' },
    ])
    const result = await agent.invoke(ask('write yes'))
    expect(ran).toEqual([])
    expect(server.turns[1]?.told).toContain('rm -rf /')
    expect((await verified.verification(result)).isVerified).toBe(true)
  })

  it('asks our approver', async () => {
    const { agent, verified, ran } = await givenProgram(
      [shell('make release'), write('yes'), { text: 'Done.' }],
      { options: { approver: acceptAll('the test'), gate: { approval: 'all' } } },
    )
    const result = await agent.invoke(ask('write yes'))
    expect(ran).toEqual(['make release'])
    expect((await verified.verification(result)).isVerified).toBe(true)
  })

  it.each([
    { decision: { type: 'approve' }, expected: ['make release'], told: 'make release' },
    { decision: { type: 'reject', message: 'not today' }, expected: [], told: 'not today' },
  ])(
    'interrupts the graph where nobody of ours can be asked, and goes on with $decision',
    async ({ decision, expected, told }) => {
      const { MemorySaver, Command } = await sdk()
      const { agent, verified, server, ran } = await givenProgram(
        [shell('make release'), write('yes'), { text: 'Done.' }],
        { options: { gate: { approval: 'all' } }, agent: { checkpointer: new MemorySaver() } },
      )
      const thread = { configurable: { thread_id: 'a' } }
      const waiting = await agent.invoke(ask('write yes'), thread)
      expect(waiting.__interrupt__?.[0]?.value).toMatchObject({
        actionRequests: [{ name: 'shell', args: { command: 'make release' } }],
      })
      expect(await verified.verification(waiting)).toMatchObject({
        waitingFor: ['shell'],
        transition: undefined,
      })
      const result = await agent.invoke(new Command({ resume: { decisions: [decision] } }), thread)
      expect(ran).toEqual(expected)
      expect(server.turns[1]?.told).toContain(told)
      expect(await verified.verification(result)).toMatchObject({ isVerified: true, waitingFor: [] })
    },
  )
})

describeWithSdk(packages, 'given a graph of LangGraph', () => {
  async function givenGraph(contents: readonly string[], options: Partial<VerifiedMiddlewareOptions> = {}) {
    const { StateGraph, MessagesAnnotation } = await sdk()
    const { model, server } = await givenModel(contents.map((text) => ({ text })))
    const checks = verifiedNode({ workFolder: folder, hardVerifiers: [saysYes()], ...options })
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }: Result) => {
        const reply = await model.invoke(messages)
        writeFileSync(join(folder, 'done.txt'), String(reply.content))
        return { messages: [reply] }
      })
      .addNode('checks', checks.node)
      .addEdge('__start__', 'model')
      .addEdge('model', 'checks')
      .addConditionalEdges('checks', checks.verifiedEdge({ open: 'model', over: '__end__' }), [
        'model',
        '__end__',
      ])
      .compile()
    return { graph, checks, server }
  }

  it('goes back with the evidence, and on when it is verified', async () => {
    const { graph, checks, server } = await givenGraph(['no', 'yes'])
    const result = await graph.invoke(ask('write yes'))
    expect(server.turns).toHaveLength(2)
    expect(server.turns[1]?.told).toContain('the file says yes')
    expect(await checks.verification(result)).toMatchObject({
      isVerified: true,
      blockedStops: 1,
      result: { usage: { modelCalls: 2, inputTokens: 2000, outputTokens: 100 } },
    })
  })

  it('goes on at a bound, not verified', async () => {
    const { graph, checks } = await givenGraph(['1', '2', '3', '4', '5'], { hardCap: { blockedStops: 2 } })
    expect(await checks.verification(await graph.invoke(ask('write yes')))).toMatchObject({
      isVerified: false,
      transition: { reason: 'hard_cap', cap: 'blocked_stops' },
    })
  })

  it('asks anew for the next question, and for the same one again', async () => {
    const { graph, checks } = await givenGraph(['yes'])
    const first = await graph.invoke({ messages: [{ role: 'user', content: 'write yes', id: 'same' }] })
    const { runId } = await checks.verification(first)
    const again = await graph.invoke({ messages: [{ role: 'user', content: 'write yes', id: 'same' }] })
    expect((await checks.verification(again)).runId).not.toBe(runId)
  })
})
