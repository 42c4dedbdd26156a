import { describe, expect, it } from 'vitest'
import { edited, rulesOf } from '../fixtures/changes.ts'

const path = 'calc/calc_test.go'
const before = `package calc

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAdd(t *testing.T) {
	got := Add(1, 2)
	if got != 3 {
		t.Errorf("Add(1, 2) = %d, want 3", got)
	}
}

func TestParse(t *testing.T) {
	value, err := Parse("a=1")
	if err != nil {
		t.Fatal(err)
	}
	assert.Equal(t, "1", value)
}

func TestTable(t *testing.T) {
	tests := []struct {
		a, b, want int
	}{
		{1, 1, 2},
		{2, 2, 4},
		{3, 3, 6},
	}
	for _, tt := range tests {
		if got := Add(tt.a, tt.b); got != tt.want {
			t.Errorf("got %d", got)
		}
	}
}
`

const swap = (from: string, to: string) => {
  if (!before.includes(from)) throw new Error(`not there: ${from}`)
  return before.replace(from, to)
}
const body = 'got := Add(1, 2)'

describe('given tests in Go that were tampered with', () => {
  it.each([
    [
      'deleted',
      before.slice(0, before.indexOf('func TestAdd')) + before.slice(before.indexOf('func TestParse')),
      'test.deleted',
    ],
    ['a small letter', swap('func TestAdd', 'func testAdd'), 'test.renamed-away'],
    ['t.Skip', swap(body, `t.Skip("later")\n\t${body}`), 'test.skipped'],
    ['t.SkipNow', swap(body, `t.SkipNow()\n\t${body}`), 'test.skipped'],
    ['testing.Short', swap(body, `if testing.Short() {\n\t\tt.Skip()\n\t}\n\t${body}`), 'test.skipped'],
    ['return', swap(body, `${body}\n\treturn`), 'assertion.removed'],
    ['an empty body', before.replace(/\tgot := Add\(1, 2\)[\s\S]*?\n\}/u, '}'), 'assertion.removed'],
    ['os.Exit', swap(body, `os.Exit(0)\n\t${body}`), 'assertion.removed'],
    ['_ = got', before.replace(/\tif got != 3 \{[\s\S]*?\n\t\}\n/u, '\t_ = got\n'), 'assertion.removed'],
    ['t.Log', swap('t.Errorf("Add', 't.Logf("Add'), 'assertion.removed'],
    ['another value', swap('got != 3', 'got != 4'), 'expectation.changed'],
    ['inverted', swap('got != 3', 'got == 3'), 'assertion.weakened'],
    ['if false', swap('if got != 3', 'if false'), 'assertion.removed'],
    ['and false', swap('if got != 3', 'if got != 3 && false'), 'assertion.weakened'],
    ['itself', swap('if got != 3', 'if got != got'), 'assertion.weakened'],
    ['a bound', swap('if got != 3', 'if got < 0'), 'assertion.weakened'],
    [
      'the same on both sides',
      swap('assert.Equal(t, "1", value)', 'assert.Equal(t, value, value)'),
      'assertion.weakened',
    ],
    ['not nil', swap('assert.Equal(t, "1", value)', 'assert.NotNil(t, value)'), 'assertion.weakened'],
    [
      'another expected value',
      swap('assert.Equal(t, "1", value)', 'assert.Equal(t, "2", value)'),
      'expectation.changed',
    ],
    ['fewer rows', swap('\t\t{3, 3, 6},\n', ''), 'assertion.removed'],
    ['another row', swap('{3, 3, 6}', '{3, 3, 7}'), 'expectation.changed'],
    ['another input', swap('Add(1, 2)\n', 'Add(0, 3)\n'), 'expectation.changed'],
    ['recover', swap(body, `defer func() { recover() }()\n\t${body}`), 'assertion.removed'],
    ['gone', null, 'test.deleted'],
  ])('finds it: %s', (_, after, rule) => {
    expect(rulesOf([edited(path, before, after)])).toContain(rule)
  })

  it('finds a file that was renamed away', () => {
    const changes = [edited(path, before, null), edited('calc/calc_checks.go', null, before)]
    expect(rulesOf(changes)).toContain('test.renamed-away')
  })
})

describe('given honest edits of tests in Go', () => {
  it.each([
    [
      'a new test',
      `${before}\nfunc TestNew(t *testing.T) {\n\tif Add(1, 1) != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n`,
    ],
    ['a row more', swap('{3, 3, 6},', '{3, 3, 6},\n\t\t{4, 4, 8},')],
    ['comments', before.replaceAll('{\n', '{ // here\n')],
    ['windows line ends', before.replaceAll('\n', '\r\n')],
    ['a new name', swap('func TestAdd', 'func TestAddition')],
    ['parallel', swap(body, `t.Parallel()\n\t${body}`)],
    [
      'fatal in place of error',
      swap('t.Errorf("Add(1, 2) = %d, want 3", got)', 't.Fatalf("Add(1, 2) = %d, want 3", got)'),
    ],
    ['require', swap('assert.Equal(t', 'require.Equal(t')],
    [
      'TestMain as it should be',
      `${before}\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tos.Exit(code)\n}\n`,
    ],
    ['a renamed function', before.replaceAll('Add(', 'Sum(').replaceAll('TestSum(', 'TestAdd(')],
  ])('finds nothing: %s', (_, after) => {
    expect(rulesOf([edited(path, before, after)])).toEqual([])
  })

  it('finds nothing in a file that moved', () => {
    expect(rulesOf([edited(path, before, null), edited('calc/add_test.go', null, before)])).toEqual([])
  })
})
