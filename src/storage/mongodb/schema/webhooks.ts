/** Webhooks, and leases. */

import type { ChangeKind } from '../../../domain/change.ts';
import type { ChangeOffset } from '../../changes.ts';

export interface WebhookDocument {
  /** The map's id and the slot (webhooks.ts). */
  readonly _id: string;
  readonly id: string;
  readonly mapId: string;
  /** From 0, unique in the map. */
  readonly slot: number;
  readonly url: string;
  readonly events: readonly ChangeKind[];
  readonly isEnabled: boolean;
  /** Absent after a restore from a backup without secrets. */
  readonly secret?: string;
  readonly formerSecret?: { readonly secret: string; readonly until: Date };
  readonly createdAt: Date;
  readonly version: number;
  readonly delivery: DeliveryDocument;
}

export interface DeliveryDocument {
  readonly place: ChangeOffset;
  readonly failures: number;
  readonly failingSince?: Date;
  readonly nextAttemptAt?: Date;
  readonly lastAttemptAt?: Date;
  readonly lastStatus?: number;
  readonly lastError?: string;
}

export interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  /** By the server's clock. */
  readonly until: Date;
}
