import { describe, expect, it } from 'vitest'
import { breakScript } from './broken-script.ts'

describe('a check file that ends with an error once it has loaded what it checks', () => {
  it.each([
    [
      'a.js',
      "import assert from 'assert'\nimport {\n  f,\n} from './f.js'\nf()\n",
      "} from './f.js'\nthrow 1;\nf()",
    ],
    ['a.cjs', "'use strict'\nconst f = require('./f')\nf()\n", "require('./f')\nthrow 1;\nf()"],
    ['a.mjs', "const { f } = await import('./f.js')\nf()\n", "import('./f.js')\nthrow 1;\nf()"],
    ['a.js', '#!/usr/bin/env node\nf()\n', 'node\nthrow 1;\nf()'],
    [
      'a.py',
      'import os\nfrom x import (\n    a,\n)\na()\n',
      ')\nraise SystemError("broken on purpose")\na()',
    ],
    ['a.py', '"""What it is."""\nprint(1)\n', '"""\nraise SystemError("broken on purpose")\nprint(1)'],
    ['a.py', '"""What\nit is.\n"""\nprint(1)\n', '"""\nraise SystemError("broken on purpose")\nprint(1)'],
    ['run.sh', '. ./lib.sh\nsame 1 2\nexit $failed\n', 'same 1 2\nexit 97\nexit $failed'],
    ['run', '#!/bin/sh\nsame 1 2\n', 'same 1 2\nexit 97'],
  ])('%s', (path, text, broken) => {
    expect(breakScript(path, text)).toContain(broken)
  })

  it('says where it knows nothing of the language', () => {
    expect(breakScript('a.json', '{}')).toBeUndefined()
  })
})
