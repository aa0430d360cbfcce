import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/** Svelte's components, which .oxlintrc.json cannot be for; their modules (.svelte.ts) for Svelte's own rules. */
export default defineConfig([
  { ignores: ['**/dist/', '**/*.ts', '!**/*.svelte.ts', '**/*.js', '**/*.mjs'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked, svelte.configs.recommended],
    languageOptions: {
      parserOptions: {
        parser: tseslint.parser,
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-implicit-coercion': ['error', { allow: ['!!'] }],
      'no-param-reassign': 'error',
      'no-promise-executor-return': 'error',
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/prefer-nullish-coalescing': 'error',
      '@typescript-eslint/prefer-optional-chain': 'error',
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
      // Svelte's own knows that properties change.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
      // It would have every set reactive. What is drawn here is drawn from sets that are replaced, not changed.
      'svelte/prefer-svelte-reactivity': 'off',
      // What components give each other is known to svelte-check alone, and which names browsers have.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-undef': 'off',
    },
  },
]);
