/** `map-locations serve` */

import type { Command } from 'commander';

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the server. Settings come from the environment and from .env.')
    .option('--port <number>', 'the port to listen on instead of PORT; 0 takes a free port')
    .action(async ({ port }: { port?: string }) => {
      const { serve } = await import('../app/serve.ts');
      await serve(port === undefined ? {} : { PORT: port });
    });
}
