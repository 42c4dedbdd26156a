import { describe, expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'
import { routeTable } from './table.ts'

describe('given the OpenAPI document', () => {
  const document = openApiDocument()
  const { schemas } = document.components

  it('has an operation for every route', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const routes = routeTable.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(operations.toSorted()).toEqual(routes.toSorted())
  })

  it('refers to shapes that are there, and none of which is only a reference', () => {
    const named = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    const names = new Set(named.map(([, name = '']) => name))
    expect([...names].toSorted()).toEqual(Object.keys(schemas).toSorted())
    for (const schema of Object.values(schemas)) expect(schema).not.toHaveProperty('$ref')
  })
})
