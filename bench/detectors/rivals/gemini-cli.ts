/**
 * gemini-cli 0.61. Tool calls: within the last 25 keys, the last k (1 to 5) come five times over; results are not read and the
 * order of argument keys counts. Text: `content-chanting.ts` with a mean gap of at most 250 characters. Its third check, a
 * model that reads the last 20 items from turn 30 on, is left out: nothing here asks a model.
 *
 * Left open by the description, chosen here: a recorded reply stands whole, so it is fed in fragments of 100 characters; a
 * reply begins outside of a code block; a message to the agent is a new prompt, which clears everything.
 */
import type { Alarm, Detector, Step } from '../detector.ts'
import { chanting } from './content-chanting.ts'
import { orderedCallKey } from './outcome.ts'

const repetitions = 5
const maxPeriodLength = 5
const keysKept = repetitions * maxPeriodLength
const fragmentLength = 100

/** The first detection ends the run. */
export const geminiFirstHit: Detector = geminiCli('gemini-cli (first hit)', 1)

/** The first detection of a prompt tells the model that it may be looping and clears the state, the second ends the run. */
export const geminiAsShipped: Detector = geminiCli('gemini-cli (as shipped)', 2)

function geminiCli(name: string, detectionsToStop: number): Detector {
  return {
    name,
    readsResults: false,
    begin() {
      let detections = 0
      let tracking = geminiTracking()
      return {
        observe(step) {
          if (step.kind === 'message') {
            detections = 0
            tracking = geminiTracking()
            return undefined
          }
          const rule = tracking.observe(step)
          if (rule === undefined) return undefined
          tracking = geminiTracking()
          detections += 1
          return alarmOf(rule, detections >= detectionsToStop)
        },
      }
    },
  }
}

function alarmOf(rule: GeminiRule, isLast: boolean): Alarm {
  const level = isLast ? 'stop' : 'warn'
  return rule === 'tool' ? { level, rule, before: true } : { level, rule }
}

type GeminiRule = 'tool' | 'content'

function geminiTracking(): { readonly observe: (step: Step) => GeminiRule | undefined } {
  let keys: string[] = []
  const chants = chanting({ maxMeanGap: 250 })
  return {
    observe(step) {
      if (step.kind === 'reply') return hasChant(chants, step.text) ? 'content' : undefined
      if (step.kind !== 'call') return undefined
      chants.reset()
      keys = [...keys, orderedCallKey(step)].slice(-keysKept)
      return isPeriodic(keys) ? 'tool' : undefined
    },
  }
}

function isPeriodic(keys: readonly string[]): boolean {
  for (let period = 1; period <= maxPeriodLength; period += 1) {
    const tail = keys.slice(-repetitions * period)
    const isWhole = tail.length === repetitions * period
    if (isWhole && tail.every((key, at) => at < period || key === tail[at - period])) return true
  }
  return false
}

/** The shipped character range between `+` and `_` takes in digits and capitals, so fragments like `DONE` are dropped. */
const divider = /^[+-_=*\u2500-\u257F]+$/
/** The shipped class runs from `*` to `+` and so misses the dash. */
const listItem = /(^|\n)\s*[*-+]\s|(^|\n)\s*\d+\.\s/
const table = /(^|\n)\s*(\|.*\||[|+-]{3,})/
const heading = /(^|\n)#+\s/
const quote = /(^|\n)>\s/

function hasChant(chants: ReturnType<typeof chanting>, reply: string): boolean {
  let isInCode = false
  for (let start = 0; start < reply.length; start += fragmentLength) {
    const fragment = reply.slice(start, start + fragmentLength)
    const fences = fragment.split('```').length - 1
    const isDivider = divider.test(fragment)
    const isOtherElement = [table, listItem, heading, quote].some((pattern) => pattern.test(fragment))
    if (fences > 0 || isDivider || isOtherElement) chants.reset()
    const wasInCode = isInCode
    isInCode = fences % 2 === 0 ? isInCode : !isInCode
    if (wasInCode || isInCode || isDivider) continue
    if (chants.append(fragment)) return true
  }
  return false
}
