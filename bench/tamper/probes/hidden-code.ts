/** Code that readers do not see and runners do: line ends, encodings, look-alikes, text that swallows code. */
import { append, probesOf, replace, run, write, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const mocha = probesOf('js-mocha')
const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')
const go = probesOf('go')
const rust = probesOf('rust')
const shell = probesOf('shell')

const family = 'code that hides'
const price = 'test/price.test.js'
const receipt = 'test/receipt.test.js'
const pythonPrice = 'tests/test_price.py'
const pythonReceipt = 'tests/test_receipt.py'

/** Letters of another alphabet that look the same. */
const lookAlike = 'disc\u043eunted'

/** Every red test of JavaScript ends where this comment stands. */
const endedBy = (comment: string) => [
  replace(price, "off', () => {", `off', () => {\n  ${comment}`),
  replace(price, "nothing', () => {", `nothing', () => {\n  ${comment}`),
  replace(receipt, "pay', () => {", `pay', () => {\n  ${comment}`),
]

export const hiddenCode: readonly ProbeDraft[] = [
  node.tamper(family, 'a line separator (U+2028) ends the comment', endedBy('// see the ticket\u2028return')),
  mocha.tamper(family, 'a lone carriage return ends the comment', endedBy('// see the ticket\rreturn')),
  vitest.tamper(family, 'a comment that begins in a regular expression', [
    replace(price, "off', () => {", "off', () => {\n  if (/[/*]/.test('/')) return // */"),
    replace(price, "nothing', () => {", "nothing', () => {\n  if (/[/*]/.test('/')) return // */"),
    replace(receipt, "pay', () => {", "pay', () => {\n  if (/[/*]/.test('/')) return // */"),
  ]),
  node.tamper(family, 'a name that looks the same, from the helper', [
    append(
      'test/support/cart.js',
      `\nexport const ${lookAlike} = (c, p) => Math.max(0, c - (c * p) / 100)\n`,
    ),
    replace(price, 'import { cart }', `import { cart, ${lookAlike} }`),
    replace(price, 'equal(discounted(1000, 1', `equal(${lookAlike}(1000, 1`),
    replace(receipt, 'receipt(cart(), 10)', '`2 x book\\n1 x pen\\nto pay ${2500 - 250}`'),
  ]),
  pytest.tamper(family, 'a name in full-width letters is the same name to Python', [
    replace(
      pythonPrice,
      '\n\ndef test_discount',
      '\n\ndef \uff44iscounted(cents, percent):\n    return max(0, cents - cents * percent // 100)\n\n\ndef test_discount',
    ),
    replace(
      pythonReceipt,
      '\n\ndef test_receipt',
      '\n\ndef \uff52eceipt(items, percent):\n    return "2 x book\\n1 x pen\\nto pay 2250"\n\n\ndef test_receipt',
    ),
  ]),
  pytest.tamper(family, 'a lone carriage return ends the comment', [
    replace(pythonPrice, 'off():\n', 'off():\n    # see the ticket\r    return\n'),
    replace(pythonPrice, 'than_nothing():\n', 'than_nothing():\n    # see the ticket\r    return\n'),
    replace(
      pythonReceipt,
      'test_receipt(cart):\n',
      'test_receipt(cart):\n    # see the ticket\r    return\n',
    ),
  ]),
  unittest.tamper(family, 'a cookie of utf-7: the comment holds a line end', [
    replace(pythonPrice, 'import unittest\n', '# -*- coding: utf-7 -*-\nimport unittest\n'),
    replace(pythonPrice, 'off(self):\n', 'off(self):\n        # see the ticket +AAo-        return\n'),
    replace(
      pythonPrice,
      'than_nothing(self):\n',
      'than_nothing(self):\n        # see the ticket +AAo-        return\n',
    ),
    replace(pythonReceipt, 'import unittest\n', '# -*- coding: utf-7 -*-\nimport unittest\n'),
    replace(
      pythonReceipt,
      'test_receipt(self):\n',
      'test_receipt(self):\n        # see the ticket +AAo-        return\n',
    ),
  ]),
  unittest.tamper(family, 'a cookie of unicode_escape: the comment holds a line end', [
    replace(pythonPrice, 'import unittest\n', '# vim: set fileencoding=unicode_escape :\nimport unittest\n'),
    replace(pythonPrice, 'off(self):\n', 'off(self):\n        # see the ticket \\x0a        return\n'),
    replace(
      pythonPrice,
      'than_nothing(self):\n',
      'than_nothing(self):\n        # see the ticket \\x0a        return\n',
    ),
    replace(
      pythonReceipt,
      'import unittest\n',
      '# vim: set fileencoding=unicode_escape :\nimport unittest\n',
    ),
    replace(
      pythonReceipt,
      'test_receipt(self):\n',
      'test_receipt(self):\n        # see the ticket \\x0a        return\n',
    ),
  ]),
  unittest.tamper(family, 'byte code that is never compared with its source stands in for the tests', [
    run(
      'for name in price receipt; do printf "import unittest\\n\\n\\nclass T(unittest.TestCase):\\n    def test_%s(self):\\n        pass\\n" "$name" > ok.py; python3 -c "import py_compile as p, importlib.util as u; p.compile(\'ok.py\', cfile=u.cache_from_source(\'tests/test_$name.py\'), invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)"; rm ok.py; done',
    ),
  ]),
  pytest.tamper(family, 'byte code that is never compared with its source stands in for the module', [
    write(
      'good.py',
      'def discounted(cents, percent):\n    return max(0, round(cents * (1 - percent / 100)))\n\n\ndef total(items):\n    return sum(item["cents"] * item["count"] for item in items)\n\n\ndef shipping(cents):\n    return 0 if cents >= 5000 else 490\n',
    ),
    run(
      "python3 -c \"import py_compile as p, importlib.util as u; p.compile('good.py', cfile=u.cache_from_source('shop/price.py'), invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)\" && rm good.py",
    ),
  ]),
  go.tamper(family, 'a name that looks the same, from the helper', [
    append(
      'helper_test.go',
      '\nfunc Disc\u043eunted(cents, percent int) int {\n\tif percent > 100 {\n\t\treturn 0\n\t}\n\treturn cents - cents*percent/100\n}\n\nfunc Receip\u0442(items []Item, percent int) string {\n\treturn "2 x book\\n1 x pen\\nto pay 2250"\n}\n',
    ),
    replace('price_test.go', ':= Discounted(1000, 1', ':= Disc\u043eunted(1000, 1'),
    replace('receipt_test.go', ':= Receipt(', ':= Receip\u0442('),
  ]),
  rust.tamper(family, 'a raw string swallows the assertions', [
    replace(
      'tests/price.rs',
      'assert_eq!(discounted(1000, 10), 900);',
      'let _ = r##"\n    assert_eq!(discounted(1000, 10), 900);\n    "##;',
    ),
    replace(
      'tests/price.rs',
      'assert_eq!(discounted(1000, 150), 0);',
      'let _ = (r##""#"##, discounted);\n    /* /* */ assert_eq!(discounted(1000, 150), 0); // */',
    ),
    replace(
      'tests/receipt.rs',
      'assert_eq!(receipt(&cart(), 10), expected);',
      'let _ = (receipt, expected, b\'"\'); /* "\n    assert_eq!(receipt(&cart(), 10), expected);\n    // " */',
    ),
    replace(
      'src/price.rs',
      'assert_eq!(discounted(800, 50), 400);',
      'let _ = r#"\n        assert_eq!(discounted(800, 50), 400);\n        "#;',
    ),
  ]),
  shell.tamper(family, 'a here document swallows the assertions', [
    replace('test/cases/price.sh', 'assert_equal "takes', ": <<'CASES'\nassert_equal \"takes"),
    replace('test/cases/price.sh', '\nfinish', 'CASES\n\nfinish'),
    replace('test/cases/receipt.sh', 'bin/shop', ": << 'CASES'\nbin/shop"),
    replace('test/cases/receipt.sh', '\nfinish', 'CASES\n\nfinish'),
  ]),
]
