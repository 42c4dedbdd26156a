import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from './index.ts'

const operation = z.looseObject({
  summary: z.string().min(10),
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).length(1),
  responses: z.looseObject({ default: z.looseObject({}) }),
})
const document = z
  .looseObject({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(openApiDocument())
const written = JSON.stringify(document)

describe('given the OpenAPI document', () => {
  it('says of every operation what it needs and that it may refuse', () => {
    expect(Object.keys(document.paths).length).toBeGreaterThan(15)
  })

  it('has a parameter for every part of a path', () => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const one of Object.values(methods))
        for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
          expect(one['parameters']).toContainEqual(
            expect.objectContaining({ name, in: 'path', required: true }),
          )
  })

  it('says what is optional, what a field of a query may be, and that nothing else is taken', () => {
    expect(document.components.schemas['StartRequest']).toMatchObject({
      required: ['task'],
      additionalProperties: false,
    })
    expect(document.paths['/api/runs']?.['get']?.['parameters']).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        required: false,
        schema: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 200 }) as unknown,
      }),
    )
  })

  it('refers to shapes that are there, and none of which is only a reference', () => {
    const named = [...written.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    const names = new Set(named.map(([, name = '']) => name))
    expect([...names].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted())
    for (const schema of Object.values(document.components.schemas)) expect(schema).not.toHaveProperty('$ref')
  })
})
