import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

export default defineConfig([
  {
    ignores: [
      '**/dist/',
      '.dist-*/',
      'data/',
      'src/graphql/generated/',
      'src/client/generated/',
      'web/**/generated/',
      'test/tmp/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-implicit-coercion': ['error', { allow: ['!!'] }],
      'no-param-reassign': 'error',
      'no-promise-executor-return': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      // An argument that only holds a place, or a member left out of a rest, is named with an underscore.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true },
      ],
      // What was caught is unknown, and may be thrown on.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-nullish-coalescing': 'error',
      '@typescript-eslint/prefer-optional-chain': 'error',
      // An adapter is async because its port is, whether or not it has anything to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
    },
  },
  {
    // Components: their script, with the rules above, and their markup.
    files: ['**/*.svelte', '**/*.svelte.ts'],
    extends: [svelte.configs.recommended],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      // Svelte's own knows that properties change.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
      // It would have every set reactive. What is drawn here is drawn from sets that are replaced, not changed.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    // What components give each other is known to svelte-check alone, and which names browsers have.
    files: ['**/*.svelte'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-undef': 'off',
    },
  },
  {
    // What a command prints is its result.
    files: ['scripts/**', 'bench/**', 'src/cli/**', 'src/main.ts', 'examples/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // A test may look into an answer whose shape it is there to check.
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-console': 'off',
    },
  },
  {
    files: ['src/web/**/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: readonlyGlobals(['Headers', 'document', 'fetch', 'localStorage', 'window']),
    },
  },
  {
    files: ['**/*.mjs', '*.js'],
    languageOptions: {
      globals: readonlyGlobals([
        'Buffer',
        'URL',
        'clearTimeout',
        'console',
        'fetch',
        'process',
        'setTimeout',
      ]),
    },
  },
]);

function readonlyGlobals(names) {
  return Object.fromEntries(names.map((name) => [name, 'readonly']));
}
