import { PassThrough, Writable } from 'node:stream'
import { test, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { fold } from '@donecheck/core/internal/state'
import type { FactOf, RunEvent } from '@donecheck/core/internal/events'
import { resultLine } from '@donecheck/engine/display'
import {
  approvalGiven,
  approvalRequested,
  modelCalled,
  modelClaimed,
  runResumed,
  runStopped,
  turnEnded,
  verdictGiven,
  verificationStarted,
} from '@donecheck/core/internal/testing/facts'
import { failedVerdict, runStarted, stamp } from '@donecheck/core/testing'
import type { CliIo } from '../process/io.ts'
import { promptEvent } from '../../terminal/index.ts'
import { textOutput } from './text-output.ts'

function terminal(isTTY: boolean, environment: CliIo['environment'] = {}) {
  let pieces: readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[] = []
  const writable = (stream: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          pieces = [...pieces, { stream, text: String(chunk) }]
          done()
        },
      }),
      { isTTY, columns: 80 },
    )
  const io: CliIo = {
    stdin: Object.assign(new PassThrough(), { isTTY }),
    stdout: writable('stdout'),
    stderr: writable('stderr'),
    environment,
    currentFolder: '/',
    homeFolder: '/',
  }
  /** Text written since the last call, to one stream or to both in order. */
  const shown = (which: 'stdout' | 'stderr' | 'both') => {
    const isShown = ({ stream }: (typeof pieces)[number]) => which === 'both' || stream === which
    const seen = pieces.filter(isShown)
    pieces = pieces.filter((piece) => !isShown(piece))
    return seen.map(({ text }) => text).join('')
  }
  return { io, shown }
}

