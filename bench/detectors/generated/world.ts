/** Texts that come back from tools. */
import { type Project, type Script, duration } from './script.ts'
import type { Random } from './dialect.ts'
import { canonicalJson } from '@donecheck/core/internal/base'
import type { Call } from './dialect.ts'

/** Lines of source that look like source, numbered where the tool numbers them. */
export function sourceText(random: Random, project: Project, lines: number, firstLine = 0): string {
  return Array.from({ length: lines }, (_, index) => {
    const line = sourceLine(random, project)
    return firstLine === 0 ? line : `${String(firstLine + index).padStart(6)}\t${line}`
  }).join('\n')
}

function sourceLine(random: Random, project: Project): string {
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  const number = random.between(0, 400)
  return random.pick([
    `const value${number} = ${one}(input, ${number})`,
    `  if (${one}(item) > ${number}) return ${two}(item)`,
    `  // ${one} must run before ${two}`,
    `  total += ${two}(row, ${number})`,
    `  return ${one}(${two}(state))`,
    '',
    `  log.debug('${one}', ${number})`,
  ])
}

/** What a runner says. `took` changes from run to run in real life; left out it is not printed. */
export function testText(project: Project, failing: readonly string[], total: number, took?: string): string {
  const passed = total - failing.length
  const time = took === undefined ? '' : ` in ${took}`
  const blocks = failing.map((name, index) => failureText(project, name, index))
  const sum =
    project.extension === 'py'
      ? `${failing.length === 0 ? '' : `${failing.length} failed, `}${passed} passed${time}`
      : project.extension === 'go'
        ? failing.length === 0
          ? `ok  \tproject/internal\t(${passed} tests)${time}`
          : `FAIL\tproject/internal\t(${failing.length} of ${total})${time}`
        : `Tests  ${failing.length === 0 ? '' : `${failing.length} failed | `}${passed} passed (${total})${time}`
  return [...blocks, sum].join('\n')
}

function failureText(project: Project, name: string, index: number): string {
  const line = 10 + ((name.length * 7 + index) % 90)
  const [expected, received] = [name.length, (name.length * 3 + 1) % 50]
  switch (project.extension) {
    case 'py':
      return `FAILED tests/test_main.py::test_${name.replaceAll(' ', '_')} - AssertionError: assert ${received} == ${expected}`
    case 'go':
      return `--- FAIL: Test_${name.replaceAll(' ', '_')}\n    main_test.go:${line}: got ${received}, want ${expected}`
    case 'ts':
    case 'js':
      return ` FAIL  test/main.test.${project.extension}:${line} > ${name}\nAssertionError: expected ${received} to be ${expected}`
  }
}

export function searchText(random: Random, project: Project, pattern: string, hits: number): string {
  if (hits === 0) return ''
  return Array.from(
    { length: hits },
    () =>
      `${random.pick(project.paths)}:${random.between(1, 400)}:  ${pattern}(${random.pick(project.symbols)})`,
  ).join('\n')
}

function listText(random: Random, project: Project): string {
  return random
    .shuffled(project.paths)
    .slice(0, random.between(3, 14))
    .map((path) => path.split('/').at(-1) ?? path)
    .toSorted()
    .join('\n')
}

/** So many different calls; none of them changes anything. */
export function restlessCalls(script: Script, count: number): readonly Call[] {
  const calls = new Map<string, Call>()
  while (calls.size < count) {
    const call = script.random.pick(makers)(script)
    const key = call.tool + canonicalJson(call.args)
    if (!calls.has(key)) calls.set(key, call)
  }
  return [...calls.values()]
}

type Maker = (script: Script) => Call

const makers: readonly Maker[] = [
  readOf,
  readOf,
  searchOf,
  testOf,
  failedEditOf,
  missingFileOf,
  statusOf,
  sameWriteOf,
  pageOf,
  listingOf,
]

/** A test command that fails in the same way every time. */
export function testOf({ random, project, dialect }: Script): Call {
  const failing = random.shuffled(project.testNames).slice(0, random.between(1, 3))
  const [only] = failing
  const command = random.chance(0.5) || only === undefined ? project.test : `${project.test} -k '${only}'`
  return dialect.run(command, testText(project, failing, 40), 1)
}

/** The text to replace is not there. */
function failedEditOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  return dialect.edit(
    path,
    `${one}(input)`,
    `${two}(input)`,
    `Error: the text to replace was not found in ${path}`,
  )
}

