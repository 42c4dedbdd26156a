import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  modelProposed,
  runStopped,
  toolCall,
  finalSummaryCalled,
  finalSummaryReplied,
} from '../../testing/facts.ts'
import { maskFact } from './mask-fact.ts'
import { maskValue, maskText } from '../../secrets/index.ts'

/** Made up, and put together here so that no scanner of this repository takes them for real. */
const body = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4hJ6kL8n'
const hexadecimal = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const pem = (kind: string, inside: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${inside}\n-----END ${kind}PRIVATE KEY-----`
const base64 = `${body}+/\n${body}==`

const secrets: readonly (readonly [string, string])[] = [
  ['private-key', pem('', base64)],
  ['private-key', pem('OPENSSH ', base64)],
  ['anthropic-key', `sk-ant-api03-${body}`],
  ['openai-key', `sk-${body}`],
  ['github-token', `ghp_${body}`],
  ['gitlab-token', `glpat-${body}`],
  ['aws-key-id', ['AKIA', 'Q2W4E6R8T1Y3U5I7'].join('')],
  ['aws-key-id', ['ASIA', 'Q2W4E6R8T1Y3U5I7'].join('')],
  ['google-key', `AIza${body.slice(0, 35)}`],
  ['slack-token', `xoxb-1234567890-${body}`],
  ['npm-token', `npm_${body.slice(0, 36)}`],
  ['hub-token', `hf_${body.slice(0, 34)}`],
  ['groq-key', `gsk_${body}${body.slice(0, 12)}`],
  ['xai-key', `xai-${body}${body}`],
  ['perplexity-key', `pplx-${body}${body.slice(0, 8)}`],
  ['pypi-token', `pypi-AgENdGVzdC5weXBpLm9yZw${body}-${body}`],
  ['sendgrid-key', `SG.${body.slice(0, 22)}.${body}aB3`],
  ['digitalocean-token', `dop_v1_${hexadecimal}${hexadecimal}`],
  ['digitalocean-token', `doo_v1_${hexadecimal}${hexadecimal}`],
  ['twilio-key', `SK${hexadecimal}`],
  ['telegram-token', `1234567890:A${body.slice(0, 34)}`],
  ['slack-token', `xoxe.xoxp-1-${body}`],
  ['docker-token', `dckr_pat_${body.slice(0, 27)}`],
  ['vault-token', `hvs.${body}${body}${body}`],
  ['grafana-token', `glsa_${body.slice(0, 32)}`],
  ['databricks-token', `dapi${hexadecimal}`],
  ['figma-token', `figd_${body}_${body}`],
  ['shopify-token', `shpat_${hexadecimal}`],
  ['notion-token', `ntn_12345678901${body.slice(0, 35)}`],
  ['azure-client-secret', `aB38Q~${body.slice(0, 34)}`],
  ['rubygems-key', `rubygems_${hexadecimal}${hexadecimal}`],
  ['age-key', `AGE-SECRET-KEY-1${body.toUpperCase()}${body.slice(0, 18).toUpperCase()}`],
  ['stripe-key', `sk_live_${body}`],
  ['stripe-key', `rk_test_${body}`],
  ['json-web-token', `eyJ${body}.eyJ${body}.${body}`],
]

describe('given a text with a key of a known shape', () => {
  it.each(secrets)('masks it as %s', (name, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['KEY=', '\n'],
      ['{"key":"', '"}'],
      ['the key is ', ', keep it'],
    ] as const)
      expect(maskText(`${before}${secret}${after}`, {})).toBe(`${before}[masked:${name}]${after}`)
  })

  it.each([
    ['postgres://app:s3cret-Word@db:5432/app', 'postgres://app:[masked:url-password]@db:5432/app'],
    ['https://me:hunter22@example.com/x?y=1', 'https://me:[masked:url-password]@example.com/x?y=1'],
    ['redis://:s3cretWord@localhost:6379', 'redis://:[masked:url-password]@localhost:6379'],
  ])('masks the password of %s and leaves the rest', (url, masked) => {
    expect(maskText(url, {})).toBe(masked)
  })

  it.each([
    [
      'https://hooks.slack.com/services/',
      'slack-webhook',
      `T0AB1CD2E/B0FG3HI4J/${body.slice(0, 24)}`,
      ' now',
    ],
    ['https://discord.com/api/webhooks/123456789012345678/', 'discord-webhook', `${body}_${body}`, '"'],
    ['https://api.telegram.org/bot', 'telegram-token', `123456789:A${body.slice(0, 34)}`, '/getMe'],
    [
      'AccountName=a;AccountKey=',
      'named-secret',
      `${body}${body}+/aB3d==`,
      ';EndpointSuffix=core.windows.net',
    ],
    ['Endpoint=sb://a/;SharedAccessKey=', 'named-secret', `${body}aB3=`, ''],
    ['https://a.blob.core.windows.net/c?sv=2024&sig=', 'azure-signature', `${body}%2Bx%3D`, '&se=2026'],
    ['aws_secret_access_key = ', 'named-secret', body, '\n'],
    ['export AWS_SECRET_ACCESS_KEY=', 'named-secret', body, '\n'],
    ['{"SecretAccessKey": "', 'named-secret', body, '"}'],
    [String.raw`{\"secretAccessKey\":\"`, 'named-secret', body, String.raw`\"}`],
    ['aws_session_token=', 'named-secret', `${body}${body}${body}`, '\n'],
    ['TWILIO_AUTH_TOKEN="', 'named-secret', hexadecimal, '"'],
    ['//registry.example.com/:_authToken=', 'named-secret', hexadecimal, '\n'],
    ['Authorization: Basic ', 'authorization', 'dXNlcjpwYXNzd29yZA==', '\n'],
  ])('masks only what is secret of %s', (before, name, secret, after) => {
    expect(maskText(`${before}${secret}${after}`, {})).toBe(`${before}[masked:${name}]${after}`)
  })

  it.each([
    ['JSON', String.raw`"first\n`],
    ['an address', 'https://example.com/?key%3D'],
    ['a coloured line', '\u001B[1;32m'],
  ])('finds it behind an escape of %s', (_, before) => {
    expect(maskText(`${before}sk-ant-${body}`, {})).toBe(`${before}[masked:anthropic-key]`)
  })

  it('masks each of two keys that stand without a gap', () => {
    const text = `AIza${body.slice(0, 35)}${['AKIA', 'Q2W4E6R8T1Y3U5I7'].join('')}`
    expect(maskText(text, {})).not.toContain('Q2W4E6R8T1Y3U5I7')
    expect(maskText(maskText(text, {}), {})).toBe(maskText(text, {}))
  })

  it('is not deceived by a mark around a secret', () => {
    expect(maskText(`[masked:sk-ant-${body}]`, {})).not.toContain(body)
  })
})

