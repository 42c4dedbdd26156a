import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { configKeys, keysOfRecords, parseConfig } from '../../config/index.ts'
import { configJsonSchema } from './index.ts'

const schema = z.fromJSONSchema(
  z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(configJsonSchema()))),
)

describe('given the JSON schema of the configuration', () => {
  it('then it has every key that a file may hold, and no other', () => {
    const { properties } = z
      .looseObject({ properties: z.record(z.string(), z.unknown()) })
      .parse(configJsonSchema())
    const inFile = configKeys.filter((key) => !keysOfRecords.includes(key))
    expect(Object.keys(properties).toSorted()).toEqual([...inFile, '$schema'].toSorted())
  })

  it.each([
    { until: 'npm test', presets: ['lint'], maxTokens: 'off' },
    { presets: 'lint', rules: 'own.rules', checks: ['files:README.md'] },
    { until: [{ command: 'npm test', timeoutSeconds: 5 }], checks: 'http:http://localhost:3000' },
    {
      checks: [{ kind: 'http', url: 'http://localhost:3000' }],
      hooks: { before_tool_call: ['sh guard.sh'] },
    },
    { aggregate: { quorum: { atLeast: 2 } }, gate: 'shadow' },
  ])('then %j is right for both', (config) => {
    expect(() => parseConfig(config, 'test')).not.toThrow()
    expect(schema.safeParse(config).error).toBeUndefined()
  })

  it.each([
    { untli: 'npm test' },
    { presets: ['test'] },
    { maxTurns: 0.5 },
    { hooks: { before: 'x' } },
    { keptGoal: true },
  ])('then %j is wrong in an editor', (config) => {
    expect(schema.safeParse(config).success).toBe(false)
  })
})
