import { describe, expect, it } from 'vitest'
import { expectedSide, projects } from './projects.ts'

const sideIn = (name: string, path: string) => {
  const project = projects.get(name)
  if (project === undefined) throw new Error(`${name} has no row`)
  return expectedSide(path, project)
}

describe('given the oracle', () => {
  it.each([
    ['pallets/click', 'src/click/testing.py', 'product'],
    ['pallets/click', 'tests/test_utils/test_echo.py', 'check'],
    ['gorilla/mux', 'test_helpers.go', 'product'],
    ['mochajs/mocha', 'lib/reporters/spec.js', 'product'],
    ['python-jsonschema/jsonschema', 'jsonschema/tests/fuzz.py', 'check'],
    ['expressjs/express', 'package.json', undefined],
    ['expressjs/express', 'examples/auth/index.js', undefined],
    ['expressjs/express', '.github/workflows/ci.js', undefined],
  ] as const)('in %s the file %s stands where people would put it: %s', (name, path, side) => {
    expect(sideIn(name, path)).toBe(side)
  })
})
