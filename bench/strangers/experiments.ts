/** How the tests of a repository are run here: those that need no network, no browser and no build for a second language. */
export interface Experiment {
  /** One command line; exit code 0 is green. It stands for the project's own test script, without linters and coverage. */
  readonly command: string
  /** Packages of the npm registry that the tests need beside `dependencies`; undefined: nothing is installed. */
  readonly install?: readonly string[]
}

const pytest = 'PYTHONPATH=src:. python3 -m pytest -q -x -p no:cacheprovider'

export const experiments: Readonly<Record<string, Experiment>> = {
  'ai/nanoid': {
    command:
      'if ls test/*.test.ts >/dev/null 2>&1; then node --test test/*.test.ts; elif grep -q uvu package.json; then npx uvu test "\\.test\\.js$"; else node --test test/*.test.js; fi',
    install: ['uvu', 'nanospy', 'clean-publish'],
  },
  'chalk/chalk': { command: 'npx ava', install: ['ava', 'execa', 'yoctodelay', 'log-update'] },
  'expressjs/express': {
    command: 'npx mocha --require test/support/env --reporter dot --check-leaks test/ test/acceptance/',
    install: [
      'after',
      'connect-redis',
      'cookie-parser',
      'cookie-session',
      'ejs',
      'express-session',
      'hbs',
      'marked',
      'method-override',
      'mocha',
      'morgan',
      'multiparty',
      'pbkdf2-password',
      'supertest',
      'vhost',
    ],
  },
  'ljharb/qs': {
    command: "npx tape 'test/**/*.js'",
    install: [
      'tape',
      'es-value-fixtures',
      'for-each',
      'has-bigints',
      'has-override-mistake',
      'has-property-descriptors',
      'has-proto',
      'has-symbols',
      'iconv-lite',
      'mock-property',
      'object-inspect',
      'qs-iconv',
      'safe-publish-latest',
      'safer-buffer',
    ],
  },
  'micromatch/picomatch': { command: 'npx mocha --reporter dot', install: ['mocha', 'fill-range'] },
  'minimistjs/minimist': { command: "npx tape 'test/**/*.js'", install: ['tape'] },
  'mochajs/mocha': {
    command: 'node bin/mocha.js --timeout 5000 --reporter dot "test/unit/**/*.spec.*js"',
    install: [
      'unexpected',
      'unexpected-eventemitter',
      'unexpected-map',
      'unexpected-set',
      'unexpected-sinon',
      'sinon',
      'rewiremock',
      'chai',
      'installed-check',
      'through2',
    ],
  },
  'npm/node-semver': {
    command:
      'for file in $(find test -name "*.js" -not -path "*/fixtures/*" -not -path "*/bin/*"); do node "$file" >.out 2>&1 || { cat .out; exit 1; }; done',
    install: ['tap'],
  },
  'sindresorhus/query-string': { command: 'npx ava', install: ['ava', 'deep-equal', 'fast-check'] },
  'tj/commander.js': {
    command: 'if grep -q \'"jest"\' package.json; then npx jest --silent; else node --test; fi',
    install: ['jest', 'ts-jest', 'typescript', '@types/jest', '@types/node'],
  },
  'mahmoud/boltons': { command: `${pytest} tests` },
  'more-itertools/more-itertools': { command: 'python3 -m unittest -f' },
  'pallets/click': { command: `${pytest} tests` },
  'pallets/itsdangerous': { command: `${pytest} tests` },
  'pallets/markupsafe': { command: `${pytest} tests` },
  'pytest-dev/pluggy': { command: `${pytest} testing --ignore testing/benchmark.py` },
  'python-attrs/attrs': {
    command: `${pytest} tests --ignore tests/test_pyright.py --deselect tests/test_converters.py::TestPipe::test_wrapped_annotation`,
  },
  'un33k/python-slugify': { command: 'python3 test.py' },
  'google/uuid': { command: 'go test ./...' },
  'gorilla/mux': { command: 'go test ./...' },
  'hashicorp/go-version': { command: 'go test ./...' },
  'spf13/pflag': { command: 'go test ./...' },
}
