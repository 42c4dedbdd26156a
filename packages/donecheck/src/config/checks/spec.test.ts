import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { configFromEnvironment, configPage, kindPage, parseConfig } from '../index.ts'
import { checkKindNames } from './spec.ts'

const parsed = (check: unknown) => parseConfig({ checks: [check] }, 'here').checks?.[0]

describe('given a check as a line', () => {
  it.each([
    ['schema:report.schema.json', { kind: 'schema', schema: 'report.schema.json' }],
    ['json:$.version', { kind: 'json', query: '$.version' }],
    ['text:It is done: all of it', { kind: 'text', requires: ['It is done: all of it'] }],
    ['files:dist/*.js', { kind: 'files', files: ['dist/*.js'] }],
    ['citations:notes/**', { kind: 'citations', sources: ['notes/**'] }],
    ['similarity:the reference', { kind: 'similarity', to: 'the reference' }],
    ['git:clean', { kind: 'git', clean: true }],
    ['patch:fix.patch', { kind: 'patch', file: 'fix.patch' }],
    ['http:http://localhost:3000/health', { kind: 'http', url: 'http://localhost:3000/health' }],
    ['process:5432', { kind: 'process', port: 5432 }],
    ['process:server.pid', { kind: 'process', pidFile: 'server.pid' }],
    ['human:Is the tone right?', { kind: 'human', question: 'Is the tone right?' }],
    ['judge:coverage', { kind: 'judge', rubric: 'coverage' }],
    ['text:{"words":{"max":200},"name":"short"}', { kind: 'text', words: { max: 200 }, name: 'short' }],
    [
      'quorum:{"atLeast":1,"of":["git:clean",{"kind":"http","url":"http://a.test"}]}',
      {
        kind: 'quorum',
        atLeast: 1,
        of: [
          { kind: 'git', clean: true },
          { kind: 'http', url: 'http://a.test' },
        ],
      },
    ],
  ])('then %j is read', (line, spec) => {
    expect(parsed(line)).toEqual(spec)
  })

  it.each([
    ['npm test', 'a check is written KIND:TEXT'],
    ['shema:x.json', 'did you mean "schema"?'],
    ['git:dirty', 'write git:clean, or git:{…}'],
    ['all:npm test', 'all needs options: all:{…} as JSON'],
    ['human:', 'human needs options: human:{…} as JSON, or human:TEXT'],
    ['text:{"words":', 'no JSON object'],
    ['http:localhost', 'checks[0].url'],
    ['all:{"of":[]}', 'the list is empty'],
    ['judge:{"rubric":"x","minScore":2}', 'checks[0].minScore'],
    ['all:{"of":["nothing:x"]}', 'KIND is one of'],
  ])('then %j is refused, and the message says why', (line, message) => {
    expect(() => parsed(line)).toThrow(UsageError)
    expect(() => parsed(line)).toThrow(message)
  })
})

describe('given checks of a configuration', () => {
  it('then one that is read is read again to the same, as a resumed run does', () => {
    const checks = ['text:done', { kind: 'text', forbids: [/TODO/i, 'TBD'] }, 'all:{"of":["git:clean"]}']
    const once = parseConfig({ checks }, 'here')
    expect(parseConfig(JSON.parse(JSON.stringify(once)), 'again')).toEqual(once)
    expect(once.checks?.[1]).toEqual({ kind: 'text', forbids: [{ pattern: 'TODO', flags: 'i' }, 'TBD'] })
  })

  it('then an unknown kind and an unknown option are told with the known ones', () => {
    expect(() => parsed({ kind: 'shell', command: 'x' })).toThrow('kind must be one of schema, json')
    expect(() => parsed({ kind: 'git', clear: true })).toThrow(/clear/)
  })

  it('then the environment takes one line, or a list as JSON', () => {
    expect(configFromEnvironment({ DONECHECK_CHECKS: 'git:clean' }).checks).toEqual([
      { kind: 'git', clean: true },
    ])
    expect(configFromEnvironment({ DONECHECK_CHECKS: '["git:clean","text:done"]' }).checks).toHaveLength(2)
  })
})

const configIntroduction = `# Configuration

You can set each key in \`donecheck.config.ts\`, \`.js\` or \`.json\` in your project, as a variable, or as a flag. Flags override variables, and variables override the file. In a variable, write lists and tables as JSON.
\`off\` removes a limit. [Commands](command.md) says which command takes which flag. To update this page: \`npx vitest run checks/spec -u\`.
`

describe('given the table of kinds', () => {
  const page = fileURLToPath(new URL('../../../../../docs/reference/checks.md', import.meta.url))

  it('then the reference page has it, as it is', async () => {
    const style = await resolveConfig(page)
    const tables = await format(kindPage(), { ...style, parser: 'markdown' })
    const text = readFileSync(page, 'utf8')
    for (const table of tables.split('\n\n')) expect(text).toContain(table.trim())
  })

  it('then the reference of the configuration is what the keys declare', async () => {
    const file = page.replace('checks.md', 'configuration.md')
    const text = `${configIntroduction}\n${configPage()}`
    const style = await resolveConfig(file)
    await expect(await format(text, { ...style, parser: 'markdown' })).toMatchFileSnapshot(file)
  })

  it('then every kind says what it looks at, and every option what it means', () => {
    for (const kind of checkKindNames) expect(kindPage()).toContain(`\`${kind}\``)
    expect(kindPage()).not.toMatch(/`: (?:<br>| \|)/)
  })
})
