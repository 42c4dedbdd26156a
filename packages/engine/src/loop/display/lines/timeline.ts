import { evolve, type RunState } from '@donecheck/core/internal/state'
import type { RunEvent, FactOf, RuleMatch } from '@donecheck/core/internal/events'
import { eventLines } from './event-lines.ts'
import { type Tone, line, type Line, firstLines, oneLine } from '@donecheck/core/internal/base'
import type { HookEffect } from '@donecheck/core/internal/events/gate'

/** Stamps every line with the seconds since the start. */
export function timeline(events: readonly RunEvent[]): readonly Line[] {
  const startedMs = events[0]?.timeMs ?? 0
  let state: RunState | undefined
  return events.flatMap((event) => {
    state = evolve(state, event)
    return lines(event, state).map(({ tone, text }) => ({
      tone,
      text: stampLines(event.timeMs - startedMs, text),
    }))
  })
}

/** Shows replies, too, which an active run streams instead. */
function lines(event: RunEvent, state: RunState): readonly Line[] {
  const reported = eventLines(event, state)
  if (event.type === 'model-replied' && event.text.trim() !== '')
    return [line('plain', firstLines(event.text, 6, '  | ')), ...reported]
  if (event.type === 'turn-ended' && event.feedback !== undefined)
    return [...reported, line('quiet', firstLines(event.feedback, 6, '  > '))]
  return reported
}

function stampLines(elapsedMs: number, text: string): string {
  const stamp = `${(elapsedMs / 1000).toFixed(2).padStart(9)}  `
  return text
    .split('\n')
    .map((part, index) => (index === 0 ? stamp : ' '.repeat(stamp.length)) + part)
    .join('\n')
}

export function traceLines(events: readonly RunEvent[]): readonly Line[] {
  return events.flatMap(tracer())
}

type Traced = FactOf<'hook-ran'> | FactOf<'gate-decided'> | FactOf<'tool-called'> | FactOf<'tool-refused'>

export function tracer(): (event: RunEvent) => readonly Line[] {
  const tools = new Map<string, string>()
  const decided = new Set<string>()
  let hasOwnTools = false
  let turn = 0
  let title = ''
  return (event) => {
    if (event.type === 'run-started') hasOwnTools = event.agent.ownsTools === true
    if (event.type === 'model-called') turn = event.turn
    if (event.type === 'model-replied')
      for (const { callId, tool } of event.toolCalls) tools.set(callId, tool)
    if (event.type === 'gate-decided') decided.add(event.callId)
    const reported = isTraced(event) ? linesOf(event, decided, hasOwnTools) : []
    if (!isTraced(event) || reported.length === 0) return []
    const place = `turn ${turn} · ${subjectOf(event, tools)}`
    const isNew = place !== title || isNewOccasion(event)
    title = place
    return isNew ? [line('strong', place), ...reported] : reported
  }
}

function isTraced(event: RunEvent): event is RunEvent & Traced {
  return ['hook-ran', 'gate-decided', 'tool-called', 'tool-refused'].includes(event.type)
}

function linesOf(event: Traced, decided: ReadonlySet<string>, hasOwnTools: boolean): readonly Line[] {
  switch (event.type) {
    case 'hook-ran':
      return [hookLine(event)]
    case 'gate-decided':
      return gateLines(event)
    case 'tool-called':
      return decided.has(event.callId) ? [] : [line('quiet', plainWords(hasOwnTools))]
    case 'tool-refused':
      if (['gate', 'approver', 'hook'].includes(event.by)) return []
      return [line('bad', `  ${event.by}: refused · ${oneLine(event.reason, 300)}`)]
  }
}

function plainWords(hasOwnTools: boolean): string {
  return hasOwnTools
    ? '  gate: nothing speaks against it, or the agent has not asked'
    : '  gate: allow · nothing speaks against it'
}

function subjectOf(event: Traced, tools: ReadonlyMap<string, string>): string {
  if (event.type === 'hook-ran' && event.callId === undefined) return event.point
  const callId = event.callId ?? ''
  return `${oneLine(tools.get(callId) ?? 'a call', 60)} (${oneLine(callId, 40)})`
}

function isNewOccasion(event: Traced): boolean {
  return event.type === 'hook-ran' && event.callId === undefined && event.order === 1
}

const tones: Readonly<Record<HookEffect, Tone>> = {
  none: 'quiet',
  allowed: 'plain',
  asked: 'warning',
  denied: 'bad',
  rewrote: 'plain',
  told: 'plain',
  failed: 'warning',
  'timed-out': 'warning',
  skipped: 'quiet',
}

function hookLine(event: FactOf<'hook-ran'> & { readonly durationMs?: number }): Line {
  const { hook, point, order, effect, callId, note, told: reported, durationMs } = event
  const parts = [
    `${callId === undefined ? '' : `${point} `}${order}. ${oneLine(hook, 80)}: ${effect}`,
    ...(durationMs === undefined || effect === 'skipped' ? [] : [milliseconds(durationMs)]),
    ...[note, reported].flatMap((text) => (text === undefined ? [] : [oneLine(text, 300)])),
  ]
  return line(tones[effect], `  ${parts.join(' · ')}`)
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? Number(ms.toPrecision(3)) : Math.round(ms)} ms`
}

const tonesOfGate = { allow: 'plain', prompt: 'warning', forbidden: 'bad' } as const

function gateLines({ decision, reason, label, shadow, matches }: FactOf<'gate-decided'>): readonly Line[] {
  const why = label === undefined ? '' : ` (${label})`
  const watched = shadow === undefined ? '' : ` · only watched: would be ${shadow}`
  return [
    line(tonesOfGate[decision], `  gate: ${decision}${why} · ${oneLine(reason, 300)}${watched}`),
    ...matches.map(matchLine),
  ]
}

function matchLine({ rule, decision, source, words, span, justification }: RuleMatch): Line {
  const parts = [
    `${oneLine(rule, 120)}: ${decision}`,
    ...(words.length === 0 ? [] : [oneLine(words.join(' '), 120)]),
    ...(span === null ? [] : [`at ${span[0]}–${span[1]}`]),
    oneLine(source, 120),
    ...(justification === undefined ? [] : [oneLine(justification, 200)]),
  ]
  return line('quiet', `    ${parts.join(' · ')}`)
}
