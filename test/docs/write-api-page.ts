/** `node test/docs/write-api-page.ts`: writes docs/reference/api.md anew. */
import { writeFileSync } from 'node:fs'
import { apiMarkdown, apiPage } from './api-page.ts'

writeFileSync(apiPage, await apiMarkdown())
