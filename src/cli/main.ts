#!/usr/bin/env node
/** The command line. Each command's file describes the command, and loads what it needs only when the command runs. */

import { Command, CommanderError } from 'commander';

import { addCopyCommand } from './copy.ts';
import { addExportCommand } from './export.ts';
import { addImportCommand } from './import.ts';
import { addLocationCommands } from './location.ts';
import { addMapCommands } from './map.ts';
import { ignoreClosedPipes, say } from './output.ts';
import { NOT_BEGUN } from './run.ts';
import { addServeCommand } from './serve.ts';
import { addTokenCommands } from './token.ts';
import { nameSources } from '../stack-traces.ts';
import { VERSION } from '../version.ts';

const TOKEN = /mlt_[A-Za-z0-9_-]+/g;
const OPTION_VALUE = /'(--?[^'=]+)=[^']*'/g;

/** A message about wrong arguments repeats them, and they may be secrets. */
function withoutSecrets(message: string): string {
  return message
    .replace(/^error: /, 'map-locations: ')
    .replaceAll(TOKEN, 'mlt_…')
    .replaceAll(OPTION_VALUE, "'$1=…'");
}

nameSources();
ignoreClosedPipes();

const program = new Command('map-locations')
  .description('A self-hosted server for maps and their locations.')
  .version(VERSION, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help, or that of a command')
  .helpCommand('help [command]', 'print the help of a command')
  .configureOutput({ outputError: (text) => say(...withoutSecrets(text).trimEnd().split('\n')) })
  .exitOverride()
  .addHelpText(
    'after',
    `
Results are printed on stdout, everything else on stderr. Settings come from the environment and from .env in the current
directory: DATABASE_URL, for example. All commands work while the server runs on the same database.

Exit status: 0 done, 1 failed, 2 wrong arguments. The commands import, export and copy have more: see their --help.`,
  );
addServeCommand(program);
addTokenCommands(program);
addMapCommands(program);
addLocationCommands(program);
addImportCommand(program);
addExportCommand(program);
addCopyCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : NOT_BEGUN;
}
