/** Asking a job how it is doing, in the ways that real tool sets offer. */
import type { Random } from '../random.ts'
import type { Script } from '../script.ts'
import type { Call } from './dialect.ts'

/** Asks after one job: the same call each time. */
export interface Poll {
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
