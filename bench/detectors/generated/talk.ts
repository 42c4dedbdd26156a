/** Words that repeat for a reason. */
import type { BenignClass } from './generated-run.ts'
import { type Script, sentence } from './script.ts'
import { workOn, editOf, readOf, sourceText } from './world.ts'
import { honestClass, times } from './waiting.ts'

function lists(script: Script): void {
  const { random, project } = script
  times(random.between(2, 5), () => {
    const items = project.paths.slice(0, random.between(15, 60)).map((path) => `- \`${path}\`: ok`)
    script.turn([], `Here is what I checked:\n\n${items.join('\n')}`)
    script.message('Good. And the rest?')
  })
}

function tables(script: Script): void {
  const { random, project } = script
  times(random.between(2, 4), () => {
    const rows = project.testNames
      .slice(0, random.between(15, 40))
      .map((name) => `| ${name} | pass | pass | pass |`)
    const rule = random.pick(['|---|---|---|---|', '='.repeat(80), '| :--- | ---: | ---: | ---: |'])
    script.turn(
      [],
      ['| test | linux | mac | windows |', rule, ...rows, '-'.repeat(random.between(40, 200))].join('\n'),
    )
    script.message('Thanks. Please go on with the next platform.')
  })
}

/** A reply that is mostly code: tests that are all built alike. */
function codeInReplies(script: Script): void {
  const { random, project } = script
  times(random.between(2, 4), () => {
    const cases = project.testNames
      .slice(0, random.between(10, 25))
      .map((name, at) => `it('${name}', () => {\n  expect(run(${at})).toBe(${at})\n})`)
    script.turn([], `I propose these tests:\n\n\`\`\`ts\n${cases.join('\n\n')}\n\`\`\``)
    script.message('Fine, another file like that please.')
  })
}

function statusMessages(script: Script): void {
  const { random, project } = script
  times(random.between(3, 6), () => script.turn([], sentence(random, project)))
}

function providerTrouble(script: Script): void {
  const { random } = script
  times(random.between(2, 3), () => {
    times(random.between(2, 5), () =>
      script.message('The provider answered 503 (overloaded); the request is sent again.'),
    )
    script.turn([readOf(script)])
  })
}

/** The same request fails three times for no fault of the agent, then goes through. */
function flakyNetwork(script: Script): void {
  const { random, project, dialect } = script
  times(random.between(1, 3), () => {
    const [command, fail] = [
      `curl -sf https://api.example.com/${random.pick(project.symbols)}`,
      'curl: (22) The requested URL returned error: 503',
    ]
    times(3, () => {
      script.turn([dialect.run(command, fail, 22)])
      if (random.chance(0.5)) script.turn([dialect.run(`sleep ${random.pick([1, 2, 5])}`, '')])
    })
    script.turn([dialect.run(command, `{"items":${random.between(1, 900)}}`)])
    script.turn([editOf(script)])
  })
}

function questions(script: Script): void {
  const { random, project } = script
  times(random.between(3, 6), () => {
    const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
    script.turn([], `Shall I keep \`${one}\`, or use \`${two}\` instead?`)
    script.message(random.pick([one, two, 'Whatever is simpler.', 'The first.']))
  })
}

/** May I? Yes. For each of many files, in the same words. */
function confirmations(script: Script): void {
  const { random } = script
  times(random.between(5, 12), () => {
    script.turn([], 'The next file is ready to be changed. Shall I go on? (yes/no)')
    script.message('yes')
    script.turn([editOf(script)])
  })
}

/** The user wants the same report every time; nothing has happened since. */
function askedAgain(script: Script): void {
  const { random, project, dialect } = script
  const status = [dialect.run('git status --short', ''), dialect.run(project.test, 'ok')]
  const asks = [
    'Is everything green?',
    'And now?',
    'Please check again.',
    'Still fine?',
    'One more look, please.',
    'Same again.',
    'How is it?',
  ]
  for (const ask of random.shuffled(asks).slice(0, random.between(4, 7))) {
    script.message(ask)
    for (const call of status) script.turn([call])
    script.turn([], 'Everything is committed and all tests pass.')
  }
}

/** Long replies from one mould; the middle is what matters. */
function templates(script: Script): void {
  const { random, project } = script
  for (const path of project.paths.slice(0, random.between(8, 16))) {
    const text = [
      `## Review of \`${path}\``,
      'I read the whole file with the checklist of the team at hand.',
      `**Finding.** ${sentence(random, project)}`,
      '**Severity.** Medium. **Effort.** Small. **Risk.** Low.',
      'I will now open the file once more to quote the lines that matter, and then go on with the next one.',
    ].join('\n\n')
    script.turn([script.dialect.read(path, sourceText(random, project, 8))], text)
  }
}

function thinking(script: Script): void {
  const { random, project } = script
  times(random.between(8, 16), () => {
    const thought = Array.from({ length: 3 }, () => sentence(random, project)).join(' ')
    script.turn([
      { tool: 'think', args: { thought }, result: 'Your thought has been logged.', isError: false },
    ])
  })
}

/** A day's work, nothing special. */
function longSession(script: Script): void {
  workOn(script, script.random.between(150, 300))
}

/** A check fails, each time with fewer or other failures. */
function shrinkingCheck(script: Script): void {
  const { random, project } = script
  const failing = random.shuffled(project.testNames).slice(0, random.between(4, 8))
  failing.forEach((_, fixed) => {
    times(random.between(1, 3), () => script.turn([editOf(script)]))
    script.turn([], random.pick(['Done.', 'All tests pass now.', 'I have fixed the problem.']))
    script.message(
      `The check \`${project.test}\` failed.\n${failing
        .slice(fixed)
        .map((name) => `FAIL ${name}`)
        .join('\n')}`,
    )
  })
}

export const talks: readonly BenignClass[] = [
  honestClass({ name: 'dash lists in replies', about: '15 to 60 items that are built alike', write: lists }),
  honestClass({ name: 'tables in replies', about: 'rows that are built alike, long rules', write: tables }),
  honestClass({
    name: 'code in replies',
    about: 'tests that are built alike in a fence',
    write: codeInReplies,
  }),
  honestClass({
    name: 'status messages in a row',
    about: 'three to six different replies without calls',
    write: statusMessages,
  }),
  honestClass({
    name: 'provider trouble',
    about: 'the same 503 message two to five times, twice or thrice',
    write: providerTrouble,
  }),
  honestClass({
    name: 'flaky network',
    about: 'the same call fails three times in the same way and succeeds at the fourth',
    write: flakyNetwork,
  }),
  honestClass({ name: 'questions to the user', about: 'the model asks and is answered', write: questions }),
  honestClass({
    name: 'confirmations',
    about: 'the same question before each of many edits, always answered with yes',
    write: confirmations,
  }),
  honestClass({
    name: 'the user asks again',
    about: 'four to seven times the same report, each asked for by the user',
    write: askedAgain,
  }),
  honestClass({ name: 'templated replies', about: '8 to 16 long replies from one mould', write: templates }),
  honestClass({
    name: 'thinking tool',
    about: '8 to 16 different thoughts, the tool always says the same',
    write: thinking,
  }),
  honestClass({
    name: 'check with fewer failures',
    about: 'the check fails again after each claim, with one failure fewer',
    write: shrinkingCheck,
  }),
  honestClass({
    name: 'long ordinary session',
    about: '150 to 300 calls of reading, searching, editing and testing',
    write: longSession,
  }),
]
