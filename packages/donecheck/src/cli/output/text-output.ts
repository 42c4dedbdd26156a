import { totalTokens, type RunState } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import {
  eventLines,
  firstLines,
  harmless,
  oneLine,
  plural,
  seconds,
  tracer,
  type Line,
} from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import type { Output } from './output.ts'
import { painter } from './painter.ts'
import { statusLine } from './status-line.ts'

/** What happens goes to stderr, the final text to stdout. With a terminal the text streams and a status line lives below. */
export function textOutput(io: CliIo, { trace = false }: { readonly trace?: boolean } = {}): Output {
  const traced = trace ? tracer() : () => []
  const isLive = io.stderr.isTTY
  const paint = painter(isLive && (io.environment['NO_COLOR'] ?? '') === '')
  const status = statusLine(io.stderr, isLive)
  let isMidLine = false
  const writeLine = (line: Line) => {
    status.clear()
    io.stderr.write(`${isMidLine ? '\n' : ''}${paint(line)}\n`)
    isMidLine = false
  }
  return {
    text(piece) {
      if (!isLive || piece === '') return
      status.clear()
      io.stderr.write(paint({ tone: 'quiet', text: harmless(piece) }))
      isMidLine = !piece.endsWith('\n')
    },
    event(event, state) {
      for (const line of [...linesOf(event, state, isLive), ...traced(event)]) writeLine(line)
      // While a person is asked, the terminal belongs to the question; after the stop there is nothing to wait for.
      if (event.type === 'approval-requested' || event.type === 'run-stopped') status.clear()
      else if (!isMidLine) status.show(() => statusText(state))
    },
    notice: (message) => writeLine({ tone: 'warning', text: message }),
    end({ finalText, reply }) {
      status.clear()
      const text = (reply === null ? finalText : reply.text).trim()
      // On one and the same terminal it has streamed by already, but for a reply that is not the last one.
      const hasStreamed = isLive && io.stdout.isTTY && text === finalText.trim()
      if (text === '' || hasStreamed) return
      io.stdout.write(`${io.stdout.isTTY ? harmless(text) : text}\n`)
    },
    close: () => status.close(),
  }
}

/** Without a terminal nothing streams, so a reply is shown when it is whole. */
function linesOf(event: RunEvent, state: RunState, isLive: boolean): readonly Line[] {
  const lines = eventLines(event, state)
  // A summary that the drive was asked for has streamed by.
  if (isLive && event.type === 'run-stopped' && event.transition.summaryBy === 'drive')
    return lines.slice(0, 1)
  if (isLive || event.type !== 'model-replied' || event.text.trim() === '') return lines
  return [{ tone: 'quiet', text: firstLines(event.text, 6, '  | ') }, ...lines]
}

/** `turn 3/8 · 14.2 s · 5,210 tokens · npm test failed`: the time goes on between events. */
function statusText(state: RunState): string {
  const { consumption, settings } = state
  const limit = settings.caps.maxIterations
  const checks = Object.entries(state.checks).flatMap(([name, { latest }]) =>
    latest === undefined ? [] : [`${oneLine(name, 30)}: ${latest.status}`],
  )
  const elapsedMs = consumption.activeMs + Math.max(0, Date.now() - state.nowMs)
  const turn = `turn ${state.turn}${limit === null ? '' : `/${limit}`}`
  return [turn, seconds(elapsedMs), plural(totalTokens(consumption), 'token'), ...checks].join(' · ')
}
