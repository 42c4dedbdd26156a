import type { RunState } from '@donecheck/core/state'
import { heldOutWords, oneLine, verdictLines, type Line } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import type { Output } from './output.ts'
import { painter } from './painter.ts'

/** What a person reads of a verification: every verdict as it comes, findings with their places, the end in one line. */
export function verificationOutput(io: CliIo): Output {
  const paint = painter(io.stderr.isTTY && (io.environment['NO_COLOR'] ?? '') === '')
  const write = (lines: readonly Line[]) => {
    for (const line of lines) io.stderr.write(`${paint(line)}\n`)
  }
  return {
    text: () => undefined,
    event(event, state) {
      if (event.type === 'run-started')
        write([{ tone: 'quiet', text: `donecheck ${event.donecheckVersion} · ${event.runId}` }])
      if (event.type === 'verdict-given')
        write(verdictLines(event.verdict, isBaseline(state) ? 'baseline: ' : ''))
    },
    notice: (message) => write([{ tone: 'warning', text: message }]),
    end({ outcome, reason, message, exitCode, heldOut }) {
      const tone = exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'warning'
      const why = reason === 'task_complete' ? '' : `: ${oneLine(message, 300)}`
      write([
        { tone, text: [`→ ${outcome}${why}`, ...heldOutWords(heldOut), `exit ${exitCode}`].join(' · ') },
      ])
    },
    close: () => undefined,
  }
}

function isBaseline({ phase }: RunState): boolean {
  return (phase.kind === 'verifying' && phase.trigger === 'baseline') || phase.kind === 'starting'
}
