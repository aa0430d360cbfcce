/** What the help of each command ends with. A test holds every line against the commands as they are. */

import type { Command } from 'commander';

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: [
    'map-locations serve',
    'map-locations serve --port 8080',
    'DATABASE_URL=mongodb://localhost/maps map-locations serve',
  ],
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

export function addExamples(command: Command, path: readonly string[] = []): void {
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
