/**
 * Keys whose shape gives them away. Each pattern is linear: no nested or overlapping repetition without a bound, bounded
 * look-around.
 */
import { namedValue } from './named-value.ts'
import { prefixedKeys } from './prefixed-keys.ts'
import type { SecretShape } from './secret-shape.ts'

const escapeCode = String.fromCharCode(0x1b)

/**
 * A key begins where no letter of a longer word stands before it; that also keeps every pattern linear. The last letter of an
 * escape is no letter of a word: `\n` in JSON, `%3D` in an address, the `m` of a colour. Nor is the sign of a line in a diff.
 */
const start = `(?:(?<![A-Za-z0-9_-])|(?<=(?:^|\\n|\\\\n)-)|(?<=\\\\[bfnrt]|\\\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|${escapeCode}\\[[0-9;]{0,12}m))`

const word = '[A-Za-z0-9_-]'
const base64 = '[A-Za-z0-9+/]'

function literally(beginning: string): string {
  return beginning.replaceAll('.', '\\.')
}

/** All that follows without a gap belongs to it, so that nothing of a key that is joined to another one is left. */
const prefixed: readonly SecretShape[] = prefixedKeys.flatMap(({ alphabet, atLeast, prefixes }) =>
  prefixes.map(([name, beginnings]) => {
    const hints = beginnings.split(' ')
    const body =
      alphabet === 'word'
        ? `(?=[A-Za-z._~+/=-]{0,300}[0-9])[A-Za-z0-9_.~+/=-]{${atLeast - 1},}[A-Za-z0-9_=-]`
        : `(?=[A-Za-z]{0,300}[0-9])[A-Za-z0-9]{${atLeast},}${word}*`
    return { name, hints, source: `${start}(?:${hints.map(literally).join('|')})${body}` }
  }),
)

const newline = '(?:\\r?\\n|\\\\{1,4}r?\\\\{0,4}n)'
/** Quotes of a mail, signs of a diff, indentation, quotes and numbers of lines. */
const margin = '[^A-Za-z0-9\\n\\\\]{0,16}(?:[0-9]{1,6}[^A-Za-z0-9\\n\\\\]{1,8})?'
const lineRest = '[^A-Za-z0-9\\n\\\\]{0,16}'
const keyEnd = '-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----'
const keyHeader = '[A-Za-z-]{1,30}: [^\\n\\\\]{1,200}'

/** Masked before all others, because the dashes around a key would hide a key that follows without a gap. */
const privateKeys: readonly SecretShape[] = [
  {
    // Line by line, or in one; its end may have been cut off by an excerpt.
    name: 'private-key',
    hints: ['-----BEGIN '],
    source: `-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?=[^]{0,800}?[A-Za-z0-9+/=]{16})(?:[A-Za-z0-9+/= ]{16,20000}|(?:${lineRest}${newline}(?![^\\n\\\\]{0,32}-----END)${margin}(?:${keyHeader}|[A-Za-z0-9+/=]{0,4096})(?![A-Za-z0-9+/=:])){1,600})(?:${lineRest}(?:${newline})?${margin}${keyEnd})?`,
  },
  {
    // The end of one whose beginning was cut off.
    name: 'private-key',
    hints: ['PRIVATE KEY'],
    source: `(?<![^\\n])(?:${margin}[A-Za-z0-9+/=]{4,4096}${lineRest}${newline}){1,100}${margin}${keyEnd}`,
  },
]

