import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { begun, checked, claimed, failedVerdict, stamp } from '@donecheck/core/testing'
import { goalSet, runStopped, turnEnded } from '@donecheck/core/testing/facts'
import { insightsOf } from '../report.ts'
import { runRow } from '../run-row.ts'
import { insightsPage } from './insights-page.ts'
import { markup } from './markup.ts'

const words = { title: 'Runs on record', scope: ['1 run'] }

/** A page of a run in which every text of others is this one. */
function pageWith(hostile: string): string {
  const row = runRow(
    stamp(
      [
        begun({ verifiers: [hostile], workFolder: hostile, drive: { name: hostile } }),
        goalSet(hostile),
        claimed(1, hostile),
        { type: 'tool-called', callId: 'a', tool: hostile, effect: 'read' },
        checked('claim', failedVerdict(hostile)),
        {
          type: 'finding-noted',
          finding: { rule: hostile, level: 'warn', message: '', numbers: {}, restsOn: [] },
        },
        turnEnded(1),
        runStopped('loop_detected', { outcome: 'exhausted', detector: hostile }),
      ],
      { runId: hostile },
    ),
  )
  return insightsPage(insightsOf(row === undefined ? [] : [row]), { title: hostile, scope: [hostile] })
}

/** What stands in a page as markup, texts and the values of attributes left out. */
function skeleton(page: string): string {
  return page.replace(/"[^"<>]*"/g, '""').replace(/>[^<]*</g, '><')
}

const harmlessPage = skeleton(pageWith('a'))

describe('given texts of models, tools and tasks', () => {
  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title></style><svg onload=alert(1)>',
    '<!--',
    ']]>',
    '&lt;b&gt;',
    '`${1}`',
    '\u202etxet\u0000\u001b[2J',
  ])('then none of them becomes markup: %s', (hostile) => {
    const page = pageWith(hostile)
    expect(skeleton(page)).toBe(harmlessPage)
    expect(page).not.toMatch(/<script|<img|<!--|<svg onload/)
    for (const character of '\0\u001b\u202e') expect(page).not.toContain(character)
  })

  property.prop([fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => text.trim() !== '')])(
    'then the page is built the same whatever they are',
    (hostile) => {
      expect(skeleton(pageWith(`x${hostile}`))).toBe(harmlessPage)
    },
  )

  it('then a text can be read as it was', () => {
    expect(pageWith('a < b & "c"')).toContain('a &lt; b &amp; &quot;c&quot;')
    expect(markup`<p>${'<i>'}${markup`<b>${1}</b>`}</p>`.html).toBe('<p>&lt;i&gt;<b>1</b></p>')
  })
})

describe('given the page', () => {
  const page = pageWith('a')

  it('then it may load and run nothing', () => {
    expect(page).toContain(
      `http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'`,
    )
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|form|a)\b|\bon[a-z]+=|url\(|@import/)
  })

  it('then the policy stands before anything that it is to hold', () => {
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<title>'))
  })

  it('then without a run it says so', () => {
    expect(insightsPage(insightsOf([]), words)).toContain('There are no runs.')
  })
})
