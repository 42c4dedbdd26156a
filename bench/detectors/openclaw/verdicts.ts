/** The verdicts that the profile gives, with the keys by which their warnings are told once. */
import type { LoopDetectorName, Stuck } from './records.ts'
import type { NoProgress } from './streaks/no-progress.ts'
import type { PingPong } from './streaks/ping-pong.ts'
import type { Target } from './history.ts'

const keyWords = {
  global_circuit_breaker: 'global',
  known_poll_no_progress: 'poll',
  generic_repeat: 'generic',
} as const

/** By equal results: the key holds the result. */
export function noProgressVerdict(
  level: Stuck['level'],
  detector: keyof typeof keyWords,
  { toolName, argsHash }: Target,
  { count, latestResultHash }: NoProgress,
): Stuck {
  const warningKey = `${keyWords[detector]}:${toolName}:${argsHash}:${latestResultHash ?? 'none'}`
  return { stuck: true, level, detector, count, warningKey }
}

/** By equal calls alone. */
export function repeatVerdict({ toolName, argsHash }: Target, count: number): Stuck {
  const detector: LoopDetectorName = 'generic_repeat'
  return { stuck: true, level: 'warning', detector, count, warningKey: `generic:${toolName}:${argsHash}` }
}

/** Both sides of the pair share the key. */
export function pingPongVerdict(
  level: Stuck['level'],
  { argsHash }: Target,
  { count, paired }: PingPong,
): Stuck {
  const pair = [argsHash, paired?.argsHash ?? ''].sort().join('|')
  const verdict = {
    stuck: true,
    level,
    detector: 'ping_pong',
    count,
    warningKey: `pingpong:${pair}`,
  } as const
  return paired === undefined ? verdict : { ...verdict, pairedToolName: paired.toolName }
}
