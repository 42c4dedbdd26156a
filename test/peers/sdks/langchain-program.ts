/** LangChain's own agents and graphs of LangGraph over LangChain's own model of OpenAI, from a folder of their own. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { command } from 'donecheck'
import { verifiedMiddleware, type VerifiedMiddlewareOptions } from '@donecheck/agents/langchain'
import { z } from 'zod'
import { realSdk, startModelServer, type ModelServer, type ScriptedStep } from '../kit/index.ts'

export interface Message {
  readonly type: string
  readonly content: unknown
  readonly id?: string
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

export interface Result {
  readonly messages: readonly Message[]
  readonly __interrupt__?: readonly { readonly value: object }[]
}

export interface Graph {
  invoke(input: object, config?: object): Promise<Result>
}

export interface GraphBuilder {
  addNode(name: string, node: unknown): GraphBuilder
  addEdge(from: string, to: string): GraphBuilder
  addConditionalEdges(from: string, edge: unknown, to: readonly string[]): GraphBuilder
  compile(options?: object): Graph
}

/** As much of the SDKs as the programs use. */
export interface Sdk {
  readonly createAgent: (options: object) => Graph
  readonly tool: (run: (input: never) => unknown, definition: object) => object
  readonly modelCallLimitMiddleware: (options: object) => object
  readonly ChatOpenAI: new (options: object) => { invoke(messages: readonly Message[]): Promise<Message> }
  readonly StateGraph: new (state: unknown) => GraphBuilder
  readonly MessagesAnnotation: unknown
  readonly MemorySaver: new () => object
  readonly Command: new (options: object) => object
}

export async function sdk(): Promise<Sdk> {
  const modules = await Promise.all(
    ['langchain', '@langchain/openai', '@langchain/langgraph'].map((name): Promise<object> => {
      const found = realSdk(name)
      if ('problem' in found) throw new Error(found.problem)
      return import(join(found.folder, 'dist/index.js'))
    }),
  )
  return Object.assign({}, ...modules) as Sdk
}

export let folder = ''
export let server: ModelServer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-langchain-'))
})

afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

export const write = (content: string) => ({ tool: 'write', args: { path: 'done.txt', content } })
export const shell = (line: string) => ({ tool: 'shell', args: { command: line } })
export const ask = (content: string) => ({ messages: [{ role: 'user', content }] })

export interface Given {
  readonly options?: Partial<VerifiedMiddlewareOptions>
  readonly agent?: object
  readonly others?: readonly object[]
}

/** An agent that writes files, over a model that follows a script; done is a file of which a command says so. */
export async function givenProgram(steps: readonly ScriptedStep[], given: Given = {}) {
  const { createAgent, tool } = await sdk()
  const { model, server } = await givenModel(steps)
  const ran: string[] = []
  const tools = [
    tool(
      ({ path, content }: { path: string; content: string }) => {
        writeFileSync(join(folder, path), content)
        return 'written'
      },
      {
        name: 'write',
        description: 'writes a file',
        schema: z.object({ path: z.string(), content: z.string() }),
      },
    ),
    tool(({ command: line }: { command: string }) => `ran ${ran.push(line)}: ${line}`, {
      name: 'shell',
      description: 'runs a command',
      schema: z.object({ command: z.string() }),
    }),
  ]
  const verified = verifiedMiddleware({
    workFolder: folder,
    hardVerifiers: [saysYes()],
    acts: {
      shell: (input) => ({ kind: 'command', script: z.object({ command: z.string() }).parse(input).command }),
      write: { kind: 'read' },
    },
    ...given.options,
  })
  const agent = createAgent({ model, tools, middleware: [verified, ...(given.others ?? [])], ...given.agent })
  return { agent, verified, server, ran }
}

export async function givenModel(steps: readonly ScriptedStep[]) {
  const { ChatOpenAI } = await sdk()
  const started = await startModelServer({ steps })
  server = started
  const model = new ChatOpenAI({
    model: 'fake',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${started.url}/v1` },
  })
  return { model, server: started }
}

export function saysYes() {
  return command('grep -q yes done.txt', { name: 'the file says yes' })
}

/** Calls that nobody has answered: the next request with them is invalid. */
export function orphans({ messages }: Result): readonly string[] {
  const answered = new Set(messages.map(({ tool_call_id }) => tool_call_id))
  return messages
    .flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
    .filter((id) => !answered.has(id))
}
