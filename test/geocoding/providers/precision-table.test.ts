/** The table of precisions in docs/geocoding.md, made by the adapters from the providers' responses. */

import { readFileSync, writeFileSync } from 'node:fs';

import { ServiceError } from '../../../src/errors.ts';
import { createOfflineGeocoder } from '../../../src/geocoding/offline/offline-geocoder.ts';
import { openProvider } from '../../../src/geocoding/providers/open-provider.ts';
import type { RemoteProvider } from '../../../src/geocoding/providers/providers.ts';
import { PROVIDERS } from '../../../src/geocoding/providers/providers.ts';
import type { Finding } from '../../support/geocoding-fixtures.ts';
import { FINDINGS, RESPONSES } from '../../support/geocoding-fixtures.ts';

const DOCUMENT = new URL('../../../docs/geocoding.md', import.meta.url);
const BEGIN = '<!-- precisions: made by test/geocoding/providers/precision-table.test.ts -->\n\n';
const END = '\n<!-- /precisions -->';

const ADDRESSES: Readonly<Record<Finding, string>> = {
  'the house': '12 Rue de Rivoli, Paris',
  'a point between two houses': '12 Rue de Rivoli, Paris',
  'the house next door': '12 Rue de Rivoli, Paris',
  'the street': 'Rue de Rivoli, Paris',
  'the town': 'Paris',
  'the country': 'France',
};

function precisionOf(descriptor: RemoteProvider, finding: Finding): string {
  const body = RESPONSES[descriptor.name][finding];
  if (body === null) return '–';
  const provider = openProvider(descriptor, { url: 'https://geo.example.org', userAgent: 'test' });
  const reading = provider.read(
    { status: 200, body, isTooLarge: false, retryAfterSeconds: undefined },
    { kind: 'forward', address: ADDRESSES[finding], key: null, keySource: 'map', area: null },
  );
  if (reading.kind === 'failed') throw reading.error;
  return `\`${reading.candidates[0].precision}\``;
}

async function offlinePrecisionOf(finding: Finding): Promise<string> {
  // It finds the town of every house.
  if (finding === 'a point between two houses' || finding === 'the house next door') return '–';
  try {
    const { precision } = await createOfflineGeocoder().geocode({
      address: ADDRESSES[finding],
      apiKey: null,
    });
    return `\`${precision}\``;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'ADDRESS_NOT_FOUND') return 'not found';
    throw error;
  }
}

async function makeTable(): Promise<string> {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rows = PROVIDERS.map((provider) => [
    `\`${provider.name}\``,
    ...FINDINGS.map((finding) => precisionOf(provider, finding)),
  ]);
  const offline = ['`offline`', ...(await Promise.all(FINDINGS.map(offlinePrecisionOf)))];
  const rule = `|${'---|'.repeat(1 + FINDINGS.length)}\n`;
  return [row(['Provider', ...FINDINGS]), rule, ...[offline, ...rows].map(row)].join('');
}

it('equals that in docs/geocoding.md; UPDATE_GOLDEN=1 rewrites it', async () => {
  const document = readFileSync(DOCUMENT, 'utf8');
  const [start, end] = [document.indexOf(BEGIN) + BEGIN.length, document.indexOf(END)];
  expect([start >= BEGIN.length, end >= start]).toEqual([true, true]);
  const table = await makeTable();
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(DOCUMENT, document.slice(0, start) + table + document.slice(end));
    return;
  }
  expect(document.slice(start, end)).toBe(table);
});
