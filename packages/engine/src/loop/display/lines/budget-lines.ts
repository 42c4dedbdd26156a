import { amounts, bounds, capTable, isWhole, type Amount, type Caps } from '@donecheck/core/internal/budgets'
import { amountWords } from '@donecheck/core/internal/state/words'
import { spendingOf } from '@donecheck/core/internal/rules/caps'
import type { RunState } from '@donecheck/core/internal/state'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { FactOf } from '@donecheck/core/internal/events'
import { plural, thousands, line, type Line } from '@donecheck/core/internal/base'

export function amountOfLimit(name: Amount, used: number, limit: number): string {
  return `${isWhole(name) ? thousands(used) : amountWords(name, used)} of ${amountWords(name, limit)}`
}

/** A model fills on average a quarter of its context window in a repository. */
const usualFill = 4

export function budgetLines(state: RunState): readonly Line[] {
  const { caps } = state.settings
  const rows = amounts.flatMap((name): Line[] => {
    const bound = caps[capTable[name].field]
    if (bound === null) return []
    const used = spendingOf(state, name)
    return [line(used >= bound ? 'warning' : 'plain', `  ${amountOfLimit(name, used, bound)}`)]
  })
  return rows.length > 0 ? rows : [line('plain', '  no cap')]
}

/** Describes the token cap in turns; undefined if there is none, or tokens are not counted. */
export function tokensInTurns(caps: Caps, agent: AgentDescription): string | undefined {
  const { contextWindowTokens, reportsUsage } = agent
  if (caps.maxTokens === null || !reportsUsage) return undefined
  const turns = Math.max(1, Math.floor((caps.maxTokens * usualFill) / contextWindowTokens))
  const window = `a quarter of the context window (${thousands(Math.floor(contextWindowTokens / usualFill))})`
  return `${plural(caps.maxTokens, 'token')}: ${plural(turns, 'turn')} that each use ${window}, because every turn sends the conversation again`
}

export function hasTokenCap(caps: Caps): boolean {
  return bounds.some((bound) => capTable[bound].kind === 'tokens' && caps[capTable[bound].field] !== null)
}

type Wait = Pick<FactOf<'wait-started'>, 'for' | 'untilMs'>

export function waitText({ for: awaited, untilMs }: Wait): string {
  return `${waitedFor[awaited]}, until ${clockText(untilMs)}`
}

export function countdownText({ for: awaited, untilMs }: Wait, nowMs: number): string {
  return `${waitedFor[awaited]}, ${durationText(Math.max(0, untilMs - nowMs))} left`
}

const waitedFor = {
  limit: 'waiting for the usage limit to reset',
  provider: 'waiting to ask the provider again',
} as const

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
