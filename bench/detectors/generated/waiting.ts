/** Honest work that looks like a loop to somebody who does not look closely. */
import type { BenignClass, GeneratedRun } from './generated-run.ts'
import { scriptFrom, type Script, duration } from './script.ts'
import {
  workBefore,
  workOn,
  pollFrom,
  pollWithoutWait,
  quietState,
  waitAndAsk,
  searchText,
  testText,
  editOf,
  readOf,
} from './world.ts'
import type { Call } from './dialect.ts'

interface HonestSpec {
  readonly name: string
  readonly about: string
  /** Writes the stretch that must not be taken for a loop. */
  readonly write: (script: Script) => void
}

/** Work before, the stretch, and some work after it: the run went on and was right to. */
export function honestClass({ name, about, write }: HonestSpec): BenignClass {
  const make = (seed: number): GeneratedRun => {
    const script = scriptFrom(`${name} #${seed}`)
    workBefore(script)
    const onset = script.calls
    write(script)
    workOn(script, script.random.between(2, 10))
    return {
      name: `${name} #${seed}`,
      kind: 'benign',
      steps: script.steps,
      unit: 'call',
      onset,
      period: null,
      roundEnds: [],
    }
  }
  return { kind: 'benign', name, about, make }
}

/** Does something so many times. */
export function times(count: number, write: (at: number) => void): void {
  for (let at = 0; at < count; at += 1) write(at)
}

/** The same question, another answer each time: a count, a share, a new line of a log. */
function changingPoll(script: Script): void {
  const { random, project } = script
  const poll = pollWithoutWait(script)
  const total = random.between(40, 900)
  const kind = random.pick(['count', 'percent', 'log'] as const)
  const count = random.between(12, 40)
  times(count, (at) => {
    const done = Math.floor(((at + 1) * total) / count)
    const states = {
      count: `${done} of ${total} done`,
      percent: `${Math.floor((100 * done) / total)} %`,
      log: `compiled ${random.pick(project.paths)} (${project.symbols[at % project.symbols.length] ?? 'rest'})`,
    }
    script.turn([poll.ask(states[kind])])
  })
}

/** Nothing to see for long, with waits between the questions; then it is over. */
function quietJob(script: Script): void {
  const poll = pollFrom(script)
  const state = quietState(script)
  times(script.random.between(10, 25), () => waitAndAsk(script, poll, state))
  script.turn([poll.ask('finished, exit code 0')])
}

function quietJobWithTimes(script: Script): void {
  const poll = pollFrom(script)
  const state = quietState(script)
  times(script.random.between(10, 25), () =>
    waitAndAsk(script, poll, `${state} (elapsed ${duration(script.random)})`),
  )
  script.turn([poll.ask('finished, exit code 0')])
}

function shortQuiet(script: Script): void {
  const poll = pollWithoutWait(script)
  const { random } = script
  times(random.between(2, 4), (round) => {
    times(random.between(2, 3), () => script.turn([poll.ask(`stage ${round + 1}`)]))
  })
  script.turn([poll.ask('finished, exit code 0')])
}

/** A pause is a pause: 25 of them, each asked for. */
function sleeps(script: Script): void {
  const seconds = script.random.pick([10, 30, 60])
  times(script.random.between(20, 30), () => script.turn([script.dialect.run(`sleep ${seconds}`, '')]))
}

function queueOfBuilds(script: Script): void {
  const { random, project } = script
  times(random.between(4, 8), (at) => {
    const poll = pollFrom(script)
    times(random.between(2, 5), () => waitAndAsk(script, poll, 'queued'))
    script.turn([poll.ask(`built ${project.paths[at] ?? 'everything'}`)])
  })
}

/** A server is coming up: refused, refused, refused, there it is. */
function comingUp(script: Script): void {
  const { random, dialect } = script
  const command = `curl -s localhost:${random.between(3000, 9000)}/health`
  times(random.between(2, 3), () => {
    script.turn([dialect.run(command, 'curl: (7) Failed to connect: Connection refused', 7)])
    script.turn([dialect.run(`sleep ${random.between(1, 5)}`, '')])
  })
  script.turn([dialect.run(command, '{"status":"ok"}')])
}

