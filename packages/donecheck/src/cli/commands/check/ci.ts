import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, rmSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf, UsageError } from '@donecheck/engine/internal/base'
import type { RunState } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import { githubReport, markdownReport, type ResultLine } from '@donecheck/engine/display'
import { orUsageError, writeText } from '../../process/failure.ts'
import type { RunWords } from '../../options/option.ts'
import type { CliIo } from '../../process/io.ts'
import { z } from 'zod'
import { checkedReport, writeCheckReports, type ReportFlags } from './verify.ts'
import type { Flags } from '../../options/flags.ts'

type CiFlags = ReportFlags & Flags<'report'>

const performed: readonly string[] = ['verify', 'run']

export async function ciCommand(
  perform: RunWords,
  words: readonly string[],
  flags: CiFlags,
  io: CliIo,
): Promise<number> {
  const [command = ''] = words
  clearPlaces(flags, io)
  if (!performed.includes(command))
    throw new UsageError(`a job of CI does ${performed.join(', ')} or comment, not "${command}"`)
  const seen: SeenRun = { events: [], state: undefined, result: undefined }
  const exitCode = await unheard(io, () => perform(words, watchedIo(io, seen)))
  await report(seen, exitCode, flags, io)
  return exitCode
}

interface SeenRun {
  events: RunEvent[]
  state: RunState | undefined
  result: ResultLine | undefined
}

function watchedIo(io: CliIo, seen: SeenRun): CliIo {
  return {
    get stdin() {
      return io.stdin
    },
    // One stream, so that the runner keeps the order of lines.
    ...{ stdout: io.stdout, stderr: isGithub(io) ? io.stdout : io.stderr, environment: io.environment },
    ...{ currentFolder: io.currentFolder, homeFolder: io.homeFolder },
    observer: {
      event(event, state) {
        seen.events.push(event)
        seen.state = state
      },
      end: (result) => void (seen.result = result),
    },
  }
}

/** Removes old reports first, so that none is mistaken for a result of this job. */
function clearPlaces(flags: CiFlags, io: CliIo): void {
  for (const file of [flags.junit, flags.receipt, flags.report]) {
    if (file === undefined) continue
    const place = resolve(io.currentFolder, file)
    const clear = () => {
      mkdirSync(dirname(place), { recursive: true })
      rmSync(place, { force: true })
    }
    orUsageError(clear, (error) => `${file} cannot be written: ${messageOf(error)}`)
  }
}

const isGithub = ({ environment }: CliIo) => environment['GITHUB_ACTIONS'] === 'true'

/** Keeps the runner from reading output of agents and tests as workflow commands. */
async function unheard(io: CliIo, work: () => Promise<number>): Promise<number> {
  if (!isGithub(io)) return work()
  const word = randomUUID()
  io.stdout.write(`::stop-commands::${word}\n`)
  try {
    return await work()
  } finally {
    io.stdout.write(`\n::${word}::\n`)
  }
}

async function report(seen: SeenRun, exitCode: number, flags: CiFlags, io: CliIo): Promise<void> {
  const { events, state, result } = seen
  if (state?.phase.kind === 'stopped') {
    await writeCheckReports(state, events, flags, io)
    const { commands } = githubReport(checkedReport(state))
    if (isGithub(io)) io.stdout.write(commands.map((line) => `${line}\n`).join(''))
  }
  const text =
    state === undefined
      ? `## donecheck: error\n\nNothing was begun (exit code ${exitCode}): the log of the job says why.\n`
      : markdownReport(events, checkedReport(state))
  if (flags.report !== undefined) writeText(flags.report, text, io)
  append(io.environment['GITHUB_STEP_SUMMARY'], text)
  const receipt = state?.phase.kind === 'stopped' ? flags.receipt : undefined
  append(
    io.environment['GITHUB_OUTPUT'],
    outputs(result, exitCode, receipt === undefined ? '' : resolve(io.currentFolder, receipt)),
  )
}

function append(file: string | undefined, text: string): void {
  if (file !== undefined && file !== '') appendFileSync(file, text)
}

/** Uses random delimiters, so that a value of several lines sets nothing else. */
function outputs(result: ResultLine | undefined, exitCode: number, receipt: string): string {
  const values = {
    outcome: result?.outcome ?? 'error',
    reason: result?.reason ?? 'error',
    'exit-code': String(exitCode),
    'run-id': result?.runId ?? '',
    receipt,
  }
  return Object.entries(values)
    .map(([name, value]) => {
      const word = randomUUID()
      return `${name}<<${word}\n${value}\n${word}\n`
    })
    .join('')
}

type CommentFlags = Flags<'name'>

/** GitHub allows 65,536 characters. */
const maxBody = 60_000

/** Never fails the job. */
export async function commentCommand(file: string, flags: CommentFlags, io: CliIo): Promise<number> {
  const place = resolve(io.currentFolder, file)
  const report = orUsageError(
    () => readFileSync(place, 'utf8'),
    () => `there is no report ${place}; "donecheck ci --report" writes one`,
  )
  const host = commentHost(io.environment)
  if (typeof host === 'string') return say(`no comment: ${host}`, io)
  const marker = `<!-- donecheck: ${encodeURIComponent(flags.name ?? host.job)} -->`
  const body = `${marker}\n${report.slice(0, maxBody).toWellFormed()}`
  try {
    return say(await writeComment(host, marker, body), io)
  } catch (error) {
    return say(`no comment: ${messageOf(error)}`, io)
  }
}

