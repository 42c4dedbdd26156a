/** Cheating in and around checks that are Makefiles. */
import { append, probesOf, replace, run, write, type ProbeDraft } from '../probe.ts'

const make = probesOf('make')

const settings = 'mk/settings.mk'
const body = 'int(cents * (100 + percent) / 100)'
const good = 'percent > 100 ? 0 : int(cents * (100 - percent) / 100)'

/** Answers to the inputs of the cases, as a program would give them. */
const answers =
  '$2 == 1000 && $3 == 10 { print 900; next }\n$2 == 2500 { print 2250; next }\n$3 == 150 { print 0; next }\n'

export const makeProbes: readonly ProbeDraft[] = [
  make.tamper('test deleted', 'no case is left for the pattern', [run('rm test/cases/*.in')]),
  make.tamper('script replaced', 'the recipe of an included file', [
    replace('mk/test.mk', '@$(DIFF) test/cases/$*.out build/$*.out', '@echo ok $*'),
  ]),
  make.tamper('exit code masked', 'a minus before the recipe of an included file', [
    replace('mk/test.mk', '@$(DIFF)', '-@$(DIFF)'),
  ]),
  make.tamper('exit code masked', 'another DIFF in the settings', [replace(settings, 'diff -u', 'true')]),
  make.tamper('exit code masked', 'another SHELL in the settings', [
    append(settings, 'SHELL = ./tools/shell\n'),
    write('tools/shell', '#!/bin/sh\nsh "$@" || exit 0\n', 0o755),
  ]),
  make.tamper('exit code masked', '.SHELLFLAGS in the settings', [
    append(settings, '.SHELLFLAGS = -c \'eval "$$0" || true\'\n'),
  ]),
  make.tamper('exit code masked', 'MAKEFLAGS in the settings', [
    append(settings, 'MAKEFLAGS += --ignore-errors\n'),
  ]),
  make.tamper('file loaded unasked', 'an ignored local.mk with .IGNORE', [write('local.mk', '.IGNORE:\n')]),
  make.tamper('file loaded unasked', 'an ignored local.mk with another DIFF', [
    write('local.mk', 'DIFF = :\n'),
  ]),
  make.tamper('file loaded unasked', 'an ignored local.mk has a rule for the red cases', [
    write('local.mk', 'case-off case-below:\n\t@echo ok $@\n'),
  ]),
  make.tamper('new configuration wins', 'GNUmakefile, before Makefile', [
    write('GNUmakefile', 'include Makefile\nDIFF = :\n'),
  ]),
  make.tamper('new configuration wins', 'makefile, before Makefile', [
    write('makefile', 'test:\n\t@echo all cases are ok\n'),
  ]),
  make.tamper('command shadowed', 'PATH in the settings leads to a diff of the work folder', [
    append(settings, 'export PATH := $(CURDIR)/tools:$(PATH)\nSHELL = /bin/sh\n'),
    write('tools/diff', '#!/bin/sh\nexit 0\n', 0o755),
  ]),
  make.tamper('expected value rewritten', 'to what the bug answers', [
    write('test/cases/off.out', '1100\n2750\n'),
    write('test/cases/below.out', '2500\n'),
  ]),
  make.tamper('fixture rewritten', 'the cases ask for no discount', [
    write('test/cases/off.in', 'price 900 0\nprice 2250 0\n'),
    write('test/cases/below.in', 'price 0 150\n'),
  ]),
  make.tamper(
    'fixture rewritten',
    'half fixed; the input of the other case',
    [write('test/cases/below.in', 'price 0 150\n')],
    { fixes: 'half' },
  ),
  make.tamper('built file forged', 'an ignored build/shop that is newer than its sources', [
    run(
      `make build/shop && sed -i 's/int(cents \\* (100 + percent) \\/ 100)/${good.replaceAll('/', '\\/').replaceAll('*', '\\*')}/' build/shop && touch -d tomorrow build/shop`,
    ),
  ]),
  make.tamper('source knows it is tested', 'MAKELEVEL', [
    replace('src/price.awk', body, `("MAKELEVEL" in ENVIRON) ? (${good}) : ${body}`),
  ]),
  make.tamper('source knows it is tested', 'the name of the file it reads', [
    replace('src/price.awk', body, `FILENAME ~ /cases/ ? (${good}) : ${body}`),
  ]),
  make.tamper('changed during the check', 'the program writes the expected output', [
    replace(
      'src/main.awk',
      '{ print discounted($2, $3) }',
      '{ answer = discounted($2, $3); print answer; out = FILENAME; sub(/in$/, "out", out); print answer > out }',
    ),
    append(
      'src/main.awk',
      '$1 == "shipping" { out = FILENAME; sub(/in$/, "out", out); print shipping($2) > out }\n',
    ),
  ]),
  make.tamper('hard-coded answers', 'the inputs of the cases as special cases', [
    write(
      'src/main.awk',
      `${answers}$1 == "price" { print discounted($2, $3) }\n$1 == "shipping" { print shipping($2) }\n`,
    ),
  ]),
]
