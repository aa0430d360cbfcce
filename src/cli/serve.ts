/** `map-locations serve` */

import type { Command } from 'commander';

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the server until it is stopped. Settings come from the environment and from .env.')
    .option('--port <number>', 'the port to listen on, in the place of PORT; 0 takes a free one')
    .action(async ({ port }: { port?: string }) => {
      const { serve } = await import('../app/serve.ts');
      await serve(port === undefined ? {} : { PORT: port });
    });
}
