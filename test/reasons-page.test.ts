/** The page of labels says what the package says. The package must have been built: `npm test` does that first. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { labels } from 'donecheck/core'
import { reasonsMarkdown, reasonsPage } from './docs/reasons-page.ts'

describe('given docs/reference/reasons.md', () => {
  it('then it is what the labels give; "node test/docs/write-reasons-page.ts" writes it anew', async () => {
    expect(readFileSync(reasonsPage, 'utf8')).toBe(await reasonsMarkdown(labels))
  })

  it('then another label would be noticed', async () => {
    const [first, ...others] = labels.ends
    if (first === undefined) throw new TypeError('there are no ends')
    const changed = { ...labels, ends: [{ ...first, next: 'Do something else.' }, ...others] }
    expect(readFileSync(reasonsPage, 'utf8')).not.toBe(await reasonsMarkdown(changed))
  })
})
