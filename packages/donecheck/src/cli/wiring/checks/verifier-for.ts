/** From a check that is no command, as it is configured, to its verifier. */
import type { CheckSpec, SpecOf } from '../../../config/index.ts'
import { given, UsageError } from '@donecheck/engine/base'
import type { Embedder } from '@donecheck/engine/models'
import type { Human, Verifier } from '@donecheck/engine/ports/checks'
import { citations, composed, humanApproves, patchApplies, type Combination } from '@donecheck/engine/verify'
import {
  filesCheck,
  gitCheck,
  httpCheck,
  jsonCheck,
  processCheck,
  schemaCheck,
  similarityCheck,
  sourceOf,
  textCheck,
  type NamedOptions,
} from './check-kinds.ts'

interface Whole {
  readonly name: string | undefined
}

/** What checks ask beside the work. */
export interface CheckParts {
  readonly human: Human
  /**
   * @param within the outermost check that it is a part of
   * @throws {UsageError} where there is no judge, or it may not decide
   */
  readonly judged: (spec: SpecOf<'judge'>, options: NamedOptions, within: Whole | undefined) => Verifier
  /** Undefined: no model was named. */
  readonly embedder: (spec: SpecOf<'similarity'>) => Embedder | undefined
  /** Of checks that do not say how long they may take. */
  readonly timeoutMs: number
}

/** @throws {UsageError} for options that ask nothing, or contradict each other */
export function verifierFor(spec: CheckSpec, parts: CheckParts, within?: Whole): Verifier {
  const options = optionsOf(spec, parts)
  if ('of' in spec) {
    const members = spec.of.map((member) => verifierFor(member, parts, within ?? { name: spec.name }))
    return composed(combinationOf(spec), members, options)
  }
  const [only, ...others] = verifiersOf(spec, options, parts, within)
  if (only === undefined) throw new UsageError(`${spec.kind} asks nothing; give it something to look for`)
  if (others.length === 0) return only
  // Together they are the check: name, part and weight are those of all of them.
  const { timeoutMs = parts.timeoutMs } = options
  return composed({ kind: 'all' }, verifiersOf(spec, { timeoutMs }, parts, within), options)
}

type CombinationSpec = Extract<CheckSpec, { readonly of: unknown }>
type OneSpec = Exclude<CheckSpec, CombinationSpec>

function combinationOf(spec: CombinationSpec): Combination {
  switch (spec.kind) {
    case 'all':
    case 'any':
      return { kind: spec.kind }
    case 'quorum':
      return { kind: spec.kind, atLeast: spec.atLeast }
    case 'weighted':
      return { kind: spec.kind, threshold: spec.threshold }
  }
}

function verifiersOf(
  spec: OneSpec,
  options: NamedOptions,
  parts: CheckParts,
  within: Whole | undefined,
): readonly Verifier[] {
  switch (spec.kind) {
    case 'schema':
      return schemaCheck(spec, options)
    case 'json':
      return jsonCheck(spec, options)
    case 'text':
      return textCheck(spec, options)
    case 'files':
      return filesCheck(spec, options)
    case 'citations':
      return [
        citations({ ...options, ...sourceOf(spec), sources: spec.sources, quotes: spec.quotes ?? 'needed' }),
      ]
    case 'similarity':
      return similarityCheck(spec, options, parts.embedder(spec))
    case 'git':
      return gitCheck(spec, options)
    case 'patch':
      return [patchApplies({ ...options, ...sourceOf(spec) })]
    case 'http':
      return httpCheck(spec, options)
    case 'process':
      return processCheck(spec, options)
    case 'human':
      return [
        humanApproves({
          ...options,
          ...given({ details: spec.details }),
          question: spec.question,
          human: parts.human,
          reads: spec.reads ?? 'workspace',
        }),
      ]
    case 'judge':
      return [parts.judged(spec, options, within)]
  }
}

function optionsOf(
  { name, required = true, weight = 1, exclusive, timeoutSeconds }: CheckSpec,
  { timeoutMs }: CheckParts,
): NamedOptions {
  return {
    required,
    weight,
    timeoutMs: timeoutSeconds === undefined ? timeoutMs : timeoutSeconds * 1000,
    ...given({ name, exclusive }),
  }
}
