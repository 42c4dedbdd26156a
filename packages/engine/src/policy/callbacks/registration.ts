import { nearest } from '@donecheck/core/internal/base'
import { hookPoints, type HookPoint } from '@donecheck/core/internal/events/gate'
import { z } from 'zod'
import { explainIssue, UsageError } from '../../base/index.ts'
import type { HookedCall, HookInputs, HookResults } from '../../ports/callbacks.ts'

export type HookReturn<Point extends HookPoint> = HookResults[Point] | undefined

/** A name, a pattern with `*`, a regular expression, or a list, of which one must match. */
export type NameMatch = string | RegExp | readonly (string | RegExp)[]

export interface HookRegistration<Point extends HookPoint = HookPoint> {
  /** Unique in a loop; appears in traces and refusals. */
  readonly name: string
  readonly point: Point
  /** Gets its own copy, and a signal for timeout and interrupt; it cannot be stopped if it never yields. */
  run(input: HookInputs[Point], signal: AbortSignal): HookReturn<Point> | PromiseLike<HookReturn<Point>>
  /** Lower runs earlier, equal ones by registration. Default: 100. */
  readonly priority?: number
  /** Tool names or a function of the call; for verifier points, names of verifiers. Default: always. */
  readonly match?: NameMatch | ((call: HookedCall) => boolean)
  /** Milliseconds. Default: 5,000. */
  readonly timeoutMs?: number
  /**
   * If it throws, hangs or returns nonsense, `open` notes that and `closed` refuses.
   * Default: `closed` for `before_tool_call` and verifier points.
   */
  readonly onFailure?: 'open' | 'closed'
  /** `shadow` notes what it would have done without doing it. Default: `on`. */
  readonly mode?: 'on' | 'shadow'
  /** Only its first successful call in each run; a resume starts again. Default: false. */
  readonly once?: boolean
}

const toolPoints = ['before_tool_call', 'after_tool_call', 'tool_result_persist'] as const
const verifierPoints = ['before_verification', 'after_verification', 'before_finalize'] as const
type ToolPoint = (typeof toolPoints)[number]
type VerifierPoint = (typeof verifierPoints)[number]
type HookOf<Points extends HookPoint> = { [Point in Points]: HookRegistration<Point> }[Points]

export type ToolHook = HookOf<ToolPoint>
export type VerifierHook = HookOf<VerifierPoint>

export interface HookLists {
  readonly tools?: readonly ToolHook[]
  readonly verifiers?: readonly VerifierHook[]
  readonly lifecycle?: readonly HookOf<Exclude<HookPoint, ToolPoint | VerifierPoint>>[]
}

function listOfPoint(point: HookPoint): keyof HookLists {
  if (toolPoints.some((one) => one === point)) return 'tools'
  return verifierPoints.some((one) => one === point) ? 'verifiers' : 'lifecycle'
}

/** Whether a failing hook can refuse at this point. */
export function canClose(point: HookPoint): boolean {
  return closesByDefault(point) || point === 'tool_result_persist'
}

function closesByDefault(point: HookPoint): boolean {
  return point === 'before_tool_call' || listOfPoint(point) === 'verifiers'
}

interface NamePattern {
  readonly shown: string
  readonly bare: string
  test(name: string): boolean
}

export type Matcher =
  | { readonly kind: 'every' }
  | { readonly kind: 'names'; readonly patterns: readonly NamePattern[] }
  | { readonly kind: 'predicate'; test(input: unknown): unknown }

/** A checked registration with defaults. */
export interface RegisteredHook {
  readonly name: string
  readonly point: HookPoint
  readonly list: keyof HookLists
  readonly priority: number
  readonly matcher: Matcher
  readonly timeoutMs: number
  readonly failsClosed: boolean
  readonly isWatched: boolean
  readonly once: boolean
  run(...given: Parameters<HookRegistration['run']>): unknown
}

/** Node's timers cannot wait longer. */
const maxTimeoutMs = 2_147_483_647

const name = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line')
  .refine((text) => text.trim() === text, 'must not begin or end with a space')

const pattern = z.union([
  z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  z.instanceof(RegExp, { error: 'must be a name or a regular expression' }),
])
const patterns = z.union([pattern, z.array(pattern).min(1)])
const predicate = z.custom<(input: unknown) => unknown>((value) => typeof value === 'function', {
  error: 'must be a name, a regular expression, a list of these or a function',
})

function registrationAt<const Points extends readonly HookPoint[]>(points: Points) {
  return z.strictObject({
    name,
    point: z.enum(points),
    run: z.custom<HookRegistration['run']>((value) => typeof value === 'function', 'must be a function'),
    priority: z.number().default(100),
    timeoutMs: z.int().min(1).max(maxTimeoutMs).default(5_000),
    onFailure: z.enum(['open', 'closed']).optional(),
    mode: z.enum(['on', 'shadow']).default('on'),
    once: z.boolean().default(false),
  })
}

const lifecyclePoints = hookPoints.filter((point) => listOfPoint(point) === 'lifecycle')
const lists = z.strictObject({
  tools: z
    .array(registrationAt(toolPoints).extend({ match: z.union([patterns, predicate]).optional() }))
    .default([]),
  verifiers: z.array(registrationAt(verifierPoints).extend({ match: patterns.optional() })).default([]),
  lifecycle: z.array(registrationAt(lifecyclePoints)).default([]),
})

