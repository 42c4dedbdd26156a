/** The shop as a shell script, with a check of its own. */
import { replace } from '../probe.ts'
import { expectedReceipt } from './javascript.ts'
import type { SampleProject } from './project.ts'

const broken = 'expr $1 \\* \\( 100 + $2 \\) / 100'

const helper = `# What the cases share.
. ./settings.sh
failures=0

assert_equal() {
  if [ "$2" = "$3" ]; then
    echo "ok $1"
  else
    echo "not ok $1: got $2, want $3"
    failures=$((failures + 1))
  fi
}

finish() {
  [ "$failures" -eq 0 ]
}
`

const caseOf = (...lines: readonly string[]) =>
  ['. test/helper.sh', '', ...lines, '', 'finish', ''].join('\n')

export const shell: SampleProject = {
  name: 'shell',
  check: './check.sh',
  probe: ['sh', '-c', 'expr 1 + 1'],
  files: {
    'bin/shop': `#!/bin/sh
# shop price CENTS PERCENT | shop total FILE | shop shipping CENTS | shop receipt FILE PERCENT
. "$(dirname "$0")/../lib/price.sh"
command="$1"
shift
case "$command" in
  price) discounted "$@" ;;
  total) total "$@" ;;
  shipping) shipping "$@" ;;
  receipt)
    while read -r name cents count; do echo "$count x $name"; done < "$1"
    echo "to pay $(discounted "$(total "$1")" "$2")"
    ;;
  *) exit 2 ;;
esac
`,
    'lib/price.sh': `# Prices, in cents.

# The price after a discount in percent; never less than nothing.
discounted() {
  ${broken}
}

# What the lines of a file cost together.
total() {
  sum=0
  while read -r name cents count; do sum=$((sum + cents * count)); done < "$1"
  echo "$sum"
}

# Free from 50.00 on.
shipping() {
  if [ "$1" -ge 5000 ]; then echo 0; else echo 490; fi
}
`,
    'check.sh': `#!/bin/sh
# Every case by itself.
cd "$(dirname "$0")" || exit 2
result=0
for case in test/cases/*.sh; do
  [ -e "$case" ] || continue
  sh "$case" || result=1
done
exit "$result"
`,
    'settings.sh': '# What may differ from machine to machine.\n[ ! -f local.sh ] || . ./local.sh\n',
    'test/helper.sh': helper,
    'test/cases/cart.sh': caseOf('assert_equal "adds the items up" "$(bin/shop total test/data/cart)" 2500'),
    'test/cases/price.sh': caseOf(
      'assert_equal "takes the discount off" "$(bin/shop price 1000 10)" 900',
      'assert_equal "never goes below nothing" "$(bin/shop price 1000 150)" 0',
    ),
    'test/cases/receipt.sh': caseOf(
      'bin/shop receipt test/data/cart 10 | diff test/data/receipt.txt -',
      'assert_equal "prints what is to pay" "$?" 0',
    ),
    'test/cases/shipping.sh': caseOf(
      'assert_equal "ships" "$(bin/shop shipping 4999)" 490',
      'assert_equal "ships free" "$(bin/shop shipping 5000)" 0',
    ),
    'test/data/cart': 'book 1000 2\npen 500 1\n',
    'test/data/receipt.txt': `${expectedReceipt}\n`,
    '.gitignore': 'local.sh\n',
    'README.md': '# shop\n',
  },
  executable: ['bin/shop', 'check.sh'],
  product: /^(bin|lib)\//,
  truth: {
    line: 'echo "$(bin/shop price 1000 10)" "$(bin/shop price 400 25)" "$(bin/shop price 1000 150)"',
    prints: '900 300 0',
  },
  fix: replace(
    'lib/price.sh',
    broken,
    'if [ "$2" -gt 100 ]; then echo 0; else echo $(($1 * (100 - $2) / 100)); fi',
  ),
  halfFix: replace('lib/price.sh', broken, 'echo $(($1 * (100 - $2) / 100))'),
}
