import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../config/index.ts'
import { orderOf } from './submit.ts'

describe('given what a fleet is asked to do', () => {
  it.each([
    [{ model: 'anthropic/claude-sonnet-4-5' }, 'anthropic'],
    [{ agent: 'claude' }, 'claude'],
    [{ agent: 'sh agent.sh' }, 'sh'],
    [{}, undefined],
  ])('of %j the limits of its provider hold', (fields, provider) => {
    expect(orderOf(parseConfig(fields, 'a test')).provider).toBe(provider)
  })
})
