import eslint from '@eslint/js'
import tseslint from 'typescript-eslint'

/** Rooms that must read no clock and no randomness (invariant I3). */
const pureRooms = [
  'packages/core/src/**/*.ts',
  'packages/engine/src/analysis/**/*.ts',
  'packages/engine/src/insight/backtest/**/*.ts',
]

const impure = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'I3: time arrives inside events.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'I3: time arrives inside events.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'I3: no randomness here.',
  },
]

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'coverage/**',
      '.peers/**',
      'docs/.vitepress/cache/**',
      'examples/demo/projects/**',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    // One program for each, and not a language service that keeps every file open: half the memory, two thirds of the time.
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'packages/web/tsconfig.json', 'docs/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/require-await': 'off',
      // A third of the time of all rules, for enums, which erasable syntax has none of, and for classes, which are few here.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
    },
  },
  { files: pureRooms, rules: { 'no-restricted-syntax': ['error', ...impure] } },
  {
    files: ['**/*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['**/*.config.ts', '*.config.js', 'docs/.vitepress/**'],
    rules: { 'no-restricted-exports': 'off' },
  },
)
