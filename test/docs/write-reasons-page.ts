/** `node test/docs/write-reasons-page.ts`, after a build: writes docs/reference/reasons.md anew. */
import { writeFileSync } from 'node:fs'
import { labels } from 'donecheck/core'
import { reasonsMarkdown, reasonsPage } from './reasons-page.ts'

writeFileSync(reasonsPage, await reasonsMarkdown(labels))
