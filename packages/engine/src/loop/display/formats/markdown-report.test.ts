import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { runStarted, stamp } from '@donecheck/core/testing'
import { modelCalled, modelClaimed, runStopped } from '@donecheck/core/internal/testing/facts'
import { markdownReport } from './github.ts'

const checked = { verdicts: [], version: '0.0.0' }

const said = (text: string) =>
  markdownReport(
    stamp([runStarted(), modelCalled(1), modelClaimed(text), runStopped('model_ended')]),
    checked,
  )

describe('given a run', () => {
  it('tells its end and its timeline', () => {
    const report = said('I am done.')
    for (const part of ['## donecheck', '→ unverified', '<summary>Timeline</summary>', '| I am done.'])
      expect(report).toContain(part)
  })

  test.prop([
    fc
      .array(fc.constantFrom('`', '\n', '</details>', '@everyone ', '\u001b[2J', 'x'))
      .map((parts) => parts.join('')),
  ])('keeps what was said within a fence, whatever it holds', (text) => {
    const report = said(text)
    const [, timeline = ''] = report.split('<summary>Timeline</summary>')
    const [, fence = '', inside = '', after = ''] =
      /^\n\n(`{3,})text\n([^]*)\n\1\n([^]*)$/.exec(timeline) ?? []
    expect(inside).not.toContain(fence)
    expect(after).toBe('\n</details>\n')
    expect(report).not.toContain('\u001b')
  })
})
