import { describe, expect, it } from 'vitest'
import { asksForAbsence, isSuccessWritten } from './written-success.ts'

describe('given a line whose text makes it succeed', () => {
  it.each([
    'true',
    ':',
    'echo fine',
    'true && echo fine',
    'npm test || true',
    'npm test || echo failed >&2',
    'npm test || { echo failed; }',
    'npm test && echo good || echo bad',
    'npm test; true',
    'npm test\necho done',
    '(npm test; exit 0)',
    '(npm test) || true',
    'npm test &',
    'npm test | tee log',
    'bash -c "npm test || true"',
  ])('knows it: %s', (line) => {
    expect(isSuccessWritten(line)).toBe(true)
  })
})

describe('given a line that has to be run to know', () => {
  it.each([
    'npm test',
    'true && npm test',
    'npm test || exit 1',
    'npm test || exit',
    'npm test; exit $?',
    'set -o pipefail; npm test | tee log',
    'set -e; npm test; true',
    "bash -o pipefail -c 'npm test | tee log'",
    "bash -ec 'npm test; true'",
    'npm test | grep -q passed',
    '! npm test',
    '. ./version.sh; [ "$A" = "$B" ]',
    'test -f out.txt && true',
    'if npm test; then echo good; else exit 1; fi',
    'echo "$(date)" > missing/folder/file',
    'for f in a b; do node $f; done',
    'sh check.sh',
    'echo "',
    '',
  ])('says nothing of it: %s', (line) => {
    expect(isSuccessWritten(line)).toBe(false)
  })
})

describe('given a line that may ask for an absence', () => {
  it.each([
    ['! grep -rq TODO src', true],
    ['npm test && ! grep -rq TODO src', true],
    ['! grep -rq TODO src && npm test', false],
    ['npm test', false],
  ])('knows it: %s', (line, isAbsence) => {
    expect(asksForAbsence(line)).toBe(isAbsence)
  })
})
