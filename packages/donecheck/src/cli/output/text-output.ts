import { type RunState, totalTokens } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import { waitBefore } from '@donecheck/core/internal/decide'
import { resumableOutcomes } from '@donecheck/core/internal/decide/stops'
import { countdownText, eventLines, tracer, type ResultLine, finalLine } from '@donecheck/engine/display'
import {
  firstLines,
  harmless,
  type Line,
  oneLine,
  plural,
  seconds,
  line,
} from '@donecheck/core/internal/base'
import { terminalName, promptEvent } from '../../terminal/index.ts'
import type { CliIo, OutputStream } from '../process/io.ts'
import { columnsOf, painter, widthOf } from './wrap.ts'
import { visibleLine, visibleText } from '@donecheck/engine/internal/policy/approvals'
import type { KeptQuestion } from '@donecheck/engine/internal/ports/questions'

const bar = '  | '

interface TextChoices {
  readonly trace?: boolean
  readonly isWatched?: boolean
  readonly closing?: OutputStream
}

/** Progress goes to stderr, the result to stdout; a terminal also gets a status line. */
export function textOutput(io: CliIo, choices: TextChoices = {}): Output {
  const { trace = false, isWatched = false, closing = io.stdout } = choices
  const traced = trace ? tracer() : () => []
  const isLive = io.stderr.isTTY === true
  const streams = isLive && !isWatched
  const [paint, paintClosing] = [painter(io.stderr, io), painter(closing, io)]
  const area = liveArea(io.stderr)
  let status: StatusText | undefined
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
      // A question owns the terminal; after the end there is no status.
      area.show(['approval-requested', 'run-stopped'].includes(event.type) ? undefined : status.text)
      const lines = linesOf(event, state, { streams, isWatched })
      const isEnd = event.type === 'run-stopped'
      endSaid()
      if (isEnd) closing.write(lines.map((line) => `${paintClosing(line)}\n`).join(''))
      writeLines([...(isEnd ? [] : (withoutPrompted?.(event, lines) ?? lines)), ...traced(event)])
    },
    notice: (message) => writeLines([line('warning', message)]),
    end({ finalText, reply }) {
      const text = (reply === null ? finalText : reply.text).trim()
      // The text has streamed to this terminal already.
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

/** The prompt itself shows questions answered at this terminal. */
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
  return line('quiet', `${bar}${text}`.trimEnd())
}

function lineEnd(text: string, room: number): number {
  const end = text.lastIndexOf(' ', room)
  return end > 0 ? end : Math.max(1, Math.floor((room * text.length) / widthOf(text)))
}

/** Without streaming, a reply is shown as a whole. */
function linesOf(
  event: RunEvent,
  state: RunState,
  { streams, isWatched }: { readonly streams: boolean; readonly isWatched: boolean },
): readonly Line[] {
  // This terminal asked for it.
  if (event.type === 'interrupt-requested' && !isWatched) return []
  const lines = eventLines(event, state)
  if (event.type === 'run-stopped') {
    const shown = streams && event.transition.summaryBy === 'agent' ? lines.slice(0, 1) : lines
    return resumableOutcomes.includes(event.transition.outcome)
      ? [...shown, line('strong', `to go on: donecheck resume ${isWatched ? state.runId : 'last'}`)]
      : shown
  }
  if (streams || event.type !== 'model-replied' || event.text.trim() === '') return lines
  // A reply that is judged first is shown with the result.
  if (state.settings.replyCheck !== null && event.toolCalls.length === 0) return lines
  return [line('quiet', firstLines(event.text, 6, bar)), ...lines]
}

interface StatusText {
  /** Such as `npm test is running, 3.0 s · turn 2/90 · 14.2 s in all`; the times advance between events. */
  readonly text: () => string
  readonly stage: string
  readonly sinceMs: number
}

/** @param before keeps the time of a stage that continues */
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
      // Most agents report tokens at the end of a turn, some never.
      ...(tokens === 0 ? [] : [plural(tokens, 'token')]),
    ].join(' · ')
  return { text, stage, sinceMs }
}

function doingOf({ phase, agent }: RunState): string {
  switch (phase.kind) {
    case 'verifying':
      return `${oneLine(phase.awaiting.join(', '), 40)} ${phase.awaiting.length > 1 ? 'are' : 'is'} running`
    case 'acting': {
      const call = phase.pending.find(({ announcedAs }) => announcedAs !== undefined)?.call
      return call === undefined ? 'tools are next' : `${oneLine(call.tool, 30)} is running`
    }
    case 'calling':
      return `the ${agent.kind === 'model' ? 'model' : 'agent'} is at work`
    case 'retrying':
      return 'asking the provider again'
    default:
      return 'getting ready'
  }
}

export interface Output {
  text(piece: string): void
  event(event: RunEvent, state: RunState): void
  notice(message: string): void
  end(result: ResultLine): void
  close(): void
}

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

/** With `stream`, writes every event as a line first. */
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

/** @param results stream of the verdicts; progress goes to stderr */
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
    notice: (message) => writeProgress(line('warning', message)),
    end({ exitCode }) {
      const tone = exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'warning'
      writeResult(line(tone, `${end} · exit ${exitCode}`))
    },
    close: () => undefined,
  }
}

const eraseLine = '\r\u001B[2K'
const oneLineUp = '\u001B[1A'
const refreshMs = 500

/** The last lines of a terminal, redrawn as time passes. Does nothing without a terminal or during a question. */
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
    write(line: string) {
      stream.write(`${erase}${line}\n`)
      erase = ''
      draw()
    },
    grow(line: string) {
      growing = line
      draw()
    },
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

/** Fits a terminal of 24 lines and 80 columns. */
const maxDetailLines = 14
const maxReasonLength = 210

export function questionText({ id, runId, askedAtMs, subject }: KeptQuestion, run?: string): string {
  const [title, why] =
    subject.kind === 'call'
      ? [subject.summary, subject.reason]
      : [subject.question, `check: ${subject.check}`]
  const scopes = subject.kind === 'call' ? ` [--scope ${subject.scopes.yes.join('|')}]` : ''
  const rule = subject.kind === 'call' ? subject.amendment?.prefix.join(' ') : undefined
  const reason = visibleLine(why)
  const shortReason = reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}…` : reason
  return [
    `${id}  ${visibleLine(title)}`,
    `  run ${runId}, since ${new Date(askedAtMs).toISOString()}: ${shortReason}`,
    ...detailLines(subject.details).map((line) => `  | ${line}`),
    ...(rule === undefined ? [] : [`  a rule would allow what begins with: ${visibleLine(rule)}`]),
    `  donecheck approve ${id}${scopes === ' [--scope once]' ? '' : scopes}`,
    `  donecheck approve deny ${id} --reason "why"`,
    ...(run === undefined ? [] : [`  or, to allow all that waits here: donecheck approve ${run}`]),
  ].join('\n')
}

function detailLines(details: string): readonly string[] {
  const text = visibleText(details).trimEnd()
  const lines = text === '' ? [] : text.split('\n').filter((line) => !/^--- |^\\ No newline/u.test(line))
  if (lines.length <= maxDetailLines) return lines
  const left = lines.length - maxDetailLines + 1
  return [
    ...lines.slice(0, maxDetailLines - 1),
    `… ${plural(left, 'more line')}: donecheck approve list --json, or the page`,
  ]
}
