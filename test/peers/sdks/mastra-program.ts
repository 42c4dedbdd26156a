/** Mastra's own agents over its own router of models, from a folder of their own. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { command } from 'donecheck'
import {
  verifiedGenerate,
  type AgentLike,
  type Resumption,
  type VerifiedExecutionOptions,
} from '@donecheck/agents/mastra'
import { z } from 'zod'
import { realSdk, startModelServer, type ModelServer, type ScriptedStep } from '../kit/index.ts'

export interface Result {
  readonly text: string
  readonly finishReason: string
}

export interface Stream {
  readonly textStream: AsyncIterable<string>
}

/** As much of the SDK as the programs use. */
export interface Sdk {
  readonly Agent: new (options: object) => AgentLike & {
    generate(input: unknown, options?: object): Promise<Result>
    stream(input: unknown, options?: object): Promise<Stream>
  }
  readonly Mastra: new (options: object) => { getAgent(name: string): InstanceType<Sdk['Agent']> }
  readonly InMemoryStore: new () => object
  readonly createTool: (definition: object) => object
  readonly createScorer: (definition: object) => {
    generateScore(score: (asked: object) => number): object
  }
}

export async function sdk(): Promise<Sdk> {
  const found = realSdk('@mastra/core')
  if ('problem' in found) throw new Error(found.problem)
  const rooms = ['agent', 'mastra', 'storage', 'tools', 'evals']
  const modules = await Promise.all(
    rooms.map((room): Promise<object> => import(join(found.folder, `dist/${room}/index.js`))),
  )
  return Object.assign({}, ...modules) as Sdk
}

export let folder = ''
export let server: ModelServer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-mastra-'))
})

afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

export const write = (content: string) => ({ tool: 'write', args: { path: 'done.txt', content } })
export const shell = (line: string) => ({ tool: 'shell', args: { command: line } })

export interface Given {
  readonly options?: Partial<VerifiedExecutionOptions>
  readonly agent?: object
  readonly requireApproval?: boolean
}

/** An agent that writes files, over a model that follows a script; done is a file of which a command says so. */
export async function givenProgram(steps: readonly ScriptedStep[], given: Given = {}) {
  const { Agent, Mastra, InMemoryStore, createTool } = await sdk()
  server = await startModelServer({ steps })
  const ran: string[] = []
  const tools = {
    write: createTool({
      id: 'write',
      description: 'writes a file',
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      execute: async ({ path, content }: { path: string; content: string }) => {
        writeFileSync(join(folder, path), content)
        return 'written'
      },
    }),
    shell: createTool({
      id: 'shell',
      description: 'runs a command',
      inputSchema: z.object({ command: z.string() }),
      requireApproval: given.requireApproval ?? false,
      execute: async ({ command: line }: { command: string }) => `ran ${ran.push(line)}: ${line}`,
    }),
  }
  const model = { providerId: 'fake', modelId: 'fake', url: `${server.url}/v1`, apiKey: 'none' }
  const writer = new Agent({
    id: 'writer',
    name: 'writer',
    instructions: 'Write.',
    model,
    tools,
    ...given.agent,
  })
  const agent = new Mastra({ agents: { writer }, storage: new InMemoryStore(), logger: false }).getAgent(
    'writer',
  )
  const options: VerifiedExecutionOptions = {
    workFolder: folder,
    hardVerifiers: [saysYes()],
    acts: {
      shell: (input) => ({ kind: 'command', script: z.object({ command: z.string() }).parse(input).command }),
    },
    ...given.options,
  }
  const generate = (input: string | Resumption = 'write yes') => verifiedGenerate(agent, input, options)
  return { agent, options, generate, server, ran }
}

export function saysYes() {
  return command('grep -q yes done.txt', { name: 'the file says yes' })
}
