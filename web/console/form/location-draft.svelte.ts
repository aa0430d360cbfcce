/** The edits of a location before they are saved: the texts of its fields and the point of its pin. */

import { t } from '../common/messages.ts';
import { addressFieldOf } from '../../../src/domain/map.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import type { Point } from '../../shared/map/map-view.ts';
import { valueOf } from '../../shared/properties.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { changesOf, textOfValue } from '../common/field-inputs.ts';
import type { Session } from '../common/session.svelte.ts';
import type { GeocodeQuery, RowFragment } from '../generated/operations.ts';
import {
  CreateLocationDocument,
  GeocodeDocument,
  OneRowDocument,
  ReverseGeocodeDocument,
  UpdateLocationDocument,
} from '../generated/operations.ts';
import type { Address } from './address-fields.ts';
import { labelOf, textsOfAddress } from './address-fields.ts';
import type { Suggestion } from './address-suggester.ts';
import { addressOf } from './address-suggester.ts';
import type { Conflict } from './conflict.ts';
import { rebase } from './conflict.ts';
import { LatestCall } from './latest-call.ts';

type Row = RowFragment;
export type Candidate = NonNullable<GeocodeQuery['geocode']>[number];

interface DraftOptions {
  readonly session: Session;
  readonly mapId: string;
  /** Whether the user may change locations of the map now. */
  readonly canWrite: () => boolean;
  readonly fields: readonly FieldDefinition[];
  /** Null for a new location. */
  readonly location: Row | null;
}

export class LocationDraft {
  /** The version that the edits are based on; null for a new location. */
  base = $state.raw<Row | null>(null);
  texts = $state<Record<string, string>>({});
  /** Geocoding results for the address. */
  candidates = $state.raw<readonly Candidate[]>([]);
  /** Index of the selected candidate. */
  chosen = $state(0);
  /** The suggestion that became the address; null if it was typed. */
  suggestion = $state.raw<Suggestion | null>(null);
  /** Where the user placed the pin; null if they did not. */
  draggedPoint = $state.raw<Point | null>(null);
  /** Fields that another user changed too. */
  conflicts = $state.raw<readonly Conflict[]>([]);
  /** Edits are blocked while saving: they would be lost with the form. */
  isSaving = $state(false);
  readonly addressField: string;
  readonly #session: Session;
  readonly #mapId: string;
  readonly #canWrite: () => boolean;
  readonly #fields: readonly FieldDefinition[];

