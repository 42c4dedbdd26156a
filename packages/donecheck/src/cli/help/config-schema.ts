/** The configuration as a JSON schema, for editors: made of the schema that reads it. */
import { z } from 'zod'
import { keysOfRecords, schemaOfFile } from '../../config/index.ts'

/** What a file may hold: what only a record holds is left out. */
export function configJsonSchema(): object {
  const { properties = {}, ...schema } = z.toJSONSchema(schemaOfFile, { io: 'input', unrepresentable: 'any' })
  const inFile = Object.entries(properties)
    .filter(([key]) => !keysOfRecords.includes(key))
    .map(([key, value]) => [key, listsOrOne.includes(key) ? withSingle(key, value) : value] as const)
  return { ...schema, title: 'Configuration of donecheck', properties: Object.fromEntries(inFile) }
}

/** Lists of which one may stand alone: that is read before the schema sees it. */
const listsOrOne: readonly string[] = ['presets', 'checks', 'rules']

function withSingle(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('items' in value)) return value
  const { description, ...rest } = { description: '', ...value }
  // A check may be a text, `KIND:TEXT`, which is read before the schema sees it too.
  const items = key === 'checks' ? { anyOf: [{ type: 'string' }, rest.items] } : rest.items
  return { description, anyOf: [items, { ...rest, items }] }
}