/** Content of a terminal after this text, without colors. */
function screenOf(written: string): readonly string[] {
  const rows = ['']
  let row = 0
  // eslint-disable-next-line no-control-regex -- the controls of a terminal are what is read
  for (const [piece] of written.matchAll(/\u001B\[\d*[A-Za-z]|\r|\n|[^\u001B\r\n]+/g)) {
    if (piece === '\u001B[2K') rows[row] = ''
    else if (piece === '\u001B[1A') row -= 1
    else if (piece === '\n') rows[++row] ??= ''
    else if (piece !== '\r' && !piece.startsWith('\u001B')) rows[row] = `${rows[row] ?? ''}${piece}`
  }
  return rows
}

const claim = 'All \u001B[2Jdone.'

function play({ io }: ReturnType<typeof terminal>, facts: Parameters<typeof stamp>[0]): void {
  const events: readonly RunEvent[] = stamp(facts, { startMs: Date.now() - 1000 })
  const output = textOutput(io)
  events.forEach((event, index) => {
    const state = fold(events.slice(0, index + 1))
    if (state === undefined) throw new TypeError('no state')
    if (event.type === 'model-replied') output.text(event.text)
    output.event(event, state)
  })
  const state = fold(events)
  if (state?.phase.kind !== 'stopped') return
  output.close()
  output.end(resultLine(state))
}

const begun = [runStarted({ verifiers: ['npm test'] }), modelCalled(1)]
const turn = [...begun, modelClaimed(claim)]
const exhausted = [...turn, runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations' })]

describe('given a pipe', () => {
  it('then nothing moves and nothing is coloured, the reply is shown whole, the closing block and the final text go to stdout', () => {
    const seat = terminal(false)
    play(seat, exhausted)
    const reported = seat.shown('stderr')
    expect(reported).not.toContain('\u001B')
    expect(reported).toContain('turn 1')
    expect(reported).toContain('  | All \u241B[2Jdone.')
    expect(reported).not.toContain('exhausted')
    const answer = seat.shown('stdout')
    expect(answer).toMatch(/^→ exhausted after 1 turn: hard_cap: /)
    expect(answer.endsWith(`\n${claim}\n`)).toBe(true)
  })
})

/** The last row of the terminal during a run. */
function lastRow(facts: Parameters<typeof stamp>[0]): string {
  const seat = terminal(true)
  play(seat, facts)
  return screenOf(seat.shown('stderr')).at(-1) ?? ''
}

describe('given a terminal', () => {
  it('then text streams with its escapes made visible, and the end has the last word', () => {
    const seat = terminal(true)
    play(seat, exhausted)
    const screen = screenOf(seat.shown('both'))
    expect(screen).toContain('  | All \u241B[2Jdone.')
    expect(screen.filter((line) => line.includes('done.'))).toHaveLength(1)
    expect(screen.slice(-3).join(' ')).toContain('\u2192 exhausted')
    expect(screen.at(-1)).toBe('')
  })

  it('then its last line says what is going on, for how long, and no verdict of before', () => {
    const checking = [...turn, verificationStarted('claim', 'npm test')]
    expect(lastRow(begun)).toMatch(/^the model is at work, \d\.\d s · turn 1 · \d\.\d s in all$/)
    expect(lastRow(checking)).toMatch(/^npm test is running, \d\.\d s · turn 1 · .* · 120 tokens$/)
    const again = [...checking, verdictGiven(failedVerdict('npm test')), turnEnded(1), modelCalled(2)]
    expect(lastRow(again)).toMatch(/^the model is at work/)
    expect(lastRow(again)).not.toContain('npm test')
  })

  test.prop([fc.array(fc.stringMatching(/^[a-z]{0,9}( [a-z]{1,9}){0,30}\n?$/), { maxLength: 8 })])(
    'then streamed text is broken between its words, and none of them is lost',
    (pieces) => {
      const seat = terminal(true)
      const output = textOutput(seat.io)
      for (const piece of pieces) output.text(piece)
      output.close()
      const screen = screenOf(seat.shown('stderr'))
      for (const line of screen) expect(line.length).toBeLessThanOrEqual(80)
      const words = screen.map((line) => line.replace(/^ {2}\|/, '')).join(' ')
      expect(words.split(/\s+/).filter(Boolean)).toEqual(pieces.join('').split(/\s+/).filter(Boolean))
    },
  )

  it('then nothing is drawn below a question, and one that is answered here leaves no other lines', () => {
    const seat = terminal(true)
    const output = textOutput(seat.io)
    const asked = approvalRequested('call-1', 'run npm test')
    const approved = approvalGiven('call-1')
    const facts = [...begun, asked, { ...approved, by: 'terminal' }, { ...approved, by: 'Mia' }]
    const [started, called, requested, here, elsewhere] = stamp(facts)
    const state = fold(stamp(begun))
    if (!state || !started || !called || !requested || !here || !elsewhere) throw new TypeError('no state')
    output.event(called, state)
    seat.io.stderr.emit(promptEvent, true)
    expect(screenOf(seat.shown('stderr')).at(-1)).toBe('')
    output.event(called, state)
    expect(seat.shown('stderr')).not.toContain('is at work')
    seat.io.stderr.emit(promptEvent, false)
    expect(seat.shown('stderr')).toContain('is at work')
    output.event(requested, state)
    output.event(here, state)
    expect(seat.shown('stderr')).not.toMatch(/asks|approved/)
    output.event(requested, state)
    output.event(elsewhere, state)
    expect(seat.shown('stderr')).toMatch(/asks: run npm test[^]*approved by Mia/)
    output.close()
  })

  it('then a run that was interrupted says so once, and how to go on; whoever resumes it reads its header again', () => {
    const seat = terminal(true)
    const asked: FactOf<'interrupt-requested'> = { type: 'interrupt-requested', by: 'SIGINT' }
    const stopped = runStopped('user_interrupt', { outcome: 'interrupted', message: 'interrupted by SIGINT' })
    play(seat, [...turn, asked, stopped])
    const screen = screenOf(seat.shown('both'))
    expect(screen.join('\n').match(/interrupted/g)).toHaveLength(1)
    expect(screen.at(-2)).toBe('to go on: donecheck resume last')
    play(seat, [...turn, asked, stopped, runResumed()])
    const resumed = screenOf(seat.shown('both')).join('\n').split('resumed run')[1]
    expect(resumed).toContain('agent: test/model · folder: /srv/tree\nuntil: npm test · caps: none\ntask:')
  })

  it('then NO_COLOR takes the colours away', () => {
    const coloured = terminal(true)
    const plain = terminal(true, { NO_COLOR: '1' })
    play(coloured, exhausted)
    play(plain, exhausted)
    expect(coloured.shown('stderr')).toContain('\u001B[1m')
    const written = plain.shown('stderr').replaceAll('\u001B[2K', '').replaceAll('\u001B[1A', '')
    expect(written).not.toContain('\u001B')
  })
})
