/** The AI SDK's own agents over its own provider, from a folder of their own: another copy of the SDK than ours. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { acceptAll, command } from 'donecheck'
import {
  stopWhen,
  verifiedAgent,
  type AnyAgent,
  type TracerLike,
  type VerifiedAgentOptions,
} from '@donecheck/agents/ai-sdk'
import { z } from 'zod'
import {
  describeWithSdk,
  realSdk,
  startModelServer,
  type ModelServer,
  type ScriptedStep,
} from '../kit/index.ts'

/** As much of the SDK as the programs use. */
interface Sdk {
  readonly ToolLoopAgent: new (settings: object) => AnyAgent & {
    generate(
      call: object,
    ): Promise<{ readonly text: string; readonly steps: readonly object[]; readonly finishReason: string }>
    stream(call: object): Promise<{ readonly textStream: AsyncIterable<string> }>
  }
  readonly tool: (definition: object) => object
  readonly isStepCount: (steps: number) => (asked: object) => boolean
}

async function sdk(): Promise<Sdk> {
  return (await import(join(folderOf('ai'), 'dist/index.js'))) as Sdk
}

async function modelOf(server: ModelServer): Promise<unknown> {
  const provider = (await import(join(folderOf('@ai-sdk/openai-compatible'), 'dist/index.js'))) as {
    createOpenAICompatible(options: object): (model: string) => unknown
  }
  return provider.createOpenAICompatible({ name: 'fake', baseURL: `${server.url}/v1`, apiKey: 'none' })(
    'fake',
  )
}

function folderOf(name: string): string {
  const found = realSdk(name)
  if ('problem' in found) throw new Error(found.problem)
  return found.folder
}

let folder = ''
let server: ModelServer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-ai-sdk-'))
})

afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

const write = (content: string) => ({ tool: 'write', args: { path: 'done.txt', content } })
const shell = (line: string) => ({ tool: 'shell', args: { command: line } })

/** An agent that writes files, over a model that follows a script; done is a file of which a command says so. */
async function givenProgram(steps: readonly ScriptedStep[], options: Partial<VerifiedAgentOptions> = {}) {
  const { ToolLoopAgent, tool, isStepCount } = await sdk()
  server = await startModelServer({ steps })
  const model = await modelOf(server)
  const ran: string[] = []
  const tools = {
    write: tool({
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      execute: ({ path, content }: { path: string; content: string }) => {
        writeFileSync(join(folder, path), content)
        return 'written'
      },
    }),
    shell: tool({
      inputSchema: z.object({ command: z.string() }),
      execute: ({ command: line }: { command: string }) => `ran ${ran.push(line)}: ${line}`,
    }),
  }
  const agent = verifiedAgent(
    (guard) => new ToolLoopAgent(guard({ model, tools, stopWhen: isStepCount(50) })),
    {
      workFolder: folder,
      hardVerifiers: [command('grep -q yes done.txt', { name: 'the file says yes' })],
      acts: {
        shell: (input) => ({
          kind: 'command',
          script: z.object({ command: z.string() }).parse(input).command,
        }),
      },
      ...options,
    },
  )
  return { agent, server, ran, model, tools, ToolLoopAgent, isStepCount }
}

