/** What the review reads and writes on the server. */

import { addressFieldOf } from '../../../src/domain/map.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import { valueOf } from '../../shared/properties.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { textOfValue } from '../common/field-inputs.ts';
import type { Session } from '../common/session.svelte.ts';
import type { Candidate } from '../form/location-draft.svelte.ts';
import { LocationDraft } from '../form/location-draft.svelte.ts';
import type { LocationFilter, LocationOrderInput, RowFragment } from '../generated/operations.ts';
import {
  CheckLocationsDocument,
  GeocodeDocument,
  RowsDocument,
  UpdateLocationDocument,
} from '../generated/operations.ts';
import { TO_REVIEW } from './point-counts.svelte.ts';

export type Row = RowFragment;

export interface ReviewStoreOptions {
  readonly session: Session;
  readonly mapId: string;
  /** As for a draft. */
  readonly canWrite: () => boolean;
  readonly fields: readonly FieldDefinition[];
  /** Limits the review to locations that match; null for the whole map. */
  readonly filter: LocationFilter | null;
  /** Null for the order of the list. */
  readonly orderBy: LocationOrderInput | null;
}

export interface RowsPage {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
  /** On the first page: the number of rows on all pages. */
  readonly total: number | null;
}

export class ReviewStore {
  readonly addressField: string;
  readonly #options: ReviewStoreOptions;
  #after: string | null = null;

  constructor(options: ReviewStoreOptions) {
    this.#options = options;
    this.addressField = addressFieldOf(options.fields) ?? '';
  }

  addressOf(row: Row): string {
    return textOfValue(valueOf(row.properties, this.addressField));
  }

  draftOf(row: Row): LocationDraft {
    const { session, mapId, canWrite, fields } = this.#options;
    return new LocationDraft({ session, mapId, canWrite, fields, location: row });
  }

  async nextPage(): Promise<RowsPage> {
    const { session, mapId: id, filter, orderBy } = this.#options;
    const after = this.#after;
    const page = await session.request(RowsDocument, {
      ...{ id, orderBy, after, isFirst: after === null },
      filter: filter === null ? TO_REVIEW : { and: [filter, TO_REVIEW] },
    });
    const locations = page.map?.locations;
    if (!locations) throw new GraphqlError('UNKNOWN', '');
    const { nodes, pageInfo, totalCount } = locations;
    this.#after = pageInfo.endCursor;
    return { rows: nodes, isLast: !pageInfo.hasNextPage, total: totalCount ?? null };
  }

  async candidates(row: Row, signal: AbortSignal): Promise<readonly Candidate[]> {
    const { session, mapId } = this.#options;
    const variables = { mapId, address: this.addressOf(row) };
    return (await session.request(GeocodeDocument, variables, signal)).geocode ?? [];
  }

  /** @throws GraphqlError LOCATION_NOT_FOUND if it was deleted */
  async setChecked({ id }: Row, isChecked: boolean): Promise<Row> {
    const { session, mapId } = this.#options;
    const input = { mapId, ids: [id], isChecked };
    const { checkLocations } = await session.request(CheckLocationsDocument, { input });
    return found(checkLocations?.locations[0]);
  }

  /**
   * Restores the address and the point of a row, unchecked. A point that was geocoded is geocoded again.
   *
   * @param after the row as it was changed
   * @throws GraphqlError CONFLICT if it was changed since
   */
  async restore(before: Row, after: Row): Promise<Row> {
    const { session, mapId } = this.#options;
    const { id, latitude, longitude } = before;
    const isManual = before.geocoding.provider === 'manual';
    const input = {
      ...{ mapId, id, ifVersion: after.version },
      ...(this.addressOf(before) !== this.addressOf(after) && {
        fields: { [this.addressField]: valueOf(before.properties, this.addressField) },
      }),
      position: isManual ? { latitude, longitude } : null,
    };
    const { updateLocation } = await session.request(UpdateLocationDocument, { input });
    const row = found(updateLocation?.location);
    return isManual ? this.setChecked(row, false) : row;
  }
}

function found(row: Row | null | undefined): Row {
  if (!row) throw new GraphqlError('LOCATION_NOT_FOUND', 'The location no longer exists.');
  return row;
}
