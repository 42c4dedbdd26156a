import { checkKind, file, loadVerifiers, sourceOf } from './check-kind.ts'

export const patch = checkKind({
  name: 'patch',
  what: 'a patch that applies',
  options: { file },
  line: (typed) => ({ file: typed }),
  async verifiers(spec, options) {
    return [(await loadVerifiers()).patchApplies({ ...options, ...sourceOf(spec) })]
  },
})
