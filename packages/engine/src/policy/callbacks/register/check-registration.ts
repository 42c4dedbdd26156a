/** What a user has registered, checked once: a hook that could never run as it was meant is a mistake, not a silence. */
import { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import { nearest } from '@donecheck/core/base'
import { hookEffects, hookPoints, type HookPoint } from '@donecheck/core/gate'
import { isPlain } from './json-copy.ts'
import { closingPoints, traitsOfPoints, type HookList } from './points.ts'
import type { HookLists, HookRegistration, HookSample, RegisteredHook } from './registration.ts'
import { showValue } from '../fire/show-thrown.ts'
import { namePattern, type Matcher } from './match.ts'

/** Node's timers cannot wait longer. */
const maxTimeoutMs = 2_147_483_647

const name = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line')
  .refine((text) => text.trim() === text, 'must not begin or end with a space')

const sample = z.union([
  z.literal(true),
  z.strictObject({
    input: z
      .custom<NonNullable<HookSample<HookPoint>['input']>>(isPlain, 'must be an object')
      .exactOptional(),
    expect: z.enum(hookEffects).exactOptional(),
  }),
])

const registration = z.strictObject({
  name,
  point: z.enum(hookPoints),
  run: z.custom<HookRegistration['run']>((value) => typeof value === 'function', 'must be a function'),
  priority: z.number().default(100),
  match: z.unknown().optional(),
  timeoutMs: z.int().min(1).max(maxTimeoutMs).default(5_000),
  onFailure: z.enum(['open', 'closed']).optional(),
  mode: z.enum(['on', 'shadow']).default('on'),
  once: z.boolean().default(false),
  selfTest: sample.optional(),
})

const listNames: readonly HookList[] = ['tools', 'verifiers', 'lifecycle']

/**
 * All hooks of all lists, in the order of registration.
 * @throws UsageError for the first one that cannot be meant, with its name
 */
export function checkHooks(given: HookLists): readonly RegisteredHook[] {
  if (!isPlain(given)) throw new UsageError(`hooks must be an object with ${listNames.join(', ')}`)
  const unknown = Object.keys(given).find((key) => !listNames.some((list) => list === key))
  if (unknown !== undefined)
    throw new UsageError(`there is no list hooks.${unknown}${orNearest(unknown, listNames)}`)
  const all = listNames.flatMap((list) => entriesOf(list, given).map((entry) => checkedHook(entry, list)))
  const doubled = all.find(({ name }, index) => all.findIndex((other) => other.name === name) < index)
  if (doubled === undefined) return all
  throw new UsageError(`two hooks are called "${doubled.name}"; give each a name of its own`)
}

function entriesOf(list: HookList, given: Readonly<Record<string, unknown>>): readonly unknown[] {
  const entries = given[list] ?? []
  if (Array.isArray(entries)) return entries
  throw new UsageError(`hooks.${list} must be a list of hooks, and is ${showValue(entries)}`)
}

function checkedHook(given: unknown, list: HookList): RegisteredHook {
  const parsed = registration.safeParse(given)
  if (!parsed.success) throw new UsageError(`${titleOf(given, list)}: ${problemOf(parsed.error, given)}`)
  const { match, onFailure, mode, selfTest, run, ...options } = parsed.data
  const what = `hook "${options.name}"`
  const { list: home, closes } = traitsOfPoints[options.point]
  if (home !== list)
    throw new UsageError(`${what} stands in hooks.${list}, but ${options.point} belongs in hooks.${home}`)
  if (onFailure === 'closed' && closes === 'never')
    throw new UsageError(
      `${what} cannot fail closed at ${options.point}, where nothing can be refused; it can at ${closingPoints.join(', ')}`,
    )
  return {
    ...options,
    list,
    matcher: checkedMatcher(match, list, what),
    failsClosed: onFailure === undefined ? closes === 'always' : onFailure === 'closed',
    isWatched: mode === 'shadow',
    sample: selfTest,
    original: run,
    run: run.bind(given),
  }
}

function titleOf(given: unknown, list: HookList): string {
  const called = isPlain(given) ? name.safeParse(given['name']) : undefined
  return called?.success === true ? `hook "${called.data}"` : `a hook in hooks.${list}`
}

function problemOf({ issues: [issue] }: z.ZodError, given: unknown): string {
  if (issue === undefined) return 'it cannot be understood'
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    return `there is no option "${key}"${orNearest(key, Object.keys(registration.shape))}`
  }
  const [key] = issue.path
  if (key === undefined) return `a hook is an object with name, point and run, and not ${showValue(given)}`
  const value: unknown = isPlain(given) ? given[String(key)] : undefined
  const near = key === 'point' && typeof value === 'string' ? orNearest(value, hookPoints) : ''
  return `${issue.path.join('.')} is ${showValue(value)}: ${issue.message}${near}`
}

/**
 * @param what the hook, for a sentence
 * @throws UsageError for what can match nothing, or has no meaning in that list
 */
function checkedMatcher(match: unknown, list: HookList, what: string): Matcher {
  if (match === undefined) return { kind: 'every' }
  if (list === 'lifecycle')
    throw new UsageError(`${what}: match has no meaning here, for there are no names; leave it out`)
  if (isFunction(match)) {
    if (list === 'tools') return { kind: 'predicate', test: match }
    throw new UsageError(`${what}: match must be names of verifiers, and is a function`)
  }
  const patterns: readonly unknown[] = Array.isArray(match) ? match : [match]
  if (patterns.length === 0)
    throw new UsageError(
      `${what}: match is an empty list, which matches nothing; leave it out for everything`,
    )
  const wrong = patterns.find((pattern) => !isPattern(pattern))
  if (patterns.every(isPattern)) return { kind: 'names', patterns: patterns.map(namePattern) }
  throw new UsageError(`${what}: match holds ${showValue(wrong)}; it must be a name or a regular expression`)
}

function isPattern(value: unknown): value is string | RegExp {
  return value instanceof RegExp || (typeof value === 'string' && value.trim() !== '')
}

function isFunction(value: unknown): value is (input: unknown) => unknown {
  return typeof value === 'function'
}

/** `; did you mean "…"?` where a known name is a few letters away, else the known names; empty where there are none. */
export function orNearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  const near = nearest(name, known)
  return near === undefined ? `; there are: ${known.join(', ')}` : `; did you mean "${near}"?`
}
