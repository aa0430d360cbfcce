/** `map-locations doctor` */

import type { Command } from 'commander';

import type { Finding } from '../services/store/doctor.ts';
import { printable, printResult, say } from './output.ts';
import { FAILED, NOT_STARTED, readStoreConfig, reportFailure } from './run.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check the store for damage. Nothing is changed.')
    .addHelpText(
      'after',
      `
Checks the integrity of the database, orphaned rows, the order of every list, totals, indexes, unique ids, and whether
SECRET_KEY or SECRET_KEY_FALLBACK decrypts the API keys. Each finding is a line: the check, the problem, and the remedy. The
command reads everything, so it takes as long as a backup, or a few times that.

Exit status:
  0  no problems found
  1  problems found
  2  the store cannot be checked: it is missing, unreachable, or of another version`,
    )
    .action(check);
}

async function check(): Promise<void> {
  try {
    const config = await readStoreConfig();
    for (const warning of config.warnings) say(warning);
    const { describeStorage, openForExamination } = await import('../app/composition/whole-stores.ts');
    const { examineStore } = await import('../services/store/doctor.ts');
    const { createSecrets } = await import('../services/secrets/secrets.ts');
    const name = await describeStorage(config.databaseUrl);
    const store = await openForExamination(config);
    const findings: Finding[] = [];
    try {
      for await (const found of examineStore(
        store,
        createSecrets(config.secretKey, config.secretKeyFallback),
      )) {
        if ('unlooked' in found) say(`${found.check}: ${found.unlooked}`);
        else findings.push(found);
      }
      store.assertUnchanged();
    } finally {
      await store.close();
    }
    if (findings.length === 0) say(`No problems found. ${name}`);
    else process.exitCode = FAILED;
    const lines = findings.map(({ check, message, remedy }) => `${check}: ${message} ${remedy}`);
    printResult({ findings }, findings.length === 0 ? null : lines.map(printable).join('\n'));
  } catch (error) {
    reportFailure(error, NOT_STARTED);
  }
}
