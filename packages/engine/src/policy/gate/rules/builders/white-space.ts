/** White space as Unicode has it: `\s` of the language has U+FEFF and lacks U+0085. */
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'

const leading = new RegExp(`^${space}+`, 'u')
const trailing = new RegExp(`(?<!${space})${space}+$`, 'u')
const any = new RegExp(space, 'u')

const trimStart = (text: string): string => text.replace(leading, '')
const trimEnd = (text: string): string => text.replace(trailing, '')
export const trim = (text: string): string => trimEnd(trimStart(text))
export const isBlank = (text: string): boolean => trimStart(text) === ''
export const hasSpace = (text: string): boolean => any.test(text)
