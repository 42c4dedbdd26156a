/** The action of this repository, step by step as a runner would do it, and the same command in a job of GitLab. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { action, runAction, shell, type Job } from './action-runner.ts'
import { program } from './donecheck.ts'

let root = ''
let server: Server
/** What the host has been asked, and the comments that it keeps. */
let asked: string[] = []
let comments: { id: number; body: string; user: { type: string; id?: number }; author: { id: number } }[] = []
let refuses = false
/** Whose token it is: of a person, or of the job. */
let isPerson = false
let api = ''

beforeAll(async () => {
  server = createServer(
    (request, response) =>
      void answer(request).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  api = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}`
})
afterAll(() => void server.close())
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'donecheck-action-'))
  asked = []
  // A page and a half of others: the first comment with our marker was written by somebody else.
  const others = (_: unknown, id: number) => ({
    id,
    body: `others ${id}`,
    user: { type: 'User' },
    author: { id: 1 },
  })
  comments = Array.from({ length: 150 }, others)
  refuses = false
  isPerson = false
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

async function answer(request: IncomingMessage): Promise<[number, unknown]> {
  const { method = '', url = '' } = request
  const { pathname, searchParams } = new URL(url, 'http://host')
  asked.push(`${method} ${pathname}`)
  const body =
    z.object({ body: z.string() }).safeParse(JSON.parse((await text(request)) || '{}')).data?.body ?? ''
  const token = request.headers.authorization ?? request.headers['private-token']
  if (refuses || !['Bearer secret', 'secret'].includes(String(token))) return [403, { message: 'no' }]
  if (pathname === '/user')
    return isPerson || token === 'secret' ? [200, { id: 7 }] : [403, { message: 'no' }]
  if (method === 'POST') {
    comments.push({ id: 1000, body, user: { type: isPerson ? 'User' : 'Bot', id: 7 }, author: { id: 7 } })
    return [201, {}]
  }
  const own = comments.find(({ id }) => pathname.endsWith(`/${id}`))
  if (['PATCH', 'PUT'].includes(method) && own !== undefined) {
    own.body = body
    return [200, {}]
  }
  const page = Number(searchParams.get('page'))
  return [200, comments.slice((page - 1) * 100, page * 100)]
}

/** Where the stand-in for npm finds the command of this checkout. */
const npm = `#!/bin/sh
printf '%s\\n' "$@" > "$RUNNER_TEMP/npm.txt"
mkdir -p "$RUNNER_TEMP/donecheck/bin"
printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "$NODE" "$PROGRAM" > "$RUNNER_TEMP/donecheck/bin/donecheck"
chmod +x "$RUNNER_TEMP/donecheck/bin/donecheck"
`

/** A pull request of a project whose check is whether a.txt is there; the runner has a temporary folder of its own. */
function givenJob(inputs: Record<string, string>, more: Record<string, string> = {}): Job {
  const put = (file: string, content: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
    return join(root, file)
  }
  if (!existsSync(join(root, 'project'))) {
    put('project/a.txt', 'a\n')
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid', ...words], {
        cwd: join(root, 'project'),
        stdio: 'pipe',
      })
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'one')
  }
  chmodSync(put('bin/npm', npm), 0o755)
  const environment = {
    ...{
      PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
      NODE: process.execPath,
      PROGRAM: program,
    },
    ...{ HOME: root, RUNNER_TEMP: join(root, 'temp'), GITHUB_ACTIONS: 'true', GITHUB_API_URL: api },
    ...{ GITHUB_REPOSITORY: 'o/r', GITHUB_WORKFLOW: 'CI', GITHUB_JOB: 'check' },
    GITHUB_EVENT_PATH: put('event.json', JSON.stringify({ pull_request: { number: 12 } })),
    GITHUB_OUTPUT: put('output', ''),
    GITHUB_STEP_SUMMARY: put('summary', ''),
    ...more,
  }
  mkdirSync(environment.RUNNER_TEMP, { recursive: true })
  return { root, inputs, environment, outputs: {} }
}

const ownComments = () => comments.filter(({ user }) => user.type === 'Bot')

describe('given the action as it is written', () => {
  it('puts no input into a line of a shell, and pins what it uses to a commit', () => {
    for (const { run, uses, shell: named } of action.runs.steps) {
      expect(run ?? '').not.toContain('${{')
      if (run !== undefined) expect(named).toBe('bash')
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
    }
  })
})

describe('given a pull request whose check is red, and then green', () => {
  it('writes annotations, summary, outputs, receipt and one comment, which it then writes anew', async () => {
    const inputs = { until: 'test -e b.txt', baseline: 'HEAD', comment: 'true', 'comment-name': '1 of 2' }
    const red = await runAction(givenJob(inputs))
    expect(red.exitCode).toBe(1)
    expect(red.log).toMatch(/^::error .*test -e b\.txt/m)
    expect(red.log).toContain('comment written\n')
    expect(ownComments()).toHaveLength(1)
    expect(ownComments()[0]?.body).toMatch(/^<!-- donecheck: 1%20of%202 -->\n## donecheck&#58; failed/)
    expect(asked).toEqual([
      'GET /user',
      'GET /repos/o/r/issues/12/comments',
      'GET /repos/o/r/issues/12/comments',
      'POST /repos/o/r/issues/12/comments',
    ])

    writeFileSync(join(root, 'project/b.txt'), '')
    const job = givenJob(inputs)
    const green = await runAction(job)
    expect(green.exitCode).toBe(0)
    expect(green.log).not.toMatch(/^::error/m)
    // These two are not executed here.
    expect(green.used.map((one) => one.split('@')[0])).toEqual([
      'actions/setup-node',
      'actions/upload-artifact',
    ])
    expect(asked.at(-1)).toBe('PATCH /repos/o/r/issues/comments/1000')
    expect(ownComments().map(({ body }) => body.includes('## donecheck&#58; verified'))).toEqual([true])
    expect(job.outputs).toMatchObject({ outcome: 'verified', reason: 'task_complete', 'exit-code': '0' })
    const receipt = JSON.parse(readFileSync(job.outputs['receipt'] ?? '', 'utf8')) as { _type: string }
    expect(receipt._type).toBe('https://in-toto.io/Statement/v1')
    const summary = readFileSync(job.environment['GITHUB_STEP_SUMMARY'] ?? '', 'utf8')
    for (const part of ['## donecheck&#58; verified', '<summary>Timeline</summary>', '→ verified'])
      expect(summary).toContain(part)
  })
})

describe('given files of an earlier job, and nothing that can be checked', () => {
  it('tells none of them as its own', async () => {
    const job = givenJob({ until: 'true', aggregate: 'no-such-aggregator', receipt: 'receipt.json' })
    writeFileSync(join(root, 'project/receipt.json'), '{}')
    mkdirSync(join(root, 'temp/donecheck'))
    writeFileSync(join(root, 'temp/donecheck/report.md'), '## donecheck: verified')
    const { exitCode, used } = await runAction(job)
    expect(exitCode).toBe(2)
    expect(job.outputs).toMatchObject({ outcome: 'error', receipt: '' })
    expect(used.map((one) => one.split('@')[0])).toEqual(['actions/setup-node'])
    expect(existsSync(join(root, 'project/receipt.json'))).toBe(false)
    expect(readFileSync(join(root, 'temp/donecheck/report.md'), 'utf8')).toContain('Nothing was begun')
  })
})

describe('given an agent that works in the job', () => {
  it('tells its turns, and what it prints is no command of the runner', async () => {
    const job = givenJob({
      ...{ mode: 'run', until: 'test -e b.txt', agent: 'sh ../agent.sh' },
      task: '--yes "; touch pwned #',
    })
    const said = 'echo ::add-mask::x; echo "\\`\\`\\` </details>"'
    writeFileSync(join(root, 'agent.sh'), `cat > task.txt; touch b.txt; ${said}\n`)
    const { exitCode, log } = await runAction(job)
    expect(log).toContain('→ verified after 1 turn')
    expect(exitCode).toBe(0)
    expect(readFileSync(join(root, 'project/task.txt'), 'utf8')).toContain('--yes "; touch pwned #')
    const [, word = ''] = /^::stop-commands::(\S+)$/m.exec(log) ?? []
    expect(log.indexOf('::add-mask::')).toBeGreaterThan(log.indexOf(`::stop-commands::${word}`))
    expect(log.indexOf('::add-mask::')).toBeLessThan(log.indexOf(`\n::${word}::`))
    const summary = readFileSync(job.environment['GITHUB_STEP_SUMMARY'] ?? '', 'utf8')
    expect(summary).toContain('turn 1')
    // What it said stands in a fence that is longer than its own.
    expect(summary).toMatch(/````text[^]*``` <\/details>/)
  })
})

describe('given inputs that would like to be commands', () => {
  const hostile = '"; touch pwned #\n$(touch pwned)`touch pwned`'

  const startsNothing = async (inputs: Readonly<Record<string, string>>) => {
    await runAction(givenJob({ until: 'test -e a.txt', ...inputs }))
    const everywhere = readdirSync(root, { recursive: true, encoding: 'utf8' })
    expect(everywhere.filter((file) => file.endsWith('pwned'))).toEqual([])
  }

  // Each by itself: the command may refuse one before it has come to the next.
  it.each(['mode', 'preset', 'baseline', 'policy', 'rules', 'config', 'task', 'agent', 'model'])(
    'starts nothing (%s)',
    (name) => startsNothing({ [name]: hostile }),
  )

  it('starts nothing (version, receipt and comment-name, which keep nothing else from being read)', async () => {
    await startsNothing({ comment: 'true', version: hostile, receipt: hostile, 'comment-name': hostile })
    expect(readFileSync(join(root, 'temp/npm.txt'), 'utf8')).toContain(`donecheck@${hostile}`)
    expect(ownComments()).toHaveLength(1)
  })
})

describe('given a host that takes no comment', () => {
  const inputs = { until: 'test -e a.txt', comment: 'true' }

  it('says so and fails no job', async () => {
    refuses = true
    const { exitCode, log } = await runAction(givenJob(inputs))
    expect(log).toContain(
      'no comment: GitHub refuses it (HTTP 403): the job needs the permission pull-requests: write',
    )
    expect(exitCode).toBe(0)
  })

  it('finds the comment of a personal token again', async () => {
    isPerson = true
    for (const said of ['comment written\n', 'comment written anew\n'])
      expect((await runAction(givenJob(inputs))).log).toContain(said)
  })

  it('leaves alone what others wrote under our marker', async () => {
    comments = [{ id: 5, body: '<!-- donecheck: CI%2Fcheck -->', user: { type: 'User' }, author: { id: 1 } }]
    await runAction(givenJob(inputs))
    expect(comments.map(({ id }) => id)).toEqual([5, 1000])
    expect(comments[0]?.body).toBe('<!-- donecheck: CI%2Fcheck -->')
  })
})

describe('given a job of GitLab', () => {
  it('verifies with the same command, and writes one note, which it then writes anew', async () => {
    const gitlab = {
      ...{
        GITHUB_ACTIONS: '',
        GITHUB_OUTPUT: '',
        GITHUB_STEP_SUMMARY: '',
        GITLAB_CI: 'true',
        CI_API_V4_URL: api,
      },
      ...{ CI_PROJECT_ID: '3', CI_MERGE_REQUEST_IID: '4', CI_JOB_NAME: 'check', GITLAB_TOKEN: 'secret' },
    }
    const { environment } = givenJob({}, gitlab)
    const words = `"$NODE" "$PROGRAM" ci --report ../report.md --junit ../checks.xml verify --until 'test -e a.txt'
"$NODE" "$PROGRAM" ci comment ../report.md`
    for (const said of ['comment written\n', 'comment written anew\n']) {
      const { log, exitCode } = await shell(root, words, environment, join(root, 'project'))
      expect(log).toContain(said)
      expect(log).not.toContain('::')
      expect(exitCode).toBe(0)
    }
    expect(asked.at(-1)).toBe('PUT /projects/3/merge_requests/4/notes/1000')
    expect(readFileSync(join(root, 'checks.xml'), 'utf8')).toContain('<testsuites')
  })
})
