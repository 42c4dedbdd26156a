import { writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectChecks } from './detect-checks.ts'
import { projectFolder, type Files } from './fixtures/project-folder.ts'

const project = projectFolder()
const { given, commandsOf } = project

describe('given other manifests', () => {
  it.each<[string, Files, Files]>([
    [
      'a Makefile',
      { Makefile: '.PHONY: test lint\ntest:\n\tx\nlint: a b\n\tx\ncheck-types:\n\tx\n' },
      { tests: 'make test', lint: 'make lint', typecheck: 'make check-types' },
    ],
    [
      'a Makefile with check',
      { GNUmakefile: 'check: all\n\t./run\nbuild:\n\tcc x.c\n' },
      { tests: 'make check', build: 'make build' },
    ],
    [
      'a justfile',
      { justfile: 'set shell := ["bash", "-c"]\n\n@test *args:\n    cargo test\nbuild: test\n    x\n' },
      { tests: 'just test', build: 'just build' },
    ],
    [
      'Deno with comments',
      { 'deno.jsonc': '{ // mine\n "tasks": { "build": "x // y", }, }' },
      { tests: 'deno test', lint: 'deno lint', typecheck: 'deno check .', build: 'deno task build' },
    ],
    [
      'Go',
      { 'go.mod': 'module x' },
      { tests: 'go test ./...', lint: 'go vet ./...', typecheck: 'go vet ./...', build: 'go build ./...' },
    ],
    [
      'Go with a linter',
      { 'go.mod': 'module x', '.golangci.yml': '' },
      {
        tests: 'go test ./...',
        lint: 'golangci-lint run',
        typecheck: 'go vet ./...',
        build: 'go build ./...',
      },
    ],
    [
      'Cargo',
      { 'Cargo.toml': '[package]' },
      {
        tests: 'cargo test',
        lint: 'cargo clippy --all-targets -- -D warnings',
        typecheck: 'cargo check --all-targets',
        build: 'cargo build',
      },
    ],
    [
      'a Cargo workspace',
      { 'Cargo.toml': '[workspace]\nmembers = []' },
      {
        tests: 'cargo test --workspace',
        lint: 'cargo clippy --workspace --all-targets -- -D warnings',
        typecheck: 'cargo check --workspace --all-targets',
        build: 'cargo build --workspace',
      },
    ],
    [
      'Maven',
      { 'pom.xml': '<project/>' },
      { tests: 'mvn -B test', typecheck: 'mvn -B -q test-compile', build: 'mvn -B -q package -DskipTests' },
    ],
    [
      'Maven with its wrapper',
      { 'pom.xml': '<artifactId>maven-checkstyle-plugin</artifactId>', mvnw: '' },
      {
        tests: './mvnw -B test',
        lint: './mvnw -B -q checkstyle:check',
        typecheck: './mvnw -B -q test-compile',
        build: './mvnw -B -q package -DskipTests',
      },
    ],
    [
      'Gradle',
      { 'build.gradle.kts': 'plugins { id("io.gitlab.arturbosch.detekt") }', gradlew: '' },
      {
        tests: './gradlew --console=plain test',
        lint: './gradlew --console=plain detekt',
        typecheck: './gradlew --console=plain classes testClasses',
        build: './gradlew --console=plain assemble',
      },
    ],
    [
      'Composer',
      { 'composer.json': '{ "scripts": { "lint": "phpcs" }, "require-dev": { "phpunit/phpunit": "^11" } }' },
      { tests: 'vendor/bin/phpunit', lint: 'composer run-script lint' },
    ],
    [
      'Ruby',
      { Gemfile: 'gem "rspec"\ngem "rubocop"' },
      { tests: 'bundle exec rspec', lint: 'bundle exec rubocop' },
    ],
    ['Rake', { Gemfile: '', Rakefile: '', 'test/x.rb': '' }, { tests: 'bundle exec rake test' }],
    [
      'Mix',
      { 'mix.exs': '{:credo, "~> 1.7"}' },
      { tests: 'mix test', lint: 'mix credo', build: 'mix compile' },
    ],
    [
      '.NET',
      { 'Shop.sln': '', 'Shop.csproj': '' },
      {
        tests: 'dotnet test',
        lint: 'dotnet format --verify-no-changes',
        typecheck: 'dotnet build',
        build: 'dotnet build',
      },
    ],
    [
      'CMake, configured',
      { 'CMakeLists.txt': '', 'build/CMakeCache.txt': '' },
      { tests: 'ctest --test-dir build --output-on-failure --no-tests=error', build: 'cmake --build build' },
    ],
    ['CMake, not configured', { 'CMakeLists.txt': '' }, {}],
    ['Swift', { 'Package.swift': '' }, { tests: 'swift test', build: 'swift build' }],
    ['nothing', { 'README.md': 'npm test' }, {}],
  ])('finds the commands of %s', async (_, files, commands) => {
    expect(await commandsOf(files)).toEqual(commands)
  })
})

