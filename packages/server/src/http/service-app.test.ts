import { beforeEach, describe, expect, it } from 'vitest'
import { errorResponse } from '../api/index.ts'
import { allRoutes } from './fixtures/all-routes.ts'
import {
  askedService,
  origin,
  storeWithRun,
  tokens,
  type AskedService,
  type Asking,
} from './fixtures/asked-service.ts'

const requests = allRoutes.map(({ method, path, role }) => {
  const request = `${method.toUpperCase()} ${path.replace('{id}', 'run-1').replace('{digest}', 'd')}`
  return [request, role] as const
})

let service: AskedService

beforeEach(async () => {
  service = askedService({ store: await storeWithRun() })
})

async function refusalOf(request: string, asking: Asking) {
  const answer = await service.ask(request, asking)
  const { error } = errorResponse.parse(await answer.json())
  return { status: answer.status, code: error.code }
}

describe.each(requests)('given %s', (request, role) => {
  it('nobody without a token gets an answer', async () => {
    const refused = { status: 401, code: 'unauthenticated' }
    expect(await refusalOf(request, { token: null })).toEqual(refused)
    expect(await refusalOf(request, { token: 'a token of somebody else, long enough' })).toEqual(refused)
  })

  it('nobody under another name of the host gets an answer', async () => {
    const rebound = { headers: { host: 'evil.example.org' } }
    expect(await refusalOf(request, rebound)).toEqual({ status: 421, code: 'unknown-host' })
  })

  it('no page of another origin gets an answer', async () => {
    for (const headers of [
      { origin: 'https://evil.example.org' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      expect(await refusalOf(request, { headers })).toEqual({ status: 403, code: 'foreign-origin' })
  })

  it.runIf(role !== 'read')('nobody without the role gets an answer', async () => {
    const other = role === 'run' ? tokens.approve : tokens.run
    for (const token of [tokens.read, other])
      expect(await refusalOf(request, { token })).toEqual({ status: 403, code: 'forbidden' })
  })
})

describe.each(requests.filter(([request]) => request.startsWith('POST')))('given %s', (request) => {
  it('what is no JSON, what has unknown keys, and what is too large is refused', async () => {
    expect(await refusalOf(request, { body: '{' })).toEqual({ status: 400, code: 'invalid-request' })
    expect(await refusalOf(request, { body: { aKeyOfNobody: 1 } })).toEqual({
      status: 400,
      code: 'invalid-request',
    })
    expect(await refusalOf(request, { body: 'x'.repeat(1024 * 1024 + 1) })).toEqual({
      status: 413,
      code: 'too-large',
    })
  })
})

describe('given a browser that follows the link', () => {
  async function cookieOf(): Promise<string> {
    const answer = await service.ask(`GET /login?token=${tokens.run}`, { token: null })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/')
    return answer.headers.get('set-cookie') ?? ''
  }

  it('gets a cookie that no script reads, no other site sends, and that holds no token', async () => {
    const cookie = await cookieOf()
    expect(cookie).toMatch(/^donecheck_4747=/)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part)
    expect(cookie).not.toContain(tokens.run)
  })

  it('is known by it, and changes something from its own origin alone', async () => {
    const cookie = (await cookieOf()).split(';')[0] ?? ''
    const session = await service.ask('GET /api/session', { token: null, headers: { cookie } })
    expect(await session.json()).toMatchObject({ user: 'run', roles: ['read', 'run'], canStart: false })
    const change = 'POST /api/runs/run-1/cancel'
    expect(await refusalOf(change, { token: null, headers: { cookie } })).toMatchObject({
      code: 'foreign-origin',
    })
    const own = await service.ask(change, { token: null, headers: { cookie, origin } })
    expect(await own.json()).toEqual({ how: 'stopped' })
  })

  it('goes to a run and nowhere else', async () => {
    const leadsTo = async (to: string) =>
      (
        await service.ask(`GET /login?token=${tokens.run}&to=${encodeURIComponent(to)}`, { token: null })
      ).headers.get('location')
    expect(await leadsTo('/runs/01M7Z')).toBe('/runs/01M7Z')
    for (const to of [
      '//evil.org',
      'https://evil.org',
      '/runs/\r\nSet-Cookie: a=b',
      '/\\evil.org',
      '/api/runs',
    ])
      expect(await leadsTo(to)).toBe('/')
  })

  it('is not listened to after too many wrong tokens, and is told when it may try again', async () => {
    for (let tries = 0; tries < 10; tries += 1) await service.ask('GET /login?token=wrong', { token: null })
    const answer = await service.ask('GET /login?token=wrong', { token: null })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('given any answer', () => {
  it.each([
    'GET /',
    'GET /healthz',
    'GET /api/session',
    'GET /api/nothing',
    'GET /metrics',
    'POST /api/runs',
    'PUT /api/runs',
  ])('%s tells the browser what it may not do with it', async (request) => {
    const { headers } = await service.ask(request)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cache-control')).toMatch(/no-store|no-cache/)
  })

  it('health needs no token, figures need one that may read', async () => {
    expect((await service.ask('GET /healthz', { token: null })).status).toBe(200)
    expect((await service.ask('GET /metrics', { token: null })).status).toBe(401)
    expect((await service.ask('GET /metrics', { token: tokens.alone })).status).toBe(403)
    expect(await (await service.ask('GET /metrics', { token: tokens.read })).text()).toBe('runs 1\n')
  })

  it('what nobody expected is told to whoever runs the service, and to nobody else', async () => {
    const store = await storeWithRun()
    const broken = askedService({
      store: { ...store, summary: () => Promise.reject(new TypeError('secret of the disk')) },
    })
    const answer = await broken.ask('GET /api/runs/run-1/receipt')
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('secret')
    expect(broken.logged.join()).toContain('secret of the disk')
  })
})

describe('given a page that was built', () => {
  const page = {
    content: new TextEncoder().encode('<html>'),
    type: 'text/html; charset=utf-8',
    isHashed: false,
  }
  const script = { content: new TextEncoder().encode('1'), type: 'text/javascript', isHashed: true }
  const pageFiles = new Map([
    ['/index.html', page],
    ['/assets/index-1.js', script],
  ])
  const shown = askedService({ pageFiles })

  it('a path that leads elsewhere leads to nothing of the disk', async () => {
    for (const path of [
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets//etc/passwd',
      '/assets/index-1.js%00.html',
    ]) {
      const answer = await shown.ask(`GET ${path}`, { token: null })
      expect([200, 404]).toContain(answer.status)
      expect(await answer.text()).not.toContain('"name"')
    }
  })
})
