import { fc, test } from '@fast-check/vitest'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { keysOfOurs, trustDigestsIn, withoutTrust, withTrust } from './hooks.ts'

const hash = fc.stringMatching(/^[0-9a-f]{8}$/).map((hex) => `sha256:${hex}`)
const key = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('stop:0:0', 'pre_tool_use:1:0'))
  .map(([folder, place]) => `/${folder.replaceAll(/[\p{Cc}\n]/gu, '')}/hooks.json:${place}`)
const trusted = fc.uniqueArray(fc.tuple(key, hash), {
  minLength: 1,
  maxLength: 3,
  selector: ([name]) => name,
})

const configs = [
  undefined,
  '',
  'model = "gpt-5.5"',
  '# a comment\nmodel = "gpt-5.5"\n\n[projects."/x"]\ntrust_level = "trusted"\n',
  '[hooks.state."/other/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:ff"\n',
  'model = "gpt-5.5"\r\n[features]\r\nplugins = false\r\n',
] as const

describe.each(configs)('given the configuration %j', (config) => {
  test.prop([trusted])('what is trusted is added, and all else stays', (pairs) => {
    const after = withTrust(config, new Map(pairs)) ?? ''
    expect(trustDigestsIn(after)).toEqual(new Map([...(trustDigestsIn(config ?? '') ?? []), ...pairs]))
    expect({ ...parse(after), hooks: null }).toEqual({ ...parse(config ?? ''), hooks: null })
    expect(withTrust(after, new Map(pairs))).toBe(after)
  })

  test.prop([trusted])('taken out again nothing of it is left', (pairs) => {
    const after = withTrust(config, new Map(pairs)) ?? ''
    const back = withoutTrust(
      after,
      pairs.map(([name]) => name),
    )
    const ended =
      config === undefined || config === '' || config.endsWith('\n') ? (config ?? '') : `${config}\n`
    expect(back).toBe(ended)
  })
})

it('another digest of the same hook replaces the old one', () => {
  const once = withTrust('', new Map([['/h:stop:0:0', 'sha256:1']])) ?? ''
  const twice = withTrust(once, new Map([['/h:stop:0:0', 'sha256:2']])) ?? ''
  expect(trustDigestsIn(twice)).toEqual(new Map([['/h:stop:0:0', 'sha256:2']]))
})

it.each(['model = ', 'hooks = { state = {} }\n'])(
  'nothing is written into %j, where it would not be read',
  (text) => {
    expect(withTrust(text, new Map([['/h:stop:0:0', 'sha256:1']]))).toBeUndefined()
  },
)

it('a hook of ours is called as Codex calls it', () => {
  const command = `[ -x /n ] && [ -f /d/donecheck.js ] && exec /n /d/donecheck.js hook codex UserPromptSubmit; echo '{}'`
  const text = JSON.stringify({
    hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'x' }] }, { hooks: [{ command }] }] },
  })
  expect(keysOfOurs({ file: '/h/hooks.json', text })).toEqual(['/h/hooks.json:user_prompt_submit:1:0'])
})