const otherShapes: readonly SecretShape[] = [
  { name: 'aws-key-id', hints: ['AKIA', 'ASIA'], source: `${start}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])` },
  { name: 'azure-signature', hints: ['sig='], source: '(?<=[?&;]sig=)[A-Za-z0-9+/%]{40,}={0,2}' },
  {
    name: 'azure-client-secret',
    hints: ['Q~'],
    source: '(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])',
  },
  {
    name: 'slack-webhook',
    hints: ['hooks.slack.com/'],
    source: `hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>${base64}{20,})`,
  },
  {
    name: 'discord-webhook',
    hints: ['/api/webhooks/'],
    source: `/api/webhooks/[0-9]{5,25}/(?<secret>${word}{40,})`,
  },
  { name: 'discord-token', hints: ['.'], source: `${start}[MNO]${word}{22,28}\\.${word}{6}\\.${word}{27,}` },
  { name: 'telegram-token', hints: [':A'], source: `(?<![0-9])[0-9]{5,16}:A${word}{34}(?![A-Za-z0-9_-])` },
  { name: 'twilio-key', hints: ['SK'], source: `${start}SK[0-9a-f]{32}(?![A-Za-z0-9])` },
  { name: 'databricks-token', hints: ['dapi'], source: `${start}dapi[0-9a-f]{32}(?![A-Za-z0-9])` },
  { name: 'sendgrid-key', hints: ['SG.'], source: `${start}SG\\.${word}{16,64}\\.${word}{16,128}` },
  { name: 'mailgun-key', hints: ['key-'], source: `${start}key-[0-9a-f]{32}(?![A-Za-z0-9])` },
  { name: 'mailchimp-key', hints: ['-us'], source: `${start}[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])` },
  { name: 'square-token', hints: ['EAAA'], source: `${start}EAAA${word}{56,66}(?![A-Za-z0-9+/=_-])` },
  {
    name: 'terraform-token',
    hints: ['.atlasv1.'],
    source: `${start}[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`,
  },
  {
    name: 'json-web-token',
    hints: ['eyJ'],
    source: `${start}eyJ${word}{10,4096}\\.eyJ${word}{10,8192}\\.${word}{10,}`,
  },
  {
    name: 'bearer-token',
    hints: ['earer '],
    source: '[Bb]earer (?<secret>(?=[A-Za-z._~+/=-]{0,300}[0-9])[A-Za-z0-9._~+/=-]{20,})',
  },
  {
    name: 'authorization',
    hints: ['uthorization', 'UTHORIZATION'],
    source:
      'authorization\\\\{0,2}["\']?[ \\t]{0,3}[:=][ \\t]{0,3}\\\\{0,2}["\']?(?:[A-Za-z]{3,20} {1,3})?(?<secret>[^\\s"\'\\\\<>{}$,[\\]()]{8,4096})',
    flags: 'i',
    // A word of prose has no capital letter or digit inside of it.
    accepts: ({ groups }) => /[0-9+/=]|[a-z][A-Z]/.test(groups?.['secret'] ?? ''),
  },
  {
    name: 'cookie',
    hints: ['ookie', 'OOKIE'],
    source:
      'cookie\\\\{0,2}["\']?[ \\t]{0,3}[:=][ \\t]{0,3}\\\\{0,2}["\']?(?<secret>[A-Za-z0-9_.-]{1,64}=[^\\r\\n"\'\\\\]{8,8192})',
    flags: 'i',
    accepts: ({ groups }) => /=(?=[^;]*[0-9])[^;\s$<{(]{12,}/.test(groups?.['secret'] ?? ''),
  },
  {
    name: 'url-password',
    hints: ['://'],
    source: '(?<=[a-z][a-z0-9+.-]{1,20}://[^\\s:/@]{0,64}:)[^\\s:/@]{3,200}(?=@)',
  },
  {
    name: 'netrc-password',
    hints: ['password'],
    source:
      '(?:machine\\s{1,8}\\S{1,128}|default)\\s{1,8}(?:login\\s{1,8}\\S{1,128}\\s{1,8})?password\\s{1,8}(?<secret>(?!\\[masked:)[^\\s"\'\\\\]{3,256})',
  },
  {
    name: 'curl-password',
    hints: ['curl'],
    source:
      'curl\\b[^\\n]{0,400}?\\s(?:-[uU]|--user|--proxy-user)[ =]?\\\\{0,2}["\']?[^\\s"\':$\\\\]{1,64}:(?<secret>[^\\s"\'$\\\\[]{3,200})',
  },
  {
    name: 'basic-credentials',
    hints: ['auth'],
    source: `["'_]auth\\\\{0,2}["']?[ \\t]{0,3}[:=][ \\t]{0,3}\\\\{0,2}["']?(?<secret>${base64}{11,4096}={0,2})(?![\\w.(-])`,
    accepts: ({ groups }) => /[0-9=]|[a-z][A-Z]/.test(groups?.['secret'] ?? ''),
  },
  namedValue,
]

/** The beginning of a key before the mark of a text that was shortened: too short for its own shape. */
const beginningOfKey: SecretShape = {
  name: 'cut-key',
  hints: ['…', 'left out ...]'],
  source: `${start}(?:${prefixed
    .flatMap(({ hints }) => hints)
    .map(literally)
    .join(
      '|',
    )})(?=[A-Za-z_-]{0,300}[0-9])${word}{4,}(?= ?…|\\n\\[[.…]{1,3} [0-9,]{1,20} (?:bytes|characters) left out)`,
}

export const secretShapes: readonly SecretShape[] = [
  ...privateKeys,
  ...prefixed,
  ...otherShapes,
  beginningOfKey,
]
