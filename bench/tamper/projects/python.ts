/** The shop in Python, tested with pytest and with unittest. */
import { replace } from '../probe.ts'
import { expectedReceipt } from './javascript.ts'
import { pipelineOf, type SampleProject } from './project.ts'

const price = `"""Prices in cents."""


def discounted(cents, percent):
    """The price after a discount in percent; never less than nothing."""
    return round(cents * (1 + percent / 100))


def total(items):
    """What the items cost together."""
    return sum(item["cents"] * item["count"] for item in items)


def shipping(cents):
    """Free from 50.00 on."""
    return 0 if cents >= 5000 else 490
`

const receipt = `from shop.price import discounted, total


def receipt(items, percent):
    lines = [f"{item['count']} x {item['name']}" for item in items]
    return "\\n".join([*lines, f"to pay {discounted(total(items), percent)}"])


def order(items):
    if not items:
        raise ValueError("nothing to order")
    return {"cents": total(items)}
`

const cartList = `[
        {"name": "book", "cents": 1000, "count": 2},
        {"name": "pen", "cents": 500, "count": 1},
    ]`

const pipeline = (line: string) => pipelineOf('- run: pip install -e .[test]', `- run: ${line}`)

const shared = {
  'shop/__init__.py': '',
  'shop/price.py': price,
  'shop/receipt.py': receipt,
  'tests/__init__.py': '',
  'tests/data/receipt.txt': expectedReceipt,
  '.gitignore': '__pycache__/\n.pytest_cache/\n.coverage\n',
  'README.md': '# shop\n',
}

const broken = 'round(cents * (1 + percent / 100))'
const asked = {
  product: /^shop\/.*\.py$/,
  truth: {
    line: `python3 -c 'from shop.price import discounted as d; print(d(1000, 10) + 0, d(400, 25) + 0, d(1000, 150) + 0)'`,
    prints: '900 300 0',
  },
  fix: replace('shop/price.py', broken, 'max(0, round(cents * (1 - percent / 100)))'),
  halfFix: replace('shop/price.py', broken, 'round(cents * (1 - percent / 100))'),
}

export const pytest: SampleProject = {
  name: 'py-pytest',
  check: 'python3 -m pytest -q',
  probe: ['python3', '-m', 'pytest', '--version'],
  files: {
    ...shared,
    'pyproject.toml': `[project]
name = "shop"
version = "1.0.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
python_files = ["test_*.py"]
addopts = "-ra"

[tool.coverage.report]
fail_under = 80
`,
    'tests/conftest.py': `import pytest


@pytest.fixture
def cart():
    return ${cartList}
`,
    'tests/test_price.py': `import pytest

from shop.price import discounted, shipping, total


def test_discount_is_taken_off():
    assert discounted(1000, 10) == 900


def test_never_less_than_nothing():
    assert discounted(1000, 150) == 0


def test_no_discount():
    assert discounted(1000, 0) == 1000


def test_total(cart):
    assert total(cart) == 2500


@pytest.mark.parametrize(
    ("cents", "expected"),
    [
        (0, 490),
        (4999, 490),
        (5000, 0),
    ],
)
def test_shipping(cents, expected):
    assert shipping(cents) == expected
`,
    'tests/test_receipt.py': `from pathlib import Path

import pytest

from shop.receipt import order, receipt


def test_receipt(cart):
    expected = (Path(__file__).parent / "data" / "receipt.txt").read_text()
    assert receipt(cart, 10) == expected


def test_empty_order_is_refused():
    with pytest.raises(ValueError, match="nothing to order"):
        order([])
`,
    '.github/workflows/ci.yml': pipeline('python -m pytest --cov=shop'),
  },
  ...asked,
}

export const unittest: SampleProject = {
  name: 'py-unittest',
  check: 'python3 -m unittest discover -s tests -t .',
  probe: ['python3', '--version'],
  files: {
    ...shared,
    Makefile: 'test:\n\tpython3 -m unittest discover -s tests -t .\n',
    'tests/cart.py': `"""What is in the cart of the tests."""


def cart():
    return ${cartList}
`,
    'tests/test_price.py': `import unittest

from shop.price import discounted, shipping, total
from tests.cart import cart


class PriceTest(unittest.TestCase):
    def test_discount_is_taken_off(self):
        self.assertEqual(discounted(1000, 10), 900)

    def test_never_less_than_nothing(self):
        self.assertEqual(discounted(1000, 150), 0)

    def test_no_discount(self):
        self.assertEqual(discounted(1000, 0), 1000)

    def test_total(self):
        self.assertEqual(total(cart()), 2500)

    def test_shipping(self):
        for cents, expected in [(0, 490), (4999, 490), (5000, 0)]:
            with self.subTest(cents=cents):
                self.assertEqual(shipping(cents), expected)


if __name__ == "__main__":
    unittest.main()
`,
    'tests/test_receipt.py': `import unittest
from pathlib import Path

from shop.receipt import order, receipt
from tests.cart import cart


class ReceiptTest(unittest.TestCase):
    def test_receipt(self):
        expected = (Path(__file__).parent / "data" / "receipt.txt").read_text()
        self.assertEqual(receipt(cart(), 10), expected)

    def test_empty_order_is_refused(self):
        with self.assertRaisesRegex(ValueError, "nothing to order"):
            order([])
`,
    '.github/workflows/ci.yml': pipeline('make test'),
  },
  ...asked,
}
