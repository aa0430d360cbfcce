/** Other programs that read our exports and write files that we import. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Reason } from './skip.ts';

/** The Python with openpyxl, which may not be the first on the PATH. */
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

/** Runs a script with arguments in `sys.argv[1:]`. @returns its output */
export function runPython(script: string, ...args: readonly string[]): string {
  return execFileSync(PYTHON ?? 'python3', ['-c', script, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  }).toString();
}

/** Converts a file with LibreOffice to the format of an extension. */
export function convertWithLibreOffice(content: Uint8Array, from: string, to: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
  try {
    writeFileSync(join(folder, `given.${from}`), content);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    // Reads CSV as comma-separated UTF-8.
    const filter = from === 'csv' ? ['--infilter=CSV:44,34,76,1'] : [];
    const out = join(folder, 'out');
    execFileSync(
      'soffice',
      [profile, '--headless', ...filter, '--convert-to', to, '--outdir', out, join(folder, `given.${from}`)],
      { stdio: 'pipe', timeout: 120_000 },
    );
    const [file] = readdirSync(out);
    if (file === undefined) throw new Error('LibreOffice wrote no file.');
    return readFileSync(join(out, file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
