import { describe, expect, it } from 'vitest'
import { faultsOf } from '../fixtures/faults.ts'

describe('given Python', () => {
  it.each([
    ['comparisons', 'x = a == b', ['comparison: == became !=']],
    ['orders', 'while a < b:', ['comparison: < became >=', 'boundary: < became <=']],
    ['logic', 'x = a and b', ['logic: and became or']],
    ['booleans', 'x = True', ['boolean: True became False']],
    ['numbers', 'x = 3', ['number: 3 became 4', 'number: 3 became 2']],
    ['texts', "x = 'long enough'", ["string: 'long enough' became ''"]],
    ['conditions', 'if ready(a):  # go', ['condition: ready(a) became not (ready(a))']],
    ['further conditions', 'elif ready:', ['condition: ready became not (ready)']],
    ['values that are returned', '    return total', ['return: total became None']],
    ['calls', '    self.save(a, b(c))', ['call: self.save(a, b(c)) is missing']],
    ['loops', 'for i in range(n):', ['boundary: n became n - 1']],
  ])('it finds %s', (_, text, faults) => {
    expect(faultsOf('a.py', text)).toEqual(faults)
  })

  it.each([
    ['comments', '# a == b'],
    ['texts over several lines', 'x = """\na == 1\n"""'],
    ['imports', 'from a import b1'],
    ['the way in', "if __name__ == '__main__':"],
    ['errors', "raise ValueError('no' == 1)"],
    ['decorators', '@a(1 == 2)'],
    ['arguments over several lines', 'f(\n  g(a),\n  h(b)\n)'],
    ['formats', 'x = "%s" % y'],
    ['keywords of arguments', 'def f(a, *b, **c):'],
  ])('it plants nothing in %s', (_, text) => {
    expect(faultsOf('a.py', text)).toEqual([])
  })
})

describe('given languages with braces', () => {
  it.each([
    ['a.go', 'if a < b {', ['comparison', 'boundary', 'condition']],
    ['a.go', 'if err := f(); err != nil {', ['comparison']],
    ['a.go', 'x := <-c', []],
    ['a.go', 's := `a == 1`', []],
    ['a.rs', 'for i in 0..n {', ['number', 'boundary']],
    ['a.rs', 'let s = r#"a == "1" "#;', []],
    ['a.rs', "fn f<'a>(x: &'a str) -> bool { x == y }", ['comparison']],
    ['a.rs', 'if let Some(x) = y {', []],
    ['A.java', 'if (list.isEmpty()) {', ['condition']],
    ['A.java', '} else if (isReady) {', ['condition']],
    ['A.java', 'List<String> names = make();', []],
    ['A.java', 'repository.save(item);', ['call']],
    ['A.java', '@Size(max = 10)', []],
    ['a.c', 'int * p = q;', []],
    ['a.c', 'x = (a + b) * c; /* a == b */', ['arithmetic', 'arithmetic']],
    ['a.c', '#define MAX 10', []],
    ['a.cs', 'return a && b;', ['logic']],
  ])('in %s, `%s` has these faults: %j', (path, text, kinds) => {
    expect(faultsOf(path, text).map((fault) => fault.replace(/:.*/su, ''))).toEqual(kinds)
  })

  it('keeps what a line says besides', () => {
    expect(faultsOf('a.go', 'if a == b && c {')).toEqual([
      'comparison: == became !=',
      'logic: && became ||',
      'condition: a == b && c became !(a == b && c)',
    ])
  })
})
