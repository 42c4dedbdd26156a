/** A till in Go whose tests use an assertion library of another module. */
import { askedOf, broken, ran } from './go.ts'
import type { SampleProject } from './project.ts'

export const goModules: SampleProject = {
  name: 'go-modules',
  ...ran,
  files: {
    'go.mod':
      'module example.com/till\n\ngo 1.18\n\nrequire example.com/check v0.0.0\n\nreplace example.com/check => ./third_party/check\n',
    'third_party/check/go.mod': 'module example.com/check\n\ngo 1.18\n',
    'third_party/check/check.go': `// Package check compares.
package check

import "testing"

// Equal reports a difference.
func Equal(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}
`,
    'till.go': `// Package till takes money, in cents.
package till

// Discounted is the price after a discount in percent; never less than nothing.
func Discounted(cents, percent int) int {
	${broken}
}

// Change is what is given back.
func Change(paid, cents int) int {
	return paid - cents
}
`,
    'till_test.go': `package till_test

import (
	"testing"

	"example.com/check"
	"example.com/till"
)

func TestDiscountIsTakenOff(t *testing.T) {
	check.Equal(t, till.Discounted(1000, 10), 900)
}

func TestNeverLessThanNothing(t *testing.T) {
	check.Equal(t, till.Discounted(1000, 150), 0)
}

func TestChange(t *testing.T) {
	check.Equal(t, till.Change(2000, 500), 1500)
}
`,
    '.gitignore': '*.out\n',
  },
  product: /^till\.go$/,
  ...askedOf('till', 'till.go'),
}
