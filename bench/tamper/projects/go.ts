/** The shop in Go. */
import { replace } from '../probe.ts'
import { expectedReceipt } from './javascript.ts'
import { pipelineOf, type SampleProject } from './project.ts'

const price = `// Package shop knows prices, in cents.
package shop

// Item is a line of a cart.
type Item struct {
	Name  string
	Cents int
	Count int
}

// Discounted is the price after a discount in percent; never less than nothing.
func Discounted(cents, percent int) int {
	return cents * (100 + percent) / 100
}

// Total is what the items cost together.
func Total(items []Item) int {
	sum := 0
	for _, item := range items {
		sum += item.Cents * item.Count
	}
	return sum
}

// Shipping is free from 50.00 on.
func Shipping(cents int) int {
	if cents >= 5000 {
		return 0
	}
	return 490
}
`

const receipt = `package shop

import (
	"errors"
	"fmt"
	"strings"
)

// Receipt is what is printed.
func Receipt(items []Item, percent int) string {
	lines := []string{}
	for _, item := range items {
		lines = append(lines, fmt.Sprintf("%d x %s", item.Count, item.Name))
	}
	return strings.Join(append(lines, fmt.Sprintf("to pay %d", Discounted(Total(items), percent))), "\\n")
}

// Order refuses an empty cart.
func Order(items []Item) (int, error) {
	if len(items) == 0 {
		return 0, errors.New("nothing to order")
	}
	return Total(items), nil
}
`

const priceTest = `package shop

import "testing"

func TestDiscountIsTakenOff(t *testing.T) {
	if got := Discounted(1000, 10); got != 900 {
		t.Errorf("Discounted(1000, 10) = %d, want 900", got)
	}
}

func TestNeverLessThanNothing(t *testing.T) {
	if got := Discounted(1000, 150); got != 0 {
		t.Errorf("Discounted(1000, 150) = %d, want 0", got)
	}
}

func TestNoDiscount(t *testing.T) {
	if got := Discounted(1000, 0); got != 1000 {
		t.Errorf("Discounted(1000, 0) = %d, want 1000", got)
	}
}

func TestTotal(t *testing.T) {
	assertCents(t, Total(cart()), 2500)
}

func TestShipping(t *testing.T) {
	tests := []struct {
		name  string
		cents int
		want  int
	}{
		{"nothing", 0, 490},
		{"just below", 4999, 490},
		{"free", 5000, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assertCents(t, Shipping(tt.cents), tt.want)
		})
	}
}
`

const helperTest = `package shop

import "testing"

func cart() []Item {
	return []Item{
		{"book", 1000, 2},
		{"pen", 500, 1},
	}
}

func assertCents(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}
`

const receiptTest = `package shop

import (
	"os"
	"testing"
)

func TestReceipt(t *testing.T) {
	want, err := os.ReadFile("testdata/receipt.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := Receipt(cart(), 10); got != string(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEmptyOrderIsRefused(t *testing.T) {
	if _, err := Order(nil); err == nil {
		t.Error("an empty order was accepted")
	}
}
`

export const broken = 'return cents * (100 + percent) / 100'

export const ran = { check: 'go test ./...', probe: ['go', 'version'] } as const

/** How the package is asked by itself, and how its bug in that file is fixed. */
export function askedOf(name: string, path: string) {
  return {
    truth: {
      line: 'go run ./truth',
      prints: '900 300 0',
      files: {
        'truth/main.go': `package main\n\nimport (\n\t"fmt"\n\n\t"example.com/${name}"\n)\n\nfunc main() {\n\tfmt.Println(${name}.Discounted(1000, 10), ${name}.Discounted(400, 25), ${name}.Discounted(1000, 150))\n}\n`,
      },
    },
    fix: replace(
      path,
      broken,
      'if percent > 100 {\n\t\treturn 0\n\t}\n\treturn cents * (100 - percent) / 100',
    ),
    halfFix: replace(path, broken, 'return cents * (100 - percent) / 100'),
  }
}

export const go: SampleProject = {
  name: 'go',
  ...ran,
  files: {
    'go.mod': 'module example.com/shop\n\ngo 1.18\n',
    'price.go': price,
    'receipt.go': receipt,
    'price_test.go': priceTest,
    'helper_test.go': helperTest,
    'receipt_test.go': receiptTest,
    'testdata/receipt.golden': expectedReceipt,
    Makefile: 'test:\n\tgo vet ./...\n\tgo test ./...\n',
    '.github/workflows/ci.yml': pipelineOf('- uses: actions/setup-go@v5', '- run: make test'),
    '.gitignore': '*.out\n',
    'README.md': '# shop\n',
  },
  product: /^(?!.*_test\.go$).*\.go$/,
  ...askedOf('shop', 'price.go'),
}
