import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApprovalQuestion } from '@donecheck/engine/internal/ports/gate'
import { harmless } from '@donecheck/engine/display'
import { blockLines, tailOf } from './live-lines.ts'
import { evolveScreen, type Happening } from './evolve-screen.ts'
import { emptyScreen, isSettled, type Screen } from './screen.ts'

const question: ApprovalQuestion = {
  runId: 'run-1',
  callId: 'call-1',
  tool: 'run_shell',
  effect: 'execute',
  args: { command: 'npm publish' },
  summary: 'run npm publish',
  reason: 'it reaches the network',
  action: { kind: 'command', script: 'npm publish', folder: '/work' },
}

function after(happenings: readonly Happening[], from: Screen = emptyScreen('m', 0)): Screen {
  return happenings.reduce((screen, happening) => evolveScreen(screen, happening, screen.nowMs), from)
}

const texts = (screen: Screen, width = 80) =>
  screen.blocks.flatMap((block, index) =>
    blockLines(block, screen.blocks[index - 1], width, screen.nowMs).map(({ text }) => text),
  )

describe('given text of the agent in pieces', () => {
  it('then it is all there, whatever the pieces are, and no piece is laid out anew for ever', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 900 }), { maxLength: 30 }),
        (pieces) => {
          const screen = after(pieces.map((piece) => ({ kind: 'text', piece })))
          const kept = screen.blocks.map((block) => (block.kind === 'reply' ? block.text : '')).join('')
          expect(kept).toBe(harmless(pieces.join('')).trimStart())
          for (const block of screen.blocks)
            expect(block.kind === 'reply' && block.text.length <= 4000).toBe(true)
          expect(screen.blocks.slice(0, -1).every(isSettled)).toBe(true)
        },
      ),
    )
  })

  it('when something else is said, then the text is over, and stands apart', () => {
    const screen = after([
      { kind: 'text', piece: '\n\nI look.' },
      { kind: 'lines', lines: [{ tone: 'bad', text: '  ✗ npm test failed' }] },
      { kind: 'text', piece: 'And mend.' },
    ])
    expect(texts(screen)).toEqual(['I look.', '', '  ✗ npm test failed', '', 'And mend.'])
  })
})

describe('given a run that was verified', () => {
  it('when files are taken back, then the status no longer says so', () => {
    const verified = emptyScreen('m', 0)
    const status = { ...verified.status, outcome: 'verified', lastCheck: { name: 'npm test', passed: true } }
    const { outcome, lastCheck } = after([{ kind: 'files-moved' }], { ...verified, status }).status
    expect({ outcome, lastCheck }).toEqual({ outcome: '', lastCheck: undefined })
  })
})

describe('given texts of files, of their names and of checks, with what a terminal would obey', () => {
  it('then nothing of it reaches the screen', () => {
    const evil = 'a\u001B]0;title\u0007b\u009B2J'
    const screen = after([
      { kind: 'diff', text: `+${evil}` },
      { kind: 'lines', lines: [{ tone: 'plain', text: `  taken back: ${evil}` }] },
      { kind: 'said', text: `/until ${evil}` },
    ])
    const safe = 'a␛]0;title␇b\u{FFFD}2J'
    expect(texts(screen)).toEqual([`+${safe}`, '', `  taken back: ${safe}`, '', `> /until ${safe}`])
    expect(tailOf(`${evil}\r100 %`, 80).map(({ text }) => text)).toEqual([`    ${safe}`, '    100 %'])
  })
})

describe('given a question that comes while somebody types', () => {
  const asked = after([{ kind: 'asked', question }])

  it('then keys answer it only once nobody has typed for half a second', () => {
    const typed = evolveScreen(asked, { kind: 'typed' }, 400)
    const early = evolveScreen(typed, { kind: 'time-went-on' }, 800)
    expect(early.questions[0]?.isArmed).toBe(false)
    expect(evolveScreen(early, { kind: 'time-went-on' }, 900).questions[0]?.isArmed).toBe(true)
  })

  it('when it is answered, then the next one begins anew', () => {
    const two = after([{ kind: 'asked', question: { ...question, callId: 'call-2' } }], asked)
    const armed = evolveScreen(two, { kind: 'time-went-on' }, 1000)
    const next = evolveScreen(armed, { kind: 'answered', callId: 'call-1' }, 1100)
    expect(next.questions).toMatchObject([{ question: { callId: 'call-2' }, isArmed: false }])
  })
})
