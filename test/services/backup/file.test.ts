/** The backup file: its content, and refused files. */

import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

import { BackupFileError } from '../../../src/services/backup/format.ts';
import type { BackupLine } from '../../../src/services/backup/format.ts';
import { prepareSecrets } from '../../../src/services/secrets/secret-rotation.ts';
import { createSecrets } from '../../../src/services/secrets/secrets.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { rejectionOf, seedMap } from '../../contract/storage/fixtures.ts';
import { backupOf, check, compress, ended, linesOfBackup, seedEverything } from './fixtures.ts';

let storage: Storage;
beforeEach(async () => void (storage = await openStorage('sqlite::memory:', { timeoutMs: 1_000 })));
afterEach(() => storage.close());

const parse = (line: string) => JSON.parse(line) as Record<string, unknown>;

async function expectRefused(file: Buffer, message: string | RegExp): Promise<void> {
  const error = await rejectionOf(check(file));
  expect(error).toBeInstanceOf(BackupFileError);
  expect((error as Error).message).toMatch(message);
}

describe('a backup', () => {
  it('has a header, and ends with the checksum of all lines before', async () => {
    await seedEverything(storage);
    const lines = await linesOfBackup(storage);
    expect(parse(lines[0]!)).toEqual({
      kind: 'header',
      format: 'map-locations-backup',
      version: 4,
      program: '1.2.3',
      createdAt: '2026-01-02T03:04:05.678Z',
      withoutSecrets: false,
    });
    const body = lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join('');
    const sha256 = createHash('sha256').update(body).digest('hex');
    expect(parse(lines.at(-1)!)).toEqual({ kind: 'end', maps: 2, locations: 8, sha256 });
  });

  it('has no caches and no data about the store itself', async () => {
    await seedEverything(storage);
    await storage.setMeta('store-id', 'mine');
    await storage.setMeta('copy', JSON.stringify({ source: 's', digest: 'd' }));
    const items = (await linesOfBackup(storage)).map(parse);
    expect(items.filter(({ kind }) => kind === 'geocode')).toEqual([]);
    expect(items.filter(({ kind }) => kind === 'meta').map(({ key }) => key)).toEqual(['demo-map']);
  });

  it('has keys as stored, or neither keys nor the mark of SECRET_KEY', async () => {
    await seedEverything(storage);
    const secrets = createSecrets('a secret key of more than 32 characters');
    await prepareSecrets(storage, secrets);
    const withSecrets = await linesOfBackup(storage);
    expect(withSecrets.join()).not.toMatch(/provider-key|whsec/);
    const linesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as BackupLine);
    const map = linesOf(withSecrets).find((line) => line.kind === 'map' && !line.map.isDeleted);
    if (map?.kind !== 'map') throw new Error('no map');
    expect(secrets.open(map.map.providerMapApiKey!)).toBe('provider-key');
    const webhooksOf = (lines: readonly string[]) =>
      linesOf(lines).flatMap((line) => (line.kind === 'webhook' ? [line.webhook] : []));
    const [one, two] = webhooksOf(withSecrets).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(secrets.open(one!.secret!)).toBe('whsec_current');
    expect(secrets.open(one!.formerSecret!.secret)).toBe('whsec_former');
    expect((await check(compress(withSecrets))).secretKeyCheck).toMatch(/^aes-256-gcm:/);

    const without = await linesOfBackup(storage, { withoutSecrets: true });
    expect(without.join()).not.toContain('aes-256-gcm');
    expect((await check(compress(without))).secretKeyCheck).toBeNull();
    // The rest of a webhook stays, also whether it is enabled.
    expect(webhooksOf(without)).toHaveLength(2);
    expect(webhooksOf(without)).toEqual(
      expect.arrayContaining([{ ...one, secret: null, formerSecret: null }, two]),
    );
    // Token hashes stay: they do not reveal the tokens.
    const hashes = (lines: readonly string[]) => lines.filter((line) => parse(line)['kind'] === 'token');
    expect(hashes(without)).toEqual(hashes(withSecrets));
    // Three tokens and a link.
    expect(hashes(without)).toHaveLength(4);
  });

  it('is refused for an incomplete store', async () => {
    await seedMap(storage);
    await storage.setMeta(
      'restore',
      JSON.stringify({ id: 'a', beat: 0, revokedLists: 0, completedAt: null }),
    );
    await expect(backupOf(storage)).rejects.toThrow('being restored');
    await storage.removeMeta('restore');
    await storage.setMeta('copy', JSON.stringify({ source: 's', digest: null }));
    await expect(backupOf(storage)).rejects.toThrow('unfinished copy');
  });

  it('fails when the store is restored meanwhile', async () => {
    await seedMap(storage);
    const restored: Storage = {
      ...storage,
      async *snapshot(expiringAfter) {
        yield* storage.snapshot(expiringAfter);
        await storage.setMeta('restore', JSON.stringify({ id: 'a', completedAt: 'today' }));
      },
    };
    await expect(backupOf(restored)).rejects.toThrow('restored while the backup was made');
  });
});