describeWithSdk(['ai', '@ai-sdk/openai-compatible'], 'given a program of the AI SDK', () => {
  it('is kept from stopping with the evidence, and ends verified', async () => {
    const { agent, server } = await givenProgram([
      write('no'),
      { text: 'Done.' },
      write('yes'),
      { text: 'Done again.' },
    ])
    const { text, verification } = await agent.generate({ prompt: 'write yes' })
    expect(text).toBe('Done again.')
    expect(server.turns[2]?.told).toContain('the file says yes')
    expect(readFileSync(join(folder, 'done.txt'), 'utf8')).toBe('yes')
    expect(verification).toMatchObject({
      isVerified: true,
      blockedStops: 1,
      transition: { reason: 'task_complete', outcome: 'verified' },
      result: { usage: { modelCalls: 4, inputTokens: 4000, outputTokens: 200 } },
    })
  })

  it('streams on when its stop is blocked', async () => {
    const { agent } = await givenProgram([
      write('no'),
      { text: 'Done. ' },
      write('yes'),
      { text: 'Done again.' },
    ])
    const result = await agent.stream({ prompt: 'write yes' })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(text).toBe('Done. Done again.')
    expect(await result.verification).toMatchObject({ isVerified: true, blockedStops: 1 })
  })

  it('ends capped, not verified, where the SDK says stop', async () => {
    const { agent } = await givenProgram(
      [
        { text: 'Done.' },
        write('1'),
        { text: 'Done.' },
        write('2'),
        { text: 'Done.' },
        write('3'),
        { text: 'Done.' },
      ],
      { hardCap: { blockedStops: 2 } },
    )
    const { finishReason, verification } = await agent.generate({ prompt: 'write yes' })
    expect(finishReason).toBe('stop')
    expect(verification).toMatchObject({
      isVerified: false,
      transition: { reason: 'hard_cap', cap: 'blocked_stops', outcome: 'exhausted' },
    })
  })

  it('makes no call of the model more than a cap allows', async () => {
    const { agent, server } = await givenProgram([write('a'), write('b'), write('c'), write('d')], {
      hardCap: { modelCalls: 3 },
    })
    const { verification } = await agent.generate({ prompt: 'write yes' })
    expect(verification.transition).toMatchObject({ reason: 'hard_cap', cap: 'model_calls' })
    expect(server.turns).toHaveLength(3)
  })

  it('keeps the reason of a stop condition', async () => {
    const { model, tools, ToolLoopAgent, isStepCount } = await givenProgram([shell('ls')])
    const stop = stopWhen({ hardCap: { toolCalls: 4 }, conditions: { 'fifty steps': isStepCount(50) } })
    const result = await new ToolLoopAgent({ model, tools, stopWhen: stop }).generate({ prompt: 'look' })
    expect(result.finishReason).toBe('tool-calls')
    expect(stop.reasonOf(result)).toMatchObject({
      kind: 'rule',
      transition: { reason: 'hard_cap', cap: 'tool_calls', outcome: 'exhausted' },
    })
  })

  it('stands with its span around all that the telemetry of the SDK tells, with the reason on it', async () => {
    const { model, tools, ToolLoopAgent } = await givenProgram([
      { text: 'Done.' },
      write('yes'),
      { text: 'Done again.' },
    ])
    const active = new AsyncLocalStorage<string>()
    const told = new Map<string, unknown>()
    const span = {
      setAttribute: (name: string, value: unknown) => told.set(name, value),
      addEvent: () => undefined,
      end: () => told.set('is over', true),
    }
    const tracer: TracerLike = { startActiveSpan: (name, body) => active.run(name, () => body(span)) }
    const seen: string[] = []
    const see = (what: string) => () => void seen.push(`${active.getStore()} > ${what}`)
    const integrations = [
      { onStart: see('start'), onStepEnd: see('step'), onToolExecutionStart: see('tool') },
    ]
    const agent = verifiedAgent(
      (guard) => new ToolLoopAgent(guard({ model, tools, telemetry: { integrations } })),
      { workFolder: folder, hardVerifiers: [command('grep -q yes done.txt')], tracer },
    )
    await agent.generate({ prompt: 'write yes' })
    const below = ['start', 'step', 'step', 'tool', 'step']
    expect(seen.toSorted()).toEqual(below.map((what) => `donecheck.run > ${what}`).toSorted())
    expect(Object.fromEntries(told)).toMatchObject({
      'donecheck.reason': 'task_complete',
      'donecheck.outcome': 'verified',
      'donecheck.blocked_stops': 1,
      'is over': true,
    })
  })

  it('refuses what must not run, tells the model why, and goes on', async () => {
    const { agent, server, ran } = await givenProgram([shell('rm -rf /'), write('yes'), { text: 'Done.' }])
    const { verification } = await agent.generate({ prompt: 'write yes' })
    expect(ran).toEqual([])
    expect(server.turns[1]?.told).toContain('rm -rf /')
    expect(verification.isVerified).toBe(true)
  })

  it('asks our approver for what needs a person', async () => {
    const { agent, ran } = await givenProgram([shell('make release'), write('yes'), { text: 'Done.' }], {
      approver: acceptAll('the test'),
      gate: { approval: 'all' },
    })
    const { verification } = await agent.generate({ prompt: 'write yes' })
    expect(ran).toEqual(['make release'])
    expect(verification.isVerified).toBe(true)
  })

  it('tells the model what the approver refused', async () => {
    const { agent, server, ran } = await givenProgram(
      [shell('make release'), write('yes'), { text: 'Done.' }],
      {
        approver: {
          ask: async ({ tool }) => ({ approved: tool !== 'shell', by: 'Ada', reason: 'not today' }),
        },
        gate: { approval: 'all' },
      },
    )
    await agent.generate({ prompt: 'write yes' })
    expect(ran).toEqual([])
    expect(server.turns[1]?.told).toContain('not today')
  })
})
