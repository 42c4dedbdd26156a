import { describe, expect, it } from 'vitest'
import { decided } from '../fixtures/decided.ts'
import { rule } from '../fixtures/gate-context.ts'

const rules = [rule('git push', 'forbidden')]

describe('given a rule that forbids a command', () => {
  it.each([
    'git -C . --no-pager push',
    'git --git-dir=.git push',
    'git -p push',
    'git send-pack origin',
    'git -C . send-pack origin',
    'git -c alias.x=push x',
    '/usr/bin/git --no-pager push',
  ])('forbids %s', (script) => {
    expect(decided(script, 'on-request', rules)).toBe('forbidden policy_forbidden')
  })

  it.each([
    `node -e "require('child_process').execSync('git push')"`,
    `python3 -c "import subprocess; subprocess.run(['git', 'push'])"`,
    `perl -e 'system("git -C . push")'`,
    `ruby -e 'exec "git", "push"'`,
    `php -r 'shell_exec("git push");'`,
    `awk 'BEGIN { system("git push") }'`,
    "sed 'e git push' a",
    'npm pkg set scripts.x="git push" && npm run x',
    "printf 'all:\\n\\tgit push\\n' | make -f -",
    'python3 - <<E\nimport os\nos.system("git push")\nE',
  ])('asks about %s, in a sandbox too', (script) => {
    expect(decided(script, 'on-request', rules)).toBe('prompt approval_required')
  })

  it.each([
    'git -C . log --grep push',
    'git log push',
    'git commit -m "do not git push"',
    'grep -r "git push" docs',
    'echo "git push"',
    `node -e "console.log(1)"`,
    'npm run push',
    'npm test && node build.js',
    "sed -n '1,20p' git-push.md",
  ])('leaves %s alone', (script) => {
    expect(decided(script, 'on-request', rules)).toBe('allow')
  })
})