/** In the order of registration. @throws {UsageError} for the first hook that could never work */
export function checkHooks(given: HookLists): readonly RegisteredHook[] {
  const parsed = lists.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new UsageError(`hooks: ${issue === undefined ? 'invalid' : explainIssue(issue, given, lists)}`)
  }
  const { tools, verifiers, lifecycle } = parsed.data
  const all = [
    ...tools.map((hook, index) => registered(hook, given.tools?.[index])),
    ...verifiers.map((hook, index) => registered(hook, given.verifiers?.[index])),
    ...lifecycle.map((hook, index) => registered(hook, given.lifecycle?.[index])),
  ]
  const doubled = all.find((hook, index) => all.findIndex((other) => other.name === hook.name) < index)
  if (doubled === undefined) return all
  throw new UsageError(`two hooks are called "${doubled.name}"; give each a name of its own`)
}

type Parsed = z.output<ReturnType<typeof registrationAt<readonly HookPoint[]>>> & {
  readonly match?: z.output<typeof patterns> | z.output<typeof predicate> | undefined
}

function registered({ match, onFailure, mode, run, ...options }: Parsed, given: unknown): RegisteredHook {
  if (onFailure === 'closed' && !canClose(options.point))
    throw new UsageError(
      `hook "${options.name}" cannot fail closed at ${options.point}, where nothing can be refused; it can at ${hookPoints.filter(canClose).join(', ')}`,
    )
  return {
    ...options,
    list: listOfPoint(options.point),
    matcher: matcherOf(match),
    failsClosed: onFailure === undefined ? closesByDefault(options.point) : onFailure === 'closed',
    isWatched: mode === 'shadow',
    run: run.bind(given),
  }
}

function matcherOf(match: Parsed['match']): Matcher {
  if (match === undefined) return { kind: 'every' }
  if (typeof match === 'function') return { kind: 'predicate', test: match }
  const all = Array.isArray(match) ? match : [match]
  return { kind: 'names', patterns: all.map(namePattern) }
}

/** `*` matches any characters, including `/`; the text itself always matches. Drops the flags `g` and `y`. */
function namePattern(pattern: string | RegExp): NamePattern {
  if (typeof pattern === 'string') {
    const pieces = pattern.split('*').map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    const whole = new RegExp(`^${pieces.join('.*')}$`, 'su')
    return { shown: `"${pattern}"`, bare: pattern, test: (name) => name === pattern || whole.test(name) }
  }
  const expression = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
  return { shown: String(pattern), bare: pattern.source, test: (name) => expression.test(name) }
}

export interface HookSituation {
  readonly tools: readonly string[]
  readonly verifiers: readonly string[]
  /** External agents use their own tools, which bypass every hook. */
  readonly hasAgentOwnTools: boolean
  /** Whether hooks before the end are a check of this run. */
  readonly canFinalize: boolean
}

export interface HookProblem {
  readonly hook: string
  readonly problem: string
  /** The hook is meant to refuse, and never could. */
  readonly isFatal: boolean
}

export function unusableHooks(
  hooks: readonly RegisteredHook[],
  situation: HookSituation,
): readonly HookProblem[] {
  return hooks.flatMap((hook) => {
    const found = unreachable(hook, situation) ?? deadPatterns(hook, situation)
    if (found === undefined) return []
    const isFatal = found.isNever && hook.failsClosed && !hook.isWatched
    return [{ hook: hook.name, problem: `hook "${hook.name}" (${hook.point}): ${found.problem}`, isFatal }]
  })
}

interface Unused {
  readonly problem: string
  /** False if only a part of the matcher never matches. */
  readonly isNever: boolean
}

function unreachable({ point, list }: RegisteredHook, situation: HookSituation): Unused | undefined {
  const never = (problem: string) => ({ problem, isNever: true })
  if (list === 'tools' && situation.hasAgentOwnTools)
    return never(
      `the agent uses tools of its own, which do not pass ${point}; confine it by a sandbox, or use a model with our tools`,
    )
  if (list === 'tools' && situation.tools.length === 0)
    return never(`there are no tools, so that ${point} never comes`)
  if (list === 'verifiers' && situation.verifiers.length === 0)
    return never(
      `there are no verifiers, so that ${point} never comes; without a check nothing is called done`,
    )
  if (point === 'before_finalize' && !situation.canFinalize) return never(`this loop never comes to ${point}`)
  return undefined
}

function deadPatterns(
  { matcher, list }: RegisteredHook,
  { tools, verifiers }: HookSituation,
): Unused | undefined {
  if (matcher.kind !== 'names') return undefined
  const names = list === 'tools' ? tools : verifiers
  const dead = matcher.patterns.filter((pattern) => !names.some((name) => pattern.test(name)))
  const [first] = dead
  if (first === undefined) return undefined
  const problem = `${first.shown} matches no ${list === 'tools' ? 'tool' : 'verifier'}${orNearest(first.bare, names)}`
  return { problem, isNever: dead.length === matcher.patterns.length }
}

/** `; did you mean "…"?`, or the known names; empty without any. */
function orNearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  const near = nearest(name, known)
  return near === undefined ? `; there are: ${known.join(', ')}` : `; did you mean "${near}"?`
}

/** Plain objects of any realm. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null)
}

const maxNoteLength = 500

/** Cuts text without splitting characters. */
export function boundText(text: string, maxCharacters = maxNoteLength): string {
  const whole = text.toWellFormed()
  return whole.length <= maxCharacters ? whole : `${whole.slice(0, maxCharacters - 1).toWellFormed()}…`
}

/** Never throws. */
export function showValue(value: unknown): string {
  try {
    const json: unknown = typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)
    return typeof json === 'string' ? boundText(json, 100) : `a value of type ${typeof value}`
  } catch {
    return `a value of type ${typeof value}`
  }
}
