import { describe, expect, it } from 'vitest'
import { sidesIn, type Told } from '../fixtures/trees.ts'

const project = {
  'package.json':
    '{"name": "tool", "bin": {"mocha": "./bin/mocha.js"}, "scripts": {"verify": "sh scripts/all.sh"}}',
  'bin/mocha.js': 'process.exit(1)',
  'tool.js': 'x',
  'scripts/all.sh': '. "$(dirname "$0")/lib.sh"\nnode judge.js\n',
  'scripts/lib.sh': 'same() { :; }',
  'judge.js': "import './tool.js'\nprocess.exit(1)",
  'report.txt': 'x',
  'src/a.js': 'x',
  'dist/a.js': 'x',
  Makefile: 'include more.mk\ntest:\n	@bash ci/steps\n',
  'more.mk': '',
  'ci/steps': '#!/bin/sh\n./ci/last\n',
  'ci/last': 'x',
}

const cases: Readonly<Record<string, Told>> = {
  'a script that is run': {
    given: project,
    shall: { 'judge.js': 'check: check-script' },
    checkLines: ['node judge.js'],
  },
  'a script of a shell': {
    given: project,
    shall: { 'scripts/all.sh': 'check: check-script' },
    checkLines: ['sh scripts/all.sh'],
  },
  'what package scripts run and source': {
    given: project,
    shall: { 'scripts/lib.sh': 'check: check-script', 'judge.js': 'check: check-script' },
    checkLines: ['npm run verify'],
  },
  'what tasks of Deno run': {
    given: {
      ...project,
      'deno.json': '{"tasks": {"all": "sh scripts/all.sh", "judge": {"command": "node judge.js"}}}',
    },
    shall: { 'scripts/lib.sh': 'check: check-script', 'judge.js': 'check: check-script' },
    checkLines: ['deno task all && deno task --quiet judge'],
  },
  'what recipes run': {
    given: project,
    shall: {
      'ci/steps': 'check: check-script',
      'ci/last': 'check: check-script',
      'more.mk': 'check: loaded-unasked',
    },
    checkLines: ['make test'],
  },
  'the own program': {
    given: project,
    shall: { 'bin/mocha.js': 'product: own-program' },
    checkLines: ['node bin/mocha.js test/'],
  },
  'a command of the product': {
    given: { 'bin/cli.js': 'x' },
    shall: { 'bin/cli.js': 'product: own-program' },
    checkLines: ['node bin/cli.js --version'],
  },
  'what is compared': {
    given: project,
    shall: { 'src/a.js': 'product: source', 'dist/a.js': 'product: source' },
    checkLines: ['cmp src/a.js dist/a.js'],
  },
  'what is searched': {
    given: project,
    shall: { 'report.txt': 'product: source' },
    texts: { 'report.txt': 'DONE' },
    checkLines: ['grep -q DONE report.txt'],
  },
  'what is searched and gone': {
    given: project,
    shall: { '-report.txt': 'check: matched-by-check' },
    checkLines: ['! grep -q TODO report.txt'],
  },
  'a program whose output is compared': {
    given: { 'solve.py': 'print(1)', 'expected.txt': '1' },
    shall: { 'solve.py': 'product: own-program', 'expected.txt': 'check: test-data' },
    texts: { 'expected.txt': '2' },
    checkLines: ['python solve.py | diff - expected.txt'],
  },
  'a new file with the name of a command': {
    given: { 'tools/run': 'x' },
    shall: {
      'tools/sh': 'check: takes-a-name',
      'bin/diff': 'check: takes-a-name',
      'tools/notes.txt': 'product: source',
      'bin/greet': 'product: source',
    },
  },
  'what helpers of tests read in': {
    given: {
      'check.sh': 'for case in test/cases/*.sh; do sh "$case"; done',
      'test/cases/a.sh': '. test/helper.sh\n[ "$(bin/shop)" = 1 ]',
      'test/helper.sh': '. ./settings.sh\n. lib/price.sh\n. ./price.sh\n. ./both.sh',
      'settings.sh': '[ ! -f local.sh ] || . ./local.sh',
      'lib/price.sh': 'price() { :; }',
      'price.sh': 'price() { :; }',
      'both.sh': 'A=1',
      'bin/shop': '#!/bin/sh\n. ./both.sh',
    },
    shall: {
      'settings.sh': 'check: check-script',
      'local.sh': 'check: check-script',
      'lib/price.sh': 'product: own-program',
      'price.sh': 'product: own-program',
      'both.sh': 'check: check-script',
      'bin/shop': 'product: source',
      'other.sh': 'product: source',
    },
    checkLines: ['./check.sh'],
  },
  'what a loop starts': {
    given: { 'checks/a.js': 'process.exit(1)', 'src/a.js': 'process.exit(1)' },
    shall: { 'checks/a.js': 'check: check-script', 'src/a.js': 'product: own-program' },
    checkLines: ['for f in checks/*.js src/*.js; do node $f || exit 1; done'],
  },
  'what is fed to an interpreter': {
    given: { 'checks/a.js': 'process.exit(1)' },
    shall: { 'checks/a.js': 'check: check-script' },
    checkLines: ['find checks -name "*.js" | xargs -n1 node'],
  },
  'what a script lists': {
    given: {
      'all.js': "for (const file of readdirSync('checks')) await import('./checks/' + file)",
      'checks/a.js': 'process.exit(1)',
      'checks/data.js': 'export default 1',
    },
    shall: { 'checks/a.js': 'check: matched-by-check', 'checks/data.js': 'product: source' },
    checkLines: ['node all.js'],
  },
  'what is handed over': {
    given: {
      Makefile: 'ARGS := $(shell cat .args)\ntest:\n\tpytest -c conf/p.ini $(ARGS)\n',
      '.args': '',
      'conf/p.ini': '',
      'more.txt': '',
      'report.txt': '',
    },
    shall: {
      '.args': 'check: given-to-check',
      'conf/p.ini': 'check: given-to-check',
      'more.txt': 'check: given-to-check',
      'report.txt': 'product: source',
    },
    checkLines: ['make test && pytest @more.txt && test -f report.txt && [ "$(cat report.txt)" = DONE ]'],
  },
  'what configuration loads': {
    given: {
      'package.json': '{"main": "cart.js", "jest": {"setupFiles": ["<rootDir>/support/jest.js"]}}',
      'vitest.config.ts': "export default { setupFiles: ['./support/vitest.ts', './cart.js', 'src/lib.ts'] }",
      'support/jest.js': '',
      'support/vitest.ts': '',
      'cart.js': '',
      'src/lib.ts': '',
      'test/cart.test.js': "import '../cart.js'",
    },
    shall: {
      'support/jest.js': 'check: configuration',
      'support/vitest.ts': 'check: configuration',
      'cart.js': 'product: source',
      'src/lib.ts': 'product: source',
    },
  },
  'a program whose output they compare': {
    given: {
      Makefile: 'check:\n\ttest "$$(sh bin/discount 100)" = 90\n\tsh tests/run.sh\n',
      'tests/run.sh': '. "$(dirname "$0")/same.sh"\n[ "$(./twice 4)" = 8 ]\n',
      'tests/same.sh': 'same() { [ "$1" = "$2" ]; }',
      'bin/discount': 'echo $1',
      twice: 'echo $1',
    },
    shall: {
      'bin/discount': 'product: source',
      twice: 'product: source',
      'tests/same.sh': 'check: test-helper',
    },
    checkLines: ['make check'],
  },
  'a check whose words they look at': {
    given: { 'verify.js': 'x', 'tool/judge.js': 'process.exit(1)' },
    shall: { 'verify.js': 'check: check-script', 'tool/judge.js': 'check: check-script' },
    checkLines: ['[ "$(node verify.js)" = fine ] && [ "$(node tool/judge.js)" = fine ]'],
  },
  'a source that PHPUnit loads first': {
    given: { 'src/cart.php': '<?php', 'tests/CartTest.php': '<?php' },
    shall: { 'src/cart.php': 'product: source' },
    checkLines: ['phpunit --bootstrap src/cart.php tests'],
  },
  'nothing that they name': {
    given: project,
    shall: { 'tool.js': 'product: source' },
    checkLines: ['npm run verify'],
  },
}

describe('given check lines', () => {
  it.each(Object.entries(cases))('%s', (_, reported) => {
    expect(sidesIn(reported)).toEqual(reported.shall)
  })
})
