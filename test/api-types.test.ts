import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiTypes } from '../scripts/api-types.ts'

it('the types of the client are those of the routes; "npm run api-types" writes them anew', async () => {
  for (const [path, text] of Object.entries(await apiTypes())) expect(readFileSync(path, 'utf8')).toBe(text)
})