describe('given a text without secrets', () => {
  it.each([
    'All 42 tests passed in 1.2 s.',
    'task-force, risk-averse, desk-bound and ask-me-anything-you-want-to-know',
    'id 123e4567-e89b-12d3-a456-426614174000',
    '/home/user/projects/my-very-long-folder-name/packages/core/src/index.test.ts',
    'https://example.com:8443/path/to/page?query=a@b',
    'git@github.com:owner/a-repository-with-a-long-name.git',
    '.sk-fading-circle-container { color: red }',
    'const risk_live_position_of_the_trader = sk_live',
    'bearer authentication-mechanisms-of-the-web are described below',
    'import { npm_config_registry_of_the_user } from "./npm_something.ts"',
    'hf_model_name, AKIAR, AIzawa, xoxo-kisses, ghp_short, eyJ.eyJ.x',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    'aws_secret_access_key = read_from("the-place-where-keys-are-kept")',
    'AccountKey=, SharedAccessKey=$KEY, https://example.com/?sig=none',
    'xapp-configuration-of-the-app, xai-grok, pypi-AgEnt, SG.UI.Component, dop_v1_, glc_read_long_names_of_things',
    '12:AM, 10:ABOUT, SKIPPED, SK8, dapia, hvs.', // short of every shape
    '',
  ])('leaves %j as it is', (text) => {
    expect(maskText(text, {})).toBe(text)
  })

  it('leaves any words as they are', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom(' ', '-', '_', '/', '.', '\n'), (words, between) => {
        expect(maskText(words.join(between), {})).toBe(words.join(between))
      }),
    )
  })
})

