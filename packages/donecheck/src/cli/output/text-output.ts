import { type RunState, totalTokens } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import { waitBefore } from '@donecheck/core/decide'
import { resumableOutcomes } from '@donecheck/core/stops'
import {
  countdownText,
  eventLines,
  firstLines,
  harmless,
  tracer,
  type Line,
  oneLine,
  plural,
  seconds,
} from '@donecheck/engine/report'
import { terminalName } from '../../terminal/index.ts'
import type { CliIo, OutputStream } from '../process/io.ts'
import { liveArea } from './live-area.ts'
import type { Output } from './output.ts'
import { columnsOf, painter } from './painter.ts'
import { widthOf } from './wrap.ts'

/** Before what the drive says. */
const bar = '  | '

interface TextChoices {
  /** Hooks and decisions of the gate too. */
  readonly trace?: boolean
  /** The run goes on in another process, so that nothing streams here. */
  readonly isWatched?: boolean
  /** Where the closing block is written. Default: stdout, with the final text. */
  readonly closing?: OutputStream
}

/** What happens goes to stderr, the closing block and the final text to stdout. With a terminal the text streams and a status line lives below. */
export function textOutput(io: CliIo, choices: TextChoices = {}): Output {
  const { trace = false, isWatched = false, closing = io.stdout } = choices
  const traced = trace ? tracer() : () => []
  const isLive = io.stderr.isTTY === true
  const streams = isLive && !isWatched
  const [paint, paintClosing] = [painter(io.stderr, io), painter(closing, io)]
  const area = liveArea(io.stderr)
  let status: StatusText | undefined
  /** Streamed, and without a line end yet. */
  let said = ''
  const writeSaid = (text: string) => area.write(paint(saidLine(text)))
  const withoutPrompted = isLive && io.stdin.isTTY === true && !isWatched ? hidePrompted() : undefined
  const endSaid = () => {
    const rest = said
    said = ''
    area.grow('')
    if (rest.trim() !== '') writeSaid(rest)
  }
  const writeLines = (lines: readonly Line[]) => {
    endSaid()
    for (const line of lines) area.write(paint(line))
  }
  return {
    text(piece) {
      if (!streams || piece === '') return
      const whole = `${said}${harmless(piece)}`.split('\n')
      said = whole.pop() ?? ''
      area.grow('')
      for (const line of whole) writeSaid(line)
      for (const room = columnsOf(io.stderr) - bar.length; widthOf(said) > room;) {
        const end = lineEnd(said, room)
        writeSaid(said.slice(0, end))
        said = said.slice(end).trimStart()
      }
      area.grow(said === '' ? '' : paint(saidLine(said)))
    },
    event(event, state) {
      status = statusOf(state, status)
      // While a person is asked, the terminal belongs to the question; after the stop there is nothing to wait for.
      area.show(['approval-requested', 'run-stopped'].includes(event.type) ? undefined : status.text)
      const lines = linesOf(event, state, { streams, isWatched })
      const isEnd = event.type === 'run-stopped'
      endSaid()
      if (isEnd) closing.write(lines.map((line) => `${paintClosing(line)}\n`).join(''))
      writeLines([...(isEnd ? [] : (withoutPrompted?.(event, lines) ?? lines)), ...traced(event)])
    },
    notice: (message) => writeLines([{ tone: 'warning', text: message }]),
    end({ finalText, reply }) {
      const text = (reply === null ? finalText : reply.text).trim()
      // On one and the same terminal it has streamed by already, but for a reply that is not the last one.
      const hasStreamed = isLive && io.stdout.isTTY && text === finalText.trim()
      if (text === '' || hasStreamed) return
      io.stdout.write(`${io.stdout.isTTY ? harmless(text) : text}\n`)
    },
    close() {
      endSaid()
      area.close()
    },
  }
}

