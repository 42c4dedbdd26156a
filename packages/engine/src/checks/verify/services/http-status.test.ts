import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { httpStatus, type HttpStatusOptions } from './http-status.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const answers = new Map<string, Answer>([
  ['/ok', (response) => response.end('{"ready":true,"waiting":3}')],
  ['/created', (response) => response.writeHead(201).end()],
  ['/broken', (response) => response.writeHead(500).end('stack trace')],
  ['/moved', (response) => response.writeHead(302, { location: '/ok' }).end()],
  ['/dropped', (response) => response.destroy()],
  ['/silent', () => undefined],
  ['/flood', (response) => response.end('x'.repeat(2 * 1024 * 1024))],
  ['/bytes', (response) => response.end(Buffer.from([0xff, 0xfe]))],
  ['/many-as', (response) => response.end(`${'a'.repeat(40)}!`)],
  [
    '/echo',
    (response, request) => {
      const status = request.method === 'POST' && request.headers['x-key'] === 'k' ? 200 : 400
      request.resume().on('end', () => response.writeHead(status).end())
    },
  ],
])

let asked = 0
let onSilence: () => void = () => undefined
let server: Server
let base = ''
let closed = ''

async function addressOf(listening: Server): Promise<string> {
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

beforeAll(async () => {
  const http = createServer((request, response) => {
    asked += 1
    if (request.url === '/silent') onSilence()
    if (request.url === '/third-time') response.writeHead(asked < 3 ? 503 : 200).end()
    else answers.get(request.url ?? '')?.(response, request)
  })
  server = http
  base = await addressOf(http)
  const gone = createServer()
  closed = await addressOf(gone)
  gone.close()
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

verifierContract('httpStatus', {
  passing: () => httpStatus({ url: `${base}/ok` }),
  failing: () => httpStatus({ url: `${base}/broken` }),
  makeUndecided: () => httpStatus({ url: `${base}/flood` }),
  hanging: (onStart) => {
    onSilence = onStart
    return httpStatus({ url: `${base}/silent` })
  },
})

const context = contextOf()

function ask(path: string, options: Partial<HttpStatusOptions> = {}) {
  asked = 0
  return httpStatus({ url: `${base}${path}`, ...options }).verify(context, new AbortController().signal)
}

describe('given a server that answers', () => {
  it('passes with the wanted status, and shows what came', async () => {
    expect(await ask('/ok')).toMatchObject({
      status: 'passed',
      reason: `${base}/ok answered 200`,
      evidence: [
        { kind: 'measure', name: 'status', value: 200 },
        { kind: 'note', text: 'body: {"ready":true,"waiting":3}' },
      ],
    })
  })

  it.each<[HttpStatusOptions['status'], 'passed' | 'failed']>([
    [201, 'passed'],
    [200, 'failed'],
  ])('where %j is wanted, 201 is %s', async (status, verdict) => {
    expect(await ask('/created', { ...(status === undefined ? {} : { status }) })).toMatchObject({
      status: verdict,
    })
  })

  it('says which status came, and which was wanted', async () => {
    expect(await ask('/broken')).toMatchObject({
      status: 'failed',
      reason: `${base}/broken answered 500, not 200`,
    })
  })

  it('sends method, headers and body', async () => {
    const options = { method: 'POST', headers: { 'x-key': 'k' }, body: '{}' }
    expect(await ask('/echo', options)).toMatchObject({ status: 'passed' })
    expect(await ask('/echo')).toMatchObject({ status: 'failed' })
  })

  it('takes a redirect for the answer', async () => {
    expect(await ask('/moved')).toMatchObject({
      status: 'failed',
      reason: `${base}/moved answered 302, not 200`,
    })
  })
})

describe('given a wanted body', () => {
  it.each<[string, Partial<HttpStatusOptions>, string]>([
    ['a text that stands in it', { bodyMatches: '"waiting":3' }, 'passed'],
    ['a text that does not', { bodyMatches: 'waiting: 3' }, 'failed'],
    ['a pattern that it matches', { bodyMatches: /"waiting":\d/u }, 'passed'],
  ])('decides by %s', async (_, options, status) => {
    expect(await ask('/ok', options)).toMatchObject({ status })
  })

  it('is an error for a pattern that does not come to an end', async () => {
    expect(await ask('/many-as', { bodyMatches: /^(a+)+$/u })).toMatchObject({ status: 'error' })
  })

  it('is an error for a body that is too long, whatever stands at its beginning', async () => {
    const report = await ask('/flood', { bodyMatches: 'x' })
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('answered more than 1048576 bytes')
  })
})

describe('given a server that is waited for', () => {
  it('asks again until the wanted status comes: any other answer is not ready', async () => {
    const report = await ask('/third-time', { readyWithinMs: 60_000 })
    expect(report).toMatchObject({ status: 'passed' })
  })

  it('asks once where it is not waited for', async () => {
    expect(await ask('/third-time')).toMatchObject({ status: 'failed' })
    expect(asked).toBe(1)
  })

  it('lets the last answer stand when the time is over', async () => {
    const report = await ask('/broken', { readyWithinMs: 30 })
    expect(report).toMatchObject({ status: 'failed', reason: `${base}/broken answered 500, not 200` })
  })
})

describe('given nobody who answers', () => {
  it('fails where the connection is refused: there is no such service', async () => {
    const report = await ask('', { url: closed })
    expect(report).toMatchObject({ status: 'failed', qualifiers: [] })
    expect(report.reason).toContain(`nobody answers at ${closed}`)
  })

  it('is an error where no answer comes in time', async () => {
    onSilence = () => undefined
    expect(await ask('/silent', { timeoutMs: 20 })).toMatchObject({
      status: 'error',
      reason: `GET ${base}/silent did not answer within 0.02 s`,
      qualifiers: ['infrastructure'],
    })
  })

  it('is an error of the environment where the connection cannot be trusted', async () => {
    expect(await ask('', { url: base.replace('http:', 'https:') })).toMatchObject({
      status: 'error',
      qualifiers: ['infrastructure'],
    })
  })
})

describe('given misuse', () => {
  it.each<Partial<HttpStatusOptions>>([
    { url: 'localhost:3000' },
    { url: 'file:///etc/passwd' },
    { url: '' },
    { status: 99 },
    { status: Number.NaN },
    { method: 'GET', body: 'x' },
    { headers: { 'bad name': 'x' } },
    { readyWithinMs: -1 },
    { readyWithinMs: 400_000 },
    { bodyMatches: '' },
  ])('refuses %j', (options) => {
    expect(() => httpStatus({ url: 'http://localhost/', ...options })).toThrow(UsageError)
  })
})