describe('given values that are known to be secret', () => {
  it('masks them by their names wherever they stand', () => {
    const known = { DB_PASSWORD: 'correct horse', TOKEN: 'x.y*z(1)' }
    expect(maskText('a correct horse, acorrect horseb, x.y*z(1), xay', known)).toBe(
      'a [masked:DB_PASSWORD], a[masked:DB_PASSWORD]b, [masked:TOKEN], xay',
    )
  })

  it('masks the longer one where one contains another', () => {
    const known = { SHORT: 'hunter22', LONG: 'hunter22-extra' }
    expect(maskText('hunter22-extra hunter22', known)).toBe('[masked:LONG] [masked:SHORT]')
  })

  it('leaves values that are too short to be told from words', () => {
    expect(maskText('yes or no, admin', { CHOICE: 'no', USER: 'admin' })).toBe('yes or no, admin')
  })

  it('does not take what stands in a name for a secret', () => {
    expect(maskText('longpassword', { A_password: 'longpassword', B: 'password' })).toBe(
      '[masked:A_password]',
    )
  })

  it('never lets one through', () => {
    const value = fc.string({ minLength: 6, maxLength: 20 })
    fc.assert(
      fc.property(fc.array(fc.string()), value, (texts, secret) => {
        const masked = maskText([...texts, secret, ...texts].join(secret), { KEY: secret })
        expect(masked.replaceAll('[masked:KEY]', '\u0000')).not.toContain(secret)
      }),
    )
  })
})

describe('given a text that was masked', () => {
  const known = { TOKEN_PRODUCTION: 'PRODUCTION', WORD: 'masked', API: 'secret value' }
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(...secrets.map(([, secret]) => secret)),
    fc.constantFrom('PRODUCTION', 'masked', 'secret value', '[masked:', 'Bearer ', 'https://a:', '@', ']'),
  )

  it('is not masked again', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = maskText(pieces.join(''), known)
        expect(maskText(once, known)).toBe(once)
      }),
    )
  })
})

describe('given a whole fact', () => {
  it('masks every string in it, however deep, keys included', () => {
    const args = { env: [{ [`sk-${body}`]: `ghp_${body}` }], count: 3, none: null, yes: true }
    expect(maskValue(modelProposed(toolCall('a', 'shell', args)), {}).toolCalls[0]?.args).toEqual({
      env: [{ '[masked:openai-key]': '[masked:github-token]' }],
      count: 3,
      none: null,
      yes: true,
    })
  })
})

describe('given a call whose arguments could not be read', () => {
  it('then neither the raw text nor the complaint about it keeps a secret', () => {
    const secret = 'hunter2-hunter2'
    const call = { ...toolCall('a', 'shell', `{"text": "${secret}`), malformed: `no end after "${secret}` }
    expect(JSON.stringify(maskFact(modelProposed(call), { PASSWORD: secret }))).not.toContain(secret)
  })
})

describe('given the final summary of a run', () => {
  const secret = `ghp_${body}`
  const masks = (fact: Parameters<typeof maskFact>[0]) => JSON.stringify(maskFact(fact, {}))

  it('a key in a summary, in the notice or in what went wrong is masked', () => {
    const summary = { summary: `the token is ${secret}`, summaryBy: 'agent' } as const
    for (const fact of [
      finalSummaryCalled('hard_cap', { outcome: 'exhausted', message: secret, ...summary }),
      { ...finalSummaryCalled(), notice: secret },
      finalSummaryReplied(secret),
      finalSummaryReplied('', { problem: secret }),
      runStopped('hard_cap', { outcome: 'exhausted', ...summary }),
    ]) {
      expect(masks(fact)).toContain('[masked:github-token]')
      expect(masks(fact)).not.toContain(secret)
    }
  })
})

