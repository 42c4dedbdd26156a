import { expect, it } from 'vitest'
import { vacuousChecks } from './pin-session.ts'

it('a check whose line cannot fail is found, with the way out', () => {
  const until = ['npm test', 'npm test || true', 'npm run ci'].map((command) => ({ command }))
  const found = vacuousChecks({ until, heldOut: [{ command: 'make check; true' }] })
  expect(found.map(({ line }) => line)).toEqual(['npm test || true', 'make check; true'])
  expect(found[0]?.problem).toContain('use a command that ends with')
})
