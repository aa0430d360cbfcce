/** The licences of bundled packages, which must be shipped with their code. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param files paths of all bundled files, including ours; relative to the repository's root, or absolute */
export function licencesOf(files) {
  const folders = files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licenceOf).join('\n');
}

function licenceOf(folder) {
  const path = resolve(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const files = readdirSync(path).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n') + `\n\n${'-'.repeat(80)}\n`;
}
