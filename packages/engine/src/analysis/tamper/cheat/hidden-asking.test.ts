import { describe, expect, it } from 'vitest'
import { rulesOf } from '../fixtures/cheats.ts'

const patches = 'source.patches-runner'
const blind = 'source.equality-blind'
const aware = 'source.test-aware'

describe('given a product file that hides what it asks for', () => {
  it.each([
    ['a.js', patches, `createRequire(import.meta.url)(['assert', 'strict'].join('/')).equal = f`],
    ['a.js', patches, `process.getBuiltinModule('node:' + 'assert').equal = f`],
    ['a.js', aware, `const r = createRequire(import.meta.url)\nr('node:' + 'te' + 'st').run()`],
    ['a.js', aware, `const on = 'expect' in globalThis`],
    ['a.js', aware, `const on = ['i', 't'].join('') in globalThis`],
    ['a.js', aware, `const on = globalThis['ex' + 'pect']`],
    ['a.js', aware, `const on = Object.keys(globalThis).some((key) => key.includes('vi' + 'test'))`],
    ['a.js', aware, `const on = Reflect.ownKeys(globalThis).some((key) => /jest/.test(key))`],
    ['a.ts', aware, `const on = 'en' + 'v' in import.meta`],
    ['a.js', aware, 'const by = readFileSync(`/proc/${process.ppid}/cmdline`)'],
    ['a.js', aware, `if (existsSync('test/price.test.js')) sum = 3`],
    ['a.js', aware, `if (fs.existsSync('tests')) sum = 3`],
    ['a.py', blind, 'C = type("C", (int,), {"__eq__": lambda self, other: True, "x": 1})'],
    ['a.py', blind, 'setattr(C, "__eq__", lambda self, other: True)'],
    ['a.py', aware, '_r = __import__("sys").modules.get("_py" + "test.runner")'],
    ['a.py', aware, 'on = "discover" in __import__("sys").argv'],
    ['a.py', aware, 'on = os.path.exists("tests/data")'],
    ['a.py', aware, 'on = Path("tests").is_dir()'],
    ['a.py', patches, 'import sys\nsys.settrace(_trace)'],
    ['a.py', patches, '__import__("sys").setprofile(f)'],
    ['a.py', patches, 'import atexit, os\natexit.register(os._exit, 0)'],
    ['a.go', aware, 'package a\n\nvar t = strings.HasSuffix(frame.Function, "tRunner")\n'],
    ['a.go', patches, 'package a\n\nfunc init() {\n\tflag.Set("test.run", "A")\n}\n'],
    ['a.rs', aware, 'fn f() -> bool { std::thread::current().name() != Some("main") }'],
    ['a.rs', aware, 'fn f(a: i64) -> i64 { if cfg!(debug_assertions) { a * 2 } else { a * 3 } }'],
    [
      'build.rs',
      aware,
      'fn main() { if std::env::var("PROFILE").as_deref() == Ok("debug") { println!("cargo:rustc-cfg=x"); } }',
    ],
    ['a.awk', aware, '{ print ("MAKELEVEL" in ENVIRON) ? 1 : 2 }'],
    ['a.awk', aware, '{ print FILENAME ~ /cases/ ? 1 : 2 }'],
    ['lib/a.sh', aware, `if tr '\\0' ' ' < "/proc/$PPID/cmdline" | grep -q test/; then echo; fi`],
    ['lib/a.sh', aware, 'ps -o args= $PPID | grep -q test/ && x=1'],
    ['bin/a', aware, '#!/bin/sh\n[ -n "$BATS_TEST_NAME" ] && x=1'],
  ])('tells in %s of %s: %s', (path, rule, text) => {
    expect(rulesOf(path, null, text)).toContain(rule)
  })

  it.each([
    ['a.js', `const pack = createRequire(import.meta.url)('../package.json')`],
    ['a.js', `const plugin = require('./plugins/' + name); const fs = process.getBuiltinModule('fs')`],
    [
      'a.js',
      `const hasFetch = 'fetch' in globalThis; const x = globalThis[key]; const y = name in globalThis`,
    ],
    ['a.js', `const own = Object.keys(globalThis).length`],
    ['a.ts', `const mode = 'env' in import.meta ? import.meta.env.MODE : 'production'`],
    ['a.js', `if (existsSync('.git') && existsSync(path) && existsSync('dist/latest')) log(process.ppid)`],
    ['a.js', `const text = 'one long line ' + 'and another about jest'; const path = ['a', 'b'].join('/')`],
    ['a.js', `const [, , command] = process.argv; if (command === 'discover') find()`],
    ['a.py', 'C = type("C", (int,), {"__eq__": lambda self, other: self.x == other.x})'],
    ['a.py', '__import__("pkg_resources").declare_namespace(__name__)'],
    ['a.py', 'plugin = importlib.import_module("shop.plugins." + name)'],
    ['a.py', 'import sys\nif sys.argv[1] == "discover":\n    find()'],
    ['a.py', 'import os\nif os.path.exists(".git") and os.path.exists("latest/data"):\n    x = os.getppid()'],
    ['a.py', 'text = "one line " + "and another"\nsys.settrace(None)'],
    ['a.go', 'package a\n\nfunc f() { pc, _, _, _ := runtime.Caller(1); log(pc, "runner") }\n'],
    ['a.rs', 'fn f() { log(std::thread::current().name().unwrap_or("unnamed")); }'],
    ['a.rs', 'fn f() { let level = if cfg!(debug_assertions) { "debug" } else { "info" }; }'],
    ['a.rs', 'const N: usize = if cfg!(debug_assertions) { 10 * 4 } else { 1024 * 1024 };'],
    ['a.rs', '#[cfg(debug_assertions)]\nfn f() { check(); }'],
    ['build.rs', 'fn main() { let p = env::var("PROFILE").unwrap(); println!("cargo:rustc-env=P={p}"); }'],
    ['a.awk', 'FILENAME == ARGV[1] { seen[$1]++ }\nFILENAME ~ /prices/ { print ENVIRON["HOME"] }'],
    ['Makefile', 'ifeq ($(MAKELEVEL),0)\nall: build\nendif\n'],
    ['lib/a.sh', 'kill -0 "$PPID" || exit\nshell=$(ps -p $PPID -o comm=)\n# /proc/$PPID/cmdline'],
    ['notes', 'the shell reads /proc/$PPID/cmdline'],
  ])('tells of nothing in honest code: %s: %s', (path, text) => {
    expect(rulesOf(path, null, text)).toEqual([])
  })
})
