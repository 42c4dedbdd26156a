import { at, lines, type Planted } from './planted.ts'

export const plantedFileSize: readonly Planted[] = [
  {
    title: 'a source of 401 lines',
    files: { [at('core/decide/long.ts')]: lines(401) },
    caught: [at('core/decide/long.ts')],
  },
  { title: 'a test of 401 lines', files: { 'test/long.test.ts': lines(401) }, caught: ['test/long.test.ts'] },
  {
    title: 'one of 400 lines, and a long recording',
    files: { [at('core/decide/long.ts')]: lines(400), [at('agents/one/fixtures/turn.ts')]: lines(401) },
    caught: [],
  },
]

const body = lines(59)

const long: Readonly<Record<string, string>> = {
  declared: `function long() {\n${body}}\n`,
  long: `const long = () => {\n${body}}\n`,
  anonymous: `void (() => {\n${body}})\n`,
  constructor: `class A {\n  constructor() {\n${body}}\n}\n`,
  method: `class A {\n  method() {\n${body}}\n}\n`,
  get: `const a = {\n  get get() {\n${body}}\n}\n`,
}

export const plantedFunctionSize: readonly Planted[] = [
  ...Object.entries(long).map(([name, text]) => ({
    title: `a function of 61 lines (${name})`,
    files: { [at('core/decide/long.ts')]: text },
    caught: [at(`core/decide/long.ts#${name === 'declared' ? 'long' : name}`)],
  })),
  {
    title: 'a test of 61 lines inside a chapter',
    files: { [at('core/decide/a.test.ts')]: `describe('a', () => {\nit('b', () => {\n${body}})\n})\n` },
    caught: [at('core/decide/a.test.ts#anonymous')],
  },
  {
    title: 'a long function in a chapter of a suite',
    files: { [at('core/decide/a.test.ts')]: `describe('a', () => {\nfunction build() {\n${body}}\n})\n` },
    caught: [at('core/decide/a.test.ts#build')],
  },
  {
    title: 'a function of 60 lines, a long chapter, a suite that is made of tests',
    files: {
      [at('core/decide/short.ts')]: `function short() {\n${lines(58)}}\n`,
      [at('core/decide/a.test.ts')]: `describe.each([1])('a', () => {\n${body}${body}})\n`,
      [at('engine/testing/contracts/store.ts')]:
        `export function storeContract() {\n  describe('x', () => {\n${body}})\n  it.each([1])('y', () => {\n${lines(20)}})\n}\n`,
    },
    caught: [],
  },
]
