/** A model server on loopback that says what it was told to say, over four protocols, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text as textFrom } from 'node:stream/consumers'
import { isFailure, spokenOf, type ModelRequest, type Script, type ScriptedStep, type Step } from './step.ts'
import { anthropic } from './wire/anthropic.ts'
import { chat } from './wire/chat.ts'
import { gemini } from './wire/gemini.ts'
import { responses } from './wire/responses.ts'
import { isRecord, type Body, type Wire } from './wire/wire.ts'

const wires: readonly Wire[] = [anthropic, responses, chat, gemini]

export interface ModelServer {
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly url: string
  /** All that were asked, in the order of their arrival. */
  readonly requests: readonly ModelRequest[]
  /** Those that offer tools, or all where the script has no side steps: the model calls of the agent itself. */
  readonly turns: readonly ModelRequest[]
  /** The others: judges, titles. */
  readonly sideTurns: readonly ModelRequest[]
  /** Paths that nobody serves, for the message of a test that failed. */
  readonly unserved: readonly string[]
  close(): Promise<void>
}

export async function startModelServer(script: Script): Promise<ModelServer> {
  if (script.steps.length === 0) throw new RangeError('a script needs a step at least')
  const requests: ModelRequest[] = []
  const unserved: string[] = []
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined)
    serve({ script, requests, unserved }, incoming, outgoing).catch((error: unknown) => {
      // A script that throws must not look like a model that fails: agents would just ask again.
      unserved.push(`the script threw: ${String(error)}`)
      outgoing.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port')
  const isSide = (request: ModelRequest) => request.isSide && script.sideSteps !== undefined
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    get turns() {
      return requests.filter((request) => !isSide(request))
    },
    get sideTurns() {
      return requests.filter(isSide)
    },
    unserved,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Session {
  readonly script: Script
  readonly requests: ModelRequest[]
  readonly unserved: string[]
}

async function serve(session: Session, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const path = (incoming.url ?? '/').split('?')[0] ?? '/'
  const wire = incoming.method === 'POST' ? wires.find((each) => each.serves(path)) : undefined
  const sent = await textFrom(incoming)
  if (wire === undefined) {
    session.unserved.push(`${incoming.method ?? ''} ${path}`)
    sendJson(outgoing, 404, { error: { message: 'not served here', type: 'not_found_error' } })
    return
  }
  const aside = wire.aside?.(path)
  if (aside !== undefined) {
    sendJson(outgoing, 200, aside)
    return
  }
  const parsed: unknown = JSON.parse(sent)
  const body = isRecord(parsed) ? parsed : {}
  const request = keep(session, wire, body)
  const step = stepFor(session.script, request)
  await step.after
  if (!outgoing.destroyed) answer({ session, wire, path, body, step, request }, outgoing)
}

function keep({ requests, script }: Session, wire: Wire, body: Body): ModelRequest {
  const tools = wire.tools(body)
  const isSide = tools.length === 0
  const messages = wire.messages(body)
  const lastSaid = messages.findLastIndex(({ side }) => side === 'said')
  const request: ModelRequest = {
    index: requests.length,
    turn: requests.filter((other) => script.sideSteps === undefined || other.isSide === isSide).length,
    protocol: wire.protocol,
    isSide,
    tools,
    told: messages
      .slice(lastSaid + 1)
      .map(({ text }) => text)
      .join('\n'),
    body,
  }
  requests.push(request)
  return request
}

function stepFor(script: Script, request: ModelRequest): Step {
  const steps: readonly ScriptedStep[] = request.isSide ? (script.sideSteps ?? script.steps) : script.steps
  const step = steps[Math.min(request.turn, steps.length - 1)]
  if (step === undefined) throw new RangeError('side steps need a step at least')
  return typeof step === 'function' ? step(request) : step
}

interface Exchange {
  readonly session: Session
  readonly wire: Wire
  readonly path: string
  readonly body: Body
  readonly step: Step
  readonly request: ModelRequest
}

function answer({ session, wire, path, body, step, request }: Exchange, outgoing: ServerResponse): void {
  if (isFailure(step)) {
    sendJson(outgoing, step.status, step.body ?? wire.failure(step), step.headers)
    return
  }
  const model = typeof body['model'] === 'string' ? body['model'] : 'fake'
  const spoken = spokenOf(step, { index: request.index, model, usage: session.script.usage })
  if (!wire.isStreaming(path, body)) {
    sendJson(outgoing, 200, wire.whole(spoken))
    return
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  outgoing.end(wire.stream(spoken))
}

function sendJson(outgoing: ServerResponse, status: number, value: unknown, headers = {}): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(JSON.stringify(value))
}
