/** What the model says before its calls. Some say nothing, some say the same few words, some think aloud. */
import type { Random } from '../random.ts'
import type { Project } from './project.ts'

export type Voice = 'silent' | 'terse' | 'talking'

const terse = [
  'Let me check.',
  'Next.',
  'Now run the tests.',
  'Running the tests again.',
  'Let me look at the file.',
  'Continuing.',
  "I'll fix that.",
  'Let me try again.',
]

/** One of the usual words. */
export function voiceFrom(random: Random): Voice {
  return random.pick(['silent', 'terse', 'talking', 'talking'])
}

export function say(voice: Voice, random: Random, project: Project): string {
  switch (voice) {
    case 'silent':
      return ''
    case 'terse':
      return random.pick(terse)
    case 'talking':
      return Array.from({ length: random.between(1, 3) }, () => sentence(random, project)).join(' ')
  }
}

/** A sentence about the work, hardly ever the same twice. */
export function sentence(random: Random, project: Project): string {
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  const path = random.pick(project.paths)
  const line = random.between(2, 400)
  const first = random.pick([
    `I think that \`${one}\` in ${path} is called with the wrong order of arguments`,
    `The failure seems to come from line ${line} of ${path}`,
    `Before I change \`${one}\`, I want to see who calls \`${two}\``,
    `It looks as if ${path} still holds the old name \`${two}\``,
    `Now \`${one}\` has to hand its result to \`${two}\``,
    `${path} does not handle an empty list; \`${one}\` would return ${line}`,
    `The test for \`${two}\` expects ${line}, so rounding happens too early`,
    `My guess about \`${one}\` was wrong`,
    `Nothing in ${path} mentions \`${two}\``,
  ])
  const second = random.pick([
    `, so I will read ${random.pick(project.paths)} first.`,
    `; let me verify that with a small run.`,
    `, and ${random.pick(project.symbols)} comes after that.`,
    '.',
    ` (see line ${random.between(2, 400)}).`,
    `, which would explain the number ${random.between(2, 900)}.`,
  ])
  return first + second
}
