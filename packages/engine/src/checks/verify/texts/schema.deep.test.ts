import { type } from 'arktype'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource, wordsOf } from './fixtures/ask.ts'
import { workFolder } from './fixtures/work-folder.ts'
import { schema } from './schema.ts'

const zodSchema = z.object({ score: z.number().min(0).max(1), tags: z.array(z.object({ name: z.string() })) })
const valibotSchema = valibot.object({
  score: valibot.pipe(valibot.number(), valibot.minValue(0), valibot.maxValue(1)),
  tags: valibot.array(valibot.object({ name: valibot.string() })),
})
const arktypeSchema = type({ score: '0 <= number <= 1', tags: type({ name: 'string' }).array() })
const jsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    score: { type: 'number', minimum: 0, maximum: 1 },
    tags: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
  required: ['score', 'tags'],
  additionalProperties: false,
}

const kinds = [
  ['zod', zodSchema],
  ['valibot', valibotSchema],
  ['arktype', arktypeSchema],
  ['JSON Schema', jsonSchema],
] as const

const good = { score: 0.5, tags: [{ name: 'a' }] }

for (const [kind, definition] of kinds)
  verifierContract(`schema of ${kind}`, {
    passing: () => schema(definition, { source: { value: () => good } }),
    failing: () => schema(definition),
    makeUndecided: () => schema(definition, { source: brokenSource }),
    hanging: (onStart) => schema(definition, { source: waitingSource(onStart) }),
  })

const folder = workFolder()

describe.each(kinds)('given a schema of %s', (kind, definition) => {
  const verifier = schema(definition)

  it('reads the JSON of the answer, bare and fenced', async () => {
    const json = JSON.stringify(good)
    expect(await ask(verifier, json)).toMatchObject({ status: 'passed' })
    expect(await ask(verifier, `So:\n\`\`\`json\n${json}\n\`\`\``)).toMatchObject({ status: 'passed' })
    expect(await ask(verifier, `So: ${json}`)).toMatchObject({ status: 'failed' })
  })

  it.each([
    ['a key is missing', { score: 0.5 }, '/tags|(root)|tags'],
    ['a type is wrong, deep inside', { score: 0.5, tags: [{ name: 'a' }, { name: 1 }] }, '/tags/1/name'],
    ['a flag stands for a number', { score: true, tags: [] }, '/score'],
    ['a text stands for a number', { score: '0.5', tags: [] }, '/score'],
    ['null stands for a list', { score: 0.5, tags: null }, '/tags'],
    ['a number is out of bounds', { score: 1.5, tags: [] }, '/score'],
  ])('fails when %s, and says where', async (_, value, places) => {
    const report = await ask(verifier, JSON.stringify(value))
    expect(report).toMatchObject({ status: 'failed' })
    expect(places.split('|').some((place) => wordsOf(report).includes(place))).toBe(true)
  })

  it('reads a file', async () => {
    const inFile = schema(definition, { source: { file: 'out.json' } })
    expect(await ask(inFile, '', folder.path)).toMatchObject({
      status: 'failed',
      reason: 'there is no out.json',
    })
    await folder.write('out.json', JSON.stringify(good))
    expect(await ask(inFile, '', folder.path)).toMatchObject({
      status: 'passed',
      evidence: [{ kind: 'file', path: 'out.json' }],
    })
    await folder.write('out.json', '{"score": 0.5')
    const broken = await ask(inFile, '', folder.path)
    expect(broken).toMatchObject({ status: 'failed' })
    expect(broken.reason).toContain('it is not JSON')
  })
})

