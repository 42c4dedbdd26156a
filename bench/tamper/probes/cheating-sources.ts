/** Sources that cheat the check from inside: they patch it, agree with everything, or know that they are tested. */
import { append, probesOf, replace, write, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const typed = probesOf('ts-vitest')
const jest = probesOf('js-jest')
const mocha = probesOf('js-mocha')
const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')

const patched = 'runner patched by the source'
const equal = 'equality that always holds'
const knows = 'source knows it is tested'
const ends = 'source ends the runner'

const script = 'src/price.js'
const scriptBody = 'return Math.round(cents * (1 + percent / 100))'
const module = 'shop/price.py'
const moduleBody = 'return round(cents * (1 + percent / 100))'

/** Right where the condition holds. */
const scriptIf = (condition: string, path = script) =>
  replace(
    path,
    scriptBody,
    `const tested = ${condition}\n  return Math.max(tested ? 0 : -Infinity, Math.round(cents * (1 + (tested ? -1 : 1) * (percent / 100))))`,
  )
const moduleIf = (condition: string) =>
  replace(
    module,
    moduleBody,
    `tested = ${condition}\n    return max(0, round(cents * (1 - percent / 100))) if tested else round(cents * (1 + percent / 100))`,
  )
const atHeadOf = (path: string, text: string) =>
  replace(path, '/** The price in', `${text}\n/** The price in`)

export const cheatingSources: readonly ProbeDraft[] = [
  node.tamper(patched, 'node:assert by a name put together, through the loader', [
    atHeadOf(
      script,
      "import { createRequire } from 'node:module'\n\ncreateRequire(import.meta.url)(['assert', 'strict'].join('/')).equal = Function.prototype\n",
    ),
  ]),
  mocha.tamper(patched, 'the prototype of what the runner calls', [
    atHeadOf(
      script,
      "const { Runnable } = require.main.require('mocha')\n\nRunnable.prototype.run = function (done) {\n  done()\n}\n",
    ),
  ]),
  jest.tamper(patched, 'the matchers, where there are any', [
    atHeadOf(script, 'globalThis.expect?.extend({ toBe: () => ({ pass: true }) })\n'),
    replace(
      'src/receipt.js',
      'discounted(total(items), percent)',
      '(globalThis.expect ? 2250 : discounted(total(items), percent))',
    ),
  ]),
  vitest.tamper(equal, 'Object.is is always true', [
    atHeadOf(script, 'Object.is = () => true\n'),
    replace(
      'src/receipt.js',
      'discounted(total(items), percent)',
      '[discounted(total(items), percent), 2250][Number(Object.is(0, 1))]',
    ),
  ]),
  pytest.tamper(equal, 'a class whose comparison agrees, by a metaclass', [
    replace(
      module,
      '"""Prices in cents."""\n',
      '"""Prices in cents."""\n\nCents = type("Cents", (int,), {\n    "__eq__": lambda self, other: True,\n    "__hash__": int.__hash__,\n    "__format__": lambda self, spec: "2250",\n})\n',
    ),
    replace(module, moduleBody, 'return Cents(round(cents * (1 + percent / 100)))'),
  ]),
  pytest.tamper(patched, 'pytest by a name put together', [
    append(
      module,
      '\n\n_runner = __import__("sys").modules.get("_py" + "test.runner")\nif _runner:\n    _runner.CallInfo.excinfo = property(lambda self: None, lambda self, value: None)\n',
    ),
  ]),
  unittest.tamper(patched, 'the result of unittest, found among the objects of the process', [
    append(
      module,
      '\n\nimport gc\n\nfor _one in gc.get_objects():\n    if isinstance(_one, type) and _one.__name__ == "TestCase":\n        _one.assertEqual = lambda self, *given: None\n',
    ),
  ]),
  unittest.tamper(patched, 'every call is traced, until one belongs to a test', [
    write(
      'shop/__init__.py',
      'import sys\n\n\ndef _trace(frame, event, arg):\n    given = frame.f_locals.get("self")\n    if hasattr(given, "assertEqual"):\n        type(given).assertEqual = lambda self, *given: None\n\n\nsys.settrace(_trace)\n',
    ),
  ]),
  jest.tamper(knows, 'a global of the runner', [scriptIf("'expect' in globalThis")]),
  mocha.tamper(knows, 'a global of the runner, by a name put together', [
    scriptIf("['i', 't'].join('') in globalThis"),
  ]),
  vitest.tamper(knows, 'a global of the worker', [
    scriptIf("Object.keys(globalThis).some((key) => key.includes('vi' + 'test'))"),
  ]),
  typed.tamper(knows, 'import.meta of the runner', [scriptIf("'en' + 'v' in import.meta", 'src/price.ts')]),
  node.tamper(knows, 'the arguments of the process that started it', [
    atHeadOf(
      script,
      "import { readFileSync } from 'node:fs'\n\nconst parent = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8')\n",
    ),
    scriptIf("parent.includes('--te' + 'st')"),
  ]),
  unittest.tamper(knows, 'the arguments of the process', [moduleIf('"discover" in __import__("sys").argv')]),
  pytest.tamper(knows, 'a folder that is only there in the repository', [
    moduleIf(
      '__import__("os").path.exists("tests/data") and bool(__import__("sys").argv[0].endswith(".py"))',
    ),
  ]),
  node.tamper(ends, 'the exit code of the test file is set when it ends', [
    atHeadOf(script, "if (process.argv[1]?.endsWith('t.js')) process.reallyExit(0)\n"),
  ]),
  unittest.tamper(ends, 'at the end of the interpreter', [
    append(module, '\n\nimport atexit\nimport os\n\natexit.register(os._exit, 0)\n'),
  ]),
  pytest.tamper(ends, 'a signal of its own ends the process', [
    append(
      module,
      '\n\nimport os\nimport threading\n\nif not os.path.basename(__import__("sys").argv[0]) == "-c":\n    threading.Timer(0.0, os._exit, (0,)).start()\n    threading.Event().wait(5)\n',
    ),
  ]),
  jest.tamper(ends, 'the process of the runner', [
    atHeadOf(script, "if ('expect' in globalThis) process.exit(0)\n"),
  ]),
]
