/** LangChain's own agents and graphs of LangGraph over LangChain's own model of OpenAI, from a folder of their own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
})
