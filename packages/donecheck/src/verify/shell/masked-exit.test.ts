import { describe, expect, it } from 'vitest'
import { maskedExit, maskedScript } from './masked-exit.ts'

describe('given a line whose exit code hides a failure', () => {
  it.each([
    'npm test || true',
    'npm test||:',
    'npm test || exit 0',
    'npm test || echo ok',
    'npm test || { echo failed; }',
    'npm test; echo ok',
    'npm test; true',
    'npm test; exit 0',
    'npm test\necho ok',
    '(npm test; exit 0)',
    '(npm test) || true',
    '{ npm test; }; true',
    'npm test && echo good || echo bad',
    'npm test && true || true',
    'npm test || npm test',
    'npm test; npm run lint',
    'npm test > log; cat log',
    'npm test <<X || true\nb\nX',
    'npm test \\\n || true',
    'X=1 npm test || true',
    'command npm test || true',
    'npm test || exit $((0))',
    'npm test || code=$?',
    'npm test; code=$?; echo $code',
  ])('recognises what follows it: %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/hides a failure of "/)
  })

  it.each([
    'npm test | tail',
    'npm test | tee log',
    'npm test 2>&1 | grep -q passed',
    'npm test |& cat',
    'set -e; npm test | tail',
    'set +o pipefail; npm test | tail',
    'git diff --exit-code | cat',
    'cat <(npm test)',
  ])('recognises a pipe: %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/lost in/)
  })

  it.each([
    'npm test &',
    'nohup npm test &',
    'npm test & wait',
    'npm test & echo started',
    'npm test & npm run lint',
  ])('recognises what is not waited for: %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/not waited for/)
  })

  it.each(['! npm test', '! (npm test)', '! npm test && npm run lint', 'set -e; ! npm test; npm run lint'])(
    'recognises a negation: %s',
    (line) => {
      expect(maskedExit(line)?.reason).toMatch(/npm test.*"!"/)
    },
  )

  it.each([
    'if npm test; then :; fi',
    'set -e; if npm test; then echo ok; fi',
    'if [ -f x ]; then npm test; fi',
    '[ -f skip ] || npm test',
    'case "$X" in a) npm test;; esac',
    'while npm test; do :; done',
    'until npm test; do sleep 1; done',
    'for f in a b; do node $f; done',
  ])('recognises a branch or a loop: %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/branch|loop|condition/)
  })

  it.each([
    'bash -c "npm test || true"',
    "sh -c 'npm test; true'",
    "env X=1 sh -c 'npm test || true'",
    "timeout 5 sh -c 'npm test | cat'",
    'timeout 10 npm test || true',
    'eval "npm test || true"',
    'f() { npm test || true; }; f',
    "xargs -n1 sh -c 'node $0 || true' < files",
    'set -e; f() { npm test; echo done; }; f || exit 1',
  ])('recognises it in another shell or a function: %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/hides a failure of "/)
  })

  it.each([
    'set +e; npm test; echo done',
    'set -e; npm test && npm run lint; echo done',
    'set -e; (npm test; npm run lint) || exit 1',
    'export X=$(npm test)',
    'echo $(npm test)',
    '$(npm test); echo',
  ])('knows where `set -e` and substitutions are deaf: %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/hides a failure of "/)
  })

  it.each([
    ["trap 'exit 0' EXIT; npm test", /"trap 'exit 0' EXIT" ends it with success/],
    ["trap 'echo x; exit 0' INT EXIT; npm test", /ends it with success/],
    ['npm() { :; }; npm test', /function that cannot fail/],
    ['exit 0; npm test', /never reached/],
    ['true || npm test', /never reached/],
    ['echo fine || npm test', /never reached/],
  ])('recognises a trap, a function, an early end: %s', (line, reason) => {
    expect(maskedExit(line)?.reason).toMatch(reason)
  })

  it.each([
    'npm test --if-present',
    'vitest run --passWithNoTests',
    'npx vitest run --pass-with-no-tests',
    'npm test -- --passWithNoTests',
    'ruff check --exit-zero',
    'pytest --collect-only',
    'python3 -m pytest --co -q',
    'make -i test',
    'make -n test',
    'MAKEFLAGS=-i make test',
    'env npm_config_if_present=true npm test',
    'mvn test -Dmaven.test.failure.ignore=true',
    'tsc --noEmit --noCheck',
    'mocha --dry-run',
    "find . -name '*.test.js' -exec node {} \\;",
  ])('recognises an option under which failures do not show: %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/hidden by|not heard/)
  })

  it.each(['test -f out.txt || true', 'touch x || true', 'grep -q ok log || :', '[ -s report ]; true'])(
    'minds a small check where there is no other: %s',
    (line) => {
      expect(maskedExit(line)).toBeDefined()
    },
  )
})

