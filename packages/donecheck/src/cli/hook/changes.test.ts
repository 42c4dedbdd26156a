/** Changes by an agent's own tools, parsed as the agent parses them, and refused if that fails. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { installed, removeFolders } from './fixtures/installed.ts'

afterEach(removeFolders)

const refusal = expect.stringContaining('"permissionDecision":"deny"') as unknown

async function codex() {
  const hooked = installed()
  const { workFolder, send } = hooked
  mkdirSync(join(workFolder, '.codex'))
  mkdirSync(join(workFolder, 'test'))
  writeFileSync(join(workFolder, '.codex/hooks.json'), '{\n}\n')
  writeFileSync(join(workFolder, 'test/a.test.js'), 'a\na\n')
  const tell = (event: string, payload: object, cwd = workFolder) =>
    send(
      event,
      {
        kind: 'payload',
        payload: { session_id: 's', turn_id: 't', cwd, hook_event_name: event, ...payload },
      },
      'codex',
    )
  const patch = (body: string, cwd?: string) =>
    tell(
      'PreToolUse',
      {
        tool_use_id: 'c',
        tool_name: 'apply_patch',
        tool_input: { command: `*** Begin Patch\n${body}\n*** End Patch` },
      },
      cwd,
    )
  await tell('UserPromptSubmit', { prompt: 'do it' })
  return { ...hooked, tell, patch }
}

describe('given a patch of Codex that changes what holds it', () => {
  it.each([
    ['by its name', '*** Delete File: .codex/hooks.json'],
    ['by a path from the root', '*** Delete File: {folder}/.codex/hooks.json'],
    ['by a way around', '*** Delete File: ../work/.codex/hooks.json'],
    [
      'by moving it onto itself',
      '*** Update File: .codex/hooks.json\n*** Move to: .codex/./hooks.json\n@@\n-{\n+{',
    ],
    ['by adding it', '*** Add File: .codex/hooks.json\n+{}'],
    [
      'behind a chunk that fits twice',
      '*** Update File: test/a.test.js\n@@\n-a\n+b\n*** Delete File: .codex/hooks.json',
    ],
    [
      'behind a chunk that fits nowhere',
      '*** Update File: test/a.test.js\n@@\n-z\n+b\n*** Delete File: .codex/hooks.json',
    ],
    ['by a link', '*** Update File: link/hooks.json\n@@\n-{\n+{ '],
    ['by what it moves there', '*** Update File: test/a.test.js\n*** Move to: .codex/hooks.json\n@@\n-a\n+b'],
  ])('refuses it %s', async (_, body) => {
    const { patch, workFolder } = await codex()
    symlinkSync('.codex', join(workFolder, 'link'))
    expect(await patch(body.replace('{folder}', workFolder))).toEqual(refusal)
  })

  it('refuses it from the folder that the agent went to', async () => {
    const { patch, workFolder } = await codex()
    expect(await patch('*** Delete File: hooks.json', join(workFolder, '.codex'))).toEqual(refusal)
    expect(await patch('*** Delete File: ../.codex/hooks.json', join(workFolder, 'test'))).toEqual(refusal)
  })

  it.each([
    '*** Update File: .git/config\n@@\n-[core]\n+[user]',
    '*** Add File: {folder}/.donecheck/x\n+{}',
    '*** Add File: donecheck.config.ts\n+export default {}',
  ])('refuses what no agent may write: %s', async (body) => {
    const { patch, workFolder } = await codex()
    expect(await patch(body.replace('{folder}', workFolder))).toEqual(refusal)
  })

  it('refuses what nobody can read', async () => {
    const { tell } = await codex()
    for (const tool_input of [{ command: 'no patch' }, { command: ['apply_patch'] }, {}]) {
      const call = { tool_use_id: 'c', tool_name: 'apply_patch', tool_input }
      expect(await tell('PreToolUse', call)).toEqual(refusal)
    }
  })

  it.each([
    '*** Add File: src/a.js\n+a',
    '*** Add File: {folder}/src/a.js\n+a',
    '*** Update File: test/a.test.js\n@@\n-a\n+b',
    '*** Update File: test/a.test.js\n@@\n-z\n+b',
    '*** Add File: ../notes.txt\n+a',
    '*** Delete File: test/a.test.js',
  ])('leaves usual work alone: %s', async (body) => {
    const { patch, workFolder } = await codex()
    expect(await patch(body.replace('{folder}', workFolder))).not.toEqual(refusal)
  })
})

describe('given a tool of Claude Code that changes a file', () => {
  it('refuses it where the name leads to its settings in any way', async () => {
    const { call, begin, tell, workFolder } = installed()
    await begin()
    for (const file_path of [
      '.claude/settings.json',
      ' .claude/settings.json ',
      `${workFolder}/src/../.claude/settings.json`,
    ])
      expect(await call('Write', { file_path, content: '{}' }), file_path).toEqual(refusal)
    for (const args of [{ file_path: '.claude/settings.json' }, { content: 'x' }, { file_path: 1 }])
      expect(await call('Write', args), JSON.stringify(args)).toEqual(refusal)
    expect(await call('NotebookEdit', { notebook_path: '.claude/settings.json' })).toEqual(refusal)
    expect(await call('mcp__files__put', { file: { at: '.claude/settings.json' } })).toEqual(refusal)
    const there = { tool_use_id: 'c', tool_name: 'Write', cwd: join(workFolder, '.claude') }
    const args = { file_path: 'settings.json', content: '{}' }
    expect(await tell('PreToolUse', { ...there, tool_input: args })).toEqual(refusal)
  })

  it('leaves usual work alone', async () => {
    const { call, begin } = installed()
    await begin()
    for (const [tool, args] of [
      ['Write', { file_path: 'src/a.ts', content: 'a' }],
      ['Edit', { file_path: '.claude/notes.md', old_string: 'a', new_string: 'b' }],
      ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x' }],
      ['mcp__files__put', { path: 'settings.json', text: 'see .claude/settings.json' }],
    ] as const)
      expect(await call(tool, args), tool).not.toEqual(refusal)
  })
})

describe('given code that a command runs', () => {
  it('refuses it where what holds the agent is named in it', async () => {
    const { bash, begin, workFolder, homeFolder } = installed()
    await begin()
    for (const script of [
      `python3 -c "open('.claude/settings.json','w')"`,
      `python3 -c "open('.claude/settings.json', mode='w').write('')"`,
      `python3 -c "import pathlib; pathlib.Path('.claude/settings.json').write_text('{}')"`,
      `python3 -c "import os; os.remove(os.path.join('.claude', 'settings.json'))"`,
      `python3 -c "import shutil; shutil.rmtree('.claude')"`,
      `env A=1 python3 -c "open('${workFolder}/.claude/settings.json','a')"`,
      `node -e "require('fs').writeFileSync('./.claude/settings.json', '{}')"`,
      `node -e "require('fs').rmSync('${homeFolder}/.claude/settings.json')"`,
      `perl -e 'open(F, ">.claude/settings.json")'`,
      `ruby -e 'File.write(".claude/settings.json", "")'`,
      `cd .claude && python3 -c "open('settings.json','w')"`,
      `python3 - <<'EOF'\nopen('.claude/settings.json', 'w')\nEOF`,
      `sh -c "python3 -c \\"open('.claude/settings.json','w')\\""`,
      `apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: .claude/settings.json\n*** End Patch\nEOF`,
      `patch -p1 <<'EOF'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{\n+[\nEOF`,
      `git apply <<'EOF'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{\n+[\nEOF`,
      `python3 -c "open('.claude/settings' '.json', 'w')"`,
      `python3 -c "import os; open(os.environ['HOME'] + '/.claude/settings.json', 'w')"`,
      `python3 -c "open('$PWD/.claude/settings.json', 'w')"`,
      `python3 -c "open('$(pwd)/.claude/settings.json', 'w')"`,
      `python3 -c "import glob, os; [os.remove(f) for f in glob.glob('.claude/*')]"`,
      `node -e 'require("fs").writeFileSync(require("os").homedir() + "/.claude/settings.json", "")'`,
      `perl -e 'open(F, ">.claude/" . "settings.json")'`,
      `echo "open('.claude/settings.json', 'w')" | python3`,
      `cat <<'EOF' | python3 -\nopen('.claude/settings.json', 'w')\nEOF`,
      `make -f - <<'E'\nall:\n\trm .claude/settings.json\nE`,
      `sqlite3 x '.output .claude/settings.json'`,
    ])
      expect(await bash(script), script).toEqual(refusal)
  })

  it('leaves what only reads alone, and what only speaks of it', async () => {
    const { bash, begin } = installed()
    await begin()
    for (const script of [
      `python3 -c "import json; print(json.load(open('.claude/settings.json')))"`,
      `python3 -c "print(open('.claude/settings.json', 'r', encoding='utf-8').read())"`,
      `python3 -c "from pathlib import Path; print(Path('.claude/settings.json').read_text())"`,
      `node -p "require('./.claude/settings.json').hooks"`,
      `node -p "JSON.parse(require('fs').readFileSync('.claude/settings.json', 'utf8'))"`,
      `python3 -c "open('src/settings.json', 'w').write('{}')"`,
      `python3 -c "import os; print(os.listdir('.claude'))"`,
      'git commit -m "see .claude/settings.json"',
      'cat .claude/settings.json',
      `sed -n 1,20p .claude/settings.json`,
      `awk '{print $1}' .claude/settings.json`,
      'git add .claude/settings.json',
    ])
      expect(await bash(script), script).not.toEqual(refusal)
  })
})

describe('given a program that is given what holds the agent', () => {
  it('refuses it where nobody knows that it only reads', async () => {
    const { bash, begin } = installed()
    await begin()
    for (const script of [
      `python3 -c "import sys; open(sys.argv[1], 'w')" .claude/settings.json`,
      `vim -es -c '%d' -c wq .claude/settings.json`,
      `ed -s .claude/settings.json <<< $'1,$d\\nw'`,
      `perl -i -pe 's/a/b/' .claude/*.json`,
      `awk -i inplace '{print}' .claude/settings.json`,
      `yq -i '.hooks={}' .claude/settings.json`,
      'npx prettier --write .claude/settings.json',
      'sort -o .claude/settings.json x',
      'gcc -o.claude/settings.json x.c',
      'sd a b .claude/settings.json',
      'python3 -m json.tool x .claude/settings.json',
      'git stash push .claude/settings.json',
      'git clean -fdx .claude',
      'git -C .claude checkout -- settings.json',
      'env -C .claude rm settings.json',
      'rm .cl?ude/settings.json',
      'ls .claude/settings.json | xargs rm',
      'f=.claude/settings.json; rm "$f"',
      `f=.claude/settings.json; echo '{}' > $f`,
      'for f in .claude/*.json; do echo > $f; done',
      `find . -name '*.json' -delete`,
      `find . ! -name '*.pyc' -delete`,
      `find . -name '*.pyc' -o -delete`,
    ])
      expect(await bash(script), script).toEqual(refusal)
  })

  it('leaves what only reads alone, and what has another file in mind', async () => {
    const { bash, begin } = installed()
    await begin()
    for (const script of [
      `python3 -c "import json, sys; json.load(open(sys.argv[1]))" .claude/settings.json`,
      `python3 -c "import os; print(os.path.getsize('.claude/settings.json'))"`,
      'python3 -m json.tool .claude/settings.json',
      `perl -ne 'print if /hooks/' .claude/settings.json`,
      `jq .hooks .claude/settings.json`,
      `yq .hooks .claude/settings.json`,
      'npx prettier --check .claude/settings.json',
      'cp .claude/settings.json /tmp/x',
      'code .claude/settings.json',
      'sudo cat .claude/settings.json',
      'git show HEAD:.claude/settings.json',
      `git commit -m "$(cat <<'EOF'\nchange .claude/settings.json\nEOF\n)"`,
      `gh pr create --body "$(cat <<'EOF'\nchange .claude/settings.json\nEOF\n)"`,
      `for f in src/*.ts; do sed -i 's/a/b/' "$f"; done`,
      'cp a.md .claude/commands/a.md',
      `find . -name '*.pyc' -delete`,
      `find . -type d -name __pycache__ -exec rm -rf {} +`,
      `find . \\( -name '*.o' -o -name '*.pyc' \\) -delete`,
    ])
      expect(await bash(script), script).not.toEqual(refusal)
  })
})
