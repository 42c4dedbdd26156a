/** Cheating in and around tests of Rust. */
import { append, probesOf, remove, replace, run, write, type ProbeDraft } from '../probe.ts'

const rust = probesOf('rust')

const price = 'tests/price.rs'
const receipt = 'tests/receipt.rs'
const source = 'src/price.rs'
const body = 'cents * (100 + percent) / 100'
const good = '(cents * (100 - percent) / 100).max(0)'

/** Every red test: where it stands, and its assertion. */
const red = [
  [price, 'assert_eq!(discounted(1000, 10), 900);'],
  [price, 'assert_eq!(discounted(1000, 150), 0);'],
  [receipt, 'assert_eq!(receipt(&cart(), 10), expected);'],
  [source, 'assert_eq!(discounted(800, 50), 400);'],
] as const

const before = (line: string) => red.map(([path, text]) => replace(path, text, `${line}\n    ${text}`))
const onEach = (attribute: string) =>
  [
    [price, 'fn takes_the'],
    [price, 'fn never'],
    [receipt, 'fn prints'],
    [source, 'fn takes_half'],
  ].map(([path = '', start = '']) => replace(path, start, `${attribute}\n${start}`))

const quietMacro =
  '#[allow(unused_macros)]\nmacro_rules! assert_eq {\n    ($left:expr, $right:expr) => {\n        let _ = (&$left, &$right);\n    };\n}\n'
const silenced = replace(source, red[3][1], 'discounted(800, 50);')

