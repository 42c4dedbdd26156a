/** Command lines as agents write them: short and long, with pipelines, heredocs, wrappers and traps. */
export const commandLines: readonly string[] = [
  'ls -la',
  'git status --short',
  'git diff --stat HEAD~1',
  'npm test',
  'npm run build --silent',
  'npx vitest run src/parse',
  'node --test',
  'python3 -m pytest -q tests/unit',
  'go test ./...',
  'cargo build --release',
  'make -j4 all',
  'rg -n "TODO|FIXME" src',
  "sed -n '1,120p' src/server/router.ts",
  'cat package.json',
  'mkdir -p build/out && cp -r assets build/out',
  'cd packages/api && npm ci && npm run lint && npm test',
  'git add -A && git commit -m "fix: keep the final newline of a file"',
  'git push origin main',
  'git push --force origin main',
  'git log --oneline -n 20 | head -n 5',
  "find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l 'any' | sort | uniq -c | sort -rn | head -20",
  "ps aux | grep node | grep -v grep | awk '{print $2}' | xargs kill -9",
  'npm test 2>&1 | tee test.log | tail -n 40',
  'curl -sS https://example.com/data.json | jq -r \'.items[] | "\\(.id) \\(.name)"\' > items.txt',
  'for f in src/*.ts; do echo "== $f"; head -n 3 "$f"; done',
  'if [ -f .env ]; then source .env; else echo "no environment" >&2; exit 1; fi',
  'while read -r line; do printf "%s\\n" "$line"; done < names.txt',
  'timeout 60 nice -n 10 npm run bench',
  'env NODE_ENV=test CI=1 npm test -- --reporter=dot',
  'sudo -n systemctl restart nginx',
  "bash -lc 'cd packages/web && npm run build && rm -rf dist/cache'",
  "ssh deploy@host.example 'cd /srv/app && git pull && systemctl restart app'",
  'rm -rf node_modules package-lock.json && npm install',
  '(cd docs && npx prettier --check .) || { echo "format first"; false; }',
  'VERSION=$(node -p "require(\'./package.json\').version") && git tag "v$VERSION"',
  'docker run --rm -v "$PWD:/work" -w /work node:24 npm test',
  'echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $(git rev-parse --short HEAD)" >> build.log',
  `cat > src/config.ts <<'EOF_CONFIG'
export interface Config {
  readonly port: number
  readonly host: string
  readonly secret: string | undefined
}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const { PORT = '8080', HOST = 'localhost', SECRET } = environment
  return { port: Number(PORT), host: HOST, secret: SECRET }
}
EOF_CONFIG
npx tsc --noEmit`,
  `python3 - <<'EOF_PYTHON'
import json, pathlib
for path in pathlib.Path("results").glob("*.json"):
    data = json.loads(path.read_text())
    print(path.name, data["passed"], data["failed"], "$HOME", "$(not run)")
EOF_PYTHON`,
  `apply_patch <<'EOF_PATCH'
*** Begin Patch
*** Update File: src/index.ts
@@ export function main() {
-  return run()
+  return run(process.argv)
*** End Patch
EOF_PATCH`,
  `set -euo pipefail
for package in api web worker; do
  cd "packages/$package"
  npm ci --ignore-scripts
  npm run build 2>&1 | tee "../../logs/$package.log"
  if ! npm test; then
    echo "$package failed" >&2
    exit 1
  fi
  cd ../..
done
tar -czf release.tgz packages/*/dist && ls -l release.tgz`,
  'sh -c \'sh -c "git fetch --all && git reset --hard origin/main"\'',
]
