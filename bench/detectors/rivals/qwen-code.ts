/**
 * qwen-code. By default only the fifth identical call in a row ends the run (keys of arguments sorted, results not read); its
 * other heuristics are opt-in and make up a second detector.
 *
 * Left open by the description, chosen here: a turn lasts until the next message to the agent; a thought is the text before
 * calls; the repeats that the soft call cap asks for are counted over the turn; a look at git is counted until a tool that is
 * neither a reader nor such a look; text chants when the ten sightings lie within 1,000 characters; the one tool whose results
 * it reads is not named, so none are read.
 */
import type { Alarm, CallStep, Detector, Step, Watch } from '../detector.ts'
import { chanting } from './content-chanting.ts'
import { equalRun } from './equal-run.ts'
import { callKey } from './outcome.ts'
import { argumentOf, kindOf } from './tool-kinds.ts'

const identicalLimit = 5
const duplicateLimit = 6
const alternatingCalls = 6
const thoughtLimit = 3
const thoughtsKept = 50
const readLimit = 8
const readWindow = 15
const sameToolLimit = 8
const gitLookLimit = 8
const softCallCap = 100
const hardCallCap = 1000
const sightingsWithin = 1000
const sightings = 10

export const qwenDefault: Detector = qwenCode('qwen-code (default)', () => consecutive())
export const qwenAll: Detector = qwenCode('qwen-code (all)', () => all())

/** Names the rule that the step broke. */
type Rules = (step: Exclude<Step, { kind: 'message' }>) => string | undefined

function qwenCode(name: string, begin: () => Rules): Detector {
  return {
    name,
    readsResults: false,
    begin(): Watch {
      let rules = begin()
      return {
        observe(step) {
          if (step.kind === 'message') {
            rules = begin()
            return undefined
          }
          const rule = rules(step)
          return rule === undefined ? undefined : stop(rule, step)
        },
      }
    },
  }
}

function stop(rule: string, { kind }: Step): Alarm {
  return kind === 'call' ? { level: 'stop', rule, before: true } : { level: 'stop', rule }
}

function all(): Rules {
  const rules: readonly Rules[] = [
    consecutive(),
    duplicates(),
    alternation(),
    thoughts(),
    readChurn(),
    sameTool(),
    gitLooks(),
    chants(),
  ]
  // Each rule has to see each step, so none is skipped when another one has fired.
  return (step) => rules.map((rule) => rule(step)).find((rule) => rule !== undefined)
}

function onCalls(rule: (step: CallStep) => string | undefined): Rules {
  return (step) => (step.kind === 'call' ? rule(step) : undefined)
}

function consecutive(): Rules {
  const run = equalRun()
  return onCalls((step) => (run.next(callKey(step)) >= identicalLimit ? 'consecutive_identical' : undefined))
}

/** The same call anywhere in the turn, and the caps over all calls that lean on that count. */
function duplicates(): Rules {
  const counts = new Map<string, number>()
  let calls = 0
  let most = 0
  return onCalls((step) => {
    const count = (counts.get(callKey(step)) ?? 0) + 1
    counts.set(callKey(step), count)
    calls += 1
    most = Math.max(most, count)
    if (count >= duplicateLimit) return 'global_duplicate'
    return calls >= hardCallCap || (calls >= softCallCap && most >= duplicateLimit) ? 'call_cap' : undefined
  })
}

function alternation(): Rules {
  let keys: readonly string[] = []
  return onCalls((step) => {
    keys = [...keys, callKey(step)].slice(-alternatingCalls)
    const isWhole = keys.length === alternatingCalls && keys[0] !== keys[1]
    return isWhole && keys.every((key, at) => key === keys[at % 2]) ? 'alternating' : undefined
  })
}

function thoughts(): Rules {
  let kept: readonly string[] = []
  return (step) => {
    if (step.kind !== 'reply' || step.calls === 0 || step.text.trim() === '') return undefined
    kept = [...kept, step.text.trim()].slice(-thoughtsKept)
    return kept.filter((text) => text === kept.at(-1)).length >= thoughtLimit ? 'repeated_thought' : undefined
  }
}

/** Before the first tool that is no reader the agent explores, and may read as it likes. */
function readChurn(): Rules {
  let hasActed = false
  let reads: readonly boolean[] = []
  return onCalls((step) => {
    const isRead = kindOf(step) === 'read'
    hasActed ||= !isRead
    if (!hasActed) return undefined
    reads = [...reads, isRead].slice(-readWindow)
    return reads.filter(Boolean).length >= readLimit ? 'file_read_churn' : undefined
  })
}

function sameTool(): Rules {
  const run = equalRun()
  return onCalls(({ tool }) => (run.next(tool) >= sameToolLimit ? 'same_tool_name' : undefined))
}

function gitLooks(): Rules {
  let count = 0
  return onCalls((step) => {
    const kind = kindOf(step)
    const isLook = kind === 'shell' && /^\s*git\s+(status|log|diff|show|branch)\b/.test(commandOf(step))
    if (isLook) count += 1
    else if (kind !== 'read') count = 0
    return isLook && count >= gitLookLimit ? 'git_overview' : undefined
  })
}

function commandOf({ args }: CallStep): string {
  return argumentOf(args, 'command')
}

function chants(): Rules {
  const chant = chanting({ maxMeanGap: sightingsWithin / (sightings - 1) })
  return (step) => {
    if (step.kind === 'call') chant.reset()
    if (step.kind !== 'reply') return undefined
    return step.text.split('```').some((part, at) => at % 2 === 0 && hasChant(chant, part))
      ? 'content_chanting'
      : undefined
  }
}

/** What gemini-cli's patterns mean to leave out, mended: tables, lists with dashes too, headings, quotes, real dividers. */
const markup = /^\s*([-*+]\s|\d+\.\s|#+\s|>\s|\||[-=_*+|\s]{3,}$)/

function hasChant(chant: ReturnType<typeof chanting>, prose: string): boolean {
  return prose.split('\n').some((line) => {
    if (!markup.test(line)) return chant.append(`${line}\n`)
    chant.reset()
    return false
  })
}
