import { eventLines, finalLine, type Line } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import type { Output } from './output.ts'
import { painter } from './painter.ts'

/** What a person reads of a verification: every verdict as it comes, findings with their places, the end in one line. */
export function verificationOutput(io: CliIo): Output {
  const paint = painter(io.stderr, io)
  const write = (line: Line) => io.stderr.write(`${paint(line)}\n`)
  let end = ''
  return {
    text: () => undefined,
    event(event, state) {
      if (event.type === 'run-stopped') end = finalLine(state)
      else for (const line of eventLines(event, state)) write(line)
    },
    notice: (message) => write({ tone: 'warning', text: message }),
    end({ exitCode }) {
      const tone = exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'warning'
      write({ tone, text: `${end} · exit ${exitCode}` })
    },
    close: () => undefined,
  }
}
