/** One trouble behind many calls: other arguments, other tools, the same error. */
import { callsOfLoop, roundsOfLoop, type LoopClass } from './generated-run.ts'
import { type Script, duration, sentence } from './script.ts'
import type { Call } from './dialect.ts'
import {
  editOf,
  newLook,
  readOf,
  searchOf,
  testOf,
  pollFrom,
  pollWithoutWait,
  quietState,
  waitAndAsk,
} from './world.ts'
import { loopClass, type RoundPlan } from './cycles.ts'

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

const rounds = (round: RoundPlan['round'], count = roundsOfLoop): RoundPlan => ({
  period: 1,
  rounds: count,
  round,
})

/** Rounds where the calls differ and only the words tell. */
const roundsOfThought = 40

const sentences = ({ random, project }: Script, count: number) =>
  Array.from({ length: count }, () => sentence(random, project))

/** One sentence or two, over and over within the reply. */
function chanting(script: Script): RoundPlan {
  const { random } = script
  const unit = `${sentences(script, random.between(1, 2)).join(' ')}${random.pick([' ', '\n', '\n\n'])}`
  return rounds(() => script.turn([], sentences(script, 1).join('') + unit.repeat(random.between(12, 60))))
}

/** The reply ends the turn; somebody, or nobody, says that it should go on. */
function identicalReplies(script: Script): RoundPlan {
  const { random } = script
  const text = sentences(script, random.between(2, 6)).join(' ')
  const push = random.pick([null, 'Please continue.', 'Your reply had no tool call. Call a tool, or finish.'])
  return rounds(() => {
    script.turn([], text)
    if (push !== null) script.message(push)
  })
}

/** Two to four replies without calls, in turn. */
function repliesInTurn(script: Script): RoundPlan {
  const texts = Array.from({ length: script.random.between(2, 4) }, () => sentences(script, 3).join(' '))
  const round = () => {
    for (const text of texts) script.turn([], text)
  }
  return { period: texts.length, rounds: roundsOfLoop, round }
}

function nearlyIdenticalReplies(script: Script): RoundPlan {
  const { random, clock } = script
  const text = sentences(script, random.between(2, 6)).join(' ')
  return rounds((number) => {
    const mark = random.pick([`(attempt ${number + 1})`, clock.mark(), `${number + 1}.`])
    script.turn([], `${text} ${mark}`)
    script.message('Please continue.')
  })
}

/** The same reasoning each turn, a few words changed; the calls differ. */
function thoughtLoop(script: Script): RoundPlan {
  const { random, project } = script
  const thought = sentences(script, random.between(4, 7))
  return rounds(() => {
    const changed = thought.with(
      random.between(0, thought.length - 1),
      `Now ${random.pick(project.symbols)}.`,
    )
    script.turn([newLook(script)], changed.join(' '))
  }, roundsOfThought)
}

/** Word for word the same reasoning; the calls differ. */
function sameThought(script: Script): RoundPlan {
  const { random } = script
  const thought = sentences(script, random.between(4, 7)).join(' ')
  return rounds(() => script.turn([newLook(script)], thought), roundsOfThought)
}

/** "Done", says the model; the check says no, each time in the same words. */
function sameFailingCheck(script: Script, work: () => void, count: number, period: number): RoundPlan {
  const { random, project } = script
  const failing = random.shuffled(project.testNames).slice(0, random.between(1, 3))
  const said = `The check \`${project.test}\` failed.\n${failing.map((name) => `FAIL ${name}`).join('\n')}`
  const claims = [
    'All tests pass now.',
    'Done: the task is complete.',
    'I have fixed the problem.',
    'Everything works.',
  ]
  const round = () => {
    work()
    script.turn([], random.pick(claims))
    script.message(said)
  }
  return { period, rounds: count, round }
}

const claimOnly = (script: Script) => sameFailingCheck(script, () => undefined, roundsOfLoop, 1)
const claimAfterEdit = (script: Script) =>
  sameFailingCheck(script, () => script.turn([editOf(script)]), 2 * roundsOfLoop, 2)

export const repeatedTexts: readonly LoopClass[] = [
  loopClass({
    name: 'chanting',
    about: 'one or two sentences repeated twelve times and more within a reply',
    demand: 'laps',
    unit: 'reply',
    plan: chanting,
  }),
  loopClass({
    name: 'identical replies',
    about: 'the same reply without calls each turn',
    demand: 'laps',
    unit: 'reply',
    plan: identicalReplies,
  }),
  loopClass({
    name: 'replies in turn',
    about: 'two to four replies without calls go round',
    demand: 'laps',
    unit: 'reply',
    plan: repliesInTurn,
  }),
  loopClass({
    name: 'nearly identical replies',
    about: 'the same reply but for a number or a time',
    demand: 'laps',
    unit: 'reply',
    plan: nearlyIdenticalReplies,
  }),
  loopClass({
    name: 'thought loop',
    about: 'the same long reasoning with one sentence changed; the calls differ',
    demand: 'ever',
    plan: thoughtLoop,
  }),
  loopClass({
    name: 'same thought, other calls',
    about: 'the same long reasoning word for word; the calls differ',
    demand: 'ever',
    plan: sameThought,
  }),
  loopClass({
    name: 'same failing check',
    about: 'the model says that it is done and does nothing, the check fails with the same set',
    demand: 'laps',
    unit: 'reply',
    plan: claimOnly,
  }),
  loopClass({
    name: 'same failing check after edits',
    about: 'an edit, a claim, and the check fails with the same set',
    demand: 'ever',
    unit: 'reply',
    plan: claimAfterEdit,
  }),
]

function withWaits(script: Script): RoundPlan {
  const poll = pollFrom(script)
  const state = quietState(script)
  const period = poll.pause === undefined ? 1 : 2
  return { period, rounds: callsOfLoop / period, round: () => waitAndAsk(script, poll, state) }
}

function withoutWaits(script: Script): RoundPlan {
  const poll = pollWithoutWait(script)
  const state = quietState(script)
  return { period: 1, rounds: callsOfLoop, round: () => script.turn([poll.ask(state)]) }
}

function noisy(script: Script): RoundPlan {
  const { random, clock } = script
  const poll = pollWithoutWait(script)
  const state = quietState(script)
  const marks = random.pick([
    () => `${state} (elapsed ${duration(random)})`,
    () => `${clock.mark()} ${state}`,
    () => `${state}, pid ${random.between(300, 65_000)}`,
  ])
  return { period: 1, rounds: callsOfLoop, round: () => script.turn([poll.ask(marks())]) }
}

export const endlessPolls: readonly LoopClass[] = [
  loopClass({
    name: 'poll that never changes, with waits',
    about: 'a job is asked after for ever; between two questions the agent waits',
    demand: 'ever',
    plan: withWaits,
  }),
  loopClass({
    name: 'poll that never changes, without waits',
    about: 'a job is asked after for ever, one question at the heels of the other',
    demand: 'ever',
    plan: withoutWaits,
  }),
  loopClass({
    name: 'poll where only times change',
    about: 'a job is asked after without waits; only times and process ids in its answer change',
    demand: 'ever',
    plan: noisy,
  }),
]
