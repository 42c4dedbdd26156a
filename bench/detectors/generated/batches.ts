/** Much of the same, because there is much of it. */
import type { BenignClass } from './generated-run.ts'
import type { Script } from './script.ts'
import { editOf, readOf, sourceText } from './world.ts'
import { honestClass, times } from './waiting.ts'

/** One turn with the same call several times, as models do that hedge or sample. */
function equalCallsInOneTurn(script: Script): void {
  const { random } = script
  times(random.between(1, 2), () => {
    const call = readOf(script)
    script.turn(Array.from({ length: random.between(3, 8) }, () => call))
    script.turn([editOf(script)])
  })
}

function equalTasks(script: Script): void {
  const { random, project } = script
  const prompt = `Write one idea for the name of ${random.pick(project.symbols)}.`
  const calls = Array.from({ length: random.between(3, 10) }, () => ({
    tool: 'start_agent',
    args: { prompt },
    result: 'started',
    isError: false,
  }))
  script.turn(calls)
}

/** The same command over many files; the tool has nothing to say. */
function templatedBatch(script: Script): void {
  const { random, project, dialect } = script
  const [verb, answer] = random.pick([
    ['format', 'ok'],
    ['upload', 'ok'],
    ['check', ''],
    ['migrate', 'done'],
    ['translate', 'saved'],
  ] as const)
  const isTalking = random.chance(0.7)
  for (const path of project.paths.slice(0, random.between(20, 45))) {
    const text = isTalking ? `Now I will ${verb} \`${path}\` and go on with the next file.` : ''
    script.turn([dialect.run(`./tools/${verb} ${path}`, answer)], text)
  }
}

function lintOfMany(script: Script): void {
  const { random, project, dialect } = script
  const message = random.pick([
    '1 problem: missing licence header',
    'error: file is not formatted',
    'E501 line too long',
  ])
  for (const path of project.paths.slice(0, 25))
    script.turn([dialect.run(`${project.lint} ${path}`, message, 1)])
}

/** One command a file, over a list that is longer than any patience with a failure that comes back. */
function lintOfAll(script: Script): void {
  const { random, project, dialect } = script
  const message = random.pick(['1 problem: missing licence header', 'error: file is not formatted'])
  const namesFile = random.chance(0.5)
  const looksFirst = random.chance(0.25)
  for (const path of project.paths.slice(0, random.between(35, 55))) {
    if (looksFirst) script.turn([dialect.read(path, sourceText(random, project, 8))])
    script.turn([dialect.run(`${project.lint} ${path}`, namesFile ? `${path}: ${message}` : message, 1)])
  }
}

function fruitlessSearches(script: Script): void {
  const { random, project, dialect } = script
  const terms = random.shuffled(project.symbols).slice(0, random.between(10, 20))
  for (const term of terms) script.turn([dialect.search(term, 'src', '')])
}

function paging(script: Script): void {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const lines = random.pick([50, 100, 200])
  times(random.between(10, 30), (at) => {
    const from = 1 + at * lines
    script.turn([dialect.read(path, sourceText(random, project, 10, from), from, lines)])
  })
}

/** Where am I? What is here? Between other looks. */
function lookingAround(script: Script): void {
  const { random, project, dialect } = script
  const [where, what] = [`/project/${random.pick(project.symbols)}`, project.paths.slice(0, 9).join('\n')]
  times(random.between(12, 25), () => {
    script.turn([random.chance(0.5) ? dialect.run('pwd', where) : dialect.run('ls', what)])
    script.turn([readOf(script)])
  })
}

/** The same words to many; each message really went out. */
function sends(script: Script): void {
  const { random, project } = script
  const text = `The release of ${random.pick(project.symbols)} is out.`
  times(random.between(10, 25), (at) => {
    const args = {
      action: 'send',
      to: `${project.symbols[at % project.symbols.length] ?? 'all'}@example.com`,
      text,
    }
    script.turn([
      {
        tool: 'message',
        args,
        result: JSON.stringify({ sent: true, messageId: random.hex(12) }),
        isError: false,
      },
    ])
  })
}

/** The same words to the same place at the end of each piece of work. */
function progressMessages(script: Script): void {
  const { random } = script
  const args = { action: 'send', to: '#progress', text: 'Next piece done.' }
  times(random.between(6, 12), () => {
    times(random.between(2, 4), () => script.turn([editOf(script)]))
    script.turn([
      {
        tool: 'message',
        args,
        result: JSON.stringify({ sent: true, messageId: random.hex(12) }),
        isError: false,
      },
    ])
  })
}

/** The list of things to do is written again and again, and always "modified successfully". */
function todoLists(script: Script): void {
  const { random, project } = script
  const titles = random.shuffled(project.testNames).slice(0, random.between(8, 14))
  titles.forEach((_, done) => {
    const todos = titles.map((content, at) => ({
      content,
      status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
    }))
    script.turn([
      {
        tool: 'todo_write',
        args: { todos },
        result: 'Todos have been modified successfully.',
        isError: false,
      },
    ])
    script.turn([editOf(script)])
  })
}

export const batches: readonly BenignClass[] = [
  honestClass({
    name: 'equal calls in one turn',
    about: 'three to eight equal calls in one turn, once or twice',
    write: equalCallsInOneTurn,
  }),
  honestClass({
    name: 'equal tasks in one turn',
    about: 'three to ten helpers are started with the same words',
    write: equalTasks,
  }),
  honestClass({
    name: 'batch over many files',
    about: '20 to 45 files, templated words, the same short answer',
    write: templatedBatch,
  }),
  honestClass({
    name: 'lint of 25 files',
    about: 'the same message and exit code 1 for each of 25 files',
    write: lintOfMany,
  }),
  honestClass({
    name: 'lint of 35 files and more',
    about: 'the same message for each of 35 to 55 files, half of the time with the name of the file in it',
    write: lintOfAll,
  }),
  honestClass({
    name: 'searches without hits',
    about: '10 to 20 different terms, no matches each time',
    write: fruitlessSearches,
  }),
  honestClass({
    name: 'paging through a long file',
    about: 'growing offsets, other lines each time',
    write: paging,
  }),
  honestClass({
    name: 'pwd and ls sprinkled',
    about: 'pwd or ls before each new look',
    write: lookingAround,
  }),
  honestClass({
    name: 'same text to many',
    about: '10 to 25 messages with the same text and fresh ids to different people',
    write: sends,
  }),
  honestClass({
    name: 'same text after each piece',
    about: 'the same message to one place, with work between',
    write: progressMessages,
  }),
  honestClass({
    name: 'lists of things to do',
    about: 'one thing more is done each time; the tool always says the same',
    write: todoLists,
  }),
]