/** `next`, `next`, `next`: the same call, another place each time. */
function stepping(script: Script): void {
  const { random, project } = script
  const tool = random.pick(['debugger_step', 'browser_scroll', 'next_page', 'repl_continue'])
  const path = random.pick(project.paths)
  times(random.between(12, 40), (at) => {
    const result = `${path}:${12 + at}\n${searchText(random, project, random.pick(project.symbols), 2)}`
    script.turn([{ tool, args: { direction: 'down' }, result, isError: false }])
  })
}

/** Is it flaky? Three runs of the same suite, then on. */
function runsForFlakiness(script: Script): void {
  const { random, project, dialect } = script
  times(3, () => script.turn([dialect.run(project.test, testText(project, [], 80, duration(random)))]))
}

export const waits: readonly BenignClass[] = [
  honestClass({
    name: 'poll that changes',
    about: 'a job is asked after 12 to 40 times and says another count, share or line each time',
    write: changingPoll,
  }),
  honestClass({
    name: 'quiet job',
    about: '10 to 25 questions with waits and the same answer, then it is finished',
    write: quietJob,
  }),
  honestClass({
    name: 'quiet job, only times change',
    about: 'the same, with an elapsed time in the answer',
    write: quietJobWithTimes,
  }),
  honestClass({
    name: 'job in stages',
    about: 'two or three equal answers a stage, two to four stages, no waits',
    write: shortQuiet,
  }),
  honestClass({ name: 'sleep on purpose', about: '20 to 30 pauses', write: sleeps }),
  honestClass({
    name: 'one build after the other',
    about: 'four to eight jobs, each waited for',
    write: queueOfBuilds,
  }),
  honestClass({
    name: 'server coming up',
    about: 'refused two or three times with waits, then it answers',
    write: comingUp,
  }),
  honestClass({
    name: 'stepping with the same call',
    about: 'debugger, scroll bar, next page: the same call shows something new',
    write: stepping,
  }),
  honestClass({
    name: 'three runs of the suite',
    about: 'a green suite is run three times to see whether it is flaky',
    write: runsForFlakiness,
  }),
]

/** What was read is gone with the old messages, so it is read once more, in the same order. */
function readAgainAfterCompaction(script: Script): void {
  const reads = Array.from({ length: script.random.between(5, 10) }, () => readOf(script))
  const readAll = () => {
    for (const read of reads) script.turn([read])
  }
  readAll()
  times(script.random.between(1, 2), () => {
    workOn(script, script.random.between(5, 15))
    script.message('The earlier conversation was summarised to save room.')
    readAll()
  })
}

/** Types, lint, tests after each edit; all are content all the time. */
function checksAfterEachEdit(script: Script): void {
  const { project, dialect, random } = script
  const checks = [
    dialect.run(project.build, ''),
    dialect.run(`${project.lint} .`, 'No problems.'),
    dialect.run(project.test, 'ok'),
  ]
  const inOneTurn = random.chance(0.5)
  times(random.between(8, 15), () => {
    script.turn([editOf(script)])
    if (inOneTurn) script.turn(checks)
    else for (const check of checks) script.turn([check])
  })
}

function smallCommits(script: Script): void {
  const { random, project, dialect } = script
  times(random.between(8, 16), () => {
    script.turn([editOf(script)])
    script.turn([dialect.run('git add -A', '')])
    const title = `use ${random.pick(project.symbols)} in ${random.pick(project.paths)}`
    script.turn([dialect.run(`git commit -qm '${title}'`, '')])
  })
}