function missingFileOf({ random, project, dialect }: Script): Call {
  const path = `${random.pick(project.paths)}.bak${random.between(1, 99)}`
  return dialect.read(path, `Error: ENOENT: no such file or directory, open '${path}'`)
}

function statusOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  return random.pick([
    () => dialect.run('git status --short', ` M ${path}`),
    () => dialect.run(`git diff --stat ${path}`, ` ${path} | 4 ++--`),
    () => dialect.run(`${project.lint} ${path}`, `${path}: 2 problems (2 errors, 0 warnings)`, 1),
    () =>
      dialect.run(
        project.build,
        `${path}(12,5): error: cannot find name '${random.pick(project.symbols)}'`,
        2,
      ),
  ])()
}

/** A file is written with what is in it already. */
function sameWriteOf({ random, project, dialect }: Script): Call {
  return dialect.write(random.pick(project.paths), sourceText(random, project, 6))
}

function pageOf({ random, project }: Script): Call {
  const page = random.pick(project.symbols)
  const url = `https://docs.example.com/${page}`
  return {
    tool: 'web_fetch',
    args: { url, format: 'markdown' },
    result: `# ${page}\n\n${sourceText(random, project, 5)}`,
    isError: false,
  }
}

function listingOf({ random, project, dialect }: Script): Call {
  return dialect.list(
    `${random.pick(project.paths).split('/')[0] ?? '.'}/${random.pick(project.symbols)}`,
    listText(random, project),
  )
}

/** Asks after one job: the same call each time. */
interface Poll {
  /** @param state what the job says: `running`, `12 of 40 done`. */
  ask(state: string): Call
  /** A pause on purpose. Undefined: the way of asking waits by itself. */
  readonly pause: (() => Call) | undefined
}

type PollMaker = (script: Script, seconds: number) => Poll

const tool = (name: string, args: Call['args'], result: string): Call => ({
  tool: name,
  args,
  result,
  isError: false,
})

const jobId = (random: Random) => `job-${random.hex(6)}`

const status: PollMaker = ({ random, dialect }, seconds) => {
  const id = jobId(random)
  return {
    ask: (state) =>
      tool('job_status', { job_id: id }, JSON.stringify({ id, status: 'running', detail: state })),
    pause: () => dialect.run(`sleep ${seconds}`, ''),
  }
}

const outputOf: PollMaker = ({ random, dialect }, seconds) => {
  const id = `bash_${random.between(1, 9)}`
  return {
    ask: (state) =>
      tool('BashOutput', { bash_id: id }, `<status>running</status>\n<stdout>${state}</stdout>`),
    pause: () => dialect.run(`sleep ${seconds}`, ''),
  }
}

const processPoll: PollMaker = ({ random, dialect }, seconds) => {
  const sessionId = random.hex(8)
  return {
    ask: (state) => tool('process', { action: 'poll', sessionId }, `${state}\n\nProcess still running.`),
    pause: () => dialect.run(`sleep ${seconds}`, ''),
  }
}

/** Waits and asks in one command. */
const sleepAndLook: PollMaker = ({ random, project, dialect }, seconds) => {
  const look = random.pick([
    `tail -n 3 ${random.pick(project.symbols)}.log`,
    `gh run view ${random.between(1_000_000, 9_999_999)} --json status`,
    `kubectl get pod ${random.pick(project.symbols)}`,
    `cat build/${random.pick(project.symbols)}.out | tail -1`,
  ])
  return { ask: (state) => dialect.run(`sleep ${seconds} && ${look}`, state), pause: undefined }
}

const waiting: PollMaker = ({ random }, seconds) => {
  const id = jobId(random)
  return {
    ask: (state) =>
      tool(
        'wait_for_job',
        { job_id: id, timeout_seconds: seconds },
        `timed out after ${seconds} s: ${state}`,
      ),
    pause: undefined,
  }
}

const look: PollMaker = ({ random, project, dialect }, seconds) => {
  const log = `logs/${random.pick(project.symbols)}.log`
  return {
    ask: (state) => dialect.run(`tail -n 1 ${log}`, state),
    pause: () => dialect.run(`sleep ${seconds}`, ''),
  }
}

/** Some way of asking after a job. */
export function pollFrom(script: Script): Poll {
  const seconds = script.random.pick([5, 10, 20, 30, 60, 120])
  return script.random.pick([status, outputOf, processPoll, sleepAndLook, waiting, look])(script, seconds)
}

/** A way of asking that does not wait by itself. */
export function pollWithoutWait(script: Script): Poll {
  return script.random.pick([status, outputOf, processPoll, look])(script, 30)
}

