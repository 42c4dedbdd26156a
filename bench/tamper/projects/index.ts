/** Every project by its name. */
import type { ProjectName } from '../probe.ts'
import { go } from './go.ts'
import { jest, mocha, nodeTest, vitest } from './javascript.ts'
import type { SampleProject } from './project.ts'
import { pytest, unittest } from './python.ts'
import { typescript } from './typescript.ts'

export const projects: Readonly<Record<ProjectName, SampleProject>> = {
  'js-node-test': nodeTest,
  'js-vitest': vitest,
  'ts-vitest': typescript,
  'js-jest': jest,
  'js-mocha': mocha,
  'py-pytest': pytest,
  'py-unittest': unittest,
  go,
}
