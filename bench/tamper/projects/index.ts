/** Every project by its name. */
import type { ProjectName } from '../probe.ts'
import { go } from './go.ts'
import { goModules } from './go-modules.ts'
import { jest, mocha, nodeTest, vitest } from './javascript.ts'
import { make } from './make.ts'
import type { SampleProject } from './project.ts'
import { pytest, unittest } from './python.ts'
import { rust } from './rust.ts'
import { shell } from './shell.ts'
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
  'go-modules': goModules,
  rust,
  shell,
  make,
}
