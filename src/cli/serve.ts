/** `map-locations serve` */

import type { Command } from 'commander';

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the server until it is stopped. Settings come from the environment and from .env.')
    .action(async () => {
      const { serve } = await import('../main.ts');
      await serve();
    });
}