/** What a job says while nothing happens. */
export function quietState(script: Script): string {
  const { random, project } = script
  return random.pick([
    'running',
    'pending',
    'in_progress',
    'waiting for a free worker',
    `building ${random.pick(project.symbols)} …`,
    '',
  ])
}

/** Asks once; pauses before, where the way of asking does not wait by itself. */
export function waitAndAsk(script: Script, poll: Poll, state: string): void {
  if (poll.pause !== undefined) script.turn([poll.pause()])
  script.turn([poll.ask(state)])
}

/** Writes ordinary work of exactly so many calls. */
export function workOn(script: Script, calls: number): void {
  const { random } = script
  const end = script.calls + calls
  const suite = suiteOf(script)
  while (script.calls < end) {
    const room = end - script.calls
    const batch = random.chance(0.15) ? Math.min(room, random.between(2, 4)) : 1
    script.turn(Array.from({ length: batch }, () => someCall(script, suite)))
  }
}

/** Honest work before the pattern: 0 to 40 calls. */
export function workBefore(script: Script): void {
  workOn(script, script.random.between(0, 40))
}

/** A suite whose failures change with the edits. */
interface Suite {
  failing: readonly string[]
  readonly total: number
  hasEdits: boolean
}

function suiteOf({ random, project }: Script): Suite {
  const failing = random.shuffled(project.testNames).slice(0, random.between(1, 6))
  return { failing, total: random.between(20, 300), hasEdits: false }
}

function someCall(script: Script, suite: Suite): Call {
  const { random } = script
  const dice = random.next()
  if (dice < 0.3) return readOf(script)
  if (dice < 0.45) return searchOf(script)
  if (dice < 0.53) return listOf(script)
  if (dice < 0.6) return historyOf(script)
  if (suite.hasEdits && dice < 0.75) return testAfterEdits(script, suite)
  suite.hasEdits = true
  return editOf(script)
}

export function readOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  const lines = random.between(3, 25)
  if (random.chance(0.5)) return dialect.read(path, sourceText(random, project, lines))
  const from = random.between(1, 900)
  return dialect.read(path, sourceText(random, project, lines, from), from, lines)
}

export function searchOf({ random, project, dialect }: Script): Call {
  const pattern = `${random.pick(project.symbols)}${random.pick(['', '(', ' =', ' from', ':'])}`
  const where = random.pick(['.', 'src', ...project.paths.slice(0, 9)])
  return dialect.search(pattern, where, searchText(random, project, pattern, random.between(0, 7)))
}

/** A look that no earlier call of the run took: it changes nothing. */
export function newLook({ random, project, dialect, calls }: Script): Call {
  if (random.chance(0.5)) {
    const [path, from] = [random.pick(project.paths), 7 * calls + 1]
    return dialect.read(path, sourceText(random, project, 7, from), from, 7)
  }
  const pattern = `${random.pick(project.symbols)}(${calls}`
  return dialect.search(pattern, 'src', searchText(random, project, pattern, random.between(0, 4)))
}

function listOf({ random, project, dialect }: Script): Call {
  const folder = random.pick(project.paths).split('/').slice(0, -1).join('/')
  return dialect.list(
    `${folder}${random.pick(['', '/', `/${random.pick(project.symbols)}`])}`,
    listText(random, project),
  )
}

function historyOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  const command = random.pick([
    `git diff ${path}`,
    `git log --oneline -${random.between(3, 40)}`,
    `git blame ${path}`,
    `wc -l ${path}`,
  ])
  const output = command.startsWith('wc')
    ? `${random.between(10, 900)} ${path}`
    : sourceText(random, project, random.between(2, 8))
  return dialect.run(command, output)
}

/** An edit like no other. */
export function editOf({ random, project, dialect }: Script, path = random.pick(project.paths)): Call {
  const number = random.between(1, 9999)
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  return dialect.edit(path, `return ${one}(${number})`, `return ${two}(${one}(${number + 1}))`)
}

function testAfterEdits(script: Script, suite: Suite): Call {
  const { random, project, dialect } = script
  suite.hasEdits = false
  if (random.chance(0.7)) {
    const kept = suite.failing.filter(() => random.chance(0.6))
    const fresh = random.chance(0.3) ? [random.pick(project.testNames)] : []
    suite.failing = [...new Set([...kept, ...fresh])]
  }
  const exitCode = suite.failing.length === 0 ? 0 : 1
  return dialect.run(project.test, testText(project, suite.failing, suite.total, duration(random)), exitCode)
}
