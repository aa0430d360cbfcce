/**
 * Password hashes by scrypt, as strings in the PHC format
 * (https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md).
 */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import PQueue from 'p-queue';

import { countCodePoints } from '../../domain/text.ts';
import { badUserInput, overloaded } from '../../errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const MIN_LENGTH = 10;
const MAX_LENGTH = 256;
/** UTF-16 code units of the longest password before it is normalized, which composes up to four characters to one. */
const MAX_UNITS = 8 * MAX_LENGTH;

interface Cost {
  /** The binary logarithm of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** About as much as the OWASP Password Storage Cheat Sheet advises: 32 MiB and half a second. */
const COST: Cost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Concurrent computations of this process. Each occupies a thread of libuv's pool of four and its memory. */
const CONCURRENCY = 2;
/** Computations that wait, each for at most half a minute. */
const MAX_WAITING = 60;

/** Computes a key; replaceable in tests. */
export type DeriveKey = (
  password: string,
  salt: Buffer,
  length: number,
  options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
) => Promise<Buffer>;

const deriveByScrypt = promisify(scrypt) as DeriveKey;

export class Passwords {
  readonly #derive: DeriveKey;
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });

  constructor(derive: DeriveKey = deriveByScrypt) {
    this.#derive = derive;
  }

  /** @throws ServiceError OVERLOADED if too many computations wait */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.#compute(password, salt, KEY_BYTES, COST);
    const { ln, r, p } = COST;
    return `$scrypt$ln=${ln},r=${r},p=${p}$${toText(salt)}$${toText(key)}`;
  }

  /**
   * @param stored null if there is no password to compare with, which takes as long
   * @throws ServiceError OVERLOADED if too many computations wait
   */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const { cost, salt, key } = parse(stored ?? NO_PASSWORD);
    // A longer one is wrong without a look, but takes as long.
    const isPossible = stored !== null && password.length <= MAX_UNITS;
    const computed = await this.#compute(isPossible ? password : '', salt, key.length, cost);
    return timingSafeEqual(computed, key) && isPossible;
  }

  async #compute(password: string, salt: Buffer, length: number, { ln, r, p }: Cost): Promise<Buffer> {
    if (this.#queue.size >= MAX_WAITING) throw overloaded();
    const N = 2 ** ln;
    // Twice what the function needs.
    const options = { N, r, p, maxmem: 2 * 128 * N * r };
    return this.#queue.add(() => this.#derive(normalized(password), salt, length, options));
  }
}

/**
 * Keyboards differ in how they compose a letter (NIST SP 800-63B, 5.1.1.2).
 */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

/** @param name of the input. @throws ServiceError BAD_USER_INPUT */
export function assertNewPassword(password: string, name = 'password'): void {
  const text = normalized(password);
  const length = countCodePoints(text);
  if (!text.isWellFormed() || length < MIN_LENGTH || length > MAX_LENGTH) {
    throw badUserInput(`${name} must have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`, {
      reason: 'passwordLength',
      min: MIN_LENGTH,
      max: MAX_LENGTH,
    });
  }
  if (COMMON_PASSWORDS.has(text.toLowerCase())) {
    throw badUserInput(`${name} must not be one of the most used passwords.`, { reason: 'passwordCommon' });
  }
}

function toText(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** No password has this hash; comparing with it takes as long as with any other. */
const NO_PASSWORD = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function parse(stored: string): { readonly cost: Cost; readonly salt: Buffer; readonly key: Buffer } {
  const [, ln, r, p, salt = '', key = ''] = STORED.exec(stored) ?? [];
  if (ln === undefined) throw new Error('A stored password hash is not readable.');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}
