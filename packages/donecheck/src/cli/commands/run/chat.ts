import pc from 'picocolors'
import { donecheckVersion, UsageError } from '@donecheck/engine/internal/base'
import { type Line, line } from '@donecheck/core/internal/base'
import { openChat } from '../../../chat/index.ts'
import { colouring, isColourWelcome } from '../../output/wrap.ts'
import { findAgentChoices, pickAgent } from '../../agents/survey.ts'
import type { CliIo } from '../../process/io.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { type Settings, assertRunnable, withOpenStore } from '../../settings/store-folder.ts'
import type { RunWords } from '../../options/option.ts'
import { chooseAgent } from '../../wiring/loop/loop-options.ts'
import { CommandHost } from '../../wiring/chat.ts'
import { outputFormatOf, type RunFlags, type Flags } from '../../options/flags.ts'

type ChatFlags = RunFlags & Flags<never, 'plain'>

export async function chatCommand(runWords: RunWords, flags: ChatFlags, io: CliIo): Promise<number> {
  const settings = await withAgentFound(await resolveSettings(flags, io), io)
  if (outputFormatOf(flags) !== 'text')
    throw new UsageError('a session is for a person: for JSON there is donecheck run')
  assertRunnable(settings, io)
  const { agent, model, baseUrl } = settings.config
  if ((agent ?? model ?? baseUrl) !== undefined) await chooseAgent(settings.config, settings.workFolder, io)
  return withOpenStore(settings, io, async (store) => {
    const host = new CommandHost(settings, store, io, runWords)
    const checks: string[] = []
    await host.takeProjectTests((message) => void checks.push(message))
    if (checks.length === 0 && host.checks().length > 0) checks.push(`until: ${host.checks().join(' · ')}`)
    const isColoured = isColourWelcome(io.stdout, io)
    const colours = pc.createColors(isColoured)
    const run = await openChat({
      host,
      theme: { paint: colouring(isColoured), accent: colours.cyan, quiet: colours.dim },
      isPlain: isPlain(flags, io),
      input: io.stdin,
      output: io.stdout,
      greeting: greetingOf(settings, checks),
    })
    if (run !== undefined) io.stdout.write(`to go on with it: donecheck resume ${run}\n`)
    return 0
  })
}

/** Uses the installed agent or model; asks if there are several. */
async function withAgentFound(settings: Settings, io: CliIo): Promise<Settings> {
  const { agent, model, baseUrl } = settings.config
  if ((agent ?? model ?? baseUrl) !== undefined) return settings
  const agents = await findAgentChoices(io.environment)
  const [first] = agents
  const chosen = agents.length > 1 && io.stdin.isTTY === true ? await pickAgent(agents, io) : first
  if (chosen === undefined) return settings
  return { ...settings, config: { ...settings.config, [chosen.kind]: chosen.name } }
}

/** Screen readers, dumb terminals and pipes get plain lines. */
function isPlain({ plain = false }: ChatFlags, { environment, stdin, stdout }: CliIo): boolean {
  const { TERM: terminal, ACCESSIBLE: accessible = '' } = environment
  return plain || terminal === 'dumb' || accessible !== '' || stdin.isTTY !== true || stdout.isTTY !== true
}

function greetingOf({ config, workFolder }: Settings, checks: readonly string[]): readonly Line[] {
  const agent = config.agent ?? config.model
  return [
    line('strong', `donecheck ${donecheckVersion}`),
    line('quiet', [agent ?? 'no model or agent yet', workFolder].join(' · ')),
    line('quiet', checks[0] ?? 'no check yet: /until "npm test" adds one'),
    ...(agent === undefined
      ? [line('warning', 'choose what drives: /model claude, /model openai/gpt-5, …')]
      : []),
    line('quiet', 'Say what is to be done. /help lists the commands.'),
  ]
}
