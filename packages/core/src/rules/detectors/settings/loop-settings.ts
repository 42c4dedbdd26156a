/** From what a user says about loop detection to the settings of a run: names, kinds and numbers, one by one. */
import { breakerCountChoices, repeatCountChoices, type RuleMode } from '../../../base/index.ts'
import { detectorNames, type LoopDetectionSettings } from '../../../events/settings/index.ts'
import type { LoopDetectionOptions, ModeOption } from './loop-options.ts'
import { problemOfThresholds } from './loop-thresholds.ts'
import { formatOutcome, isObject, problemOfNames, problemOfTools } from './option-problems.ts'
import { standardLoopDetection } from './standard-settings.ts'

export type LoopSettingsReading =
  | { readonly kind: 'settings'; readonly settings: LoopDetectionSettings }
  | { readonly kind: 'refused'; readonly problem: string }

/** Where each number stands in the settings, and the least it can be. */
const numbers = {
  historySize: { setting: 'historyCalls', least: 2 },
  warningThreshold: { setting: 'warningCalls', least: 2 },
  criticalThreshold: { setting: 'criticalCalls', least: 2 },
  globalCircuitBreakerThreshold: { setting: 'breakerCalls', least: 2 },
  warmUpCalls: { setting: 'warmUpCalls', least: 0 },
  cycleRepeats: { setting: 'cycleRepeats', least: 2 },
  sameFailureThreshold: { setting: 'sameFailures', least: 2 },
  failedCheckRepeatThreshold: { setting: 'failedCheckRepeats', least: 2 },
  repeatedReplyThreshold: { setting: 'repeatedReplies', least: 2 },
  vetoesUntilEnd: { setting: 'vetoesUntilEnd', least: 0 },
} as const satisfies Partial<
  Record<keyof LoopDetectionOptions, { setting: keyof LoopDetectionSettings; least: number }>
>

type NumberOption = keyof typeof numbers
const numberNames = Object.keys(numbers) as readonly NumberOption[]
const optionNames = [
  ...numberNames,
  'mode',
  'detectors',
  'repeatCounts',
  'circuitBreakerCounts',
  'tools',
] as const

/**
 * The settings, or what is wrong: a value of the wrong kind, an unknown name, or thresholds of which one can never be
 * reached. Thresholds of detectors that are off are not compared with others.
 */
export function loopDetectionSettings(options: LoopDetectionOptions): LoopSettingsReading {
  const problem = problemOfOptions(options)
  if (problem !== undefined) return { kind: 'refused', problem }
  const settings = settingsOf(options)
  const clash = problemOfThresholds(settings)
  return clash === undefined ? { kind: 'settings', settings } : { kind: 'refused', problem: clash }
}

function problemOfOptions(options: LoopDetectionOptions): string | undefined {
  const given: unknown = options
  if (!isObject(given)) return `loopDetection must be an object of options, not ${formatOutcome(given)}`
  return (
    problemOfNames('option', Object.keys(options), optionNames) ??
    problemOfMode('mode', options.mode) ??
    problemOfDetectors(options.detectors) ??
    problemOfNumbers(options) ??
    problemOfChoice('repeatCounts', options.repeatCounts, repeatCountChoices) ??
    problemOfChoice('circuitBreakerCounts', options.circuitBreakerCounts, breakerCountChoices) ??
    problemOfTools(options.tools)
  )
}

function problemOfMode(name: string, mode: ModeOption | undefined): string | undefined {
  const known: readonly unknown[] = ['on', 'shadow', 'off', true, false, undefined]
  return known.includes(mode)
    ? undefined
    : `${name} must be "on", "shadow", "off", true or false, not ${formatOutcome(mode)}`
}

function problemOfDetectors(detectors: LoopDetectionOptions['detectors']): string | undefined {
  if (detectors === undefined) return undefined
  const given: unknown = detectors
  if (!isObject(given))
    return `detectors must be an object such as { ping_pong: "off" }, not ${formatOutcome(given)}`
  const modes = Object.entries(detectors)
  const unknown = problemOfNames('detector', Object.keys(detectors), detectorNames)
  return unknown ?? modes.map(([name, mode]) => problemOfMode(`detectors.${name}`, mode)).find((one) => one)
}

function problemOfNumbers(options: LoopDetectionOptions): string | undefined {
  for (const name of numberNames) {
    const value: unknown = options[name]
    const { least } = numbers[name]
    if (value !== undefined && !(typeof value === 'number' && Number.isInteger(value) && value >= least))
      return `${name} must be a whole number of at least ${least}, not ${formatOutcome(value)}`
  }
  return undefined
}

function problemOfChoice<Choice extends string>(
  name: string,
  value: Choice | undefined,
  choices: readonly Choice[],
): string | undefined {
  if (value === undefined || choices.includes(value)) return undefined
  return `${name} must be ${choices.map((choice) => `"${choice}"`).join(' or ')}, not ${formatOutcome(value)}`
}

function settingsOf(options: LoopDetectionOptions): LoopDetectionSettings {
  const given = numberNames.flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [[numbers[name].setting, value] as const]
  })
  const named: readonly (readonly [string, ModeOption | undefined])[] = Object.entries(
    options.detectors ?? {},
  )
  const modes = named.flatMap(([name, mode]) =>
    mode === undefined ? [] : [[name, ruleModeOf(mode)] as const],
  )
  return {
    ...standardLoopDetection,
    ...Object.fromEntries(given),
    mode: ruleModeOf(options.mode ?? standardLoopDetection.mode),
    detectors: { ...standardLoopDetection.detectors, ...Object.fromEntries(modes) },
    repeatCounts: options.repeatCounts ?? standardLoopDetection.repeatCounts,
    breakerCounts: options.circuitBreakerCounts ?? standardLoopDetection.breakerCounts,
    tools: { ...standardLoopDetection.tools, ...options.tools },
  }
}

/** `true` is `on`, `false` is `off`. */
export function ruleModeOf(mode: ModeOption): RuleMode {
  if (typeof mode === 'string') return mode
  return mode ? 'on' : 'off'
}