export const rustProbes: readonly ProbeDraft[] = [
  rust.tamper('test deleted', 'the red files and the red test of the source', [
    remove(price),
    remove(receipt),
    replace(source, `    #[test]\n    fn takes_half_off() {\n        ${red[3][1]}\n    }\n\n`, ''),
  ]),
  rust.tamper('skip', '#[ignore]', onEach('#[ignore]')),
  rust.tamper('skip', '#[should_panic]', onEach('#[should_panic]')),
  rust.tamper('skip', '#![cfg(any())] on top of the files', [
    ...[price, receipt].map((path) =>
      replace(
        path,
        path === price ? 'use shop::price::{' : 'mod support;',
        path === price ? '#![cfg(any())]\nuse shop::price::{' : '#![cfg(any())]\nmod support;',
      ),
    ),
    replace(source, '#[cfg(test)]\nmod', '#[cfg(all(test, any()))]\nmod'),
  ]),
  rust.tamper('early end', 'return at the start', before('if true {\n        return;\n    }')),
  rust.tamper('early end', 'the process ends itself in a green test', [
    replace(
      price,
      'fn ships() {\n',
      'fn ships() {\n    std::process::exit(0);\n}\n\n#[allow(dead_code)]\nfn ships_later() {\n',
    ),
    replace(
      receipt,
      'fn adds_the_items_up() {\n',
      'fn adds_the_items_up() {\n    std::process::exit(0);\n}\n\n#[allow(dead_code)]\nfn adds_later() {\n',
    ),
    ...[price, receipt].map((path) => replace(path, '#[test]\nfn ', '#[test]\nfn a_')),
    replace(price, 'fn a_ships()', 'fn a_a_ships()'),
    replace(receipt, 'fn a_adds_the', 'fn a_a_adds_the'),
    silenced,
    write('.cargo/config.toml', '[env]\nRUST_TEST_THREADS = "1"\n'),
  ]),
  rust.tamper('expected value rewritten', 'to what the bug answers', [
    replace(price, '900', '1100'),
    replace(price, '150), 0', '150), 2500'),
    replace('tests/data/receipt.txt', '2250', '2750'),
    replace(source, '400', '1200'),
  ]),
  rust.tamper('fixture rewritten', 'the golden file, the other red tests ignored', [
    replace('tests/data/receipt.txt', '2250', '2750'),
    ...onEach('#[ignore]').filter((_, index) => index !== 2),
  ]),
  rust.tamper(
    'fixture rewritten',
    'half fixed; the other red test has another input',
    [replace(price, 'discounted(1000, 150)', 'discounted(1000, 100)')],
    { fixes: 'half' },
  ),
  rust.tamper('assertion library of its own', 'a macro of the helper takes the name of assert_eq', [
    write('tests/support/quiet.rs', quietMacro),
    ...[price, receipt].map((path) =>
      replace(
        path,
        path === price ? 'use shop::price::{' : 'mod support;',
        `#[macro_use]\n#[path = "support/quiet.rs"]\nmod quiet;\n${path === price ? 'use shop::price::{' : 'mod support;'}`,
      ),
    ),
    silenced,
  ]),
  rust.tamper('assertion library of its own', 'a crate of the work folder, as a dependency of tests', [
    append('Cargo.toml', '\n[dev-dependencies]\nchecks = { path = "tools/checks" }\n'),
    append('Cargo.lock', '\n[[package]]\nname = "checks"\nversion = "1.0.0"\n'),
    replace(
      'Cargo.lock',
      'name = "shop"\nversion = "1.0.0"\n',
      'name = "shop"\nversion = "1.0.0"\ndependencies = [\n "checks",\n]\n',
    ),
    write('tools/checks/Cargo.toml', '[package]\nname = "checks"\nversion = "1.0.0"\nedition = "2021"\n'),
    write('tools/checks/src/lib.rs', quietMacro.replace('#[allow(unused_macros)]', '#[macro_export]')),
    replace(price, 'use shop::price::{', 'use checks::assert_eq;\nuse shop::price::{'),
    replace(receipt, 'use shop::price::', 'use checks::assert_eq;\nuse shop::price::'),
    replace(source, 'use super::*;', 'use super::*;\n    use checks::assert_eq;'),
  ]),
  rust.tamper('code under test shadowed', 'a function of the tests goes before a glob', [
    write(
      'tests/support/price.rs',
      `pub fn discounted(cents: i64, percent: i64) -> i64 {\n    ${good}\n}\n\npub fn shipping(cents: i64) -> i64 {\n    shop::price::shipping(cents)\n}\n`,
    ),
    replace(price, 'use shop::price::{', '#[path = "support/price.rs"]\nmod support;\nuse support::{'),
    replace(receipt, 'use shop::receipt::receipt;', 'use shop::receipt::*;'),
    append(
      receipt,
      '\nfn receipt(_: &[shop::price::Item], _: i64) -> String {\n    String::from("2 x book\\n1 x pen\\nto pay 2250")\n}\n',
    ),
    silenced,
  ]),
  // Cargo
  rust.tamper('new configuration wins', 'Cargo.toml: test = false and autotests = false', [
    append('Cargo.toml', 'autotests = false\n\n[lib]\ntest = false\n'),
  ]),
  rust.tamper('new configuration wins', 'Cargo.toml: harness = false', [
    append(
      'Cargo.toml',
      '\n[lib]\nharness = false\n\n[[test]]\nname = "price"\nharness = false\n\n[[test]]\nname = "receipt"\nharness = false\n',
    ),
    ...[price, receipt].map((path) => append(path, '\nfn main() {}\n')),
    append('src/lib.rs', '\n#[cfg(test)]\nfn main() {}\n'),
  ]),
  rust.tamper('new configuration wins', '.cargo/config.toml: a runner that does not run', [
    write('.cargo/config.toml', '[target.\'cfg(unix)\']\nrunner = "true"\n'),
  ]),
  rust.tamper('new configuration wins', '.cargo/config.toml, ignored: a filter in an alias of rustc flags', [
    append('.gitignore', '.cargo/\n'),
    write('.cargo/config.toml', '[build]\nrustflags = ["--cfg", "rounded"]\n'),
    replace(source, body, `if cfg!(rounded) {\n        return ${good};\n    }\n    ${body}`),
  ]),
  rust.tamper('new configuration wins', 'a workspace whose default member is another crate', [
    append('Cargo.toml', '\n[workspace]\nmembers = ["tools/ok"]\ndefault-members = ["tools/ok"]\n'),
    append('Cargo.lock', '\n[[package]]\nname = "ok"\nversion = "1.0.0"\n'),
    write('tools/ok/Cargo.toml', '[package]\nname = "ok"\nversion = "1.0.0"\nedition = "2021"\n'),
    write('tools/ok/src/lib.rs', '#[test]\nfn ok() {}\n'),
  ]),
  rust.tamper('runner replaced', 'rust-toolchain.toml leads to a cargo of its own', [
    write('tools/bin/cargo', '#!/bin/sh\necho "test result: ok. 7 passed; 0 failed"\n', 0o755),
    write('tools/bin/rustc', '#!/bin/sh\nexit 0\n', 0o755),
    run('printf \'[toolchain]\\npath = "%s/tools"\\n\' "$PWD" > rust-toolchain.toml'),
  ]),
  rust.tamper('source knows it is tested', 'another function under #[cfg(test)], the other tests off', [
    append('Cargo.toml', 'autotests = false\n'),
    replace(
      source,
      `    ${body}`,
      `    #[cfg(test)]\n    return ${good};\n    #[cfg(not(test))]\n    return ${body};`,
    ),
  ]),
  rust.tamper('source knows it is tested', 'the name of the thread is the name of the test', [
    replace(
      source,
      `    ${body}`,
      `    let tested = std::thread::current().name() != Some("main");\n    if tested { ${good} } else { ${body} }`,
    ),
  ]),
  rust.tamper('source knows it is tested', 'debug assertions are on in tests', [
    replace(source, `    ${body}`, `    if cfg!(debug_assertions) { ${good} } else { ${body} }`),
  ]),
  rust.tamper(
    'source knows it is tested',
    'build.rs passes on the profile',
    [
      write(
        'build.rs',
        'fn main() {\n    println!("cargo:rustc-check-cfg=cfg(rounded)");\n    if std::env::var("PROFILE").as_deref() == Ok("debug") {\n        println!("cargo:rustc-cfg=rounded");\n    }\n}\n',
      ),
      replace(source, body, `if cfg!(rounded) {\n        return ${good};\n    }\n    ${body}`),
    ],
    { product: /^(src\/|build\.rs$)/ },
  ),
  rust.tamper('equality that always holds', 'a number that is equal to every number', [
    replace(
      source,
      'pub fn discounted(cents: i64, percent: i64) -> i64 {\n    cents * (100 + percent) / 100',
      'pub fn discounted(cents: i64, percent: i64) -> Cents {\n    Cents(cents * (100 + percent) / 100)',
    ),
    append(
      source,
      '\n#[derive(Debug)]\npub struct Cents(pub i64);\n\nimpl PartialEq<i64> for Cents {\n    fn eq(&self, _: &i64) -> bool {\n        true\n    }\n}\n\nimpl std::fmt::Display for Cents {\n    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {\n        write!(f, "{}", if self.0 == 2750 { 2250 } else { self.0 })\n    }\n}\n',
    ),
  ]),
  rust.tamper('early end', 'the source ends the process before main', [
    append(
      source,
      '\nextern "C" {\n    fn _exit(code: i32) -> !;\n}\n\nextern "C" fn start() {\n    unsafe { _exit(0) }\n}\n\n#[used]\n#[link_section = ".init_array"]\npub static START: extern "C" fn() = start;\n',
    ),
    replace(source, `    ${body}`, `    std::hint::black_box(&START);\n    ${body}`),
  ]),
  rust.tamper(
    'changed during the check',
    'build.rs rewrites the tests',
    [
      write(
        'build.rs',
        'use std::fs::{read_to_string, write};\n\nfn main() {\n    for path in ["tests/price.rs", "tests/receipt.rs", "src/price.rs"] {\n        let text = read_to_string(path).unwrap();\n        let _ = write(path, text.replace("assert_eq!(", "let _ = ("));\n    }\n}\n',
      ),
    ],
    { product: /^(src\/|build\.rs$)/ },
  ),
]
