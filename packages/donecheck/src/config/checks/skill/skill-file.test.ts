import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Condition } from './condition.ts'
import { readSkill } from './skill-file.ts'

const sample = (name: string) =>
  readSkill(readFileSync(new URL(`fixtures/${name}/SKILL.md`, import.meta.url), 'utf8'), 'SKILL.md')

/** Kind and subject. */
const shortOf = (condition: Condition): string => {
  switch (condition.kind) {
    case 'command':
      return `$ ${condition.command}`
    case 'file':
      return `file ${condition.path}${condition.contains === undefined ? '' : ` has ${condition.contains}`}`
    case 'schema':
      return `${condition.file} keeps to ${condition.schema}`
    case 'rubric':
      return `? ${condition.text}`
    case 'unclear':
      return `unclear: ${condition.text}: ${condition.problem}`
  }
}
const shown = (name: string) => sample(name).conditions.map(shortOf)
const conditions = (section: string) =>
  readSkill(`## Verification\n${section}`, 'S.md').conditions.map(shortOf)

const whenOnly = 'it holds only under a condition, which no check knows'
const notPrinted = 'what a command prints is not compared; write one that exits with 0, such as with grep -q'
const mustNot = 'it says what must not be; write a command that exits with 0'

describe('given skills as they are met in the wild', () => {
  it('a checklist becomes commands, files, a schema and what a reader judges', () => {
    expect(sample('monthly-report')).toMatchObject({
      name: 'monthly-report',
      keys: ['name', 'description', 'license', 'allowed-tools'],
    })
    expect(shown('monthly-report')).toEqual([
      '$ python scripts/validate.py out/report.json',
      'file out/report.md',
      'out/report.json keeps to schemas/report.schema.json',
      'file out/report.md has ## Changes',
      '? The summary names the three largest changes',
    ])
    expect(sample('monthly-report').conditions.map(({ line }) => line)).toEqual([19, 20, 21, 22, 23])
  })

  it('what holds only sometimes, must not be done, or is not named is said to be unclear', () => {
    expect(shown('database-migration')).toEqual([
      '$ set -e\ncd services/api\nnpm test',
      '$ npx prisma validate',
      `unclear: If you changed the schema, run \`npm run generate\`: ${whenOnly}`,
      `unclear: Never run \`npx prisma migrate deploy\`: ${mustNot}`,
      'unclear: psql -f <migration-file>: "<migration-file>" stands for something that is not named',
      '? `grep -rn TODO migrations` returns nothing',
    ])
  })

  it('no front matter is needed, a bold line is a heading, and comments that nobody sees are left out', () => {
    expect(sample('web-component')).toMatchObject({ name: undefined, keys: undefined })
    expect(shown('web-component')).toEqual([
      '$ npm run build',
      'unclear: npm run dev: it does not end by itself',
      'file dist/index.js',
      'file dist/index.css',
      '$ npm run storybook:build',
      '? Run `npm run storybook:build` and check that each story loads',
      '? `package.json`',
      'unclear: | browser | works | | ------- | ----- | | Firefox | yes   |: tables are not read; write a list',
    ])
  })
})

