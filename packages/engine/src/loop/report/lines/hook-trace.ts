/** What `--trace` tells: on which call which hook ran, in what order, with what effect and for how long, and what the gate said. */
import type { HookEffect } from '@donecheck/core/gate'
import type { RunEvent, FactOf, RuleMatch } from '@donecheck/core/events'
import type { Line, Tone } from './line.ts'
import { oneLine } from '@donecheck/core/base'

/** Call by call and occasion by occasion, each with a title; empty where nothing of it happened. */
export function traceLines(events: readonly RunEvent[]): readonly Line[] {
  return events.flatMap(tracer())
}

/** The same while the events come in. */
export function tracer(): (event: RunEvent) => readonly Line[] {
  const tools = new Map<string, string>()
  let turn = 0
  let title = ''
  return (event) => {
    if (event.type === 'model-called') turn = event.turn
    if (event.type === 'model-replied')
      for (const { callId, tool } of event.toolCalls) tools.set(callId, tool)
    if (event.type !== 'hook-ran' && event.type !== 'gate-decided') return []
    const place = `turn ${turn} · ${subjectOf(event, tools)}`
    const isNew = place !== title || isNewOccasion(event)
    title = place
    const reported = event.type === 'hook-ran' ? [hookLine(event)] : gateLines(event)
    return isNew ? [{ tone: 'strong', text: place }, ...reported] : reported
  }
}

function subjectOf(
  event: FactOf<'hook-ran'> | FactOf<'gate-decided'>,
  tools: ReadonlyMap<string, string>,
): string {
  if (event.type === 'hook-ran' && event.callId === undefined) return event.point
  const callId = event.callId ?? ''
  return `${oneLine(tools.get(callId) ?? 'a call', 60)} (${oneLine(callId, 40)})`
}

/** All that happens around a call stands under one title; other points come again and again. */
function isNewOccasion(event: FactOf<'hook-ran'> | FactOf<'gate-decided'>): boolean {
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
  return { tone: tones[effect], text: `  ${parts.join(' · ')}` }
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? Number(ms.toPrecision(3)) : Math.round(ms)} ms`
}

const tonesOfGate = { allow: 'plain', prompt: 'warning', forbidden: 'bad' } as const

function gateLines({ decision, reason, label, shadow, matches }: FactOf<'gate-decided'>): readonly Line[] {
  const why = label === undefined ? '' : ` (${label})`
  const watched = shadow === undefined ? '' : ` · only watched: would be ${shadow}`
  return [
    { tone: tonesOfGate[decision], text: `  gate: ${decision}${why} · ${oneLine(reason, 300)}${watched}` },
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
  return { tone: 'quiet', text: `    ${parts.join(' · ')}` }
}
