import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { parseAgentLine } from '../command-agent.ts'

describe('given a line with a place for the prompt', () => {
  it.each([
    ['agent {prompt}', 'agent "$1"'],
    ['agent "{prompt}" --fast', 'agent "$1" --fast'],
    ["agent '{prompt}'", 'agent "$1"'],
    ['agent --message={prompt}', 'agent --message="$1"'],
    ['agent {prompt} {prompt}', 'agent "$1" "$1"'],
    [`agent "it's" {prompt} 'say "hi"'`, `agent "it's" "$1" 'say "hi"'`],
    [String.raw`agent \" {prompt} \"`, String.raw`agent \" "$1" \"`],
  ])('puts the argument into %s', (line, shell) => {
    expect(parseAgentLine(line)).toEqual({ shell, takesArgument: true })
  })
})

describe('given a line without one', () => {
  it.each(['agent', 'agent "$HOME" \'x\'', String.raw`agent \{prompt}`, 'agent {other}', "agent 'unclosed"])(
    'leaves %s as it is',
    (line) => {
      expect(parseAgentLine(line)).toEqual({ shell: line, takesArgument: false })
    },
  )
})

describe('given a line that could never work, or never safely', () => {
  it.each(['bash -c "agent {prompt}"', "bash -c 'agent {prompt}'", 'agent "Task: {prompt}"'])(
    'refuses %s and says how to write it',
    (line) => {
      expect(() => parseAgentLine(line)).toThrow(/write it as a word of its own/)
    },
  )
})

describe('given any line at all', () => {
  it('is read, or refused as misuse', () => {
    const pieces = fc.constantFrom('{prompt}', '"', "'", '\\', ' ', 'word', '$x', '\n', '{', '}')
    fc.assert(
      fc.property(fc.array(pieces), (words) => {
        try {
          const { shell, takesArgument } = parseAgentLine(words.join(''))
          expect(takesArgument).toBe(shell.includes('"$1"'))
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
    )
  })
})
