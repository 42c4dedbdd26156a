/** Writes a run down step by step, with the digests that a recording carries. */
import { hash } from 'node:crypto'
import { canonicalJson } from '@donecheck/core/base'
import type { Step } from '../detector.ts'
import { randomFrom, type Random } from './random.ts'
import { clockFrom, type Clock } from './world/clock.ts'
import { dialectFrom, type Call, type Dialect } from './world/dialect.ts'
import { projectFrom, type Project } from './world/project.ts'
import { say, voiceFrom, type Voice } from './world/voice.ts'

/** A run that is being written, and the world it happens in. */
export interface Script {
  readonly random: Random
  readonly project: Project
  readonly dialect: Dialect
  readonly clock: Clock
  readonly voice: Voice
  readonly steps: readonly Step[]
  /** Calls so far. */
  readonly calls: number
  /** Replies so far. */
  readonly replies: number
  /** A turn: a reply, then its calls. Without a text the run's own voice speaks. */
  turn(calls: readonly Call[], text?: string): void
  /** Said to the agent after its last turn. */
  message(text: string): void
}

/** First 16 hex digits of SHA-256. */
export function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 16)
}

/** One run in three does not say what was an error, as some sources do. */
const silentAboutErrors = 0.33

export function scriptFrom(seed: string): Script {
  const random = randomFrom(seed)
  const project = projectFrom(random)
  const dialect = dialectFrom(random)
  const clock = clockFrom(random)
  const voice = voiceFrom(random)
  const saysErrors = !random.chance(silentAboutErrors)
  const steps: Step[] = []
  const count = { calls: 0, turns: 0 }

  const callStep = ({ tool, args, result, isError }: Call): Step => {
    clock.pass(random.between(1, 20))
    const index = count.calls
    count.calls += 1
    return {
      kind: 'call',
      index,
      turn: count.turns,
      tool,
      args,
      argsDigest: digestOf(canonicalJson(args)),
      result,
      resultDigest: result === null ? null : digestOf(result),
      isError: saysErrors ? isError : null,
    }
  }

  return {
    random,
    project,
    dialect,
    clock,
    voice,
    steps,
    get calls() {
      return count.calls
    },
    get replies() {
      return count.turns
    },
    turn(calls, text = say(voice, random, project)) {
      steps.push({ kind: 'reply', turn: count.turns, text, calls: calls.length })
      for (const call of calls) steps.push(callStep(call))
      count.turns += 1
    },
    message(text) {
      steps.push({ kind: 'message', turn: Math.max(0, count.turns - 1), text })
    },
  }
}
