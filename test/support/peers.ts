/** Programs that read and write the files of spreadsheets and maps: what we write is for them, and they write what we read. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Reason } from './skip.ts';

/** The Python that has openpyxl, which need not be the first on the PATH. */
const PYTHON = ['python3', '/usr/bin/python3'].find(
  (python) => spawnSync(python, ['-c', 'import openpyxl']).status === 0,
);

export function skipWithoutOpenpyxl(): Reason {
  return PYTHON === undefined && 'needs openpyxl (Debian: apt-get install python3-openpyxl)';
}

export function skipWithoutLibreOffice(): Reason {
  return (
    spawnSync('soffice', ['--version']).status !== 0 &&
    'needs LibreOffice (Debian: apt-get install libreoffice-calc-nogui)'
  );
}

/** Runs a script, which finds its arguments in `sys.argv[1:]`, and gives what it prints. */
export function runPython(script: string, ...args: readonly string[]): string {
  return execFileSync(PYTHON ?? 'python3', ['-c', script, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  }).toString();
}

/** What LibreOffice makes of a file: another one, of the format that the extension says. */
export function convertWithLibreOffice(content: Uint8Array, from: string, to: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
  try {
    writeFileSync(join(folder, `given.${from}`), content);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    // The text of a CSV file is taken as it is: separated by commas, UTF-8.
    const filter = from === 'csv' ? ['--infilter=CSV:44,34,76,1'] : [];
    const out = join(folder, 'out');
    execFileSync(
      'soffice',
      [profile, '--headless', ...filter, '--convert-to', to, '--outdir', out, join(folder, `given.${from}`)],
      { stdio: 'pipe', timeout: 120_000 },
    );
    const [file] = readdirSync(out);
    if (file === undefined) throw new Error('LibreOffice has written nothing.');
    return readFileSync(join(out, file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
