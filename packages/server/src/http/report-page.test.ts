import { createHash } from 'node:crypto'
import { explainRun } from '@donecheck/engine/display'
import { begun, claimed, stamp } from '@donecheck/core/testing'
import { fold } from '@donecheck/core/internal/state'
import { describe, expect, it } from 'vitest'
import { type PageFile, reportPage } from './report-page.ts'

const hostile = '</script><script>alert(1)</script><!-- \u2028 ]]>'
const events = stamp([begun(), claimed(1, hostile)])

function file(text: string): PageFile {
  return { content: new TextEncoder().encode(text), type: '', isHashed: true }
}

const files = new Map([
  ['/index.html', file('<!doctype html>')],
  ['/assets/index-1.js', file('const end = "</script>", odd = "<!--"')],
  ['/assets/index-1.css', file('body { color: red }')],
])

function reported(from = files): string {
  const state = fold(events)
  if (state === undefined) throw new TypeError('no state')
  const run = {
    ...{
      runId: 'run-1',
      startedAtMs: 0,
      updatedAtMs: 0,
      events: events.length,
      task: hostile,
      workFolder: null,
    },
    ...{
      agent: undefined,
      reason: undefined,
      outcome: undefined,
      cap: undefined,
      detector: undefined,
      tags: [],
    },
  }
  return reportPage({ run, explanation: explainRun(state), events, attachments: {} }, from)
}

describe('given a run whose texts try to get out', () => {
  const page = reported()

  it('keeps all of it in one data block, and reads as it was', () => {
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page.match(/<\/script>/g)).toHaveLength(2)
    const json = /id="donecheck-run">(.*)<\/script>/.exec(page)?.[1] ?? ''
    expect(json).not.toMatch(/[<\u2028]/)
    expect(JSON.parse(json)).toMatchObject({ run: { task: hostile }, events: [...events] })
  })

  it('allows its own script and stylesheet by their digests, and nothing else', () => {
    const script = /<script type="module">(.*)<\/script>/s.exec(page)?.[1] ?? ''
    expect(script).toBe(String.raw`const end = "\x3C/script>", odd = "\x3C!--"`)
    const digest = createHash('sha256').update(script).digest('base64')
    expect(page).toContain(`default-src 'none'; script-src 'sha256-${digest}'; style-src 'sha256-`)
    expect(page).not.toMatch(/ (?:src|href)=/)
  })
})

describe('given a package without its page', () => {
  it('says how it is built', () => {
    expect(() => reported(new Map())).toThrow(/npm run build/)
  })
})
