interface NamedTime {
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number
  /** A usage limit, longer than a limit per minute. */
  readonly isUsageLimit: boolean
}

/** A bucket that refills within a minute limits the rate, a slower one usage. */
const longestBucketMs = 60_000

/** @param headers lower-case names @returns undefined without a future time */
export function resetInHeaders(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): NamedTime | undefined {
  const asked = milliseconds(headers['retry-after-ms']) ?? secondsOrDate(headers['retry-after'], nowMs)
  const account = headers['anthropic-ratelimit-unified-status'] === 'rejected'
  const accountMs = account ? momentOf(headers['anthropic-ratelimit-unified-reset'] ?? '', nowMs) : undefined
  if (accountMs !== undefined && accountMs > nowMs) return { atMs: accountMs, isUsageLimit: true }
  const bucketMs = latestBucket(headers, nowMs)
  const atMs = asked !== undefined && asked > 0 ? nowMs + Math.ceil(asked) : bucketMs
  if (atMs === undefined || atMs <= nowMs) return undefined
  return { atMs, isUsageLimit: bucketMs !== undefined && atMs - nowMs > longestBucketMs }
}

const bucket = /^(?:anthropic-|x-)?ratelimit-(?:(.+)-reset|reset(?:-(.+))?)$/

/** Latest refill of the empty buckets; of all, if none is known to be empty. */
function latestBucket(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const buckets = Object.entries(headers).flatMap(([name, value]) => {
    const atMs = bucket.test(name) ? momentOf(value, nowMs) : undefined
    const remaining = headers[name.replace('reset', 'remaining')]
    return atMs === undefined ? [] : [{ atMs, isEmpty: remaining === '0' }]
  })
  const empty = buckets.filter(({ isEmpty }) => isEmpty)
  const times = (empty.length > 0 ? empty : buckets).map(({ atMs }) => atMs)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Parses a date, epoch seconds, seconds from now, or a duration such as `1m30s`. */
function momentOf(text: string, nowMs: number): number | undefined {
  const number = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
  // Larger numbers are epoch seconds.
  if (number !== undefined) return number > 1e9 ? epochMs(number) : nowMs + number * 1000
  const durationMs = durationIn(text)
  if (durationMs !== undefined) return nowMs + durationMs
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? undefined : dateMs
}

/** Accepts epoch seconds or milliseconds. */
export function epochMs(number: number): number {
  return Math.round(number > 1e11 ? number : number * 1000)
}

function milliseconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

function secondsOrDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = milliseconds(text)
  if (seconds !== undefined) return seconds * 1000
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? undefined : dateMs - nowMs
}

const unitMs: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:ms|milliseconds?)$/, 1],
]

const durationPart = /(\d+(?:\.\d+)?)\s*([a-z]+)[\s,]*(?:and\s+)?/g

/** @returns undefined unless the text is like `1m30s`, `20.5s` or `3 days 4 hours` */
export function durationIn(text: string): number | undefined {
  const written = text.trim().toLowerCase()
  if (written === '' || written.replace(durationPart, '') !== '') return undefined
  let totalMs = 0
  for (const [, count, unit = ''] of written.matchAll(durationPart)) {
    const ms = unitMs.find(([pattern]) => pattern.test(unit))?.[1]
    if (ms === undefined) return undefined
    totalMs += Number(count) * ms
  }
  return Math.ceil(totalMs)
}

const durationWords = String.raw`((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|ms|m|seconds?|secs?|s)(?![a-z])[\s,]*(?:and\s+)?)+)`
const after = new RegExp(
  String.raw`(?:resets?|retry|try again|available again|wait)\W+(?:after|in)\s+${durationWords}`,
  'i',
)
const clock =
  /(?:resets?|try again|available again)\s+(?:(?:at|on)\s+)?(?:([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?(\d{1,2})(?::(\d{2}))?\s*([ap]m)\b(?:\s*\(([\w/+-]+)\))?/i

/**
 * Finds a future reset time: `resets 1:30am (Asia/Dhaka)`, `will reset after 2h52m39s`, `limit
 * reached|1760000400`, `"retryDelay": "20s"`, `"resets_at": 1760000400`.
 * @returns undefined if there is none
 */
export function resetInText(text: string, nowMs: number): number | undefined {
  const times = [
    ...matches(/(?:limit reached\||"?resets_?at"?\s*[:=]\s*"?)(\d{10,13})\b/gi, text).map((digits) =>
      epochMs(Number(digits)),
    ),
    ...matches(/"?retryDelay"?\s*:\s*"([\d.]+m?s)"/g, text).map((delay) => nowMs + (durationIn(delay) ?? 0)),
    ...[after.exec(text)?.[1]].flatMap((words) =>
      words === undefined ? [] : [nowMs + (durationIn(words) ?? 0)],
    ),
    ...[clockTime(text, nowMs)].filter((atMs) => atMs !== undefined),
  ]
  return times.find((atMs) => atMs > nowMs)
}

function matches(pattern: RegExp, text: string): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, group]) => group ?? [])
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayMs = 86_400_000
/** A clock time resets at the end of its minute at the latest. */
const restOfMinuteMs = 59_999
/** A clock time passed within this time is the old limit, not tomorrow's. */
const staleMs = 3_600_000

function clockTime(text: string, nowMs: number): number | undefined {
  const found = clock.exec(text)
  if (found === null) return undefined
  const [, monthName, day, year, hourText, minutes, half = '', zone] = found
  const hour = (Number(hourText) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const today = wallTime(nowMs, zone)
  if (today === undefined) return undefined
  const month = monthName === undefined ? -1 : months.indexOf(monthName.slice(0, 3).toLowerCase())
  if (monthName !== undefined && month === -1) return undefined
  const wallMs =
    month === -1
      ? Date.UTC(today.year, today.month, today.day, hour, Number(minutes ?? 0))
      : Date.UTC(Number(year ?? today.year), month, Number(day), hour, Number(minutes ?? 0))
  const atMs = wallMs - today.offsetMs + restOfMinuteMs
  if (month !== -1 || atMs > nowMs) return atMs
  return nowMs - atMs < staleMs ? undefined : atMs + dayMs
}

interface WallTime {
  readonly year: number
  /** From 0. */
  readonly month: number
  readonly day: number
  /** Offset from UTC. */
  readonly offsetMs: number
}

/** @param zone default: this machine's @returns undefined for an unknown zone */
function wallTime(atMs: number, zone: string | undefined): WallTime | undefined {
  try {
    const numeric = 'numeric'
    const format = new Intl.DateTimeFormat('en-US', {
      ...(zone === undefined ? {} : { timeZone: zone }),
      ...{ hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
      ...{ hour: numeric, minute: numeric, second: numeric },
    })
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    const offsetMs = Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
    return { year, month: month - 1, day, offsetMs }
  } catch {
    return undefined
  }
}