/** The change is put aside and taken back, to see which failures were there before: once or twice. */
function putAsideAndBack(script: Script): void {
  const { random, project, dialect } = script
  const [old = 'one', fresh = 'other'] = random.shuffled(project.testNames)
  times(random.between(1, 2), () => {
    script.turn([dialect.run(project.test, testText(project, [old, fresh], 70), 1)])
    script.turn([dialect.run('git stash', 'Saved working directory and index state')])
    script.turn([dialect.run(project.test, testText(project, [old], 70), 1)])
    script.turn([dialect.run('git stash pop', 'Dropped refs/stash@{0}')])
  })
  times(random.between(2, 5), () => script.turn([editOf(script)]))
  script.turn([dialect.run(project.test, testText(project, [old], 70), 1)])
}

/** Two tries of the same way, then another way: it took three errors to learn. */
function learnsFromErrors(script: Script): void {
  const { random, project, dialect } = script
  times(random.between(3, 6), () => {
    const module = random.pick(project.symbols)
    const error = `ModuleNotFoundError: No module named '${module}'`
    times(random.between(2, 3), () => {
      script.turn([dialect.run(`python -c "import ${module}; print(${random.between(1, 9999)})"`, error, 1)])
    })
    script.turn([dialect.run(`pip install ${module}`, `Successfully installed ${module}`)])
    script.turn([dialect.run(`python -c "import ${module}"`, '')])
  })
}

/** Nobody wrote down what came back: unknown is not equal. */
function outcomesNotRecorded(script: Script): void {
  const { random, project, dialect } = script
  const unknown = (call: Call): Call => ({ ...call, result: null, isError: false })
  times(random.between(8, 16), () => {
    script.turn([unknown(editOf(script))])
    script.turn([unknown(dialect.run(project.test, ''))])
  })
}

/** The same query of a store in which things happen. */
function watchedQuery(script: Script): void {
  const { random, project } = script
  const sql = `select count(*) from ${random.pick(project.symbols)} where state = 'open'`
  let open = random.between(200, 900)
  times(random.between(10, 20), () => {
    script.turn([editOf(script)])
    open -= random.between(1, 9)
    script.turn([{ tool: 'query_database', args: { sql }, result: `[{"count":${open}}]`, isError: false }])
  })
}

/** The hits of one search are worked off: fewer each time it is made again. */
function searchUntilNoneLeft(script: Script): void {
  const { random, project, dialect } = script
  const pattern = random.pick(project.symbols)
  let hits = searchText(random, project, pattern, random.between(8, 20)).split('\n')
  while (hits.length > 0) {
    script.turn([dialect.search(pattern, 'src', hits.join('\n'))])
    script.turn([editOf(script)])
    hits = hits.slice(random.between(1, 2))
  }
  script.turn([dialect.search(pattern, 'src', '')])
}

export const repeatedWork: readonly BenignClass[] = [
  honestClass({
    name: 'read again after compaction',
    about: 'five to ten files are read again, once or twice, because the messages that held them are gone',
    write: readAgainAfterCompaction,
  }),
  honestClass({
    name: 'checks after each edit',
    about: 'types, lint and tests after each of 8 to 15 edits, all content',
    write: checksAfterEachEdit,
  }),
  honestClass({
    name: 'small commits',
    about: 'edit, add, commit, 8 to 16 times; git has nothing to say',
    write: smallCommits,
  }),
  honestClass({
    name: 'put aside and taken back',
    about: 'the change is stashed and restored once or twice to compare the failures',
    write: putAsideAndBack,
  }),
  honestClass({
    name: 'learns from errors',
    about: 'two or three tries with the same error, then the cause is removed; three to six times',
    write: learnsFromErrors,
  }),
  honestClass({
    name: 'outcomes not recorded',
    about: 'edit and test in turn; what came back is not known',
    write: outcomesNotRecorded,
  }),
  honestClass({
    name: 'query that changes',
    about: 'the same query after each edit, another count each time',
    write: watchedQuery,
  }),
  honestClass({
    name: 'search until none is left',
    about: 'the same search after each edit, fewer hits each time',
    write: searchUntilNoneLeft,
  }),
]