describe('a file is refused', () => {
  let file: Buffer;
  let lines: readonly string[];
  beforeEach(async () => {
    await seedEverything(storage);
    lines = await linesOfBackup(storage);
    file = compress(lines);
    expect((await check(file)).counts).toEqual({ maps: 2, locations: 8 });
  });

  it('that is truncated at any point', async () => {
    for (let length = 0; length < file.length; length += 7) {
      const error = await rejectionOf(check(file.subarray(0, length)));
      expect([length, error]).toEqual([length, expect.any(BackupFileError)]);
    }
    await expectRefused(file.subarray(0, -1), 'is truncated: its end is missing.');
    await expectRefused(compress(lines.slice(0, -1)), 'is truncated: its end is missing.');
    await expectRefused(gzipSync(gunzipSync(file).subarray(0, -1)), 'is truncated: its end is missing.');
  });

  it('with a changed byte that affects its content', async () => {
    let same = 0;
    for (let at = 0; at < file.length; at += 1) {
      const changed = Buffer.from(file);
      changed[at]! ^= 1 << (at % 8);
      const error = await check(changed).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) {
        expect(gunzipSync(changed).equals(gunzipSync(file))).toBe(true);
        same += 1;
      } else expect([at, error]).toEqual([at, expect.any(BackupFileError)]);
    }
    // The content is the same for gzip's time and system fields, its padding bits, and a reference to an equal text.
    expect(same).toBeLessThan(file.length / 100);
  });

  it('with a line changed, added, removed or moved, also when compressed again', async () => {
    const at = lines.findIndex((line) => parse(line)['kind'] === 'location');
    const changed = lines.with(at, lines[at]!.replace('A place', 'B place'));
    expect(changed).not.toEqual(lines);
    await expectRefused(compress(changed), 'its checksum does not match');
    await expectRefused(compress(lines.toSpliced(at, 1)), 'is damaged');
    await expectRefused(compress(lines.toSpliced(at, 0, lines[at]!)), 'is damaged');
    await expectRefused(compress(lines.toSpliced(at, 2, lines[at + 1]!, lines[at]!)), 'is damaged');
  });

  it('with data after its end', async () => {
    await expectRefused(compress([...lines, lines[1]!]), 'follows its end');
    await expectRefused(Buffer.concat([file, file]), 'follows its end');
    await expectRefused(Buffer.concat([file, Buffer.alloc(10)]), 'data follows its end');
    await expectRefused(Buffer.concat([file, Buffer.from('more')]), /is damaged/);
  });

  it('of another program', async () => {
    for (const other of [
      Buffer.alloc(0),
      Buffer.from('id,name\n1,x\n'),
      gunzipSync(file),
      gzipSync('id,name\n1,x\n'),
      gzipSync('{"type":"FeatureCollection","features":[]}\n'),
      gzipSync('null\n'),
    ]) {
      await expectRefused(other, /is not a backup of map-locations|is truncated/);
    }
  });

  it('of a newer release', async () => {
    const header = JSON.stringify({ ...parse(lines[0]!), version: 5, also: 'something new' });
    await expectRefused(ended([header, '{"kind":"news"}']), 'newer release: its format is 5');
  });

  it('that is complete but inconsistent', async () => {
    const [header, ...items] = lines.slice(0, -1);
    const owners = items.filter((line) => parse(line)['kind'] === 'owner');
    expect(owners).toHaveLength(2);
    const maps = items.filter((line) => parse(line)['kind'] === 'map');
    const location = items.find((line) => parse(line)['kind'] === 'location')!;
    const token = items.find((line) => parse(line)['kind'] === 'token')!;
    const { mapId } = parse(location)['location'] as { mapId: string };
    const webhook = items.find((line) => parse(line)['kind'] === 'webhook' && line.includes(mapId))!;
    const first = maps.find((line) => location.includes((parse(line)['map'] as { id: string }).id))!;
    const [head, one] = [header!, { maps: 1, locations: 1 }];
    expect((await check(ended([head, ...owners, first, location], one))).counts).toEqual(one);
    expect((await check(ended([head, ...owners, first, location, webhook], one))).counts).toEqual(one);
    await expectRefused(ended([head, ...owners, webhook], one), 'line 4 refers to a map');
    const other = webhook.replace(/"mapId":"\w+"/, '"mapId":"another"');
    await expectRefused(ended([head, ...owners, first, other], one), 'line 5 refers to a map');
    const read = webhook.replace(/"events":\["\w+"/, '"events":["read"');
    await expectRefused(ended([head, ...owners, first, read], one), 'line 5, webhook.events.0');
    const invitation = items.find((line) => parse(line)['kind'] === 'invitation')!;
    await expectRefused(ended([head, ...owners, invitation]), 'line 4 refers to a map');
    const shared = maps.find((line) => line.includes('"editor"'))!;
    const alien = invitation.replace(/"createdBy":"\w+"/, '"createdBy":"nobody"');
    await expectRefused(ended([head, ...owners, shared, alien]), 'line 5 refers to an owner');
    const root = invitation.replace('"viewer"', '"root"');
    await expectRefused(ended([head, ...owners, shared, root]), 'line 5, invitation.role');
    await expectRefused(ended([head, first]), 'line 2 refers to an owner that does not precede it');
    for (const owner of owners) {
      await expectRefused(ended([head, owner, shared]), 'line 3 refers to an owner that does not precede it');
    }
    await expectRefused(
      ended([head, ...owners, location], one),
      'line 4 refers to a map that does not precede it',
    );
    await expectRefused(ended([head, token], one), 'line 2 refers to an owner');
    await expectRefused(
      ended([head, ...owners, first, location], { maps: 1, locations: 2 }),
      'the counts in its last line',
    );
    await expectRefused(ended([head, ...owners, head]), 'line 4 cannot be a header');
    await expectRefused(
      ended([head, '{"kind":"owner","owner":{"id":1,"name":"x","createdAt":0}}']),
      'line 2, owner.id',
    );
    await expectRefused(ended([head, '[]']), 'is damaged: line 2');
    await expectRefused(ended([head, 'no JSON']), 'is damaged: line 2');
    // The wrong value may be a secret.
    const wrong = await rejectionOf(check(ended([head, '{"kind":"meta","key":"hush","value":7}'])));
    expect((wrong as Error).message).not.toContain('hush');
  });
});
