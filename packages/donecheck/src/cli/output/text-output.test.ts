import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { fold } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import { resultLine } from '@donecheck/engine/report'
import { modelCalled, modelClaimed, runStopped } from '@donecheck/core/testing/facts'
import { runStarted, stamp } from '@donecheck/core/testing'
import type { CliIo } from '../process/io.ts'
import { textOutput } from './text-output.ts'

function terminal(isTTY: boolean, environment: CliIo['environment'] = {}) {
  const stream = () =>
    Object.assign(new PassThrough(), { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream
  const io: CliIo = {
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    stdout: stream(),
    stderr: stream(),
    environment,
    currentFolder: '/',
    homeFolder: '/',
  }
  const shown = (which: 'stdout' | 'stderr') => String((io[which] as unknown as PassThrough).read() ?? '')
  return { io, shown }
}

const events: readonly RunEvent[] = stamp([
  runStarted({ verifiers: ['npm test'] }),
  modelCalled(1),
  modelClaimed('All \u001B[2Jdone.'),
  runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations' }),
])

function play({ io }: ReturnType<typeof terminal>) {
  const output = textOutput(io)
  events.forEach((event, index) => {
    const state = fold(events.slice(0, index + 1))
    if (state === undefined) throw new TypeError('no state')
    if (event.type === 'model-replied') output.text('All \u001B[2Jdone.')
    output.event(event, state)
  })
  output.close()
  const state = fold(events)
  if (state !== undefined) output.end(resultLine(state))
}

describe('given a pipe', () => {
  it('then nothing moves and nothing is coloured, the reply is shown whole, the final text goes to stdout', () => {
    const seat = terminal(false)
    play(seat)
    const reported = seat.shown('stderr')
    expect(reported).not.toContain('\u001B')
    expect(reported).toContain('turn 1')
    expect(reported).toContain('  | All \u241B[2Jdone.')
    expect(reported).toContain('\u2192 exhausted after 1 turn: hard_cap iterations')
    expect(seat.shown('stdout')).toBe('All \u001B[2Jdone.\n')
  })
})

describe('given a terminal', () => {
  it('then text streams with its escapes made visible, a status line lives below, and the end has the last word', () => {
    const seat = terminal(true)
    play(seat)
    const reported = seat.shown('stderr')
    expect(reported).toContain('All \u241B[2Jdone.')
    expect(reported).not.toContain('All \u001B[2J')
    expect(reported).toMatch(/turn 1(\/\d+)? \u00B7 [\d.]+ s \u00B7 \d+ tokens/)
    expect(seat.shown('stdout')).toBe('')
    expect(reported.replaceAll('\r\u001B[2K', '').trimEnd().split('\n').at(-1)).toContain('\u2192 exhausted')
  })

  it('then NO_COLOR takes the colours away', () => {
    const coloured = terminal(true)
    const plain = terminal(true, { NO_COLOR: '1' })
    play(coloured)
    play(plain)
    expect(coloured.shown('stderr')).toContain('\u001B[1m')
    expect(plain.shown('stderr').replaceAll('\u001B[2K', '')).not.toContain('\u001B')
  })
})
