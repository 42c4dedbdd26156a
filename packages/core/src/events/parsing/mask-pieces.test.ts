import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskFact } from './mask-fact.ts'
import { maskText } from '../../secrets/index.ts'

const secrets = { PASSWORD: 'correct horse battery', TOKEN: 'x9-hunter22' }
const cut = (before: string, behind: string) => `${before}\n[... 1,234 bytes left out ...]\n${behind}`

describe('given a text that was cut inside of a known secret', () => {
  it('masks what is left of it on both sides', () => {
    expect(maskText(cut('the password is correct ho', 'tery, and on'), secrets)).toBe(
      cut('the password is [masked:PASSWORD]', '[masked:PASSWORD], and on'),
    )
  })

  it.each([
    ['before an ellipsis', 'said x9-hunt…', 'said [masked:TOKEN]…'],
    ['before an ellipsis after a space', 'said x9-hunt …', 'said [masked:TOKEN] …'],
    ['at each of several cuts', `${cut('correct', 'r22')}${cut('', 'horse battery')}`, ''],
  ])('masks it %s', (_, text, masked) => {
    const result = maskText(text, secrets)
    if (masked !== '') expect(result).toBe(masked)
    expect(result).not.toMatch(/corr|hunt|orse|tery/)
  })

  it('keeps no piece of four letters, wherever the cuts are', () => {
    const value = secrets.PASSWORD
    fc.assert(
      fc.property(fc.nat(value.length), fc.nat(value.length), (before, behind) => {
        const masked = maskText(cut(`: ${value.slice(0, before)}`, `${value.slice(behind)} .`), secrets)
        for (let at = 0; at + 4 <= value.length; at += 1)
          expect(masked).not.toContain(value.slice(at, at + 4))
      }),
    )
  })

  it('leaves what only looks like it elsewhere', () => {
    expect(maskText('correct horses …', secrets)).toBe('correct horses …')
    expect(maskText(cut('a cor', 'ry'), secrets)).toBe(cut('a cor', 'ry'))
    expect(maskText('that is correct', secrets)).toBe('that is correct')
  })
})

describe('given a text that was cut inside of a key of a known shape', () => {
  it.each(['…', ' …', '\n[... 12 bytes left out ...]\n'])('masks its beginning before %j', (mark) => {
    expect(maskText(`with sk-ant-api03-aB${mark}`, {})).toBe(`with [masked:cut-key]${mark}`)
    expect(maskText(`with sk-learn${mark}, in hf_hub${mark}`, {})).toBe(
      `with sk-learn${mark}, in hf_hub${mark}`,
    )
  })
})

describe('given the output of a command whose two ends were kept', () => {
  const given = (omittedBytes: number) => ({
    type: 'verdict-given' as const,
    verdict: {
      ...({ verifier: 'tests', status: 'failed', reason: '', canRetry: true, durationMs: 1 } as const),
      qualifiers: [],
      evidence: [
        {
          ...({ kind: 'command', command: 'npm test', folder: '/work', exitCode: 1, signal: null } as const),
          ...{ timedOut: false, environmentDigest: '' },
          output: { head: 'a correct ho', tail: 'hunter22 b', totalBytes: 99, omittedBytes, digest: '' },
        },
      ],
    },
  })

  it('masks what is left of a secret on both sides of what is missing', () => {
    const output = { head: 'a [masked:PASSWORD]', tail: '[masked:TOKEN] b' }
    expect(maskFact(given(9), secrets)).toMatchObject({ verdict: { evidence: [{ output }] } })
  })

  it('masks nothing of it where nothing is missing', () => {
    expect(maskFact(given(0), secrets)).toEqual(given(0))
  })
})
