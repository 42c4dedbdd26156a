/** Marks of the moment in arguments and results: the call is the same call and the answer the same answer. */
import type { JsonValue } from '@donecheck/core/events'
import type { Script } from '../script.ts'
import { duration } from '../world/clock.ts'
import type { Call } from '../world/dialect.ts'

export type Jitter = (call: Call, script: Script) => Call

const timestamps: Jitter = (call, { random, clock }) =>
  random.chance(0.5) && 'command' in call.args && !('path' in call.args)
    ? { ...call, args: inText(call.args, (text) => `${text} # ${clock.mark()}`) }
    : { ...call, args: { ...call.args, timestamp: clock.mark() } }

/** Blanks at the end, doubled blanks, an empty line. */
const whitespace: Jitter = (call, { random }) => ({
  ...call,
  args: inText(call.args, (text) => {
    const blanks = ' '.repeat(random.between(0, 4))
    return random.pick([
      () => `${text}${blanks}`,
      () => text.replace(' ', ` ${blanks}`) + ' '.repeat(random.between(0, 2)),
      () => `${text}\n${blanks}`,
    ])()
  }),
})

/** A key that is fresh with each call. */
const freshIds: Jitter = (call, { random }) => ({
  ...call,
  args: {
    ...call.args,
    request_id: `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`,
  },
})

/** The run counts its own attempts. */
const attempts: Jitter = (call, { calls }) => ({ ...call, args: { ...call.args, attempt: calls } })

const keyOrder: Jitter = (call, { random }) => {
  const padded = { ...call.args, timeout: 120, background: false }
  return { ...call, args: Object.fromEntries(random.shuffled(Object.entries(padded))) }
}

export const argumentJitter = { timestamps, whitespace, freshIds, keyOrder, attempts } as const

const stamped: Jitter = (call, { clock }) => inResult(call, (text) => `[${clock.mark()}] ${text}`)

const timed: Jitter = (call, { random }) => inResult(call, (text) => `${text}\nDone in ${duration(random)}`)

const processIds: Jitter = (call, { random }) => {
  const marks = `pid ${random.between(300, 65_000)}, /tmp/run-${random.hex(8)}, at 0x7f${random.hex(10)}`
  return inResult(call, (text) => `${text}\n(${marks})`)
}

const counted: Jitter = (call, { calls }) => inResult(call, (text) => `${text}\n(attempt ${calls})`)

export const resultJitter = { timestamps: stamped, durations: timed, processIds, attempts: counted } as const

/** Several at once. */
export function allOf(...jitters: readonly Jitter[]): Jitter {
  return (call, script) => jitters.reduce((changed, jitter) => jitter(changed, script), call)
}

function inResult(call: Call, change: (text: string) => string): Call {
  return call.result === null ? call : { ...call, result: change(call.result) }
}

/** Changes the text that says what to do: command, pattern, path. */
function inText(args: Call['args'], change: (text: string) => string): Call['args'] {
  const key = ['pattern', 'query', 'url', 'path', 'file_path', 'command'].find(
    (name) => typeof args[name] === 'string',
  )
  const text: JsonValue | undefined = key === undefined ? undefined : args[key]
  return key === undefined || typeof text !== 'string' ? args : { ...args, [key]: change(text) }
}
