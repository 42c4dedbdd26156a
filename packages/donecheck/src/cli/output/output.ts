import type { RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import { type ResultLine, eventLines, finalLine, type Line } from '@donecheck/engine/report'
import type { CliIo, OutputStream } from '../process/io.ts'
import { painter } from './painter.ts'

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
