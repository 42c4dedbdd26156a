/** The manual page, made of the same commands and options that are parsed. */
import type { Command, Option } from 'commander'
import { donecheckVersion } from '@donecheck/engine/base'

/** Where it lies in the package. */
export const manPagePath = 'dist/donecheck.1'

export function manPage(program: Command): string {
  return `${[
    `.TH DONECHECK 1 "" "donecheck ${donecheckVersion}" "User Commands"`,
    '.SH NAME',
    `donecheck \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    '.B donecheck',
    '.I command',
    '[options] [arguments]',
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => commandPart(command, [])),
    '.SH EXIT STATUS',
    '0 verified, 1 failed, 2 wrong usage, 3 exhausted, 4 unverified, 5 blocked, 70 error, 130 interrupted.',
    '.SH FILES',
    '.TP',
    '.I donecheck.config.ts\\fR, \\fIdonecheck.config.js\\fR, \\fIdonecheck.config.json',
    'The configuration of a project, in its folder.',
    '.SH ENVIRONMENT',
    '.TP',
    '.B DONECHECK_*',
    'Any key of the configuration, such as DONECHECK_MAX_TOKENS for maxTokens.',
  ].join('\n')}\n`
}

function commandPart(command: Command, names: readonly string[]): readonly string[] {
  const own = [...names, command.name()]
  const head = [
    `.SS ${escaped(['donecheck', ...own].join(' '))} ${escaped(command.usage())}`,
    escaped(command.description()),
  ]
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(optionPart)
  return [...head, ...options, ...command.commands.flatMap((inner) => commandPart(inner, own))]
}

function optionPart({ flags, description, argChoices }: Option): readonly string[] {
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`
  return ['.TP', `.B ${escaped(flags)}`, escaped(`${description}${choices}`)]
}

/** So that nothing of a text is taken for a request of roff, and a terminal that knows ASCII alone shows all of it. */
function escaped(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
}
