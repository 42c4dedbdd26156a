/** Jobs take their time. */
import type { BenignClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import { duration } from '../world/clock.ts'
import { pollFrom, pollWithoutWait, quietState, waitAndAsk } from '../world/polls.ts'
import { searchText, testText } from '../world/texts.ts'
import { honestClass, times } from './honest.ts'

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
