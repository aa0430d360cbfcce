/** `--json` of every command with a result. What it does is in output.ts. */

import type { Command } from 'commander';

const WITHOUT = ['serve', 'completion', 'help'];

export function addJsonOption(command: Command): void {
  for (const subcommand of command.commands) {
    if (WITHOUT.includes(subcommand.name())) continue;
    if (subcommand.commands.length === 0)
      subcommand.option('--json', 'print the result, notes and errors as JSON');
    addJsonOption(subcommand);
  }
}
