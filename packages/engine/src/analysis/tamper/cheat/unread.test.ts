import { describe, expect, it } from 'vitest'
import type { FileVersion } from '../rules.ts'
import { edited, version } from '../fixtures/changes.ts'
import { cheatingSources } from './cheating-sources.ts'

const bytes: FileVersion = { kind: 'file', digest: 'digest of bytes', mode: 0o644, text: null }
const link = (target: string): FileVersion => ({ ...version(target), kind: 'symlink', mode: 0o777 })
const plain = version('export const a = 1\n')

/** What waits for authority. */
function messagesOf(path: string, before: FileVersion | null, after: FileVersion | null) {
  return cheatingSources([{ path, before, after }])
    .filter(({ atMost, rule }) => atMost === undefined && rule === 'source.unreadable')
    .map(({ message }) => message)
}

const unread = 'it is no text, or too long, so that nobody reads it'

describe('given a product source that no rule can read', () => {
  it.each(['src/a.js', 'src/a.mts', 'shop/a.py', 'a.go', 'src/lib.rs', 'lib/a.sh', 'src/a.rb'])(
    'tells of %s that is no text now',
    (path) => {
      expect(messagesOf(path, plain, bytes)).toEqual([unread])
      expect(messagesOf(path, null, bytes)).toEqual([unread])
      expect(messagesOf(path, link('b'), bytes)).toEqual([unread])
      expect(messagesOf(path, { ...bytes, digest: 'other' }, bytes)).toEqual([])
    },
  )

  it('tells of a source that became too long to be read', () => {
    const long = version(' '.repeat(2 ** 19 + 1))
    expect(messagesOf('src/a.js', plain, long)).toEqual([unread])
    expect(messagesOf('src/a.js', null, long)).toEqual([unread])
    expect(messagesOf('src/a.js', version(' '.repeat(2 ** 19 + 2)), long)).toEqual([])
  })

  it('is silent about what is no source, and about a source that is gone or readable again', () => {
    for (const path of ['logo.png', 'data/prices.bin', 'docs/a.pdf'])
      expect(messagesOf(path, plain, bytes)).toEqual([])
    expect(messagesOf('src/a.js', bytes, null)).toEqual([])
    expect(messagesOf('src/a.js', bytes, plain)).toEqual([])
  })
})

describe('given a product source that is a link', () => {
  it.each([
    ['src/a.js', '/tmp/a.js'],
    ['src/a.py', '../../a.py'],
    ['src/a.go', '../lib/../../a.go'],
    ['a.rs', './../a.rs'],
  ])('tells of %s that shows %s, out of the work folder', (path, target) => {
    const message = `it is a link to ${target}, out of the work folder`
    expect(messagesOf(path, plain, link(target))).toEqual([message])
    expect(messagesOf(path, null, link(target))).toEqual([message])
    expect(messagesOf(path, link('b'), link(target))).toEqual([message])
  })

  it('tells of one in the place of a folder', () => {
    const found = cheatingSources([
      { path: 'shop', before: null, after: link('/tmp/shop') },
      edited('shop/a.py', 'x = 1\n', null),
    ])
    expect(found.map(({ rule, path }) => [rule, path])).toEqual([['source.unreadable', 'shop']])
  })

  it('is silent about one that stays inside, and about new links to what is no source', () => {
    expect(messagesOf('src/a.js', plain, link('../lib/a.js'))).toEqual([])
    expect(messagesOf('packages/a/src/x.ts', null, link('../../b/src/x.ts'))).toEqual([])
    expect(messagesOf('data', null, link('/mnt/data'))).toEqual([])
    expect(messagesOf('node_modules', null, link('../node_modules'))).toEqual([])
    expect(messagesOf('src/a.js', link('/tmp/a.js'), null)).toEqual([])
  })
})

describe('given a source that loads a file of another ending as code', () => {
  /** `src/rules.dat` is written by the same run. */
  const rulesOf = (text: string, ...written: readonly string[]) =>
    [
      ...cheatingSources([
        edited('src/a.js', null, text),
        ...written.map((path) => edited(path, null, 'x = 1\n')),
      ]),
    ].map(({ rule }) => rule)

  it.each([
    [`require('./rules.dat')`],
    [`module.require('../data/rules.txt')`],
    [`require('./rules.bin')()`],
    [`require('./rules.x')`, 'src/rules.x'],
    [`import './rules.x'`, 'src/rules.x'],
    [`export * from '../rules.x'`, 'rules.x'],
    [`export const f = () => import('./rules.x')`, 'src/rules.x'],
    [`require('./rules')`, 'src/rules'],
  ])('tells of %s', (text, ...written) => {
    expect(rulesOf(text, ...written)).toEqual(['source.unreadable'])
  })

  it.each([
    [`require('./price.service'); import './price.module'; require('./price')`, 'src/price.service.js'],
    [`require('../package.json'); require('./native.node'); import './a.css'`, 'package.json'],
    [`import logo from './logo.svg'; import Card from './Card.vue'`, 'src/logo.svg', 'src/Card.vue'],
    [`import text from './rules.txt?raw'; import 'rules.dat'`, 'src/rules.txt'],
    [`require('..'); require('./'); require('.')`],
    [`fs.readFileSync('./rules.dat')`, 'src/rules.dat'],
  ])('tells of nothing in honest code: %s', (text, ...written) => {
    expect(rulesOf(text, ...written)).toEqual([])
  })

  it('is silent where it was loaded before', () => {
    const text = `require('./rules.dat')\n`
    expect(cheatingSources([edited('src/a.js', text, `${text}run()\n`)])).toEqual([])
  })
})