describe('given a Python project', () => {
  it.each<[string, Files, Files]>([
    [
      'pytest in pyproject.toml',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
      { tests: 'python3 -m pytest' },
    ],
    ['pytest.ini', { 'pytest.ini': '[pytest]' }, { tests: 'python3 -m pytest' }],
    [
      'setup.cfg',
      { 'setup.cfg': '[tool:pytest]\n[flake8]\n[mypy]\n' },
      { tests: 'python3 -m pytest', lint: 'python3 -m flake8', typecheck: 'python3 -m mypy .' },
    ],
    [
      'requirements',
      { 'requirements-dev.txt': 'pytest==9.0\nruff>=0.5\n' },
      { tests: 'python3 -m pytest', lint: 'python3 -m ruff check .' },
    ],
    [
      'uv',
      { 'pyproject.toml': '[build-system]\n[dependency-groups]\ndev = ["pytest", "pyright"]', 'uv.lock': '' },
      { tests: 'uv run pytest', typecheck: 'uv run pyright', build: 'uv build' },
    ],
    [
      'poetry',
      {
        'pyproject.toml': '[tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = "^9"\n[tool.mypy]\n',
      },
      { tests: 'poetry run pytest', typecheck: 'poetry run mypy .' },
    ],
    ['pipenv', { Pipfile: '[dev-packages]\npytest = "*"\n' }, { tests: 'pipenv run pytest' }],
    [
      'its own environment',
      { 'pytest.ini': '', '.venv/bin/pytest': '', '.venv/bin/python': '', 'ruff.toml': '', 'uv.lock': '' },
      { tests: '.venv/bin/pytest', lint: '.venv/bin/python -m ruff check .' },
    ],
    ['tox', { 'tox.ini': '[tox]\n' }, { tests: 'python3 -m tox' }],
    ['Django', { 'manage.py': '' }, { tests: 'python3 manage.py test' }],
    ['unittest', { 'test_x.py': 'import unittest\n' }, { tests: 'python3 -m unittest discover' }],
    [
      'unittest in a package of tests',
      { 'tests/__init__.py': '', 'tests/test_x.py': 'import unittest\n' },
      { tests: 'python3 -m unittest discover' },
    ],
    [
      'unittest in a folder that is no package, with the other usual name',
      { 'tests/x_test.py': 'import unittest\n' },
      { tests: 'python3 -m unittest discover -s tests -p "*_test.py"' },
    ],
    ['test functions', { 'test_x.py': 'def test_x(): pass\n' }, { tests: 'python3 -m pytest' }],
    ['a library that only sounds like it', { 'requirements.txt': 'pytest-like\nmypy-extensions\n' }, {}],
  ])('finds %s', async (_, files, commands) => {
    expect(await commandsOf(files)).toEqual(commands)
  })
})

describe('given more than one manifest', () => {
  it('prefers the project’s own script, and says over what', async () => {
    await given({ 'go.mod': 'module x', Makefile: 'test:\n\tgo test -race ./...\n' })
    expect((await detectChecks(project.path(), () => true)).tests).toEqual({
      kind: 'found',
      command: 'make test',
      why: 'Makefile has the target "test"; the project’s own script wins over "go test ./..."',
    })
  })

  it('says what else there is where no script decides', async () => {
    await given({ 'go.mod': 'module x', 'pytest.ini': '' })
    expect((await detectChecks(project.path(), () => true)).tests).toMatchObject({
      command: 'python3 -m pytest',
      why: expect.stringMatching(/there is also "go test \.\/\.\.\."$/) as string,
    })
  })
})

describe('given a project whose usual program is not installed', () => {
  it.each<[string, Files, string]>([
    [
      'yarn: npm runs its scripts',
      { 'package.json': '{"scripts":{"test":"jest"}}', 'yarn.lock': '' },
      'npm test',
    ],
    [
      'pnpm, as package.json names it',
      { 'package.json': '{"scripts":{"test":"jest"},"packageManager":"pnpm@10.0.0"}' },
      'npm test',
    ],
    ['uv: the machine’s own Python', { 'uv.lock': '', 'pytest.ini': '' }, 'python3 -m pytest'],
    [
      'tox beside tests for unittest',
      { 'tox.ini': '[tox]\n', 'test_x.py': 'import unittest\n' },
      'python3 -m unittest discover',
    ],
    ['tox, and there is nothing else', { 'tox.ini': '[tox]\n' }, 'python3 -m tox'],
  ])('%s', async (_, files, command) => {
    await given(files)
    expect((await detectChecks(project.path(), () => false)).tests).toMatchObject({ command })
  })
})

describe('given nothing to find', () => {
  it('says what was looked for', async () => {
    const { build } = await detectChecks(project.path(), () => true)
    expect(build).toMatchObject({
      kind: 'not-found',
      lookedFor: expect.stringMatching(/"build".*package\.json.*Cargo\.toml/) as string,
    })
  })

  it('does not fail on any text in any manifest', async () => {
    const name = fc.constantFrom(
      'package.json',
      'Makefile',
      'justfile',
      'pyproject.toml',
      'deno.json',
      'composer.json',
      'pom.xml',
    )
    await fc.assert(
      fc.asyncProperty(name, fc.oneof(fc.string(), fc.json()), async (file, text) => {
        await writeFile(project.path(file), text)
        const { problems } = await detectChecks(project.path(), () => true)
        expect(problems.every((problem) => problem.length < 500)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
