/** All commands, the help of the program, and what every command has: `--json` and examples. */

import { Command } from 'commander';

import { VERSION } from '../lib/version.ts';
import { addAccountCommands } from './account.ts';
import { addBackupCommand } from './backup.ts';
import { addCompletionCommands } from './completion.ts';
import { addCopyCommand } from './copy.ts';
import { addDoctorCommand } from './doctor.ts';
import { addExportCommand } from './export.ts';
import { addGeocodeCommand } from './geocode.ts';
import { addImportCommand } from './import.ts';
import { addLocationCommands } from './location.ts';
import { addMapCommands } from './map.ts';
import { addMcpCommand } from './mcp.ts';
import { addMemberCommands } from './member.ts';
import { addMirrorCommand } from './mirror.ts';
import { addRestoreCommand } from './restore.ts';
import { addSecretsCommand } from './secrets.ts';
import { addServeCommand } from './serve.ts';
import { addTokenCommands } from './token.ts';

/** @param outputError called with messages about invalid arguments */
export function createProgram(outputError: (text: string) => void): Command {
  const program = new Command('map-locations')
    .description('A self-hosted server for maps and their locations.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help, or the help of a command')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({ outputError })
    .exitOverride()
    .addHelpText('after', HELP);
  addServeCommand(program);
  addAccountCommands(program);
  addTokenCommands(program);
  addMapCommands(program);
  addMemberCommands(program);
  addLocationCommands(program);
  addImportCommand(program);
  addExportCommand(program);
  addGeocodeCommand(program);
  addMirrorCommand(program);
  addMcpCommand(program);
  addCopyCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addDoctorCommand(program);
  addSecretsCommand(program);
  addCompletionCommands(program);
  addJsonOption(program);
  addExamples(program);
  return program;
}

const HELP = `
First steps:
  map-locations serve                           start a server at http://127.0.0.1:4000/, with a demo in a new store
  map-locations account create alice            make an account for its console
  map-locations token create --owner alice      create a token for its APIs
  map-locations map create --owner alice --name Cafés
  map-locations import MAP cafes.csv            import the rows of a table as locations of the map

Results go to stdout, everything else to stderr. With --json, stdout is the result as JSON, and each line of stderr is a
JSON object: {"error": {"code", "message"}} or {"note": "…"}. Settings, such as DATABASE_URL, come from the environment and
from .env in the current directory. All commands work while a server runs on the same database.

Exit status: 0 success, 1 failure, 2 invalid arguments. The commands import, export, geocode, mirror, copy, backup, restore,
doctor and secrets rotate have more: see their --help.`;

const WITHOUT_JSON = ['serve', 'mcp', 'completion', 'help'];

/** Adds `--json` to every command with a result; output.ts implements it. */
function addJsonOption(command: Command): void {
  for (const subcommand of command.commands) {
    if (WITHOUT_JSON.includes(subcommand.name())) continue;
    if (subcommand.commands.length === 0)
      subcommand.option('--json', 'print the result, notes and errors as JSON');
    addJsonOption(subcommand);
  }
}

/** Adds examples to the end of each command's help. A test parses every line of them. */
function addExamples(command: Command, path: readonly string[] = []): void {
  for (const subcommand of command.commands) {
    const words = [...path, subcommand.name()];
    const lines = EXAMPLES[words.join(' ')];
    if (lines !== undefined) {
      const title = lines.length === 1 ? 'Example' : 'Examples';
      subcommand.addHelpText('after', `\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    }
    addExamples(subcommand, words);
  }
}

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: [
    'map-locations serve',
    'map-locations serve --port 8080',
    'DATABASE_URL=mongodb://localhost/maps map-locations serve',
  ],
  mcp: [
    'map-locations mcp --owner alice',
    'MAP_LOCATIONS_TOKEN=$TOKEN DATABASE_URL=sqlite:/srv/maps.db map-locations mcp',
  ],
  'account create': ['map-locations account create alice'],
  'account list': ['map-locations account list'],
  'account reset': ['map-locations account reset alice'],
  'account rename': ['map-locations account rename alice alice.smith'],
  'account disable': ['map-locations account disable alice'],
  'account enable': ['map-locations account enable alice'],
  'token create': [
    'map-locations token create --owner alice --name laptop',
    'map-locations token create --owner alice --scope read --map MAP --expires 2030-01-31',
  ],
  'token list': ['map-locations token list', 'map-locations token list --json'],
  'token revoke': ['map-locations token revoke token_3fJ2…'],
  'map create': [
    'map-locations map create --owner alice --name Cafés',
    'map-locations map create --owner alice --name Cafés --field Name:placeName --field Address:address --field Notes:text:hidden',
    'map-locations map create --owner alice --name Cafés --geocoding-key @key.txt --published',
  ],
  'map update': [
    'map-locations map update MAP --name Coffee --published',
    'map-locations map update MAP --no-geocoding-key',
  ],
  'map list': ['map-locations map list --owner alice'],
  'map delete': ['map-locations map delete MAP'],
  'map restore': ['map-locations map restore MAP'],
  'member list': ['map-locations member list MAP'],
  'member add': ['map-locations member add MAP bob --role editor'],
  'member remove': ['map-locations member remove MAP bob'],
  'location update': [
    `map-locations location update MAP LOCATION --fields '{"Phone": "+351 213 469 541"}' --unset Fax`,
    'map-locations location update MAP LOCATION --position 38.7107,-9.1421',
  ],
  'location move': [
    'map-locations location move MAP LOCATION --to-start',
    'map-locations location move MAP LOCATION OTHER --after THIRD',
  ],
  'location delete': ['map-locations location delete MAP LOCATION OTHER'],
  import: [
    'map-locations import MAP cafes.csv --dry-run',
    'map-locations import MAP cafes.csv',
    'map-locations import MAP cafes.geojson --upsert',
  ],
  export: [
    'map-locations export MAP cafes.csv',
    'map-locations export MAP --format ndjson | gzip > cafes.ndjson.gz',
  ],
  geocode: [
    'map-locations geocode MAP --precision locality --precision region --dry-run',
    'map-locations geocode MAP --unchecked',
  ],
  mirror: ['map-locations mirror --from https://maps.example.org --token @token.txt --map MAP --owner alice'],
  copy: ['map-locations copy --from sqlite:data/map-locations.db --to mongodb://localhost/maps'],
  backup: [
    'map-locations backup backup.gz',
    'map-locations backup "backup-$(date +%F).gz" --without-secrets',
  ],
  restore: [
    'map-locations restore backup.gz',
    'DATABASE_URL=mongodb://localhost/maps map-locations restore backup.gz --replace',
  ],
  doctor: ['map-locations doctor', 'map-locations doctor --json'],
  'secrets rotate': [
    'SECRET_KEY_FILE=new.key SECRET_KEY_FALLBACK_FILE=former.key map-locations secrets rotate',
  ],
  completion: [
    'eval "$(map-locations completion bash)"',
    'map-locations completion fish > ~/.config/fish/completions/map-locations.fish',
  ],
};
