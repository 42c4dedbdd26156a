/** What a person reads of a run that waits for its provider. */
import type { FactOf } from '@donecheck/core/events'

type Wait = Pick<FactOf<'wait-started'>, 'for' | 'untilMs'>

/** Such as `waiting for the usage limit to reset, until 14:05:20`. */
export function waitText({ for: awaited, untilMs }: Wait): string {
  return `${waitedFor[awaited]}, until ${clockText(untilMs)}`
}

/** Such as `waiting for the usage limit to reset, 3m 10s left`. */
export function countdownText({ for: awaited, untilMs }: Wait, nowMs: number): string {
  return `${waitedFor[awaited]}, ${durationText(Math.max(0, untilMs - nowMs))} left`
}

const waitedFor = {
  limit: 'waiting for the usage limit to reset',
  provider: 'waiting to ask the provider again',
} as const

/** Local time, with the date only if it is another day than the one before. */
function clockText(atMs: number, nowMs = Date.now()): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)]
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')
  if (at.toDateString() === now.toDateString()) return time
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${time}`
}

function durationText(ms: number): string {
  const total = Math.ceil(ms / 1000)
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${rest}s` : `${rest} s`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