const cutSecrets = { PASSWORD: 'correct horse battery', TOKEN: 'x9-hunter22' }
const cut = (before: string, behind: string) => `${before}\n[... 1,234 bytes left out ...]\n${behind}`

describe('given a text that was cut inside of a known secret', () => {
  it('masks what is left of it on both sides', () => {
    expect(maskText(cut('the password is correct ho', 'tery, and on'), cutSecrets)).toBe(
      cut('the password is [masked:PASSWORD]', '[masked:PASSWORD], and on'),
    )
  })

  it.each([
    ['before an ellipsis', 'said x9-hunt…', 'said [masked:TOKEN]…'],
    ['before an ellipsis after a space', 'said x9-hunt …', 'said [masked:TOKEN] …'],
    ['at each of several cuts', `${cut('correct', 'r22')}${cut('', 'horse battery')}`, ''],
  ])('masks it %s', (_, text, masked) => {
    const result = maskText(text, cutSecrets)
    if (masked !== '') expect(result).toBe(masked)
    expect(result).not.toMatch(/corr|hunt|orse|tery/)
  })

  it('keeps no piece of four letters, wherever the cuts are', () => {
    const value = cutSecrets.PASSWORD
    fc.assert(
      fc.property(fc.nat(value.length), fc.nat(value.length), (before, behind) => {
        const masked = maskText(cut(`: ${value.slice(0, before)}`, `${value.slice(behind)} .`), cutSecrets)
        for (let at = 0; at + 4 <= value.length; at += 1)
          expect(masked).not.toContain(value.slice(at, at + 4))
      }),
    )
  })

  it('leaves what only looks like it elsewhere', () => {
    expect(maskText('correct horses …', cutSecrets)).toBe('correct horses …')
    expect(maskText(cut('a cor', 'ry'), cutSecrets)).toBe(cut('a cor', 'ry'))
    expect(maskText('that is correct', cutSecrets)).toBe('that is correct')
  })
})

describe('given a text that was cut inside of a key of a known shape', () => {
  it.each(['…', ' …', '\n[... 12 bytes left out ...]\n'])('masks its beginning before %j', (mark) => {
    expect(maskText(`with sk-ant-api03-aB${mark}`, {})).toBe(`with [masked:cut-key]${mark}`)
    expect(maskText(`with sk-learn${mark}, in hf_hub${mark}`, {})).toBe(
      `with sk-learn${mark}, in hf_hub${mark}`,
    )
  })
})

describe('given the output of a command whose two ends were kept', () => {
  const given = (omittedBytes: number) => ({
    type: 'verdict-given' as const,
    verdict: {
      ...({ verifier: 'tests', status: 'failed', reason: '', canRetry: true, durationMs: 1 } as const),
      qualifiers: [],
      evidence: [
        {
          ...({ kind: 'command', command: 'npm test', folder: '/work', exitCode: 1, signal: null } as const),
          ...{ timedOut: false, environmentDigest: '' },
          output: { head: 'a correct ho', tail: 'hunter22 b', totalBytes: 99, omittedBytes, digest: '' },
        },
      ],
    },
  })

  it('masks what is left of a secret on both sides of what is missing', () => {
    const output = { head: 'a [masked:PASSWORD]', tail: '[masked:TOKEN] b' }
    expect(maskFact(given(9), cutSecrets)).toMatchObject({ verdict: { evidence: [{ output }] } })
  })

  it('masks nothing of it where nothing is missing', () => {
    expect(maskFact(given(0), cutSecrets)).toEqual(given(0))
  })
})
