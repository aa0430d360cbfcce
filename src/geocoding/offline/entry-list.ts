import { BUCKETS, ENTRY_BYTES, hashName } from './format.ts';
import type { EntryKind } from './format.ts';

/** A growable list of index entries: bucket, key and payload. */
export class EntryList {
  buckets = new Uint16Array(1 << 16);
  keys = new Uint32Array(1 << 16);
  payloads = new Uint32Array(1 << 16);
  count = 0;

  add(name: string, kind: EntryKind, country: number, value: number): void {
    if (this.count === this.keys.length) this.#grow();
    const { bucket, key } = hashName(name);
    this.buckets[this.count] = bucket;
    this.keys[this.count] = key;
    this.payloads[this.count] = ((kind << 30) | (country << 22) | value) >>> 0;
    this.count += 1;
  }

  #grow(): void {
    const length = this.keys.length * 2;
    const buckets = new Uint16Array(length);
    buckets.set(this.buckets);
    const keys = new Uint32Array(length);
    keys.set(this.keys);
    const payloads = new Uint32Array(length);
    payloads.set(this.payloads);
    Object.assign(this, { buckets, keys, payloads });
  }
}

/** Writes the entries by bucket, in insertion order within a bucket. */
export function writeEntries(entries: EntryList, directory: Buffer, target: Buffer): void {
  const starts = new Uint32Array(BUCKETS + 1);
  for (let index = 0; index < entries.count; index += 1) {
    const next = (entries.buckets[index] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
  }
  starts.forEach((start, bucket) => directory.writeUInt32LE(start, bucket * 4));
  const cursors = starts.slice();
  for (let index = 0; index < entries.count; index += 1) {
    const bucket = entries.buckets[index] ?? 0;
    const slot = cursors[bucket] ?? 0;
    cursors[bucket] = slot + 1;
    target.writeUInt32LE(entries.keys[index] ?? 0, slot * ENTRY_BYTES);
    target.writeUInt32LE(entries.payloads[index] ?? 0, slot * ENTRY_BYTES + 4);
  }
}
