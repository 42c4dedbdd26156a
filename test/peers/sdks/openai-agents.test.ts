/** The OpenAI Agents SDK itself, over its own provider: chat completions and responses. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { command } from 'donecheck'
import {
  verifiedRun,
  type AgentLike,
  type RunnerLike,
  type VerifiedRunOptions,
} from '@donecheck/agents/openai-agents'
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
  readonly Agent: new (options: object) => AgentLike & { on(event: string, listener: () => void): void }
  readonly Runner: new (options: object) => RunnerLike & {
    run(agent: AgentLike, input: unknown, options?: object): Promise<{ readonly finalOutput?: unknown }>
  }
  readonly OpenAIProvider: new (options: object) => object
  readonly tool: (definition: object) => object
}

interface Result {
  readonly finalOutput?: unknown
  readonly interruptions: readonly object[]
  readonly state: { approve(item: object): void }
}

async function sdk(): Promise<Sdk> {
  const found = realSdk('@openai/agents')
  if ('problem' in found) throw new Error(found.problem)
  return (await import(join(found.folder, 'dist/index.mjs'))) as Sdk
}

let folder = ''
let server: ModelServer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-openai-agents-'))
})

afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

const write = (content: string) => ({ tool: 'write', args: { path: 'done.txt', content } })
const shell = (line: string) => ({ tool: 'shell', args: { command: line } })

interface Given {
  readonly options?: Partial<VerifiedRunOptions>
  readonly needsApproval?: boolean
  readonly useResponses?: boolean
  readonly agent?: object
}

/** An agent that writes files, over a model that follows a script; done is a file of which a command says so. */
async function givenProgram(steps: readonly ScriptedStep[], given: Given = {}) {
  const { Agent, Runner, OpenAIProvider, tool } = await sdk()
  server = await startModelServer({ steps })
  const ran: string[] = []
  const tools = [
    tool({
      name: 'write',
      description: 'writes a file',
      parameters: z.object({ path: z.string(), content: z.string() }),
      execute: ({ path, content }: { path: string; content: string }) => {
        writeFileSync(join(folder, path), content)
        return 'written'
      },
    }),
    tool({
      name: 'shell',
      description: 'runs a command',
      parameters: z.object({ command: z.string() }),
      needsApproval: given.needsApproval ?? false,
      execute: ({ command: line }: { command: string }) => `ran ${ran.push(line)}: ${line}`,
    }),
  ]
  const modelProvider = new OpenAIProvider({
    apiKey: 'none',
    baseURL: `${server.url}/v1`,
    useResponses: given.useResponses ?? false,
  })
  const runner = new Runner({ modelProvider, tracingDisabled: true })
  const agent = new Agent({ name: 'writer', instructions: 'Write.', model: 'fake', tools, ...given.agent })
  const options: VerifiedRunOptions = {
    workFolder: folder,
    hardVerifiers: [saysYes()],
    acts: {
      shell: (input) => ({ kind: 'command', script: z.object({ command: z.string() }).parse(input).command }),
    },
    ...given.options,
  }
  const run = (input: string | object = 'write yes') => verifiedRun<Result>(runner, agent, input, options)
  return { run, runner, agent, server, ran, tools, Agent }
}

function saysYes() {
  return command('grep -q yes done.txt', { name: 'the file says yes' })
}

describeWithSdk('@openai/agents', 'given a program of the OpenAI Agents SDK', () => {
  it.each([{ useResponses: false }, { useResponses: true }])(
    'is kept from stopping with the evidence, and ends verified (%o)',
    async ({ useResponses }) => {
      const { run, server } = await givenProgram(
        [write('no'), { text: 'Done.' }, write('yes'), { text: 'Done again.' }],
        { useResponses },
      )
      const { result, verification, history } = await run()
      expect(result?.finalOutput).toBe('Done again.')
      expect(server.turns[2]?.told).toContain('the file says yes')
      expect(JSON.stringify(history)).toContain('the file says yes')
      expect(verification).toMatchObject({
        isVerified: true,
        blockedStops: 1,
        transition: { reason: 'task_complete', outcome: 'verified' },
        result: { usage: { modelCalls: 4, toolCalls: 2, inputTokens: 4000, outputTokens: 200 } },
      })
    },
  )

  it('ends capped, not verified, where the SDK has its final output', async () => {
    const steps = ['1', '2', '3'].flatMap((content) => [{ text: 'Done.' }, write(content)])
    const { run } = await givenProgram([...steps, { text: 'Done.' }], {
      options: { hardCap: { blockedStops: 2 } },
    })
    const { result, verification } = await run()
    expect(result?.finalOutput).toBe('Done.')
    expect(verification).toMatchObject({
      isVerified: false,
      transition: { reason: 'hard_cap', cap: 'blocked_stops', outcome: 'exhausted' },
    })
  })

  it('refuses what must not run, tells the model why, and goes on', async () => {
    const { run, server, ran } = await givenProgram([shell('rm -rf /'), write('yes'), { text: 'Done.' }])
    const { verification } = await run()
    expect(ran).toEqual([])
    expect(server.turns[1]?.told).toContain('rm -rf /')
    expect(verification.isVerified).toBe(true)
  })

  it('leaves an interruption to the SDK’s own user, and goes on with the same run', async () => {
    const { run, ran } = await givenProgram([shell('make release'), write('yes'), { text: 'Done.' }], {
      needsApproval: true,
    })
    const first = await run()
    expect(first.verification).toMatchObject({ transition: undefined, waitingFor: ['shell'] })
    for (const item of first.result?.interruptions ?? []) first.result?.state.approve(item)
    const second = await run(first.result?.state ?? {})
    expect(ran).toEqual(['make release'])
    expect(second.verification).toMatchObject({ runId: first.verification.runId, isVerified: true })
  })

  it('judges the calls of an agent that was handed off to', async () => {
    const { tools, Agent, runner, server, ran } = await givenProgram([
      { tool: 'transfer_to_helper', args: {} },
      shell('rm -rf /'),
      write('yes'),
      { text: 'Done.' },
    ])
    const helper = new Agent({ name: 'helper', model: 'fake', tools })
    const first = new Agent({ name: 'first', model: 'fake', handoffs: [helper] })
    const { verification } = await verifiedRun(runner, first, 'write yes', {
      workFolder: folder,
      hardVerifiers: [saysYes()],
      acts: { shell: () => ({ kind: 'command', script: 'rm -rf /' }) },
    })
    expect(ran).toEqual([])
    expect(server.turns).toHaveLength(4)
    expect(verification.isVerified).toBe(true)
  })
})
