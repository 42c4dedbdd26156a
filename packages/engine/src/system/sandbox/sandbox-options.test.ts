import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confinedEnvironment, isSecretName } from './sandbox-options.ts'

describe('given the variables of a process', () => {
  it('passes on what programs need, and nothing that nobody thought of', () => {
    const needed = {
      PATH: '/bin',
      HOME: '/home/a',
      LC_ALL: 'C',
      NODE_ENV: 'test',
      GIT_AUTHOR_NAME: 'A',
      PWD: '/',
    }
    const others = {
      LD_PRELOAD: 'x.so',
      BASH_ENV: 'x',
      DATABASE_URL: 'x',
      SSH_AUTH_SOCK: 'x',
      DOCKER_HOST: 'x',
    }
    expect(confinedEnvironment({ ...needed, ...others })).toEqual(needed)
  })

  it.each([
    ...[
      'OPENAI_API_KEY',
      'KEY',
      'GITHUB_TOKEN',
      'NODE_AUTH_TOKEN',
      'CLIENT_SECRET',
      'MY_SECRETS',
      'DB_PASSWORD',
    ],
    ...[
      'PGPASSWD',
      'SSH_PASSPHRASE',
      'AWS_SECRET_ACCESS_KEY',
      'GH_PAT',
      'SENTRY_DSN',
      'DONECHECK_STORE',
      'NPM_APIKEY',
    ],
    ...['token', 'LC_TOKEN', 'GOOGLE_APPLICATION_CREDENTIALS', 'NODE_KEYS'],
  ])('%s is the name of a secret', (name) => {
    expect(isSecretName(name)).toBe(true)
    expect(confinedEnvironment({ [name]: 'x' })).toEqual({})
  })

  it.each([
    'PATH',
    'GIT_AUTHOR_NAME',
    'KEYBOARD',
    'MONKEY',
    'PATTERN',
    'AUTHOR',
    'PWD',
    'OLDPWD',
    'NODE_PATH',
  ])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false)
  })

  const name = fc.stringMatching(/^[A-Za-z_]{1,8}$/)
  test.prop([name, name, fc.constantFrom('_KEY', '_TOKEN', 'SECRET', 'PASSWORD')])(
    'whatever stands around it, a secret is none that is passed on',
    (before, after, part) => {
      const names = [
        `${before}${part}`,
        part.startsWith('_') ? `${before}${part}_${after}` : `${before}${part}${after}`,
      ]
      expect(confinedEnvironment(Object.fromEntries(names.map((each) => [each, 'x'])))).toEqual({})
    },
  )
})
