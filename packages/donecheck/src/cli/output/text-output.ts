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
  type ResultLine,
  finalLine,
} from '@donecheck/engine/report'
import { terminalName, promptEvent } from '../../terminal/index.ts'
import type { CliIo, OutputStream } from '../process/io.ts'
import { columnsOf, painter, widthOf } from './wrap.ts'

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

/** How a run is shown while it goes on and when it ends. */
export interface Output {
  text(piece: string): void
  event(event: RunEvent, state: RunState): void
  notice(message: string): void
  /** The run has ended, or its process is about to: the last thing that is written. */
  end(result: ResultLine): void
  /** Lets go of timers and of the status line. */
  close(): void
}

/** What an observer of the command is told as well. */
export function observed(output: Output, { observer }: CliIo): Output {
  if (observer === undefined) return output
  return {
    ...output,
    event(event, state) {
      output.event(event, state)
      observer.event(event, state)
    },
    end(result) {
      output.end(result)
      observer.end(result)
    },
  }
}

/** What stays of a run for people: notices, and how it ended. */
export function quietOutput(output: Output): Output {
  return {
    text: () => undefined,
    event(event, state) {
      if (event.type === 'run-stopped') output.event(event, state)
    },
    notice: (message) => output.notice(message),
    end: (result) => output.end(result),
    close: () => output.close(),
  }
}

/** One JSON object at the end; with `stream` every event on a line of its own before it. */
export function jsonOutput(io: CliIo, options: { readonly stream: boolean }): Output {
  const write = (value: object) => io.stdout.write(`${JSON.stringify(value)}\n`)
  return {
    text: () => undefined,
    event: (event) => {
      if (options.stream) write(event)
    },
    notice: (message) => io.stderr.write(`${message}\n`),
    end: (result) => void write(result),
    close: () => undefined,
  }
}

/**
 * What a person reads of a verification: every verdict as it comes, findings with their places, the end in one line.
 * @param results default: stdout; progress and notices are on stderr
 */
export function verificationOutput(io: CliIo, results = io.stdout): Output {
  const writerTo = (stream: OutputStream) => {
    const paint = painter(stream, io)
    return (line: Line) => stream.write(`${paint(line)}\n`)
  }
  const [writeResult, writeProgress] = [writerTo(results), writerTo(io.stderr)]
  let end = ''
  return {
    text: () => undefined,
    event(event, state) {
      if (event.type === 'run-stopped') end = finalLine(state)
      else
        for (const line of eventLines(event, state))
          (event.type === 'verdict-given' ? writeResult : writeProgress)(line)
    },
    notice: (message) => writeProgress({ tone: 'warning', text: message }),
    end({ exitCode }) {
      const tone = exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'warning'
      writeResult({ tone, text: `${end} · exit ${exitCode}` })
    },
    close: () => undefined,
  }
}

const eraseLine = '\r\u001B[2K'
const oneLineUp = '\u001B[1A'
const refreshMs = 500

/**
 * The last lines of a terminal, written over and over: a line that is still growing, and below it what is going on, which is
 * asked for again as time goes by. Without a terminal there are none, nor while a question is on the screen.
 */
export function liveArea(stream: OutputStream) {
  let growing = ''
  let status: (() => string) | undefined
  let erase = ''
  let isPrompted = false
  const draw = () => {
    if (!stream.isTTY) return
    const lines = [
      ...(growing === '' || isPrompted ? [] : [growing]),
      ...(status === undefined || isPrompted ? [] : [status().slice(0, columnsOf(stream) - 1)]),
    ]
    stream.write(`${erase}${lines.join('\n')}`)
    erase = lines.length === 0 ? '' : eraseLine + `${oneLineUp}${eraseLine}`.repeat(lines.length - 1)
  }
  const timer = stream.isTTY ? setInterval(() => status !== undefined && draw(), refreshMs) : undefined
  timer?.unref()
  const onPrompt = (isOpen: unknown) => {
    isPrompted = isOpen === true
    draw()
  }
  stream.on(promptEvent, onPrompt)
  return {
    /** What stays, above the area. */
    write(line: string) {
      stream.write(`${erase}${line}\n`)
      erase = ''
      draw()
    },
    /** Painted, and no wider than the terminal. */
    grow(line: string) {
      growing = line
      draw()
    },
    /** Undefined: there is nothing to wait for, or the terminal belongs to somebody else. */
    show(next: (() => string) | undefined) {
      status = next
      draw()
    },
    close() {
      status = undefined
      draw()
      clearInterval(timer)
      stream.off(promptEvent, onPrompt)
    },
  }
}
