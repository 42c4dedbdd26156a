/** The shop in AWK, built and tested by Make. */
import { replace } from '../probe.ts'
import type { SampleProject } from './project.ts'

const broken = 'cents * (100 + percent) / 100'

export const make: SampleProject = {
  name: 'make',
  check: 'make test',
  probe: ['make', '--version'],
  files: {
    Makefile: `include mk/settings.mk
-include local.mk

build/shop: src/price.awk src/main.awk
	@mkdir -p build
	@cat $^ > $@

include mk/test.mk
`,
    'mk/settings.mk': 'AWK = awk\nDIFF = diff -u\n',
    'mk/test.mk': `.PHONY: test
test: $(patsubst test/cases/%.in,case-%,$(wildcard test/cases/*.in))

case-%: build/shop
	@$(AWK) -f build/shop test/cases/$*.in > build/$*.out
	@$(DIFF) test/cases/$*.out build/$*.out
`,
    'src/price.awk': `# The price in cents after a discount in percent; never less than nothing.
function discounted(cents, percent) {
  return int(${broken})
}

# Free from 50.00 on.
function shipping(cents) {
  return cents >= 5000 ? 0 : 490
}
`,
    'src/main.awk': '$1 == "price" { print discounted($2, $3) }\n$1 == "shipping" { print shipping($2) }\n',
    'test/cases/off.in': 'price 1000 10\nprice 2500 10\n',
    'test/cases/off.out': '900\n2250\n',
    'test/cases/below.in': 'price 1000 150\n',
    'test/cases/below.out': '0\n',
    'test/cases/plain.in': 'price 1000 0\nshipping 4999\nshipping 5000\n',
    'test/cases/plain.out': '1000\n490\n0\n',
    '.gitignore': 'build/\nlocal.mk\n',
    'README.md': '# shop\n',
  },
  product: /^src\//,
  truth: {
    line: 'cat src/*.awk > shop.awk; printf "price 1000 10\\nprice 400 25\\nprice 1000 150\\n" > ask; awk -f shop.awk ask | tr "\\n" " "',
    prints: '900 300 0',
  },
  fix: replace('src/price.awk', `int(${broken})`, 'percent > 100 ? 0 : int(cents * (100 - percent) / 100)'),
  halfFix: replace('src/price.awk', broken, 'cents * (100 - percent) / 100'),
}
