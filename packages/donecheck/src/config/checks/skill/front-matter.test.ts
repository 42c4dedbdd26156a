import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { readFrontMatter } from './skill-file.ts'

const read = (head: string) => readFrontMatter(['---', ...head.split('\n'), '---', 'body'], 'S.md')

describe('given front matter', () => {
  it.each([
    ['description: plain: with a colon # and a comment', 'plain: with a colon'],
    ['description: over\n  two lines', 'over two lines'],
    ['description: "quoted \\"so\\"\\n and # so"', 'quoted "so"\n and # so'],
    ["description: 'it''s'  # c", "it's"],
    ['description: |\n  one\n  two\nname: x', 'one\ntwo'],
    ['description: >-\n  one\n  two', 'one two'],
    ['description:', ''],
    ['description: C#', 'C#'],
  ])('reads the text of %j', (head, text) => {
    expect(read(head).description).toBe(text)
  })

  it('takes keys whose values it does not read as they come', () => {
    const head =
      'metadata:\n  a: {b: [1, 2]}\n  - c\ntags:\n- x\n- y\nhooks: &anchor {a: b}\n\n# comment\nname: n'
    expect(read(head)).toMatchObject({
      name: 'n',
      keys: ['metadata', 'tags', 'hooks', 'name'],
      body: ['body'],
    })
  })

  it('is missing where the text begins otherwise', () => {
    expect(readFrontMatter(['# x'], 'S.md')).toMatchObject({ keys: undefined, body: ['# x'] })
  })

  it.each([
    ['name: a\nwhat is this', 'S.md:3: "what is this" is no line of the form "key: value"'],
    ['name: a\nname: b', 'S.md:3: "name" is there twice'],
    ['name: [a]', 'S.md:2: name must be a text'],
    ['name: *a', 'S.md:2: name must be a text'],
    ['name: "a', 'S.md:2: name must be a text'],
  ])('says where %j is wrong', (head, message) => {
    expect(() => read(head)).toThrow(UsageError)
    expect(() => read(head)).toThrow(message)
  })

  it('must have an end', () => {
    expect(() => readFrontMatter(['---', 'name: a'], 'S.md')).toThrow('S.md:1: the front matter has no end')
  })
})