/** Leaves out a question that is answered at this terminal: its prompt has written question and answer as one line. */
function hidePrompted(): (event: RunEvent, lines: readonly Line[]) => readonly Line[] {
  const questions = new Map<string, readonly Line[]>()
  return (event, lines) => {
    if (event.type === 'approval-requested') {
      questions.set(event.callId, lines)
      return []
    }
    if (event.type !== 'approval-given') return lines
    return event.by === terminalName ? [] : [...(questions.get(event.callId) ?? []), ...lines]
  }
}

function saidLine(text: string): Line {
  return { tone: 'quiet', text: `${bar}${text}`.trimEnd() }
}

/** After the last word that has room, or in a word that has none. */
function lineEnd(text: string, room: number): number {
  const end = text.lastIndexOf(' ', room)
  return end > 0 ? end : Math.max(1, Math.floor((room * text.length) / widthOf(text)))
}

/** Where nothing streams, a reply is shown when it is whole. */
function linesOf(
  event: RunEvent,
  state: RunState,
  { streams, isWatched }: { readonly streams: boolean; readonly isWatched: boolean },
): readonly Line[] {
  // Whoever asked for it has been answered.
  if (event.type === 'interrupt-requested' && !isWatched) return []
  const lines = eventLines(event, state)
  if (event.type === 'run-stopped') {
    // A summary that the drive was asked for has streamed by.
    const shown = streams && event.transition.summaryBy === 'drive' ? lines.slice(0, 1) : lines
    return resumableOutcomes.includes(event.transition.outcome)
      ? [...shown, { tone: 'strong', text: `to go on: donecheck resume ${isWatched ? state.runId : 'last'}` }]
      : shown
  }
  if (streams || event.type !== 'model-replied' || event.text.trim() === '') return lines
  // A reply that is judged first is shown with the result, if at all.
  if (state.settings.replyCheck !== null && event.toolCalls.length === 0) return lines
  return [{ tone: 'quiet', text: firstLines(event.text, 6, bar) }, ...lines]
}

interface StatusText {
  /** Such as `npm test is running, 3.0 s · turn 2/90 · 14.2 s in all · 5,210 tokens`: the times go on between events. */
  readonly text: () => string
  readonly stage: string
  readonly sinceMs: number
}

/** What a run is at, for the line at the bottom of a terminal. @param before of the event before: what goes on was not begun anew */
function statusOf(state: RunState, before: StatusText | undefined): StatusText {
  const { phase } = state
  const doing = doingOf(state)
  const stage = phase.kind === 'verifying' ? 'checks' : doing
  const waited = phase.kind === 'retrying' && phase.wait === 'started' ? waitBefore(phase) : undefined
  const { consumption, settings, nowMs } = state
  const sinceMs = before?.stage === stage ? before.sinceMs : nowMs
  const limit = settings.caps.maxIterations
  const tokens = totalTokens(consumption)
  const text = () =>
    [
      waited === undefined
        ? `${doing}, ${seconds(Date.now() - sinceMs)}`
        : `${countdownText(waited, Date.now())} (${oneLine(waited.reason, 60)})`,
      `turn ${state.turn}${limit === null ? '' : `/${limit}`}`,
      `${seconds(consumption.activeMs + (waited === undefined ? Date.now() - nowMs : 0))} in all`,
      // Most agents tell theirs at the end of a turn, and some never do.
      ...(tokens === 0 ? [] : [plural(tokens, 'token')]),
    ].join(' · ')
  return { text, stage, sinceMs }
}

function doingOf({ phase, drive }: RunState): string {
  switch (phase.kind) {
    case 'verifying':
      return `${oneLine(phase.awaiting.join(', '), 40)} ${phase.awaiting.length > 1 ? 'are' : 'is'} running`
    case 'acting': {
      const call = phase.pending.find(({ announcedAs }) => announcedAs !== undefined)?.call
      return call === undefined ? 'tools are next' : `${oneLine(call.tool, 30)} is running`
    }
    case 'calling':
      return `the ${drive.kind === 'model' ? 'model' : 'agent'} is at work`
    case 'retrying':
      return 'asking the provider again'
    default:
      return 'getting ready'
  }
}
