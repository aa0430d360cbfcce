#!/usr/bin/env node
/** The command line. Each command's file defines the command, and loads what it needs only when the command runs. */

import { CommanderError } from 'commander';

import { nameSources } from '../lib/stack-traces.ts';
import { complain, handleOutputFailures, isJson, say } from './output.ts';
import { createProgram } from './program.ts';
import { NOT_STARTED } from './run.ts';

const TOKEN = /mlt_[A-Za-z0-9_-]+/g;
const OPTION_VALUE = /'(--?[^'=]+)=[^']*'/g;

/** A message about invalid arguments repeats them, and they may be secrets. */
function withoutSecrets(message: string): string {
  return message
    .replace(/^error: /, 'map-locations: ')
    .replaceAll(TOKEN, 'mlt_…')
    .replaceAll(OPTION_VALUE, "'$1=…'");
}

nameSources();
handleOutputFailures();

const program = createProgram((text) => {
  const lines = withoutSecrets(text).trimEnd().split('\n');
  if (isJson) complain('BAD_USER_INPUT', lines.join('\n').replace(/^map-locations: /, ''));
  else say(...lines);
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : NOT_STARTED;
}
