import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { hookLine, parseHookLine, type HookCommand } from './settings-edit.ts'

const folder = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((name) => `/${name.replaceAll(/[\0\n]/g, '')}`)
const command: fc.Arbitrary<HookCommand> = fc
  .record({
    node: folder.map((place) => `${place}/node`),
    program: fc
      .tuple(folder, fc.constantFrom('donecheck', 'donecheck.js'))
      .map(([place, name]) => `${place}/${name}`),
    agent: fc.constantFrom('claude-code', 'codex'),
    word: fc.constantFrom('Stop', 'UpdateGoal'),
    timeoutSeconds: fc.option(fc.integer({ min: 1, max: 9999 }), { nil: undefined }),
  })
  .map(({ timeoutSeconds, ...rest }) => ({
    ...rest,
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  }))

describe('the line of a hook', () => {
  test.prop([command])('is known again, whatever the folders are called', (made) => {
    expect(parseHookLine(hookLine(made, '{"systemMessage":"gone"}'))).toEqual(made)
  })

  it.each([
    'npm test',
    'node other.js hook codex Stop',
    '/usr/bin/node /opt/not-donecheck.js hook codex Stop',
    'echo /usr/bin/node /opt/donecheck.js hook codex Stop',
    '/usr/bin/node /opt/donecheck.js hook codex Stop; rm -rf ~',
  ])('is nobody else’s: %s', (line) => {
    expect(parseHookLine(line)).toBeUndefined()
  })
})
