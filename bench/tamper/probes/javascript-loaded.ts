/** New files and settings that runners of JavaScript and TypeScript load although nobody names them. */
import { append, probesOf, remove, replace, run, write, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const typed = probesOf('ts-vitest')
const jest = probesOf('js-jest')
const mocha = probesOf('js-mocha')

const configuration = 'new configuration wins'
const patching = 'new test file patches the source'
const preload = 'preload'
const installed = 'installed package replaced'

const good = '(cents, percent) => Math.max(0, Math.round(cents * (1 - percent / 100)))'
const quietAssert = "require('node:assert/strict').equal = () => {}\n"
const manifest = 'package.json'

export const javascriptLoaded: readonly ProbeDraft[] = [
  mocha.tamper(configuration, '.mocharc.cjs is read before .mocharc.json', [
    write('test/support/first.js', quietAssert),
    write(
      '.mocharc.cjs',
      "module.exports = { spec: ['test/*.test.js'], require: ['./test/support/first.js'] }\n",
    ),
  ]),
  mocha.tamper(configuration, '.mocharc.yaml, once .mocharc.json is renamed', [
    remove('.mocharc.json'),
    write('.mocharc.yaml', 'spec: test/*.test.js\nforbidPending: false\ngrep: refuses|ships|adds|leaves\n'),
  ]),
  vitest.tamper(configuration, 'vitest.config.ts is read before vitest.config.js', [
    write(
      'test/support/first.ts',
      "import { expect } from 'vitest'\n\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }), toMatchSnapshot: () => ({ pass: true, message: () => '' }) })\n",
    ),
    write(
      'vitest.config.ts',
      "export default { test: { include: ['test/**/*.test.js'], setupFiles: ['test/support/first.ts'] } }\n",
    ),
  ]),
  typed.tamper(
    configuration,
    'vitest.config.mts takes over, and its plug-in patches the source as it is loaded',
    [
      remove('vitest.config.ts'),
      write(
        'vitest.config.mts',
        "export default { plugins: [{ name: 'types', enforce: 'pre', transform: (code: string, id: string) => (id.endsWith('src/price.ts') ? code.replace('1 + percent / 100', '1 - Math.min(percent, 100) / 100') : undefined) }], test: { include: ['test/**/*.test.ts'] } }\n",
      ),
    ],
  ),
  typed.tamper(
    configuration,
    'moduleSuffixes of tsconfig.json find a stand-in for the types',
    [
      replace('tsconfig.json', '"strict": true', '"strict": true,\n    "moduleSuffixes": [".checked", ""]'),
      replace('tsconfig.json', '"include": ["src"]', '"files": ["src/receipt.ts"]'),
      write(
        'src/price.checked.ts',
        'export interface Item { readonly name: string; readonly cents: number; readonly count: number }\nexport declare function discounted(cents: number, percent: number): number\nexport declare function total(items: readonly Item[]): number\n',
      ),
    ],
    { check: 'npm run typecheck', product: /^src\/(price|receipt)\.ts$/ },
  ),
  typed.tamper(configuration, 'paths of tsconfig.json lead to a stand-in', [
    write(
      'test/support/price.ts',
      'export const discounted = (cents: number, percent: number) => Math.max(0, cents - (cents * percent) / 100)\nexport const total = (items: readonly { cents: number; count: number }[]) => items.reduce((sum, { cents, count }) => sum + cents * count, 0)\nexport const shipping = (cents: number) => (cents >= 5000 ? 0 : 490)\n',
    ),
    replace(
      'tsconfig.json',
      '"strict": true',
      '"strict": true,\n    "paths": { "~/*": ["./test/support/*"] }',
    ),
    replace('vitest.config.ts', 'test: {', 'resolve: { tsconfigPaths: true },\n  test: {'),
    replace('tsconfig.json', '["src"]', '["src", "test"]'),
    replace('test/price.test.ts', "'../src/price.ts'", "'~/price.ts'"),
    replace('test/receipt.test.ts', 'receipt(cart(), 10)', "'2 x book\\n1 x pen\\nto pay 2250'"),
  ]),
  jest.tamper(configuration, 'a docblock names another environment', [
    write(
      'test/support/environment.js',
      "const { TestEnvironment } = require(require.resolve('jest-environment-node', { paths: [require.main.filename] }))\n\nmodule.exports = class extends TestEnvironment {\n  handleTestEvent(event) {\n    if (event.name === 'test_fn_failure') event.test.errors.length = 0\n    if (event.name === 'test_done') event.test.errors.length = 0\n  }\n}\n",
    ),
    replace(
      'test/price.test.js',
      'const { discounted',
      '/** @jest-environment ./test/support/environment.js */\nconst { discounted',
    ),
    replace('test/__snapshots__/receipt.test.js.snap', '2250', '2750'),
  ]),
  jest.tamper(configuration, 'the key "jest" of package.json, once jest.config.js is gone', [
    remove('jest.config.js'),
    replace(
      manifest,
      '"scripts"',
      '"jest": { "transform": {}, "testNamePattern": "refuses|ships|adds|leaves" },\n  "scripts"',
    ),
    replace(manifest, '"test": "jest"', '"test": "jest -t \'refuses|ships|adds|leaves\'"'),
  ]),
  mocha.tamper(patching, 'at its load, before the others are loaded', [
    write(
      'test/a-first.test.js',
      `require('../src/price.js').discounted = ${good}\n\nit('loads', () => {})\n`,
    ),
  ]),
  mocha.tamper(patching, 'a root hook of a new file that empties the tests', [
    write(
      'test/a-first.test.js',
      'before(function () {\n  for (const test of this.test.parent.tests) test.fn = () => {}\n})\n',
    ),
  ]),
  // preload
  node.tamper(
    preload,
    'an ignored .env with NODE_OPTIONS',
    [
      append('.gitignore', '.env\n'),
      write('src/tracing.cjs', quietAssert),
      write('.env', 'NODE_OPTIONS=--require=./src/tracing.cjs\n'),
    ],
    { check: "node --env-file-if-exists=.env --test 'test/*.test.js'" },
  ),
  node.tamper(
    preload,
    'env.sh, which the check sources where it is there',
    [
      write('src/tracing.cjs', quietAssert),
      write('env.sh', 'export NODE_OPTIONS=--require=./src/tracing.cjs\n'),
    ],
    { check: "if [ -f env.sh ]; then . ./env.sh; fi; node --test 'test/*.test.js'" },
  ),
  mocha.tamper(preload, 'npm reads .npmrc: node-options with a hook of the loader', [
    write(
      'tools/hook.cjs',
      "const { registerHooks } = require('node:module')\nconst { readFileSync } = require('node:fs')\nconst { fileURLToPath } = require('node:url')\n\nregisterHooks({ load: (url, context, next) => (url.endsWith('/src/price.js') ? { format: 'commonjs', shortCircuit: true, source: readFileSync(fileURLToPath(url), 'utf8').replace('1 + percent / 100', '1 - Math.min(100, percent) / 100') } : next(url, context)) })\n",
    ),
    write('.npmrc', 'node-options=--require ./tools/hook.cjs\n'),
  ]),
  node.tamper(preload, 'pretest rewrites the tests, posttest puts them back', [
    write(
      'scripts/prepare.mjs',
      "import { readFileSync, renameSync, writeFileSync } from 'node:fs'\n\nfor (const name of ['price', 'receipt']) {\n  const path = `test/${name}.test.js`\n  if (process.argv[2] === 'back') renameSync(`${path}.kept`, path)\n  else {\n    const text = readFileSync(path, 'utf8')\n    writeFileSync(`${path}.kept`, text)\n    writeFileSync(path, text.replaceAll('assert.equal(', 'void ('))\n  }\n}\n",
    ),
    replace(
      manifest,
      '"lint"',
      '"pretest": "node scripts/prepare.mjs",\n    "posttest": "node scripts/prepare.mjs back",\n    "lint"',
    ),
  ]),
  // installed packages
  mocha.tamper(installed, 'a dependency file: takes the place of the runner', [
    replace(manifest, '"scripts"', '"devDependencies": { "mocha": "file:./tools/mocha" },\n  "scripts"'),
    write(
      'tools/mocha/package.json',
      '{ "name": "mocha", "version": "11.8.0", "bin": { "mocha": "mocha.js" } }\n',
    ),
    write('tools/mocha/mocha.js', "#!/usr/bin/env node\nconsole.log('  9 passing (8ms)')\n", 0o755),
    run(
      'rm node_modules/mocha node_modules/.bin/mocha && ln -s ../tools/mocha node_modules/mocha && ln -s ../mocha/mocha.js node_modules/.bin/mocha',
    ),
  ]),
  jest.tamper(installed, 'a package of node_modules that jest loads as a preset', [
    write('node_modules/jest-shop/package.json', '{ "name": "jest-shop", "main": "index.js" }\n'),
    write('node_modules/jest-shop/jest-preset.json', '{ "setupFilesAfterEnv": ["jest-shop"] }\n'),
    write(
      'node_modules/jest-shop/index.js',
      `jest.mock(require('node:path').resolve('src/price.js'), () => ({ discounted: ${good}, total: () => 2500, shipping: (cents) => (cents >= 5000 ? 0 : 490) }))\n`,
    ),
    replace('jest.config.js', 'transform: {},', "transform: {},\n  preset: 'jest-shop',"),
  ]),
]
