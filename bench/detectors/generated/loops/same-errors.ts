/** One trouble behind many calls: other arguments, other tools, the same error. */
import { callsOfLoop, roundsOfLoop, type LoopClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import { duration } from '../world/clock.ts'
import type { Call } from '../world/dialect.ts'
import { editOf, newLook, readOf, searchOf } from '../world/ordinary-work.ts'
import { testOf } from '../world/restless-calls.ts'
import { loopClass, type RoundPlan } from './round.ts'

const troubles = [
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  "ModuleNotFoundError: No module named 'numpy'",
  'Error: ENOSPC: no space left on device, write',
  'fatal: could not read Username: terminal prompts disabled',
  'Error: permission denied: the sandbox is read-only',
  'Error: authentication token expired, log in again',
]

/** A command like no other. */
function someCommand({ random, project }: Script): string {
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  const path = random.pick(project.paths)
  return random.pick([
    () => `python -c "from ${one} import ${two}; ${two}(${random.between(1, 9999)})"`,
    () => `node scripts/${one}.js --only ${two} --limit ${random.between(1, 9999)}`,
    () => `make ${one} TARGET=${path} N=${random.between(1, 9999)}`,
    () => `./bin/${one} ${path} --retry ${random.between(1, 9999)}`,
  ])()
}

function otherArguments(script: Script): RoundPlan {
  const error = script.random.pick(troubles)
  const round = () => script.turn([script.dialect.run(someCommand(script), error, 1)])
  return { period: 1, rounds: callsOfLoop, round }
}

/** Names that nobody has listed, none of which exists. */
function guessedPaths(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const namesFile = random.chance(0.5)
  const round = (number: number) => {
    const path = `src/${random.pick(project.symbols)}-${number}.${project.extension}`
    const error = namesFile ? `cat: ${path}: No such file or directory` : 'Error: file not found'
    script.turn([dialect.run(`cat ${path}`, error, 1)])
  }
  return { period: 1, rounds: callsOfLoop, round }
}

function errorWithNoise(script: Script): RoundPlan {
  const { random, clock, dialect } = script
  const error = random.pick(troubles)
  const round = () => {
    const marks = `${clock.mark()} [pid ${random.between(300, 65_000)}] ${error} (after ${duration(random)})`
    script.turn([dialect.run(someCommand(script), marks, 1)])
  }
  return { period: 1, rounds: callsOfLoop, round }
}

function overTools(script: Script): RoundPlan {
  const { random, dialect } = script
  const error = random.pick(troubles)
  const failed = (call: Call): Call => ({ ...call, result: error, isError: true })
  const shell = () => dialect.run(someCommand(script), error, 1)
  const other = [readOf, searchOf, editOf].map((make) => () => failed(make(script)))
  const query = () =>
    failed({
      tool: 'query_database',
      args: { sql: `select ${random.between(1, 9999)}` },
      result: '',
      isError: true,
    })
  const fetch = () =>
    failed({
      tool: 'web_fetch',
      args: { url: `https://example.com/${random.hex(6)}` },
      result: '',
      isError: true,
    })
  const makers = random.shuffled([shell, ...other, query, fetch]).slice(0, random.between(3, 6))
  const round = (number: number) => script.turn([(makers[number % makers.length] ?? shell)()])
  return { period: 1, rounds: callsOfLoop, round }
}

function unknownTool(script: Script): RoundPlan {
  const { random, project } = script
  const name = random.pick([
    'search_web',
    'open_browser',
    'python',
    'apply_diff',
    'str_replace',
    'submit_answer',
  ])
  const isSame = random.chance(0.5)
  const first = { input: random.pick(project.symbols) }
  const args = () => (isSame ? first : { input: random.pick(project.symbols), step: random.between(1, 9999) })
  const result = random.pick([
    `Error: unknown tool "${name}". Available tools: bash, read_file, edit_file`,
    `Tool "${name}" not found`,
    `Error: tool '${name}' is not available`,
  ])
  const round = () => script.turn([{ tool: name, args: args(), result, isError: true }])
  return { period: 1, rounds: callsOfLoop, round }
}

/** The same failing call, and between two of them a look at something new. */
function withLooksBetween(script: Script): RoundPlan {
  const failing = testOf(script)
  const round = () => {
    script.turn([failing])
    script.turn([newLook(script)])
  }
  return { period: 2, rounds: callsOfLoop / 2, round }
}

function wrongArguments(script: Script): RoundPlan {
  const { random, project } = script
  const result = "Error: invalid arguments for 'edit_file': 'oldText' is required"
  const call = {
    tool: 'edit_file',
    args: { path: random.pick(project.paths), newText: random.pick(project.symbols) },
    result,
    isError: true,
  }
  return { period: 1, rounds: roundsOfLoop, round: () => script.turn([call]) }
}

export const sameErrors: readonly LoopClass[] = [
  loopClass({
    name: 'same error, all-different arguments',
    about: 'one tool, another command each time, the same error',
    demand: 'ever',
    plan: otherArguments,
  }),
  loopClass({
    name: 'guessed paths',
    about: 'one file after the other is opened, none of them exists',
    demand: 'ever',
    plan: guessedPaths,
  }),
  loopClass({
    name: 'same error with times in it',
    about: 'another command each time, the same error but for times and process ids',
    demand: 'ever',
    plan: errorWithNoise,
  }),
  loopClass({
    name: 'same error over tools',
    about: 'the error goes round over three to six tools',
    demand: 'ever',
    plan: overTools,
  }),
  loopClass({
    name: 'unknown tool',
    about: 'a tool that does not exist is called again and again',
    demand: 'ever',
    plan: unknownTool,
  }),
  loopClass({
    name: 'invalid arguments',
    about: 'the same malformed call is refused in the same way',
    demand: 'laps',
    plan: wrongArguments,
  }),
  loopClass({
    name: 'failing call between new looks',
    about: 'the same failing call; between two of them something new is read',
    demand: 'ever',
    plan: withLooksBetween,
  }),
]
