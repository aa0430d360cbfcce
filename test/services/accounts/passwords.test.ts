/** Password hashes: what they hold, how many are computed at once, and which passwords are refused. */

import { scryptSync } from 'node:crypto';

import type { DeriveKey } from '../../../src/services/accounts/passwords.ts';
import { assertNewPassword, Passwords } from '../../../src/services/accounts/passwords.ts';
import { Deferred } from '../../../src/lib/deferred.ts';

describe('a password hash', () => {
  it('is of scrypt, with its parameters, a salt of its own, and matches only its password', async () => {
    const passwords = new Passwords();
    const [hash, other] = await Promise.all([
      passwords.hash('correct horse'),
      passwords.hash('correct horse'),
    ]);
    const [, name, parameters, salt = '', key] = hash.split('$');
    expect([name, parameters]).toEqual(['scrypt', 'ln=15,r=8,p=3']);
    expect(other.split('$')[3]).not.toBe(salt);
    const expected = scryptSync('correct horse', Buffer.from(salt, 'base64'), 32, {
      ...{ N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 },
    });
    expect(key).toBe(expected.toString('base64').replace(/=+$/, ''));
    expect(await passwords.verify('correct horse', hash)).toBe(true);
    expect(await passwords.verify('Correct horse', hash)).toBe(false);
  });

  it('with other parameters is still verified with those', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const key = scryptSync('old password', salt, 32, { N: 1024, r: 8, p: 1 });
    const stored = `$scrypt$ln=10,r=8,p=1$${salt.toString('base64').replace(/=+$/, '')}$${key.toString('base64').replace(/=+$/, '')}`;
    const passwords = new Passwords();
    expect(await passwords.verify('old password', stored)).toBe(true);
    expect(await passwords.verify('new password', stored)).toBe(false);
  });

  it('that is not there costs as much as any other, and matches nothing', async () => {
    const costs: unknown[] = [];
    const derive: DeriveKey = (_password, _salt, length, options) => {
      costs.push(options);
      return Promise.resolve(Buffer.alloc(length));
    };
    const passwords = new Passwords(derive);
    const hash = await passwords.hash('correct horse');
    await passwords.verify('correct horse', hash);
    expect(await passwords.verify('', null)).toBe(false);
    expect(await passwords.verify('x'.repeat(100_000), null)).toBe(false);
    expect(new Set(costs.map((cost) => JSON.stringify(cost))).size).toBe(1);
    expect(costs).toHaveLength(4);
  });
});

describe('computations', () => {
  it('run two at once; others wait, up to a limit', async () => {
    const running: Deferred<Buffer>[] = [];
    const passwords = new Passwords(() => {
      const deferred = new Deferred<Buffer>();
      running.push(deferred);
      return deferred.promise;
    });
    const hashes = Array.from({ length: 62 }, () => passwords.hash('correct horse'));
    await expect(passwords.hash('one too many')).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(running).toHaveLength(2);
    for (let index = 0; index < hashes.length; index += 1) {
      while (running[index] === undefined) await new Promise(setImmediate);
      expect(running.length).toBeLessThanOrEqual(index + 2);
      running[index]?.resolve(Buffer.alloc(32));
    }
    await Promise.all(hashes);
  });
});

describe('a new password', () => {
  it.each(['correct horse', '          ', '\u{1f600}'.repeat(10), 'ﬃﬃﬃﬃ', 'x'.repeat(256)])(
    'may be %j',
    (password) => {
      expect(() => assertNewPassword(password)).not.toThrow();
    },
  );

  it.each(['', '123456789', '\u{1f600}'.repeat(9), 'x'.repeat(257), '\ud800'.repeat(10)])(
    'is refused for its length or form: %j',
    (password) => {
      expect(() => assertNewPassword(password)).toThrow('password must have 10 to 256 characters.');
    },
  );

  it.each(['1234567890', 'PASSWORD123', 'qwertyuiop', 'basketball'])(
    'is refused as one of the most used: %s',
    (password) => {
      expect(() => assertNewPassword(password)).toThrow(
        'password must not be one of the most used passwords.',
      );
    },
  );
});