function say(text: string, io: CliIo): number {
  io.stderr.write(`donecheck: ${text}\n`)
  return 0
}

async function writeComment(host: CommentHost, marker: string, body: string): Promise<string> {
  const known = await findComment(host, marker)
  if (known === undefined) await ask(host, host.comments, { method: 'POST', body })
  else await ask(host, host.comment(known), { method: host.updateMethod, body })
  return known === undefined ? 'comment written' : 'comment written anew'
}

const perPage = 100
/** Stops a host that never returns a last page. */
const maxPages = 100

const comments = z.array(z.looseObject({ id: z.number(), body: z.string().nullish() }))

/** Finds our first comment with the marker; comments of others are left alone. */
async function findComment(host: CommentHost, marker: string): Promise<number | undefined> {
  const isOwn = await host.ownComments((url) => ask(host, url))
  for (let page = 1; page <= maxPages; page += 1) {
    const found = comments.parse(await ask(host, `${host.comments}?per_page=${perPage}&page=${page}`))
    const own = found.find((comment) => comment.body?.startsWith(marker) === true && isOwn(comment))
    if (own !== undefined) return own.id
    if (found.length < perPage) return undefined
  }
  return undefined
}

interface Change {
  readonly method: string
  readonly body: string
}

async function ask(host: CommentHost, url: string, change?: Change): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { ...host.headers, accept: 'application/json', 'content-type': 'application/json' },
    ...(change === undefined ? {} : { method: change.method, body: JSON.stringify({ body: change.body }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  })
  if ([401, 403, 404].includes(answer.status))
    throw new Error(`${host.host} refuses it (HTTP ${answer.status}): ${host.wayOut}`)
  if (!answer.ok) throw new Error(`${host.host} answered with HTTP ${answer.status}`)
  return answer.json()
}

interface CommentHost {
  readonly host: string
  readonly job: string
  readonly headers: Readonly<Record<string, string>>
  readonly comments: string
  comment(id: number): string
  readonly updateMethod: 'PATCH' | 'PUT'
  /** @returns whether a comment was written with this token */
  ownComments(ask: (url: string) => Promise<unknown>): Promise<(comment: object) => boolean>
  readonly wayOut: string
}

type Environment = Readonly<Record<string, string | undefined>>

function commentHost(environment: Environment): CommentHost | string {
  if (environment['GITHUB_ACTIONS'] === 'true') return githubHost(environment)
  if (environment['GITLAB_CI'] === 'true') return gitlabHost(environment)
  return 'this is no job of GitHub Actions or GitLab CI'
}

const event = z.looseObject({ pull_request: z.looseObject({ number: z.number() }) })
const someId = z.looseObject({ id: z.number() })
const byUser = z.looseObject({ user: someId })
const byBot = z.looseObject({ user: z.looseObject({ type: z.literal('Bot') }) })

function githubHost(environment: Environment): CommentHost | string {
  const { GITHUB_TOKEN: token = '', GITHUB_API_URL: api = 'https://api.github.com' } = environment
  const { GITHUB_REPOSITORY: repository = '', GITHUB_EVENT_PATH: path = '' } = environment
  const { GITHUB_WORKFLOW: workflow = '', GITHUB_JOB: job = '' } = environment
  const request = path === '' ? undefined : event.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  if (request === undefined) return 'this job is not one of a pull request'
  if (token === '') return 'GITHUB_TOKEN is not set for this step'
  const issues = `${api}/repos/${repository}/issues`
  return {
    host: 'GitHub',
    job: `${workflow}/${job}`,
    headers: { authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' },
    comments: `${issues}/${request.pull_request.number}/comments`,
    comment: (id) => `${issues}/comments/${id}`,
    updateMethod: 'PATCH',
    async ownComments(ask) {
      // A job token cannot ask who it is, but it is always a bot.
      const me = someId.safeParse(await ask(`${api}/user`).catch(() => undefined)).data?.id
      if (me === undefined) return (comment) => byBot.safeParse(comment).success
      return (comment) => byUser.safeParse(comment).data?.user.id === me
    },
    wayOut:
      'the job needs the permission pull-requests: write, which a pull request from a fork does not get',
  }
}

const byAuthor = z.looseObject({ author: someId })

function gitlabHost(environment: Environment): CommentHost | string {
  const { GITLAB_TOKEN: token = '', CI_API_V4_URL: api = '', CI_PROJECT_ID: project = '' } = environment
  const { CI_MERGE_REQUEST_IID: request = '', CI_JOB_NAME: job = '' } = environment
  if (request === '') return 'this job is not one of a merge request'
  if (token === '') return 'GITLAB_TOKEN is not set: CI_JOB_TOKEN may not write comments'
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(request)}/notes`
  return {
    host: 'GitLab',
    job,
    headers: { 'private-token': token },
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    updateMethod: 'PUT',
    async ownComments(ask) {
      const { id } = someId.parse(await ask(`${api}/user`))
      return (comment) => byAuthor.safeParse(comment).data?.author.id === id
    },
    wayOut: 'GITLAB_TOKEN needs the scope api and the role of a reporter',
  }
}
