import { describe, expect, it } from 'vitest'
import { exitCodeOf } from './exit-code.ts'

/** No script of a project stands there. */
const nowhere = '/nonexistent'
const kindOf = (line: string) => exitCodeOf(line, nowhere).kind

describe('given a line that ends with success on every way', () => {
  it.each([
    'true',
    ':',
    'exit 0',
    'echo fine',
    'true && echo fine',
    'npm test || true',
    'npm test||:',
    'npm test || command true',
    'npm test || env true',
    'npm test || env nice true',
    'npm test || exit 0',
    'npm test || echo ok',
    'npm test || { echo failed; }',
    'npm test; echo ok',
    'npm test; exit 0',
    'npm test\necho ok',
    '(npm test; exit 0)',
    '(npm test) || true',
    '{ npm test; }; true',
    'npm test && echo good || echo bad',
    'npm test <<X || true\nb\nX',
    'npm test \\\n || true',
    'X=1 npm test || true',
    'npm test || exit $((0))',
    'npm test || code=$?',
    'npm test; code=$?; echo $code',
    'npm test &',
    'npm test & wait',
    'npm test & echo started',
    'if npm test; then :; fi',
    'set -e; if npm test; then echo ok; fi',
    'while npm test; do :; done',
    'bash -c "npm test || true"',
    "env X=1 sh -c 'npm test || true'",
    'eval "npm test || true"',
    'f() { npm test || true; }; f',
    'export X=$(npm test)',
    'echo $(npm test)',
    "trap 'exit 0' EXIT; npm test",
    'npm() { :; }; npm test',
    'exit 0; npm test',
    'true || npm test',
    'set +e; npm test; echo done',
    'rc=0; npm test || rc=1; exit 0',
    'rc=0; npm test || rc=0; exit $rc',
    'rc=0; npm test || rc=1; rc=0; exit $rc',
    'rc=0; npm test || rc=256; exit $rc',
    'test -f out.txt || true',
  ])('is certain of it: %s', (line) => {
    expect(kindOf(line)).toBe('certain')
  })

  it('names the check whose failure makes no difference', () => {
    expect(exitCodeOf('cd app; npm test || true', nowhere)).toEqual({
      kind: 'certain',
      reason: 'it ends with success whatever becomes of "npm test"',
    })
  })
})

describe('given a line of which no check decides the end', () => {
  it.each([
    'npm test | tail',
    'npm test | tee log',
    'npm test > log; cat log',
    'npm test |& cat',
    'set +o pipefail; npm test | tail',
    'git diff --exit-code | cat',
    './check.sh | tee log',
    'npm test & npm install',
    'for f in a b; do node $f; done',
    "timeout 5 sh -c 'npm test; true'",
    'npm test && npm run lint; ls',
    '! npm test',
    'npm test || [ 1 ]',
    'npm test || ${X:-true}',
    'npm test || timeout 5 true',
    'npm test || env timeout 5 true',
    'ruff check --exit-zero',
    'pytest --collect-only',
    'make -i test',
    'make -n test',
    'MAKEFLAGS=-i make test',
    'mvn test -Dmaven.test.failure.ignore=true',
    'mocha --dry-run',
    "find . -name '*.test.js' -exec node {} \\;",
    "xargs -n1 sh -c 'node $0 || true' < files",
  ])('suspects %s', (line) => {
    expect(kindOf(line)).toBe('suspicious')
  })
})

describe('given a line whose check decides the end', () => {
  it.each([
    'npm test',
    'npm test && npm run lint',
    'npm run lint; npm test',
    'npm test || exit 1',
    'npm test || exit $?',
    'npm test || { echo failed; exit 1; }',
    'npm test > log 2>&1 || { cat log; exit 1; }',
    'if ! npm test; then echo bad; exit 1; fi',
    'if npm test; then echo ok; else echo bad; exit 1; fi',
    'if [ -f x ]; then npm test; fi',
    '[ -f skip ] || npm test',
    'case "$X" in a) npm test;; esac',
    'npm test; exit',
    'npm test; code=$?; echo done; exit $code',
    'npm test; code=$?; cat log; [ $code -eq 0 ]',
    'npm test; if [ $? -ne 0 ]; then exit 1; fi',
    'set -e; npm test || code=$?; exit $code',
    "bash -c 'npm test | tee log; exit ${PIPESTATUS[0]}'",
    'set -e; npm test; npm run lint; echo ok',
    'for d in a b; do (cd $d && npm test) || exit 1; done',
    'set -o pipefail; npm test | tee log',
    "bash -eo pipefail -c 'npm ci; npm test | tail; echo done'",
    'until curl -s localhost; do sleep 1; done; npm test',
    "trap 'rm -rf tmp' EXIT; npm test",
    'npm test || npm test',
    'rc=0; npm test || rc=1; npm run lint || rc=1; exit $rc',
    'failed=0; for d in a b; do (cd $d && npm test) || failed=$((failed+1)); done; exit $failed',
    '((n=0)); for f in *; do pytest $f || ((n++)); done; [ $n -eq 0 ]',
    'node server.js & pid=$!; npm test; rc=$?; kill $pid; exit $rc',
    'npm test & pid=$!; wait $pid',
    'vitest run --passWithNoTests',
    'npm test --if-present',
    'vitest run --reporter="a || true"',
  ])('is content with %s', (line) => {
    expect(kindOf(line)).toBe('sound')
  })

  it.each([
    'npm test 2>&1 | grep -q passed',
    'mycli | grep -q expected',
    'tape test.js | tap-spec',
    'git diff --name-only | xargs prettier --check',
    'cat x | node check.js',
    '! grep -r TODO src',
    'test -z "$(git diff --stat)"',
    '[ $(wc -l < f) -eq 3 ]',
    `npm test | awk '/fail/ { bad = 1 } END { exit bad }'`,
  ])('lets whoever is given the output decide: %s', (line) => {
    expect(kindOf(line)).toBe('sound')
  })

  it.each([
    'echo ok > report.txt',
    'timeout 5 true',
    'set -u; echo $X',
    'echo ${X:?}',
    '. ./env.sh; true',
    "trap 'exit 1' ERR; npm test; true",
    '$CHECK',
    'for x in 1; do npm test && break; done; [ -f done ]',
  ])('is not certain where something else can fail: %s', (line) => {
    expect(kindOf(line)).not.toBe('certain')
  })
})

describe('given a line that cannot be followed', () => {
  it.each([
    "npm test 'x",
    'npm test |',
    'if npm test; then',
    'alias true=false; npm test || true',
    `${'( '.repeat(300)}npm test${' )'.repeat(300)}`,
    'true; '.repeat(30_000),
  ])('says so, and no more', (line) => {
    expect(kindOf(line)).toBe('unreadable')
  })

  it.each(['eval "$CHECK"', 'bash -c "$CHECK"', 'f() { f; npm test; }; f'])(
    'takes every end for possible: %s',
    (line) => {
      expect(['sound', 'suspicious', 'unreadable']).toContain(kindOf(line))
    },
  )
})
