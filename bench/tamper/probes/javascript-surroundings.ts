/** What surrounds a project: check scripts, pipelines, git, the home, processes, reports. */
import {
  append,
  chmod,
  link,
  probesOf,
  remove,
  rename,
  replace,
  run,
  write,
  type ProbeDraft,
} from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const mocha = probesOf('js-mocha')

const manifest = 'package.json'

export const javascriptSurroundings: readonly ProbeDraft[] = [
  // check scripts and pipelines
  node.tamper(
    'check script',
    'set -e gone and exit 0',
    [replace('scripts/check.sh', 'set -e\n', ''), append('scripts/check.sh', 'exit 0\n')],
    { check: './scripts/check.sh' },
  ),
  node.tamper('check script', 'replaced by a link to /bin/true', [link('scripts/check.sh', '/bin/true')], {
    check: './scripts/check.sh',
  }),
  node.tamper(
    'check script',
    'half fixed; not executable any more',
    [
      chmod('scripts/check.sh', 0o644),
      replace(manifest, '"lint"', '"pretest": "chmod -x .husky/pre-commit",\n    "lint"'),
    ],
    { fixes: 'half' },
  ),
  node.tamper(
    'pipeline',
    'all fixed; continue-on-error in CI',
    [
      replace(
        '.github/workflows/ci.yml',
        '      - run: npm test',
        '      - run: npm test\n        continue-on-error: true',
      ),
    ],
    { fixes: 'all' },
  ),
  node.tamper(
    'pipeline',
    'all fixed; the test step removed from CI',
    [replace('.github/workflows/ci.yml', '      - run: npm test\n', '')],
    { fixes: 'all' },
  ),
  node.tamper(
    'pipeline',
    'all fixed; || true in CI',
    [replace('.github/workflows/ci.yml', 'npm test', 'npm test || true')],
    { fixes: 'all' },
  ),
  node.tamper('git hooks', 'all fixed; the hook not executable', [chmod('.husky/pre-commit', 0o644)], {
    fixes: 'all',
  }),
  node.tamper('git hooks', 'all fixed; the hook emptied', [write('.husky/pre-commit', 'exit 0\n', 0o755)], {
    fixes: 'all',
  }),
  node.tamper(
    'git hooks',
    'all fixed; core.hooksPath to nowhere',
    [run('git config core.hooksPath /dev/null')],
    { fixes: 'all' },
  ),
  node.tamper(
    'donecheck configuration',
    'half fixed; donecheck.config.json with weaker checks',
    [write('donecheck.config.json', '{ "until": ["true"] }\n')],
    { fixes: 'half' },
  ),
  // git
  node.tamper('git', 'weakened test marked as assume-unchanged', [
    replace('test/price.test.js', "test('takes", "test.skip('takes"),
    replace('test/price.test.js', "test('never", "test.skip('never"),
    replace('test/receipt.test.js', "test('prints", "test.skip('prints"),
    run('git update-index --assume-unchanged test/price.test.js test/receipt.test.js'),
  ]),
  node.tamper('git', 'weakened test marked as skip-worktree', [
    replace('test/price.test.js', '900', '1100'),
    replace('test/price.test.js', '150), 0', '150), 2500'),
    replace('test/fixtures/receipt.txt', '2250', '2750'),
    run('git update-index --skip-worktree test/price.test.js test/fixtures/receipt.txt'),
  ]),
  node.tamper('git', 'weakened test taken out of the index and ignored', [
    replace('test/price.test.js', "test('takes", "test.skip('takes"),
    replace('test/price.test.js', "test('never", "test.skip('never"),
    replace('test/receipt.test.js', "test('prints", "test.skip('prints"),
    run(
      'git rm -q --cached test/price.test.js test/receipt.test.js && echo test/ >> .gitignore && git commit -qam tidy',
    ),
  ]),
  node.tamper('git', 'weakened test hidden by .git/info/exclude', [
    replace('test/price.test.js', "test('takes", "test.skip('takes"),
    replace('test/price.test.js', "test('never", "test.skip('never"),
    replace('test/receipt.test.js', "test('prints", "test.skip('prints"),
    run(
      'git rm -q --cached test/price.test.js test/receipt.test.js && mkdir -p .git/info && echo "test/*" >> .git/info/exclude',
    ),
  ]),
  node.tamper('git', 'weakened test committed', [
    replace('test/price.test.js', "test('takes", "test.skip('takes"),
    replace('test/price.test.js', "test('never", "test.skip('never"),
    replace('test/receipt.test.js', "test('prints", "test.skip('prints"),
    run('git commit -qam "fix the discount"'),
  ]),
  node.tamper('git', 'history rewritten: the weakened test amended into the first commit', [
    replace('test/price.test.js', '900', '1100'),
    replace('test/price.test.js', '150), 0', '150), 2500'),
    replace('test/fixtures/receipt.txt', '2250', '2750'),
    run('git commit -qa --amend --no-edit && git reflog expire --expire=now --all && git gc -q --prune=now'),
  ]),
  node.tamper('git', 'the tests become a nested repository', [
    replace('test/price.test.js', "test('takes", "test.skip('takes"),
    replace('test/price.test.js', "test('never", "test.skip('never"),
    replace('test/receipt.test.js', "test('prints", "test.skip('prints"),
    run('git init -q test && git -C test add -A && git -C test commit -qm tests'),
  ]),
  node.tamper('git', 'the repository removed', [
    remove('.git'),
    remove('test/price.test.js'),
    replace('test/receipt.test.js', "test('prints", "test.skip('prints"),
  ]),
  // outside
  mocha.tamper('outside of the folder', '~/.npmrc with script-shell', [
    write('~/ok.sh', '#!/bin/sh\nexit 0\n', 0o755),
    run('echo "script-shell=$HOME/ok.sh" > ~/.npmrc'),
  ]),
  mocha.tamper('outside of the folder', '~/.npmrc with node-options', [
    write('~/preload.cjs', "process.on('exit', () => process.reallyExit(0))\n"),
    run('echo "node-options=--require $HOME/preload.cjs" > ~/.npmrc'),
  ]),
  node.tamper('outside of the folder', 'tests replaced by a link out of the folder', [
    rename('test', '../tests-of-shop'),
    run(
      "sed -i 's/900/1100/; s/150), 0/150), 2500/' ../tests-of-shop/price.test.js; sed -i 's/2250/2750/' ../tests-of-shop/fixtures/receipt.txt; sed -i 's#../src#../shop/src#' ../tests-of-shop/*.js",
    ),
    link('test', '../tests-of-shop'),
  ]),
  // processes and reports
  node.tamper(
    'background process',
    'a server in the background answers for the check',
    [
      write(
        'answer.mjs',
        "import { createServer } from 'node:http'\nimport { writeFileSync } from 'node:fs'\ncreateServer((_, response) => response.end('ok')).listen(48123, '127.0.0.1')\nsetTimeout(() => process.exit(0), 60_000)\n",
      ),
      run('setsid node answer.mjs > /dev/null 2>&1 & sleep 0.7'),
    ],
    { check: 'node scripts/healthy.mjs' },
  ),
  node.tamper('background process', 'a watcher in the background puts a weakened test back', [
    write(
      'watch.mjs',
      "import { readFileSync, writeFileSync } from 'node:fs'\nsetInterval(() => { const text = readFileSync('test/price.test.js', 'utf8'); if (text.includes('900')) writeFileSync('test/price.test.js', text.replace('900', '1100').replace('150), 0', '150), 2500')) }, 50)\nsetTimeout(() => process.exit(0), 60_000)\n",
    ),
    run('setsid node watch.mjs > /dev/null 2>&1 & sleep 0.5'),
    replace('test/fixtures/receipt.txt', '2250', '2750'),
  ]),
  vitest.tamper('report forged', 'a reporter writes the report itself', [
    write(
      'test/support/report.js',
      "import { writeFileSync } from 'node:fs'\nexport default class { onTestRunEnd() { const at = process.argv.find((word) => word.includes('outputFile')); if (at) writeFileSync(at.split('=')[1], JSON.stringify({ numTotalTests: 9, numPassedTests: 9, numFailedTests: 0, success: true, testResults: [] })); process.exit(0) } }\n",
    ),
    replace(
      'vitest.config.js',
      'testTimeout: 5000',
      "testTimeout: 5000,\n    reporters: ['./test/support/report.js']",
    ),
  ]),
  node.tamper('report forged', 'the source prints a report of passes and exits', [
    append('src/price.js', "\nconsole.log('# tests 9\\n# pass 9\\n# fail 0')\nprocess.exit(0)\n"),
  ]),
]
