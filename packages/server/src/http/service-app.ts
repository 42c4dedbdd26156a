import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import {
  cookieName,
  isKnownHost,
  rateLimit,
  securityHeaders,
  sessionMs,
  createSession,
  findUserBySession,
  findUserByToken,
} from '../access/index.ts'
import type { User, Users } from '../access/index.ts'
import { api, needsRole, openApiDocument, Problem, problemCodes, toProblem } from '../api/index.ts'
import type { Environment, Workplace } from '../api/index.ts'
import type { PageFile } from './report-page.ts'

interface AppParts {
  readonly workplace: Workplace
  readonly users: Users
  readonly origins: ReadonlySet<string>
  readonly port: number
  readonly pageFiles: ReadonlyMap<string, PageFile>
  readonly metrics: (() => Promise<string>) | undefined
  readonly log: (line: string) => void
}

type RequestContext = Context<Environment>

/** Per user, far more than the web UI needs. */
const requestBurst = 600
const requestsPerMinute = 3000
/** Failed attempts per address and minute. */
const failedLogins = 10

export function serviceApp(parts: AppParts): Hono<Environment> {
  const app = new Hono<Environment>()
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value)
    if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store')
  })
  app.use(requireOwnOrigin(parts.origins))
  app.onError((error, context) => answerProblem(context, error, parts.log))
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  const { identify, login } = createAuthentication(parts)
  app.get('/login', login)
  app.use('/api/*', identify)
  app.use('/metrics', identify, needsRole('read'))
  app.get('/metrics', async (context) => {
    if (parts.metrics === undefined) throw notFound(context)
    return context.text(await parts.metrics(), 200, { 'Content-Type': 'text/plain; version=0.0.4' })
  })
  const document = JSON.stringify(openApiDocument())
  app.get('/api/openapi.json', (context) =>
    context.body(document, 200, { 'Content-Type': 'application/json' }),
  )
  app.route('/', api)
  app.all('/api/*', (context) => {
    throw notFound(context)
  })
  app.get('*', (context) => answerPage(context, parts.pageFiles))
  app.notFound((context) => {
    throw notFound(context)
  })
  return app
}

/** Rejects rebound host names and requests from pages of other sites. */
function requireOwnOrigin(origins: ReadonlySet<string>): MiddlewareHandler<Environment> {
  return async (context, next) => {
    if (!isKnownHost(origins, context.req.header('host')))
      throw new Problem(
        'unknown-host',
        'Unknown Host header. Behind a proxy, pass its address with --public-url.',
      )
    const origin = context.req.header('origin')
    const site = context.req.header('sec-fetch-site')
    const isExternalOrigin = origin !== undefined && !origins.has(origin)
    // A page on another port is same-site, so the browser sends our cookie with its requests.
    const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
    const isPage = context.req.method === 'GET' && !context.req.path.startsWith('/api/')
    // Links on other sites may only open the web UI.
    if (isExternalOrigin || (!isOwnSite && !isPage))
      throw new Problem('foreign-origin', 'Requests from other origins are not allowed.')
    await next()
  }
}

function createAuthentication({ users, origins, port, workplace }: AppParts) {
  const { nowMs } = workplace
  const perUser = rateLimit(requestBurst, requestsPerMinute)
  const failures = rateLimit(failedLogins, failedLogins)

  /** Limits wrong tokens by address. A valid token always passes, because users of a proxy share its address. */
  function requireUserByToken(context: RequestContext, token: string): Users[number] {
    const registered = findUserByToken(users, token)
    if (registered !== undefined) return registered
    const waitMs = failures.take(context.env.incoming?.socket.remoteAddress ?? '', nowMs())
    if (waitMs !== undefined) throw tooMany(waitMs)
    throw new Problem('unauthenticated', 'Unknown token. Open the link that "donecheck serve" printed.')
  }

  function requireUser(context: RequestContext): User {
    const [, token] = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    context.set('isBearer', token !== undefined)
    if (token !== undefined) return requireUserByToken(context, token).user
    const user = findUserBySession(users, getCookie(context, cookieName(port)) ?? '', nowMs())
    if (user !== undefined) return user
    throw new Problem(
      'unauthenticated',
      'Open the link that "donecheck serve" printed, or send "Authorization: Bearer TOKEN".',
    )
  }

  const identify: MiddlewareHandler<Environment> = async (context, next) => {
    const user = requireUser(context)
    const waitMs = perUser.take(user.name, nowMs())
    if (waitMs !== undefined) throw tooMany(waitMs)
    context.set('user', user)
    context.set('workplace', workplace)
    await next()
  }

  const login = (context: RequestContext): Response => {
    const registered = requireUserByToken(context, context.req.query('token') ?? '')
    setCookie(context, cookieName(port), createSession(registered, nowMs()), {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: sessionMs / 1000,
      secure: origins.has(`https://${context.req.header('host') ?? ''}`),
    })
    const to = context.req.query('to') ?? '/'
    return context.redirect(/^\/(?:runs\/[\w%.-]{1,600})?$/.test(to) ? to : '/', 303)
  }
  return { identify, login }
}

function tooMany(waitMs: number): Problem {
  return new Problem('too-many-requests', 'Too many requests. Try again later.', Math.ceil(waitMs / 1000))
}

function answerProblem(context: RequestContext, error: unknown, log: (line: string) => void): Response {
  const problem = toProblem(error)
  const { code, message, retryAfterSeconds } = problem
  if (problem !== error && (code === 'internal' || code === 'unavailable'))
    log(
      `${context.req.method} ${context.req.path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
  return context.json({ error: { code, message } }, problemCodes[code], headers)
}

function notFound(context: RequestContext): Problem {
  return new Problem(
    'not-found',
    `No route ${context.req.method} ${context.req.path}. See /api/openapi.json.`,
  )
}

function answerPage(context: RequestContext, files: ReadonlyMap<string, PageFile>): Response {
  const { path } = context.req
  const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'))
  if (file === undefined)
    throw new Problem(
      'not-found',
      files.size === 0 ? 'The web UI was not built. In a checkout, run: npm run build' : `No file ${path}.`,
    )
  const cache = file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
  return context.body(file.content, 200, { 'Content-Type': file.type, 'Cache-Control': cache })
}
