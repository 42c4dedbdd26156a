import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../config/index.ts'
import { orderOf, tenantOf } from './submit.ts'

describe('given what a fleet is asked to do', () => {
  it.each([
    [{ model: 'anthropic/claude-sonnet-4-5' }, 'anthropic'],
    [{ agent: 'claude' }, 'claude'],
    [{ agent: 'sh agent.sh' }, 'sh'],
    [{}, undefined],
  ])('of %j the limits of its provider hold', (fields, provider) => {
    expect(orderOf(parseConfig(fields, 'a test')).provider).toBe(provider)
  })

  it.each([
    [{ tenant: 'shop', store: 'postgres://d/d?tenant=till' }, 'shop'],
    [{ store: 'postgres://d/d?tenant=till' }, 'till'],
    [{}, 'default'],
  ])('of %j the tenant is told', (fields, tenant) => {
    expect(tenantOf(parseConfig(fields, 'a test'))).toBe(tenant)
  })

  it('what only the queue reads is not recorded with the run', () => {
    const config = parseConfig({ needs: ['gpu'], priority: 5, tenant: 'shop', quiet: true }, 'a test')
    expect(orderOf(config).settings).toEqual({ quiet: true })
  })
})
