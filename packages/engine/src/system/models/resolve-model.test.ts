import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { type Environment, installedPackages, type ProviderPackages, resolveModel } from './resolve-model.ts'

function resolve(
  model: string,
  environment: Environment,
  options: { baseUrl?: string; packages?: ProviderPackages } = {},
) {
  return resolveModel(model, options.baseUrl, environment, options.packages ?? installedPackages)
}

describe('given a hosted model', () => {
  it.each([
    ['openai/gpt-5', 'OPENAI_API_KEY'],
    ['anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
    ['google/gemini-2.5-flash', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ])('%s needs %s', async (model, variable) => {
    await expect(resolve(model, {})).rejects.toThrow(UsageError)
    await expect(resolve(model, {})).rejects.toThrow(`set ${variable} in the environment`)
    await expect(resolve(model, { [variable]: '  ' })).rejects.toThrow(variable)
    const resolved = await resolve(model, { [variable]: ' k ' })
    expect(resolved).toMatchObject({ name: model, hosted: true, keyVariable: variable, apiKey: 'k' })
  })

  it('says what to install where its package is missing', async () => {
    const packages: ProviderPackages = {
      ...installedPackages,
      anthropic: () => Promise.reject(new Error("Cannot find package '@ai-sdk/anthropic'")),
    }
    const given = resolve('anthropic/claude-sonnet-4-5', { ANTHROPIC_API_KEY: 'k' }, { packages })
    await expect(given).rejects.toThrow(UsageError)
    await expect(given).rejects.toThrow('npm install @ai-sdk/anthropic')
  })

  it('refuses a gateway address that is none', async () => {
    const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'gateway' }
    await expect(resolve('openai/gpt-5', environment)).rejects.toThrow(
      'OPENAI_BASE_URL "gateway" is no web address',
    )
  })
})

describe('given a server of one’s own', () => {
  it('needs no key, and takes one', async () => {
    const baseUrl = 'http://127.0.0.1:1/v1'
    expect(await resolve('tiny', {}, { baseUrl })).toMatchObject({
      name: 'openai-compatible/tiny',
      hosted: false,
      apiKey: undefined,
    })
    expect(await resolve('tiny', { DONECHECK_API_KEY: 'k', OPENAI_API_KEY: 'x' }, { baseUrl })).toMatchObject(
      {
        apiKey: 'k',
      },
    )
  })

  it.each(['', 'localhost:11434', 'ftp://host/v1', '127.0.0.1/v1'])(
    'refuses the address "%s"',
    async (baseUrl) => {
      await expect(resolve('tiny', {}, { baseUrl })).rejects.toThrow('is no web address')
    },
  )

  it('refuses a password in the address without showing it', async () => {
    const error: unknown = await resolve('tiny', {}, { baseUrl: 'http://me:hunter2@host/v1' }).catch(
      (e: unknown) => e,
    )
    expect(error).toBeInstanceOf(UsageError)
    expect(String(error)).not.toContain('hunter2')
  })
})