describe('given a line of a section', () => {
  it.each([
    ['- `npm run lint` reports no errors', ['$ npm run lint']],
    ['- Run `npm test` and `npm run lint`', ['$ npm test', '$ npm run lint']],
    ['- `make check` exits with code 0', ['$ make check']],
    ['- `pytest` does not fail', ['$ pytest']],
    ['- `pytest -q` exits 1', [`unclear: \`pytest -q\` exits 1: ${mustNot}`]],
    [
      '- `npm test` passes and prints `ok`',
      [`unclear: \`npm test\` passes and prints \`ok\`: ${notPrinted}`],
    ],
    ['- `report.md` exists and is short', ['file report.md', '? `report.md` exists and is short']],
    ['- `/etc/passwd` exists', ['? `/etc/passwd` exists']],
    ['- `../other/a.md` exists', ['? `../other/a.md` exists']],
    ['- `old.js` no longer exists', [`unclear: \`old.js\` no longer exists: ${mustNot}`]],
    ['- the `status` is `done`', ['? the `status` is `done`']],
    [
      '```console\n$ npm test\nok\n```',
      ['$ npm test', 'unclear: $ npm test ok: what the commands of a console print is not compared'],
    ],
    ['If it is a library, run:\n```sh\nnpm pack\n```', [`unclear: npm pack: ${whenOnly}`]],
    [
      '- If it is a library:\n  - `npm pack` passes\n- `npm test` passes',
      [`unclear: \`npm pack\` passes: ${whenOnly}`, '$ npm test'],
    ],
    ['```sh\nnpm test &&\n  npm run lint\n```', ['$ set -e\nnpm test &&\n  npm run lint']],
    ['```sh\nfor x in a b; do\ntest -f $x\ndone\n```', ['$ set -e\nfor x in a b; do\ntest -f $x\ndone']],
    ['```sh\n# nothing\n```', ['unclear: # nothing: there is no command in it']],
    ['```sh\nnpm test', ['$ npm test']],
    ['---\n***', []],
  ])('reads %j', (section, expected) => {
    expect(
      conditions(section).map((one) => (one.startsWith('unclear') ? one.replaceAll('\n', ' ') : one)),
    ).toEqual(expected)
  })

  it.each([
    '# VERIFICATION',
    '#### Verify',
    '## 5. Verification',
    '## ✅ Verification Steps',
    '## Definition of Done',
    '## Completion conditions:',
    '__Success criteria__',
    '## Step 4: Verify the work',
  ])('takes %j for the heading of such a section', (heading) => {
    expect(readSkill(`# S\n${heading}\n- \`npm test\` passes`, 'S.md').conditions).toHaveLength(1)
  })

  it.each([
    '## Verified users',
    '## Verification of identity',
    '## Usage',
    '```\n## Verification\n```',
    '> ## Verification',
  ])('does not take %j for one', (heading) => {
    expect(readSkill(`# S\n${heading}\n- \`npm test\` passes`, 'S.md').conditions).toEqual([])
  })

  it('ends a section at a heading as high, not at one below it', () => {
    const text =
      '## Verify\n### By hand\n- It looks right\n## Other\n- `npm test`\n### Verify\n- `make`\n# End\n- `x`'
    expect(readSkill(text, 'S.md').conditions.map(shortOf)).toEqual(['? It looks right', '$ make'])
  })
})

describe('given any text', () => {
  const words = fc.constantFrom(
    '---',
    '\n',
    '## Verification',
    '- ',
    '`',
    '```',
    'sh',
    'name: x',
    'run ',
    '`npm test`',
    ' exists',
    ':',
    '|',
    '<!--',
    '-->',
    '> ',
    '\t',
    '"',
    "'",
    '\\',
    '$(',
    '<<EOF',
    '\u0000',
    '𐀀',
    '\ud800',
    '#',
    '1. ',
    'if ',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.array(words, { maxLength: 80 }).map((all) => all.join('')),
  )

  it('reads it, or says that it cannot', () => {
    fc.assert(
      fc.property(text, (given) => {
        try {
          const { conditions: found } = readSkill(given, 'S.md')
          const count = given.split('\n').length
          for (const { line } of found) expect(line >= 1 && line <= count).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
    )
  })

  it('drops no item of a section', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z `./$<>|&;:'"()]{1,40}$/), { maxLength: 8 }), (items) => {
        const written = items.map((item) => `- word ${item}x`)
        const found = readSkill(['## Verification', ...written].join('\n'), 'S.md').conditions
        const lines = new Set(found.map(({ line }) => line))
        expect([...lines]).toEqual(written.map((_one, index) => index + 2))
      }),
    )
  })

  it.each([
    ['`', 100_000],
    ['#', 100_000],
    ['<!--', 60_000],
    ['```\n', 10_000],
    ['- `a', 60_000],
    ['**', 100_000],
    ['- - ', 60_000],
    ['## Verification #', 15_000],
    ['## Verification\n- `a` ', 2000],
    ['---\na:\n', 10_000],
  ])('comes to an end with many of %j', (piece, count) => {
    try {
      expect(
        readSkill(`## Verification\n${piece.repeat(count)}`.slice(0, 262_144), 'S.md').conditions,
      ).toBeDefined()
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError)
    }
  })

  it('refuses one that is far too long', () => {
    expect(() => readSkill('x'.repeat(300_000), 'S.md')).toThrow('a skill has at most')
  })
})
