/** opencode as an outer loop: one `opencode run` per turn. */
import {
  cliDrive,
  withSilences,
  type AgentSignal,
  type CliDriveOptions,
} from '../../protocol/stream/index.ts'
import type { Drive } from '@donecheck/engine/ports/loop'
import { opencodeTranslator } from './translate.ts'

export type OpencodeDriveOptions = CliDriveOptions

const session = 'the session is chosen here'
const talk = 'nobody is there to talk to it'

const opencode = cliDrive({
  program: 'opencode',
  description: { reportsCost: true, maxOutputTokens: 32_000, contextWindowTokens: 200_000 },
  refused: {
    ...{ '--session': session, '-s': session, '--continue': session, '-c': session, '--fork': session },
    ...{ '--interactive': talk, '-i': talk },
    '--format': 'the form of the output is chosen here',
    '--attach': 'a turn in another server cannot be ended from here',
  },
  wordsOf: (known, words) => [
    ...['run', '--format', 'json'],
    // Only there it tells that its provider refuses it: it asks again without an end.
    ...['--print-logs', '--log-level', 'ERROR'],
    ...(known === undefined ? [] : ['--session', known]),
    ...words,
  ],
  translator: opencodeTranslator,
  inOrder: endsAfterStep,
})

/**
 * What it asks for it is refused, as nobody is there: what it may do without asking stands in its own configuration, and the word
 * `--auto` allows all the rest.
 * @throws {UsageError} for words that would take the turn out of our hands
 */
export function opencodeDrive(options: OpencodeDriveOptions): Drive {
  return opencode(options)
}

/**
 * opencode tells of a call when it is over, and of a reply of its model when all of its calls are: the ends of calls are kept until
 * then, so that the calls of one reply stay together. A call that is at work for long does not keep the others.
 */
export async function* endsAfterStep(signals: AsyncIterable<AgentSignal>): AsyncGenerator<AgentSignal> {
  const kept: AgentSignal[] = []
  for await (const signal of withSilences(signals)) {
    if (signal.kind === 'call-ended') {
      kept.push(signal)
      continue
    }
    if (signal.kind === 'silence' || signal.kind === 'turn-ended') yield* kept.splice(0)
    if (signal.kind !== 'silence') yield signal
    if (signal.kind === 'step') yield* kept.splice(0)
  }
}
