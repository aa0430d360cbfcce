/** All commands, with their options and help. */

import { Command } from 'commander';

import { addBackupCommands } from './backup.ts';
import { addCompletionCommands } from './completion.ts';
import { addCopyCommand } from './copy.ts';
import { addDoctorCommand } from './doctor.ts';
import { addExamples } from './examples.ts';
import { addExportCommand } from './export.ts';
import { addImportCommand } from './import.ts';
import { addJsonOption } from './json-option.ts';
import { addLocationCommands } from './location.ts';
import { addMapCommands } from './map.ts';
import { addMirrorCommand } from './mirror.ts';
import { addSecretsCommand } from './secrets.ts';
import { addServeCommand } from './serve.ts';
import { addTokenCommands } from './token.ts';
import { VERSION } from '../lib/version.ts';

/** @param outputError told what is wrong with the arguments */
export function createProgram(outputError: (text: string) => void): Command {
  const program = new Command('map-locations')
    .description('A self-hosted server for maps and their locations.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help, or that of a command')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({ outputError })
    .exitOverride()
    .addHelpText(
      'after',
      `
First steps:
  map-locations serve                           a server at http://127.0.0.1:4000/, with a demo in a new store
  map-locations token create --owner alice      a token for its interfaces
  map-locations map create --owner alice --name Cafés
  map-locations import MAP cafes.csv            a table's rows as the map's locations

Results are printed on stdout, everything else on stderr. With --json stdout has the result as JSON, and stderr a JSON
object a line: {"error": {"code", "message"}} or {"note": "…"}. Settings come from the environment and from .env in the current
directory: DATABASE_URL, for example. All commands work while the server runs on the same database.

Exit status: 0 done, 1 failed, 2 wrong arguments. The commands import, export, copy, backup,
restore, doctor and secrets rotate have more: see their --help.`,
    );
  addServeCommand(program);
  addTokenCommands(program);
  addMapCommands(program);
  addLocationCommands(program);
  addImportCommand(program);
  addExportCommand(program);
  addMirrorCommand(program);
  addCopyCommand(program);
  addBackupCommands(program);
  addDoctorCommand(program);
  addSecretsCommand(program);
  addCompletionCommands(program);
  addJsonOption(program);
  addExamples(program);
  return program;
}
