/** A judge that a hook has no time for would never be heard: that is said before anybody relies on it. */
import type { Config } from '../../../config/index.ts'
import { namesJudge } from '../../wiring/judging/judge.ts'
import { secondsForChecks } from '../../hook/session/time-limit.ts'

/** Of one question, where the configuration does not say. */
const usualJudgeSeconds = 30

/** @param timeoutSeconds of a hook that verifies @returns undefined: no judge is asked, or there is time for it */
export function problemOfJudgeTime(config: Config, timeoutSeconds: number): string | undefined {
  if (!namesJudge(config)) return undefined
  const needed = config.judge?.timeoutSeconds ?? usualJudgeSeconds
  const left = secondsForChecks(timeoutSeconds)
  if (needed < left) return undefined
  return `a judge may take ${needed} s, and of the ${timeoutSeconds} s of a hook ${left} s are left for all checks: raise --hook-timeout or lower judge.timeoutSeconds; or configure no judge for hooks, and let donecheck run or donecheck verify ask it`
}
