import { visibleWidth } from '@earendil-works/pi-tui'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evolveScreen } from './evolve-screen.ts'
import { answerKeys, liveLines, statusLine } from './live-lines.ts'
import { emptyScreen, type Screen } from './screen.ts'

const working: Screen = {
  ...emptyScreen('openai/gpt-5', 0),
  nowMs: 74_000,
  status: {
    ...emptyScreen('openai/gpt-5', 0).status,
    word: 'checking',
    turn: 3,
    maxTurns: 90,
    activeMs: 4000,
    tokens: 5210,
    costUsd: 0.0213,
    lastCheck: { name: 'npm test', passed: false },
  },
}

describe('given a session at work', () => {
  it('when there is less room, then what is needed least goes first', () => {
    expect(statusLine(working, 60)).toBe('checking · turn 3/90 · 1 min 18 s · ✗ npm test')
    expect(statusLine(working, 24)).toBe('checking · ✗ npm test')
  })

  it('then it never breaks its line', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 140 }), (width) => {
        expect(visibleWidth(statusLine(working, width))).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('given a check that runs and prints', () => {
  it('then the end of what it prints stands below it, within the width', () => {
    const running = {
      ...working,
      checks: [
        { name: 'npm test', startedMs: 62_000, tail: 'one\ntwo\n\nthree\twith more than there is room for' },
      ],
    }
    expect(liveLines(running, 32).map(({ text }) => text)).toEqual([
      '',
      '  • npm test  is checked · 12 s',
      '    two',
      '    three  with more than there…',
    ])
  })
})

describe('given what may be answered', () => {
  const plain = {
    runId: 'r',
    callId: 'c',
    tool: 't',
    effect: 'write' as const,
    args: {},
    summary: 's',
    reason: 'r',
  }
  const keysOf = (question: Parameters<typeof answerKeys>[0]) =>
    answerKeys(question)
      .map(({ key }) => key)
      .join('')

  it('then only commands are edited, a rule must be proposed, and what is no call is allowed once', () => {
    const action = { kind: 'command' as const, script: 'ls', folder: '/w' }
    expect(keysOf({ ...plain, action, amendment: { prefix: ['ls'] } })).toBe('ysrnde')
    expect(keysOf({ ...plain, action: { kind: 'change', files: [] } })).toBe('ysn')
    expect(keysOf(plain)).toBe('yn')
  })

  it('then the way to answer is shown once keys answer', () => {
    const asked = evolveScreen(emptyScreen('', 0), { kind: 'asked', question: plain }, 0)
    const shown = (screen: Screen) =>
      liveLines(screen, 80)
        .map(({ text }) => text)
        .join('\n')
    expect(shown(asked)).not.toContain('[y]')
    expect(shown(evolveScreen(asked, { kind: 'time-went-on' }, 600))).toContain('[y] yes, once')
  })
})
