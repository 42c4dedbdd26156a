/** How a known value may be spelt, and is masked all the same. */
import { describe, expect, it } from 'vitest'
import { maskText } from './index.ts'

describe('given a value with quotes, backslashes and line ends', () => {
  const secrets = { TOKEN: 'zq81"A\\w2\nend' }

  it('is masked in a JSON text, and in a JSON text within one', () => {
    const once = JSON.stringify({ key: secrets.TOKEN })
    expect(maskText(once, secrets)).toBe('{"key":"[masked:TOKEN]"}')
    expect(maskText(JSON.stringify({ once }), secrets)).not.toContain('zq81')
  })
})
