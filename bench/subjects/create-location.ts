/** A create by hand: checks the body, looks up the address in a Map, and commits its own transaction. */

import { newLocationId } from './ids.ts';
import { encodeOrder } from './order-key.ts';
import type { MapRow, Store } from './store.ts';

export interface NewLocationBody {
  readonly fields?: unknown;
}

interface Field {
  readonly name: string;
  readonly type: string;
}

interface Geocode {
  readonly placeId: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly provider: string;
  readonly precision: string;
}

type Created = { readonly id: string; readonly name: string } & Geocode;

interface Failure {
  readonly error: number;
  readonly message: string;
}

/** GEOCODES: JSON of the results of our geocoder by address. */
const geocodes = new Map<string, Geocode>(Object.entries(JSON.parse(process.env.GEOCODES ?? '{}')));

export function createOne({ database }: Store) {
  const end = database.prepare('SELECT is_deleted, last_sequence, largest_number FROM maps WHERE number = ?');
  const last = database.prepare(
    'SELECT order_key, position FROM locations WHERE map_number = ? ORDER BY order_key DESC, sequence DESC LIMIT 1',
  );
  const insert = database.prepare(
    `INSERT INTO locations (map_number, order_key, sequence, id, position, name, place_id, latitude, longitude,
       properties, created_at, provider, "precision", lat, lng, cell, version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', 0, 1)`,
  );
  const update = database.prepare('UPDATE maps SET last_sequence = ?, largest_number = ? WHERE number = ?');

  return (map: MapRow, body: NewLocationBody): Created | Failure => {
    const input = readInput(map, body);
    if ('error' in input) return input;
    const { fields, name, address } = input;
    const place = geocodes.get(address);
    if (place === undefined) return { error: 422, message: 'There is no such address.' };

    const id = newLocationId(map.id);
    database.exec('BEGIN IMMEDIATE');
    try {
      const now = end.get(map.number) as {
        is_deleted: number;
        last_sequence: number;
        largest_number: string | null;
      };
      if (now.is_deleted === 1) {
        database.exec('ROLLBACK');
        return { error: 410, message: 'The map is deleted.' };
      }
      const tail = last.get(map.number) as { order_key: string; position: string } | undefined;
      const largest = now.largest_number;
      const isText = tail?.order_key.startsWith('3') ?? false;
      const order = isText ? tail!.position : largest === null ? '1' : String(BigInt(largest) + 1n);
      const sequence = now.last_sequence + 1;
      insert.run(
        map.number,
        encodeOrder(order),
        sequence,
        id,
        order,
        name,
        place.placeId,
        place.latitude,
        place.longitude,
        JSON.stringify(fields),
        Date.now(),
        place.provider,
        place.precision,
      );
      update.run(sequence, isText ? largest : order, map.number);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
    return { id, name, ...place };
  };
}

interface Input {
  readonly fields: object;
  readonly name: string;
  readonly address: string;
}

function readInput(map: MapRow, { fields }: NewLocationBody): Input | Failure {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return { error: 400, message: 'fields is required and must be a JSON object.' };
  const definitions = JSON.parse(map.fields) as Field[];
  const valueOf = (type: string) => {
    const key = definitions.find((field) => field.type === type)?.name ?? '';
    return (fields as Record<string, unknown>)[key];
  };
  const name = valueOf('placeName');
  const address = valueOf('address');
  if (typeof name !== 'string' || name.trim() === '' || typeof address !== 'string')
    return { error: 400, message: 'The name and the address are required.' };
  return { fields, name, address };
}
