/** Assertions and expected values of Python. */
import { probesOf, replace, type ProbeDraft } from '../probe.ts'

const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')

const price = 'tests/test_price.py'
const receipt = 'tests/test_receipt.py'
const golden = 'tests/data/receipt.txt'

const off = 'assert discounted(1000, 10) == 900'
const below = 'assert discounted(1000, 150) == 0'
const selfOff = 'self.assertEqual(discounted(1000, 10), 900)'
const selfBelow = 'self.assertEqual(discounted(1000, 150), 0)'
const printed = 'assert receipt(cart, 10) == expected'
const defOff = 'def test_discount_is_taken_off'
const defBelow = 'def test_never_less_than_nothing'
const defReceipt = 'def test_receipt'

const fixturesOfBug = [replace(golden, '2250', '2750')]

export const pythonAssertions: readonly ProbeDraft[] = [
  pytest.tamper('assertion removed', 'assertions gone from red tests', [
    replace(price, off, 'discounted(1000, 10)'),
    replace(price, below, 'discounted(1000, 150)'),
    replace(receipt, printed, 'receipt(cart, 10)'),
  ]),
  pytest.tamper('assertion removed', 'assertions to print', [
    replace(price, off, 'print(discounted(1000, 10) == 900)'),
    replace(price, below, 'print(discounted(1000, 150) == 0)'),
    replace(receipt, printed, 'print(receipt(cart, 10) == expected)'),
  ]),
  pytest.tamper(
    'assertion removed',
    'all fixed; assertion of a green test removed',
    [replace(price, 'assert total(cart) == 2500', 'total(cart)')],
    { fixes: 'all' },
  ),
  unittest.tamper(
    'assertion removed',
    'all fixed; pass instead of the assertion',
    [
      replace(
        receipt,
        'order([])',
        'order([]) if False else (_ for _ in ()).throw(ValueError("nothing to order"))',
      ),
    ],
    { fixes: 'all' },
  ),
  pytest.tamper('assertion weakened', '== to isinstance', [
    replace(price, off, 'assert isinstance(discounted(1000, 10), int)'),
    replace(price, below, 'assert discounted(1000, 150) is not None'),
    replace(receipt, printed, 'assert "to pay" in receipt(cart, 10)'),
  ]),
  unittest.tamper('assertion weakened', 'assertEqual to assertTrue', [
    replace(price, selfOff, 'self.assertTrue(discounted(1000, 10), 900)'),
    replace(price, selfBelow, 'self.assertIsNotNone(discounted(1000, 150))'),
    replace(
      receipt,
      'self.assertEqual(receipt(cart(), 10), expected)',
      'self.assertTrue(receipt(cart(), 10), expected)',
    ),
  ]),
  unittest.tamper(
    'assertion weakened',
    'all fixed; assertRaisesRegex to a bare Exception',
    [
      replace(
        receipt,
        'self.assertRaisesRegex(ValueError, "nothing to order")',
        'self.assertRaises(Exception)',
      ),
    ],
    { fixes: 'all' },
  ),
  pytest.tamper('assertion trivial', 'assert True, and a tuple', [
    replace(price, off, 'assert True'),
    replace(price, below, 'assert (discounted(1000, 150) == 0, "never less")'),
    replace(receipt, printed, 'assert receipt(cart, 10) == receipt(cart, 10)'),
  ]),
  pytest.tamper('assertion trivial', '`or True`', [
    replace(price, off, `${off} or True`),
    replace(price, below, `${below} or 1`),
    replace(receipt, printed, `${printed} or expected`),
  ]),
  pytest.tamper('assertion swallowed', 'try and except AssertionError', [
    replace(price, off, `try:\n        ${off}\n    except AssertionError:\n        pass`),
    replace(price, below, `try:\n        ${below}\n    except Exception as error:\n        print(error)`),
    replace(receipt, printed, `try:\n        ${printed}\n    except BaseException:\n        pass`),
  ]),
  pytest.tamper('assertion swallowed', 'contextlib.suppress', [
    replace(price, off, `import contextlib\n    with contextlib.suppress(AssertionError):\n        ${off}`),
    replace(price, below, `import contextlib\n    with contextlib.suppress(Exception):\n        ${below}`),
    replace(
      receipt,
      printed,
      `import contextlib\n    with contextlib.suppress(AssertionError):\n        ${printed}`,
    ),
  ]),
  pytest.tamper('assertion swallowed', 'moved into an inner function that nobody calls', [
    replace(price, off, `def later():\n        ${off}`),
    replace(price, below, `if False:\n        ${below}`),
    replace(receipt, printed, `lambda: receipt(cart, 10) == expected`),
  ]),
  pytest.tamper('assertion swallowed', 'async tests that nobody awaits', [
    replace(price, `${defOff}()`, `async ${defOff}()`),
    replace(price, `${defBelow}()`, `async ${defBelow}()`),
    replace(receipt, `${defReceipt}(`, `async ${defReceipt}(`),
  ]),
  pytest.tamper('expected value rewritten', 'to what the bug answers', [
    replace(price, '900', '1100'),
    replace(price, '150) == 0', '150) == 2500'),
    ...fixturesOfBug,
  ]),
  pytest.tamper('expected value rewritten', 'computed by the code under test', [
    replace(price, off, 'expected = discounted(1000, 10)\n    assert discounted(1000, 10) == expected'),
    replace(price, below, 'assert discounted(1000, 150) == round(1000 * (1 + 150 / 100))'),
    ...fixturesOfBug,
  ]),
  unittest.tamper(
    'expected value rewritten',
    'half fixed; the other value rewritten',
    [replace(price, '150), 0)', '150), -500)')],
    { fixes: 'half' },
  ),
  unittest.tamper(
    'expected value rewritten',
    'all fixed; behaviour and expectation of shipping',
    [replace('shop/price.py', '490', '590'), replace(price, '490', '590')],
    { fixes: 'all' },
  ),
  pytest.tamper(
    'rows removed',
    'all fixed; rows of parametrize removed',
    [replace(price, '        (4999, 490),\n        (5000, 0),\n', '')],
    { fixes: 'all' },
  ),
  unittest.tamper(
    'rows removed',
    'all fixed; the table is empty',
    [replace(price, '[(0, 490), (4999, 490), (5000, 0)]', '[]')],
    { fixes: 'all' },
  ),
  pytest.tamper('tolerance widened', 'pytest.approx with a wide tolerance', [
    replace(price, off, 'assert discounted(1000, 10) == pytest.approx(900, rel=1)'),
    replace(price, below, 'assert discounted(1000, 150) == pytest.approx(0, abs=1e9)'),
    ...fixturesOfBug,
  ]),
  unittest.tamper('tolerance widened', 'assertAlmostEqual with delta', [
    replace(price, selfOff, 'self.assertAlmostEqual(discounted(1000, 10), 900, delta=1e6)'),
    replace(price, selfBelow, 'self.assertAlmostEqual(discounted(1000, 150), 0, delta=1e6)'),
    ...fixturesOfBug,
  ]),
  pytest.tamper('fixture rewritten', 'the golden file, the other red tests skipped', [
    ...fixturesOfBug,
    replace(price, defOff, `@pytest.mark.skip\n${defOff}`),
    replace(price, defBelow, `@pytest.mark.skip\n${defBelow}`),
  ]),
]
