/** `map-locations backup` and `map-locations restore` */

import type { Command } from 'commander';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('Write everything that the store holds to a file, also while it is served.')
    .argument('<file>', 'the file to make; one that exists is refused')
    .option('--without-secrets', 'leave out the maps’ API keys and the secrets of webhooks')
    .addHelpText(
      'after',
      `
The file is gzip'd lines of JSON with a checksum at its end, which only its owner can read. It holds owners, tokens (their
hashes, never the tokens), maps, locations, idempotency records and webhooks, and no caches. API keys and the secrets of
webhooks stay encrypted with SECRET_KEY as they are in the store; without a SECRET_KEY they are in the clear. Restore it with \`map-locations restore\`, into
SQLite or MongoDB.

Of SQLite the backup is of one moment. Of MongoDB it has everything that was not written while it was made, and of the rest
some as it was and some as it became.

Exit status:
    0  the backup is complete
    1  it failed, and there is no file
    2  nothing was begun: the file exists already, or there is no store
  130  interrupted (by SIGTERM: 143), and there is no file`,
    )
    .action(async (path: string, { withoutSecrets }: { withoutSecrets?: true }) => {
      const { backUp } = await import('./backup-file.ts');
      await backUp({ path, withoutSecrets: withoutSecrets ?? false });
    });

  program
    .command('restore')
    .description('Fill the store with a backup.')
    .argument('<file>', 'a file that `map-locations backup` has made')
    .option('--replace', 'remove everything that the store holds first')
    .addHelpText(
      'after',
      `
The whole file is read and checked before anything is changed. Then the store is marked, and all servers on it answer 503
until it is restored. What is restored are the tokens of the backup; those that were revoked in the store stay revoked.
After an interruption nobody serves the store; run the command again, which begins anew.

Exit status:
  0  the store is restored
  1  the restore failed; the store is not served before it is restored again
  2  nothing was begun: the file is damaged, of a newer release or no backup, or the store holds data`,
    )
    .action(async (path: string, { replace }: { replace?: true }) => {
      const { restore } = await import('./restore-file.ts');
      await restore({ path, replace: replace ?? false });
    });
}
