import { describe, expect, it } from 'vitest'
import { diffOf, shortDiffOf } from './file-change.ts'

const hooks = (words: readonly string[]) =>
  `${words
    .map(
      (word) =>
        `  "${word}": [\n    {\n      "command": "node donecheck.js hook gemini ${word}",\n      "timeout": 60000\n    }\n  ],`,
    )
    .join('\n')}\n`

describe('given a change of many hooks', () => {
  const change = {
    file: '/home/ada/.gemini/settings.json',
    before: '{\n  "theme": "dark",\n}\n',
    after: `{\n  "theme": "dark",\n${hooks(['BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd'])}}\n`,
  }

  it('then one stands there in full, and the others by their names', () => {
    const short = shortDiffOf(change)
    expect(short).toContain('+++ /home/ada/.gemini/settings.json')
    expect(short).toContain('   "theme": "dark",')
    expect(short).toContain('+      "command": "node donecheck.js hook gemini BeforeAgent"')
    expect(short).toContain('more lines of the same form, the hooks of AfterTool, AfterAgent, SessionEnd')
    expect(short.split('\n').length).toBeLessThan(diffOf(change).split('\n').length - 10)
  })

  it('then what goes is told like what comes', () => {
    const { before, after } = change
    expect(shortDiffOf({ ...change, before: after, after: before })).toContain('- … 17 more lines')
  })
})

it('a small change stands there as it is', () => {
  const change = { file: 'a', before: 'one\ntwo\n', after: 'one\nthree\n' }
  expect(shortDiffOf(change)).toBe(diffOf(change))
})

it('a file that stays as it is tells nothing', () => {
  expect(shortDiffOf({ file: 'a', before: 'one\n', after: 'one\n' })).toBe('')
})
