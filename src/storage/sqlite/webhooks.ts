import type { ChangeKind } from '../../domain/change.ts';
import type { WebhookPatch, WebhookRecord, WebhookStorage } from '../webhooks.ts';
import type { Database } from './database.ts';
import type { SqlRow, SqlValue } from './engine/driver.ts';
import { mapUnavailable } from './maps.ts';
import type { Reader } from './engine/statements.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './engine/statements.ts';

type WebhookStoreOptions = Omit<WebhookStorage, 'holdLease' | 'dropLease'>;

export function webhookStore(database: Database): WebhookStoreOptions {
  return {
    insertWebhook: (webhook, mostOfMap, scope) =>
      database.write(() => {
        const unavailable = mapUnavailable(database, webhook.mapId);
        if (unavailable !== null) return unavailable;
        if (countWebhooks(database, webhook.mapId) >= mostOfMap) return { kind: 'too-many' };
        insertWebhook(database, webhook);
        return { kind: 'inserted' };
      }, scope),

    listWebhooks: async (mapId) =>
      database.read(() =>
        database.all('SELECT * FROM webhooks WHERE map_id = ? ORDER BY created_at, id', mapId).map(toWebhook),
      ),

    pageWebhooks: async ({ limit, after, enabledOnly }) =>
      database.read(() => {
        const enabled = enabledOnly ? 'is_enabled = 1 AND' : '';
        const rows = database.all(
          `SELECT * FROM webhooks WHERE ${enabled} id > ? ORDER BY id LIMIT ?`,
          // Sorts before every id.
          after ?? '',
          limit,
        );
        return rows.map(toWebhook);
      }),

    updateWebhook: (mapId, id, patch, ifVersion, scope) =>
      database.write(() => {
        const before = findWebhook(database, mapId, id);
        if (before === null) return { kind: 'missing' };
        if (ifVersion !== null && before.version !== ifVersion) return { kind: 'changed', webhook: before };
        const webhook = { ...before, ...definedOf(patch), version: before.version + 1 };
        const columns = columnsOf(webhook);
        database.run(
          `UPDATE webhooks SET ${Object.keys(columns)
            .map((column) => `${column} = ?`)
            .join(', ')} WHERE id = ?`,
          ...Object.values(columns),
          id,
        );
        return { kind: 'updated', webhook };
      }, scope),

    deleteWebhook: (mapId, id, scope) =>
      database.write(
        () => database.run('DELETE FROM webhooks WHERE id = ? AND map_id = ?', id, mapId) === 1,
        scope,
      ),
  };
}

export function insertWebhook(database: Database, webhook: WebhookRecord): void {
  const columns = columnsOf(webhook);
  const placeholders = Object.keys(columns).map(() => '?');
  database.run(
    `INSERT INTO webhooks (${Object.keys(columns).join(', ')}) VALUES (${placeholders.join(', ')})`,
    ...Object.values(columns),
  );
}

/** A map's webhooks, by id. */
export function webhooksById(reader: Reader, mapId: string): readonly WebhookRecord[] {
  return reader.all('SELECT * FROM webhooks WHERE map_id = ? ORDER BY id', mapId).map(toWebhook);
}

function countWebhooks(database: Database, mapId: string): number {
  const row = database.get('SELECT COUNT(*) AS count FROM webhooks WHERE map_id = ?', mapId);
  return numberOf(row ?? {}, 'count');
}

function findWebhook(database: Database, mapId: string, id: string): WebhookRecord | null {
  const row = database.get('SELECT * FROM webhooks WHERE id = ? AND map_id = ?', id, mapId);
  return row === undefined ? null : toWebhook(row);
}

/** Drops undefined members, which change nothing. */
function definedOf(patch: WebhookPatch): WebhookPatch {
  const members: [string, unknown][] = Object.entries(patch);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function columnsOf(webhook: WebhookRecord): Readonly<Record<string, SqlValue>> {
  const { delivery, formerSecret } = webhook;
  return {
    id: webhook.id,
    map_id: webhook.mapId,
    url: webhook.url,
    events: JSON.stringify(webhook.events),
    is_enabled: Number(webhook.isEnabled),
    secret: webhook.secret,
    former_secret: formerSecret?.secret ?? null,
    former_secret_until: formerSecret?.until ?? null,
    created_at: webhook.createdAt,
    version: webhook.version,
    place_number: delivery.place.number,
    place_stamp: delivery.place.stamp,
    failures: delivery.failures,
    failing_since: delivery.failingSince,
    next_attempt_at: delivery.nextAttemptAt,
    last_attempt_at: delivery.lastAttemptAt,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
  };
}

function toWebhook(row: SqlRow): WebhookRecord {
  const formerSecret = textOrNull(row, 'former_secret');
  return {
    id: textOf(row, 'id'),
    mapId: textOf(row, 'map_id'),
    url: textOf(row, 'url'),
    events: JSON.parse(textOf(row, 'events')) as ChangeKind[],
    isEnabled: row.is_enabled === 1,
    secret: textOrNull(row, 'secret'),
    formerSecret:
      formerSecret === null ? null : { secret: formerSecret, until: numberOf(row, 'former_secret_until') },
    createdAt: numberOf(row, 'created_at'),
    version: numberOf(row, 'version'),
    delivery: {
      place: { number: numberOf(row, 'place_number'), stamp: textOf(row, 'place_stamp') },
      failures: numberOf(row, 'failures'),
      failingSince: numberOrNull(row, 'failing_since'),
      nextAttemptAt: numberOrNull(row, 'next_attempt_at'),
      lastAttemptAt: numberOrNull(row, 'last_attempt_at'),
      lastStatus: numberOrNull(row, 'last_status'),
      lastError: textOrNull(row, 'last_error'),
    },
  };
}