describe('given a Standard Schema that does what it should not', () => {
  const standard = (validate: (value: unknown) => unknown, version: unknown = 1): never =>
    // A library in plain JavaScript may hand over anything.
    ({ '~standard': { version, vendor: 'own', validate } }) as never

  it('waits for one that answers later', async () => {
    const later = z.object({ a: z.string().refine(async (text) => Promise.resolve(text === 'yes')) })
    expect(await ask(schema(later), '{"a": "yes"}')).toMatchObject({ status: 'passed' })
    expect(await ask(schema(later), '{"a": "no"}')).toMatchObject({ status: 'failed' })
  })

  it('is an error when it never answers', async () => {
    const verifier = schema(
      standard(() => new Promise(() => undefined)),
      { timeoutMs: 10 },
    )
    expect(await ask(verifier, '1')).toMatchObject({ status: 'error' })
  })

  it('is an error when its own expression would not end', async () => {
    const verifier = schema(z.string().regex(/(a+)+$/), { matchTimeoutMs: 50 })
    expect(await ask(verifier, JSON.stringify(`${'a'.repeat(60)}b`))).toMatchObject({ status: 'error' })
  })

  it('is an error when it throws, now or later', async () => {
    const now = standard(() => {
      throw new Error('broken')
    })
    const later = standard(async () => Promise.reject(new Error('broken')))
    expect(await ask(schema(now), '1')).toMatchObject({ status: 'error' })
    expect(await ask(schema(later), '1')).toMatchObject({ status: 'error' })
  })

  it.each([
    [undefined],
    [null],
    [true],
    [{}],
    [{ issues: [] }],
    [{ issues: true }],
    [{ issues: [{}] }],
    ['ok'],
  ])('is an error when it answers %j', async (answer) => {
    expect(await ask(schema(standard(() => answer)), '1')).toMatchObject({ status: 'error' })
  })

  it('bounds what it says of ten thousand mistakes', async () => {
    const issues = Array.from({ length: 10_000 }, (_, index) => ({
      message: 'x'.repeat(1000),
      path: [index],
    }))
    const report = await ask(
      schema(
        standard(() => ({ issues })),
        { matchTimeoutMs: 60_000 },
      ),
      '1',
    )
    expect(JSON.stringify(report).length).toBeLessThan(20_000)
    expect(wordsOf(report)).toContain('… and 9980 more')
  })

  it('refuses another version of the standard', () => {
    expect(() => schema(standard(() => ({ value: 1 }), 2))).toThrow(UsageError)
  })
})

describe('given a JSON Schema', () => {
  it.each([
    ['an unknown keyword', { type: 'object', requird: ['a'] }, /unknown keyword/],
    ['an unknown type', { type: 'objekt' }, /invalid/],
    ['a format', { type: 'string', format: 'email' }, /formats are not supported/],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, /2020-12/],
    ['another document', { $ref: 'https://example.com/schema.json' }, /resolve/],
    ['an expression that is none', { type: 'string', pattern: '(' }, /cannot be used/],
    ['an answer that comes later', { $async: true, type: 'object' }, /\$async/],
    ['no demand at all', {}, /demands nothing/],
    ['no demand but a title', { title: 'Report', $defs: {} }, /demands nothing/],
  ])('refuses %s', (_, definition, message) => {
    expect(() => schema(definition)).toThrow(UsageError)
    expect(() => schema(definition)).toThrow(message)
  })

  it.each([[true], [null], ['object'], [[]], [{ type: 'object', default: () => 1 }]])(
    'refuses %j',
    (definition) => {
      expect(() => void Reflect.apply(schema, undefined, [definition])).toThrow(UsageError)
    },
  )

  it('is an error when its pattern would not end', async () => {
    const slow = schema({ type: 'string', pattern: '(a+)+$' }, { matchTimeoutMs: 50 })
    expect(await ask(slow, JSON.stringify(`${'a'.repeat(60)}b`))).toMatchObject({ status: 'error' })
  })

  it('does not see what is changed in the schema later', async () => {
    const definition: Record<string, unknown> = { type: 'object', required: ['a'] }
    const verifier = schema(definition)
    definition['required'] = []
    expect(await ask(verifier, '{}')).toMatchObject({ status: 'failed' })
  })
})