  readonly hasNewAddress = $derived.by(
    () => this.base === null || this.texts[this.addressField] !== this.#storedText(this.addressField),
  );
  readonly pin = $derived.by<Point | null>(
    () =>
      this.draggedPoint ??
      this.suggestion ??
      this.candidates[this.chosen] ??
      (this.hasNewAddress ? null : this.base),
  );
  /** The address where the user moved the pin. */
  #addressAtPin = $state.raw<Address | null>(null);
  readonly #addressCall = new LatestCall();
  /** An address to offer in place of the present one; null if there is none. */
  readonly offeredAddress = $derived.by(() => {
    const address = this.#addressAtPin === null ? '' : labelOf(this.#addressAtPin);
    return address !== '' && this.#changesOfAddress.length > 0 ? address : null;
  });
  readonly #changesOfAddress = $derived.by(() => {
    if (this.#addressAtPin === null) return [];
    const texts = Object.entries(textsOfAddress(this.#fields, this.#addressAtPin));
    return texts.filter(([name, text]) => text !== this.texts[name]);
  });
  readonly #changes = $derived.by(() => changesOf(this.#fields, this.base?.properties ?? {}, this.texts));
  readonly isDirty = $derived.by(
    () =>
      Object.keys(this.#changes.fields).length + this.#changes.unset.length > 0 ||
      this.#positionInput() !== undefined,
  );

  constructor({ session, mapId, canWrite, fields, location }: DraftOptions) {
    this.#session = session;
    this.#mapId = mapId;
    this.#canWrite = canWrite;
    this.#fields = fields;
    this.addressField = addressFieldOf(fields) ?? '';
    this.base = location;
    this.texts = Object.fromEntries(fields.map(({ name }) => [name, this.#storedText(name)]));
  }

  get canWrite(): boolean {
    return this.#canWrite();
  }

  #storedText(field: string): string {
    return textOfValue(valueOf(this.base?.properties, field));
  }

  async geocode(): Promise<void> {
    const address = this.texts[this.addressField] ?? '';
    this.#forgetAddress();
    const variables = { mapId: this.#mapId, address };
    this.candidates = (await this.#session.request(GeocodeDocument, variables)).geocode ?? [];
    this.choose(0);
  }

  choose(index: number): void {
    this.chosen = index;
    this.placePin(null);
  }

  /** Fills in the address, and moves the pin there. */
  chooseSuggestion(suggestion: Suggestion): void {
    if (this.isSaving) return;
    this.#forgetAddress();
    this.texts[this.addressField] = addressOf(suggestion);
    this.suggestion = suggestion;
    this.placePin(null);
  }

  /** @param point null to remove the user's pin */
  placePin(point: Point | null): void {
    if (this.isSaving) return;
    this.draggedPoint = point;
    this.cancelLookup();
  }

  /** Places the pin, and looks up the address there, to offer it. */
  movePin(point: Point): void {
    if (this.isSaving) return;
    this.placePin(point);
    if (!this.canWrite) return;
    const { latitude, longitude } = point;
    this.#addressCall.schedule(
      (signal) =>
        this.#session.request(ReverseGeocodeDocument, { mapId: this.#mapId, latitude, longitude }, signal),
      ({ reverseGeocode }) => (this.#addressAtPin = reverseGeocode),
    );
  }

  /** Coordinates as typed. Ignores incomplete and invalid ones. */
  movePinTo(latitude: string, longitude: string): void {
    if (latitude.trim() === '' || longitude.trim() === '') return;
    const point = { latitude: Number(latitude), longitude: Number(longitude) };
    if (Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180) this.movePin(point);
  }

  /** Withdraws the address at the pin, and does not wait for it any more. */
  cancelLookup(): void {
    this.#addressCall.cancel();
    this.#addressAtPin = null;
  }

  /** Fills in the address at the pin, which stays. */
  acceptAddress(): void {
    if (this.isSaving) return;
    this.#forgetAddress();
    for (const [name, text] of this.#changesOfAddress) this.texts[name] = text;
  }

  onText(field: string): void {
    if (field === this.addressField) this.#forgetAddress();
  }

  /** Drops what was found for the previous address. A pin placed by the user stays. */
  #forgetAddress(): void {
    this.candidates = [];
    this.suggestion = null;
  }

  /**
   * Keeps what another user changed in the meantime. If both changed the same, sets `conflicts` and saves nothing.
   *
   * @returns the stored location; null if nothing was saved
   * @throws GraphqlError
   */
  async save(): Promise<Row | null> {
    this.conflicts = [];
    for (;;) {
      try {
        return await this.#write();
      } catch (error) {
        if (!(error instanceof GraphqlError) || error.code !== 'CONFLICT' || this.base === null) throw error;
        const variables = { id: this.#mapId, locationId: this.base.id };
        const theirs = (await this.#session.request(OneRowDocument, variables)).location;
        if (theirs === null) throw error;
        const { texts, conflicts } = this.#rebasedOn(theirs, this.base);
        this.base = theirs;
        this.texts = texts;
        this.conflicts = conflicts;
        if (this.conflicts.length > 0) return null;
      }
    }
  }

  async #write(): Promise<Row | null> {
    const { fields, unset } = this.#changes;
    const position = this.#positionInput();
    const mapId = this.#mapId;
    if (this.base === null) {
      const input = { mapId, fields, ...(position && { position }) };
      return (
        (await this.#session.request(CreateLocationDocument, { input })).createLocation?.location ?? null
      );
    }
    const { id, version: ifVersion } = this.base;
    const input = { mapId, id, ifVersion, fields, unset, ...(position !== undefined && { position }) };
    return (await this.#session.request(UpdateLocationDocument, { input })).updateLocation?.location ?? null;
  }

  /** Takes over what another user stored, unless both changed the same: saving reports that. */
  follow(theirs: Row): void {
    const { base } = this;
    if (base === null || this.isSaving || this.conflicts.length > 0 || theirs.version <= base.version) return;
    const { texts, conflicts } = this.#rebasedOn(theirs, base);
    if (conflicts.length > 0) return;
    this.base = theirs;
    this.texts = texts;
  }

  #rebasedOn(theirs: Row, before: Row) {
    const { texts, conflicts } = rebase(this.#fields, before.properties, theirs.properties, this.texts);
    const { pin } = this;
    const bothMoved = !isAt(before, theirs) && this.#positionInput() !== undefined && pin !== null;
    if (!bothMoved) return { texts, conflicts };
    const position: Conflict = {
      name: t('form.position'),
      mine: formatPoint(pin),
      theirs: formatPoint(theirs),
    };
    return { texts, conflicts: [...conflicts, position] };
  }

  /** Undefined if the server finds or keeps the point of the pin; null if it must geocode the address again. */
  #positionInput() {
    const given = this.draggedPoint ?? this.suggestion;
    if (given !== null) return { latitude: given.latitude, longitude: given.longitude };
    const candidate = this.candidates[this.chosen];
    if (candidate === undefined) return undefined;
    if (this.chosen === 0) return this.hasNewAddress || isAt(this.base, candidate) ? undefined : null;
    const { latitude, longitude, placeId } = candidate;
    return { latitude, longitude, placeId };
  }

  takeTheirs(): void {
    for (const { name, theirs } of this.conflicts) {
      if (name in this.texts) this.texts[name] = theirs;
      else {
        this.#forgetAddress();
        this.placePin(null);
      }
    }
    this.conflicts = [];
  }
}

function isAt(row: Row | null, point: Point): boolean {
  return row?.latitude === point.latitude && row.longitude === point.longitude;
}

export function formatPoint({ latitude, longitude }: Point): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