describe('given an honest way to write several checks', () => {
  it.each([
    'rc=0; npm test || rc=1; npm run lint || rc=1; exit $rc',
    'rc=0\nnpm test || rc=1\nnpm run lint || rc=2\nexit "$rc"',
    'failed=0; cd app && npm test || failed=1; npx tsc || failed=1; exit ${failed}',
    'node server.js & pid=$!; npm test; rc=$?; kill $pid; exit $rc',
    './serve & pid="$!"; sleep 1; npm test; code=$?; kill -9 "$pid" 2>/dev/null; exit $code',
    'node server.js & pid=$!; rc=0; npm test || rc=1; npm run e2e || rc=1; kill $pid; exit $rc',
  ])('lets a failure through: %s', (line) => {
    expect(maskedExit(line)).toBeUndefined()
  })

  it.each([
    'rc=0; npm test || rc=0; exit $rc',
    'rc=0; npm test || rc=1; rc=0; exit $rc',
    'rc=0; npm test || rc=1; npm run lint || rc=1; exit 0',
    'rc=0; npm test || rc=1; npm run lint || other=1; exit $rc',
    'rc=0; npm test || rc=1; npm run lint; exit $rc',
    'rc=0; npm test || rc=256; exit $rc',
    'rc=0; npm test || rc=1; export rc=0 || rc=1; exit $rc',
    'rc=0; npm test || rc=1; exit 0 || rc=1; exit $rc',
    'rc=0; npm test || rc=1 & exit $rc',
    'rc=0; npm test | tail || rc=1; exit $rc',
    'rc=0; npm test || true || rc=1; exit $rc',
    'rc=0; vitest run --passWithNoTests || rc=1; exit $rc',
    'rc=0; npm test || rc=1; echo done',
    'rc=0; npm test || rc=1; echo $(npm run lint); exit $rc',
    'npm test & pid=$!; sleep 9; kill $pid',
    'npm test & pid=$!; npm run lint; rc=$?; kill $pid; exit $rc',
    './suite & pid=$!; sleep 9; kill $pid; exit 0',
    'node server.js & pid=$!; npm test; kill $pid',
    'node server.js & npm test; rc=$?; exit 0',
    'node suite.js & pid=$!; npm test; rc=$?; exit $rc',
  ])('still refuses %s', (line) => {
    expect(maskedExit(line)).toBeDefined()
  })
})

describe('given a line that cannot be read', () => {
  it.each([
    "npm test 'x",
    'npm test |',
    'if npm test; then',
    '( npm test',
    'npm test )',
    'eval "$CHECK"',
    'bash -c "$CHECK"',
  ])('refuses %s', (line) => {
    expect(maskedExit(line)?.reason).toMatch(/cannot be trusted/)
  })

  it('refuses a function that calls itself, and nesting without end', () => {
    expect(maskedExit('f() { f; npm test; }; f')?.reason).toMatch(/cannot be trusted/)
    const nested = `${'( '.repeat(200)}npm test${' )'.repeat(200)}`
    expect(maskedExit(nested)?.reason).toMatch(/cannot be trusted/)
  })
})

describe('given a line whose exit code tells', () => {
  it.each([
    'npm test',
    'npm test && npm run lint',
    'npm test || exit 1',
    'npm test || exit',
    'npm test || exit $?',
    'npm test || { echo failed; exit 1; }',
    'npm test || (echo failed; exit 1)',
    'npm test > log 2>&1 || { cat log; exit 1; }',
    'if ! npm test; then echo bad; exit 1; fi',
    'if npm test; then echo ok; else echo bad; exit 1; fi',
    'if [ -f x ]; then npm test; else exit 1; fi',
    'npm test; exit $?',
    'npm test; exit',
    'npm test; code=$?; echo done; exit $code',
    'npm test; code=$?; cat log; [ $code -eq 0 ]',
    'npm test; if [ $? -ne 0 ]; then exit 1; fi',
    'npm test; [ $? -eq 0 ] || exit 1',
    'set -e; npm test || code=$?; exit $code',
    "bash -c 'npm test | tee log; exit ${PIPESTATUS[0]}'",
  ])('lets a failure through: %s', (line) => {
    expect(maskedExit(line)).toBeUndefined()
  })

  it.each([
    'cd x; npm test',
    'export A=1; npm test',
    'A=1; npm test',
    'set -e; npm test; npm run lint',
    'set -e; f() { npm test; npm run lint; }; f; echo ok',
    'set -e; for d in a b; do npm test; done',
    'for d in a b; do (cd $d && npm test) || exit 1; done',
    'set -o pipefail; npm test | tee log',
    "bash -o pipefail -c 'npm test | tail'",
    "bash -eo pipefail -c 'npm ci; npm test | tail; echo done'",
    'set -euo pipefail; npm ci; npm test | tee log; echo done',
    '[ -d node_modules ] || npm ci; npm test',
    'npm ci; npm test',
    'until curl -s localhost; do sleep 1; done; npm test',
    "trap 'rm -rf tmp' EXIT; npm test",
  ])('takes preparation as it is: %s', (line) => {
    expect(maskedExit(line)).toBeUndefined()
  })

  it.each([
    'npm test # || true',
    'npm test "a || true"',
    'npm test <<X\nb || true\nX',
    "printf '%s' 'npm test || true' > x && npm test",
    'git diff --name-only | xargs prettier --check',
    'cat x | node check.js',
    '! grep -r TODO src',
    'test "$(node add.js 2 3)" = 5',
    `test "$(cat log.txt)" = "$(printf 'a\\nb')"`,
    'npx mocha --exit',
    'make -j4 -C sub test',
    'echo fine',
    'echo broken >&2; exit 1',
    'touch started; sleep 1000',
    'sleep 1000 & echo started',
    'yes 0123 | head -c 100',
    'exit 3',
  ])('is not misled by %s', (line) => {
    expect(maskedExit(line)).toBeUndefined()
  })
})

describe('given a script', () => {
  it('minds a certain check that a later step forgets', () => {
    expect(maskedScript('#!/bin/sh\nnpm test\nnode report.js\n')?.reason).toMatch(/"npm test".*forgotten/)
    expect(maskedScript('npm test || true\nnpm run lint\n')?.reason).toMatch(/"npm test"/)
  })

  it('does not mind a step that is no certain check, where a check comes after it', () => {
    expect(maskedScript('./start-database.sh\nnpm test\n')).toBeUndefined()
  })

  it('knows what it is started with', () => {
    expect(maskedScript('npm test\nnpm run lint\n', { errexit: true })).toBeUndefined()
    expect(maskedScript('npm test | tail\n', { pipefail: true })).toBeUndefined()
  })
})
