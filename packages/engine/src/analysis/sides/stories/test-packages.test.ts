import { describe, expect, it } from 'vitest'
import { sidesIn } from '../fixtures/trees.ts'

const helper = 'check: test-helper'
const configuration = 'check: configuration'

describe('a file that only tests use, whatever its folder and name', () => {
  const go = {
    'go.mod': 'module example.org/cart\n',
    'cart.go': 'package cart\nfunc Total(x int) int { return x }\n',
    'internal/same/same.go': 'package same\nfunc Same(a, b int) bool { return a == b }\n',
    'cart_test.go':
      'package cart\nimport (\n\t"testing"\n\t"example.org/cart/internal/same"\n)\nfunc TestA(t *testing.T) { if !same.Same(Total(1), 2) { t.Fatal() } }\n',
  }

  it('is a check file in Go if its package has no tests and no product imports it', () => {
    const shall = { 'internal/same/same.go': helper }
    expect(sidesIn({ given: go, shall })).toEqual(shall)
    const tested = { ...go, 'internal/same/same_test.go': 'package same\n' }
    const product = { 'internal/same/same.go': 'product: source' }
    expect(sidesIn({ given: tested, shall: product })).toEqual(product)
    const used = { ...go, 'cmd/main.go': 'package main\nimport "example.org/cart/internal/same"\n' }
    expect(sidesIn({ given: used, shall: product })).toEqual(product)
  })

  it.each([
    ['[dev-dependencies]\nkit = { path = "kit" }\n', helper],
    ['[dev-dependencies.kit]\npath = "./kit"\n', helper],
    ['[dependencies]\nkit = { path = "kit" }\n', 'product: source'],
  ])('is one in Rust by %j', (dependencies, side) => {
    const given = {
      'Cargo.toml': `[package]\nname = "cart"\n${dependencies}`,
      'kit/Cargo.toml': '[package]\nname = "kit"\n',
      'kit/src/lib.rs': 'pub fn same(a: i32, b: i32) { assert_eq!(a, b) }\n',
      'src/lib.rs': 'pub fn total(x: i32) -> i32 { x }\n',
      'tests/a.rs': '#[test]\nfn a() { kit::same(cart::total(1), 2) }\n',
    }
    const shall = { 'kit/src/lib.rs': side }
    expect(sidesIn({ given, shall })).toEqual(shall)
  })

  it('is product in Rust if it lies in no crate of the tree, wherever other crates lie', () => {
    const given = {
      'app/Cargo.toml': '[package]\nname = "cart"\n[dev-dependencies]\nkit = { path = "../../kit" }\n',
      'scripts/a.rs': 'fn main() {}\n',
    }
    const shall = { 'scripts/a.rs': 'product: source' }
    expect(sidesIn({ given, shall })).toEqual(shall)
  })

  it('is one in Ruby and PHP if it complains outside of the folders of the product', () => {
    const given = {
      'lib/cart.rb': 'def total(x) = 1\n',
      'kit/verdict.rb': 'def same(a, b) = (raise "no" unless a == b)\n',
      'test/cart_test.rb':
        'require_relative "../lib/cart"\nrequire_relative "../kit/verdict"\nsame(total(1), 2)\n',
      'src/Cart.php': '<?php class Cart {}\n',
      'kit/Same.php': '<?php function same($a, $b) { if ($a !== $b) throw new Exception("no"); }\n',
      'tests/CartTest.php':
        '<?php require __DIR__ . "/../kit/Same.php";\nclass CartTest { function testA() { same((new Cart)->a, 2); } }\n',
    }
    const shall = { 'kit/verdict.rb': helper, 'kit/Same.php': helper, 'lib/cart.rb': 'product: source' }
    expect(sidesIn({ given, shall })).toEqual(shall)
  })

  it('is product if the tests ask about nothing else', () => {
    const given = {
      'cart.rb': 'def total(x) = (raise "no" if x.nil?)\n',
      'test/cart_test.rb': 'require_relative "../cart"\n',
    }
    const shall = { 'cart.rb': 'product: source' }
    expect(sidesIn({ given, shall })).toEqual(shall)
  })

  it.each([
    ['pytest.ini', '[pytest]\naddopts = -q -p kit.plug\n', 'kit/plug.py'],
    ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-p kit.plug"\n', 'kit/plug.py'],
    ['.rspec', '--require ./support/matchers\n', 'support/matchers.rb'],
    [
      'vitest.config.ts',
      'export default { test: { setupFiles: ["./support/boot.ts"] } }\n',
      'support/boot.ts',
    ],
  ])('is one if %s makes the runner load it', (settings, text, path) => {
    const given = {
      [settings]: text,
      'kit/plug.py': 'import pytest\n@pytest.fixture\ndef same(): ...\n',
      'support/matchers.rb': 'RSpec::Matchers.define(:be_same) { |e| match { |a| a == e } }\n',
      'support/boot.ts': 'import { expect } from "vitest"\nexpect.extend({})\n',
    }
    const shall = { [path]: configuration }
    expect(sidesIn({ given, shall })).toEqual(shall)
  })
})
