import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import {
  cookieName,
  isKnownHost,
  rateLimit,
  securityHeaders,
  sessionMs,
  sessionOf,
  userOfSession,
  userOfToken,
} from '../access/index.ts'
import type { User, Users } from '../access/index.ts'
import { api, needsRole, openApiDocument, Problem, problemCodes, toProblem } from '../api/index.ts'
import type { Environment, Workplace } from '../api/index.ts'
import type { PageFile } from './report-page.ts'

interface AppParts {
  readonly place: Workplace
  readonly users: Users
  readonly origins: ReadonlySet<string>
  readonly port: number
  readonly pageFiles: ReadonlyMap<string, PageFile>
  readonly metrics: (() => Promise<string>) | undefined
  readonly log: (line: string) => void
}

type Asked = Context<Environment>

/** Per user, far more than the page needs. */
const requestBurst = 600
const requestsPerMinute = 3000
/** Wrong tokens per address and minute. */
const failedLogins = 10

export function serviceApp(parts: AppParts): Hono<Environment> {
  const app = new Hono<Environment>()
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value)
    if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store')
  })
  app.use(ofOurs(parts.origins))
  app.onError((error, context) => answerProblem(context, error, parts.log))
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  const { identify, login } = doorOf(parts)
  app.get('/login', login)
  app.use('/api/*', identify)
  app.use('/metrics', identify, needsRole('read'))
  app.get('/metrics', async (context) => {
    if (parts.metrics === undefined) throw notThere(context)
    return context.text(await parts.metrics(), 200, { 'Content-Type': 'text/plain; version=0.0.4' })
  })
  const document = JSON.stringify(openApiDocument())
  app.get('/api/openapi.json', (context) =>
    context.body(document, 200, { 'Content-Type': 'application/json' }),
  )
  app.route('/', api)
  app.all('/api/*', (context) => {
    throw notThere(context)
  })
  app.get('*', (context) => answerPage(context, parts.pageFiles))
  app.notFound((context) => {
    throw notThere(context)
  })
  return app
}

/** Rejects rebound host names and foreign pages. */
function ofOurs(origins: ReadonlySet<string>): MiddlewareHandler<Environment> {
  return async (context, next) => {
    if (!isKnownHost(origins, context.req.header('host')))
      throw new Problem(
        'unknown-host',
        'this service has other names; a proxy in front of it is named with --public-url',
      )
    const origin = context.req.header('origin')
    const site = context.req.header('sec-fetch-site')
    const isForeign = origin !== undefined && !origins.has(origin)
    // Another port is another origin of the same site, and receives our cookie.
    const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
    const isPage = context.req.method === 'GET' && !context.req.path.startsWith('/api/')
    // Links from elsewhere may only open the page.
    if (isForeign || (!isOwnSite && !isPage))
      throw new Problem('foreign-origin', 'pages of other origins may not ask this service')
    await next()
  }
}

function doorOf({ users, origins, port, place }: AppParts) {
  const { nowMs } = place
  const perUser = rateLimit(requestBurst, requestsPerMinute)
  const failures = rateLimit(failedLogins, failedLogins)

  /** Counts wrong tokens by address. A right one always passes: behind a proxy all share one address. */
  function knownByToken(context: Asked, token: string): Users[number] {
    const known = userOfToken(users, token)
    if (known !== undefined) return known
    const waitMs = failures.take(context.env.incoming?.socket.remoteAddress ?? '', nowMs())
    if (waitMs !== undefined) throw tooMany(waitMs)
    throw new Problem('unauthenticated', 'this token is not known; "donecheck serve" prints a link with one')
  }

  function whoAsks(context: Asked): User {
    const [, token] = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    context.set('isBearer', token !== undefined)
    if (token !== undefined) return knownByToken(context, token).user
    const user = userOfSession(users, getCookie(context, cookieName(port)) ?? '', nowMs())
    if (user !== undefined) return user
    throw new Problem(
      'unauthenticated',
      'open the link that "donecheck serve" printed, or send "Authorization: Bearer TOKEN"',
    )
  }

  const identify: MiddlewareHandler<Environment> = async (context, next) => {
    const user = whoAsks(context)
    const waitMs = perUser.take(user.name, nowMs())
    if (waitMs !== undefined) throw tooMany(waitMs)
    context.set('user', user)
    context.set('place', place)
    await next()
  }

  const login = (context: Asked): Response => {
    const known = knownByToken(context, context.req.query('token') ?? '')
    setCookie(context, cookieName(port), sessionOf(known, nowMs()), {
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
  return new Problem('too-many-requests', 'too many requests; try again later', Math.ceil(waitMs / 1000))
}

function answerProblem(context: Asked, error: unknown, log: (line: string) => void): Response {
  const problem = toProblem(error)
  const { code, message, retryAfterSeconds } = problem
  if (problem !== error && (code === 'internal' || code === 'unavailable'))
    log(
      `${context.req.method} ${context.req.path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
  return context.json({ error: { code, message } }, problemCodes[code], headers)
}

function notThere(context: Asked): Problem {
  return new Problem(
    'not-found',
    `there is no ${context.req.method} ${context.req.path}; /api/openapi.json lists what there is`,
  )
}

function answerPage(context: Asked, files: ReadonlyMap<string, PageFile>): Response {
  const { path } = context.req
  const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'))
  if (file === undefined)
    throw new Problem(
      'not-found',
      files.size === 0 ? 'the page was not built; "npm run build" builds it' : `there is no file ${path}`,
    )
  const cache = file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
  return context.body(file.content, 200, { 'Content-Type': file.type, 'Cache-Control': cache })
}
