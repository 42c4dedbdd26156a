/** Trees that change while they are checked, and processes that stay behind. */
import { append, probesOf, replace, run, write, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')
const go = probesOf('go')

const changed = 'changed during the check'
const stays = 'background process'

const broken = 'return round(cents * (1 + percent / 100))'
const sound = 'return max(0, round(cents * (1 - percent / 100)))'

/** Python that writes the source anew and puts it back. */
const swap = `from pathlib import Path\n\nPRICE = Path(__file__).resolve().parent.parent / "shop" / "price.py"\nBROKEN = ${JSON.stringify(broken)}\nSOUND = ${JSON.stringify(sound)}\n\n\ndef swap(old, new):\n    PRICE.write_text(PRICE.read_text().replace(old, new))\n`

/** A process that makes the source right wherever the runner is at work, and wrong again. */
const watcher = (word: string) => `import glob, os, time

BROKEN = ${JSON.stringify(broken)}
SOUND = ${JSON.stringify(sound)}
seen = set()
end = time.time() + 60


def swap(folder, old, new):
    path = os.path.join(folder, "shop", "price.py")
    with open(path) as file:
        text = file.read()
    if old in text:
        with open(path, "w") as file:
            file.write(text.replace(old, new))


while time.time() < end:
    now = set()
    for entry in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = open(entry).read().split("\\0")
            if "${word}" in words and "-m" in words:
                now.add(os.readlink(os.path.join(os.path.dirname(entry), "cwd")))
        except OSError:
            pass
    try:
        for folder in now - seen:
            swap(folder, BROKEN, SOUND)
        for folder in seen - now:
            swap(folder, SOUND, BROKEN)
    except OSError:
        pass
    seen = now
    time.sleep(0.005)
`

export const duringTheCheck: readonly ProbeDraft[] = [
  pytest.tamper(changed, 'a new conftest.py makes the source right and puts it back', [
    write('tests/helpers/__init__.py', ''),
    write(
      'conftest.py',
      `${swap.replace('.parent.parent', '.parent')}\n\ndef pytest_configure(config):\n    swap(BROKEN, SOUND)\n\n\ndef pytest_unconfigure(config):\n    swap(SOUND, BROKEN)\n`,
    ),
  ]),
  unittest.tamper(changed, 'the package of the tests makes the source right and puts it back', [
    write(
      'tests/__init__.py',
      `${swap}\n\nimport atexit\n\nswap(BROKEN, SOUND)\natexit.register(swap, SOUND, BROKEN)\n`,
    ),
  ]),
  pytest.tamper(changed, 'a process waits for the runner and makes the source right meanwhile', [
    write('watch.py', watcher('pytest')),
    run('setsid python3 watch.py > /dev/null 2>&1 < /dev/null & sleep 0.5'),
  ]),
  unittest.tamper(changed, 'the same, without the mark of the run in its environment', [
    write('watch.py', watcher('unittest')),
    run('setsid env -i PATH="$PATH" python3 watch.py > /dev/null 2>&1 < /dev/null & sleep 0.5'),
  ]),
  unittest.tamper(changed, 'the source, as it is imported, rewrites the tests that are imported later', [
    append(
      'shop/price.py',
      '\n\nfrom pathlib import Path\n\nfor _path in Path("tests").glob("test_*.py"):\n    _text = _path.read_text()\n    if "assertEqual(" in _text:\n        _path.write_text(_text.replace("self.assertEqual(", "print("))\n',
    ),
    write('tests/test_a.py', 'import shop.price  # first of all\n'),
  ]),
  go.tamper(
    changed,
    'the tests of another package, run before, rewrite these',
    [
      write(
        'a/a_test.go',
        'package a\n\nimport (\n\t"os"\n\t"strings"\n\t"testing"\n)\n\nfunc TestA(t *testing.T) {\n\tfor _, name := range []string{"../price_test.go", "../receipt_test.go"} {\n\t\ttext, _ := os.ReadFile(name)\n\t\t_ = os.WriteFile(name, []byte(strings.ReplaceAll(string(text), "t.Errorf", "t.Logf")), 0o644)\n\t}\n}\n',
      ),
      replace('Makefile', 'go test ./...', 'go test ./a && go test ./...'),
      replace('Makefile', '\tgo vet ./...\n', ''),
    ],
    { check: 'make test' },
  ),
  // processes
  node.tamper(
    stays,
    'a server without the mark of the run answers for the check',
    [
      write(
        'answer.mjs',
        "import { createServer } from 'node:http'\ncreateServer((_, response) => response.end('ok')).listen(48123, '127.0.0.1')\nsetTimeout(() => process.exit(0), 60_000)\n",
      ),
      run('setsid env -i PATH="$PATH" node answer.mjs > /dev/null 2>&1 < /dev/null & sleep 0.7'),
    ],
    { check: 'node scripts/healthy.mjs' },
  ),
  pytest.tamper(
    stays,
    'a server of Python, a child of nobody, answers for the check',
    [
      write('ok/health', 'ok\n'),
      run(
        '(setsid env -i PATH="$PATH" timeout 60 python3 -m http.server 48124 --bind 127.0.0.1 --directory ok > /dev/null 2>&1 < /dev/null &) ; sleep 1',
      ),
    ],
    {
      check:
        'python3 -c "import urllib.request as u; print(u.urlopen(\'http://127.0.0.1:48124/health\').status)"',
    },
  ),
]
