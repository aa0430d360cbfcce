/**
 * A client that writes to its own map and derives the expected map from the acknowledged writes. A write without a
 * response when the server was killed may be stored in full, in part or not at all.
 */

import { randomUUID } from 'node:crypto';

/** A location as the client knows it, under a unique name. */
export interface Item {
  readonly name: string;
  /** Null until known from a response or the store. */
  readonly id: string | null;
  /** The value of the client's last write. */
  readonly value: number;
}

type Model = readonly Item[];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The payloads of a response, by mutation. */
type Data = Readonly<Record<string, Payload | undefined>>;

interface Payload {
  readonly historyId?: string | null;
  readonly location?: Named;
  readonly results?: readonly {
    readonly location: Named;
    readonly error: { readonly code: string } | null;
  }[];
}

interface Operation {
  readonly kind: string;
  readonly query: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The possible states of the map: after the whole operation first, then after each part of a bulk operation. */
  readonly results: readonly Model[];
  /** The map's new name, for a change of the map itself. */
  readonly mapName?: string;
  /** The mutation, if it can be undone. */
  readonly undone?: 'createLocation' | 'updateLocation' | 'deleteLocations';
  /** The ids of new locations in the response, by name. */
  readonly locationsOf?: (data: Data) => readonly Named[];
}

export interface Target {
  readonly url: () => string;
  readonly token: string;
}

const MOST_LOCATIONS = 30;
const POSITION = { latitude: 1, longitude: 2 };
const LOCATION = 'location { id name }';

export class KillClient {
  readonly mapId: string;
  readonly acknowledged = new Map<string, number>();
  /** Responses other than a success or the expected outage. */
  readonly faults: string[] = [];
  /** Why the last run ended. */
  lastFailure = '';
  #model: Model = [];
  #mapName = '0';
  #pending: Operation | null = null;
  /** The last acknowledged operation, if it can be undone, and the model before it. */
  #last: { readonly historyId: string; readonly before: Model } | null = null;
  #count = 0;
  readonly #target: Target;
  readonly #random: () => number;

  constructor(mapId: string, target: Target, random: () => number) {
    this.mapId = mapId;
    this.#target = target;
    this.#random = random;
  }

  /** Writes one operation after the other until a response fails to arrive. */
  async run(onAcknowledged: () => void): Promise<void> {
    for (;;) {
      const operation = this.#next();
      this.#pending = operation;
      const data = await this.#send(operation);
      if (data === null) return;
      this.#pending = null;
      const historyId = operation.undone && data[operation.undone]?.historyId;
      this.#last = historyId ? { historyId, before: this.#model } : null;
      const [whole = []] = operation.results;
      const named = new Map(operation.locationsOf?.(data).map(({ name, id }) => [name, id]));
      this.#model = whole.map((item) =>
        item.id === null ? { ...item, id: named.get(item.name) ?? null } : item,
      );
      this.#mapName = operation.mapName ?? this.#mapName;
      this.acknowledged.set(operation.kind, (this.acknowledged.get(operation.kind) ?? 0) + 1);
      onAcknowledged();
    }
  }

  /**
   * Compares the store with the acknowledged writes, and continues from the stored state.
   *
   * @returns the difference; null where there is none
   */
  reconcile(mapName: string, stored: readonly (Item & { readonly id: string })[]): string | null {
    const names = [this.#mapName, this.#pending?.mapName];
    if (!names.includes(mapName)) return `the map's name is ${mapName}, not one of ${names.join(', ')}`;
    const possible = [this.#model, ...(this.#pending?.results ?? [])];
    const actual = textOf(stored);
    if (!possible.some((model) => textOf(model) === actual)) {
      return `after ${this.#pending?.kind ?? 'nothing'} the list is\n${actual}\nand not\n${possible.map(textOf).join('\nnor\n')}`;
    }
    const ids = new Map(stored.map(({ name, id }) => [name, id]));
    const changed = this.#model.filter(
      ({ name, id }) => id !== null && ids.has(name) && ids.get(name) !== id,
    );
    if (changed.length > 0) return `${changed.length} locations have other ids`;
    this.#model = stored;
    this.#mapName = mapName;
    this.#last = null;
    return null;
  }

  /** Repeats a create without a response; its idempotency key makes that safe. */
  async repeat(): Promise<void> {
    const pending = this.#pending;
    this.#pending = null;
    if (pending?.kind !== 'create') return;
    const data = await this.#send(pending);
    const [created] = data === null ? [] : (pending.locationsOf?.(data) ?? []);
    if (created === undefined) return void this.faults.push('a repeated create got no response');
    const known = this.#model.find(({ name }) => name === created.name);
    if (known === undefined) this.#model = [...this.#model, { name: created.name, id: created.id, value: 0 }];
    else if (known.id !== created.id) this.faults.push(`a repeated create stored ${created.name} again`);
  }

  async #send({ query, input }: Operation): Promise<Data | null> {
    let result: { data?: Data | null; errors?: { extensions: { code: string } }[] };
    try {
      const response = await fetch(`${this.#target.url()}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#target.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { input } }),
      });
      result = (await response.json()) as typeof result;
    } catch (error) {
      this.lastFailure = String(error);
      return null;
    }
    const codes = (result.errors ?? []).map(({ extensions }) => extensions.code);
    const results = Object.values(result.data ?? {}).flatMap((payload) => payload?.results ?? []);
    codes.push(...results.flatMap(({ error }) => error?.code ?? []));
    // A killed worker may hold a lock for some seconds; nothing else may go wrong.
    this.faults.push(...codes.filter((code) => code !== 'STORAGE_UNAVAILABLE'));
    if (codes.length === 0 && result.data) return result.data;
    this.lastFailure = JSON.stringify(result);
    return null;
  }

  #next(): Operation {
    const known = this.#model.filter((item): item is Item & { id: string } => item.id !== null);
    const makes = [() => this.#create(), () => this.#bulk(), () => this.#upsert(), () => this.#renameMap()];
    const changes = [() => this.#update(known), () => this.#move(known), () => this.#delete(known)];
    if (this.#last !== null && this.#random() < 0.3) return this.#undo(this.#last);
    if (known.length < 4) return this.#pick(makes)();
    if (known.length > MOST_LOCATIONS) return this.#delete(known);
    return this.#pick([...makes, ...changes, ...changes])();
  }

  #create(): Operation {
    const name = this.#newName();
    return {
      kind: 'create',
      query: `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { ${LOCATION} historyId } }`,
      input: {
        mapId: this.mapId,
        fields: fieldsOf(name, 0),
        position: POSITION,
        idempotencyKey: randomUUID(),
      },
      results: [[...this.#model, { name, id: null, value: 0 }]],
      undone: 'createLocation',
      locationsOf: ({ createLocation }) => (createLocation?.location ? [createLocation.location] : []),
    };
  }

  #bulk(): Operation {
    const items = [1, 2, 3].map(() => ({ name: this.#newName(), id: null, value: 0 }));
    return {
      kind: 'create many',
      query: `mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { ${LOCATION} error { code } } } }`,
      input: {
        mapId: this.mapId,
        locations: items.map(({ name }) => ({ fields: fieldsOf(name, 0), position: POSITION })),
      },
      results: subsetsOf(items).map((some) => [...this.#model, ...some]),
      locationsOf: ({ createLocations }) => (createLocations?.results ?? []).map(({ location }) => location),
    };
  }

  /** Upserts two earlier upserted locations and two new ones. */
  #upsert(): Operation {
    const value = (this.#count += 1);
    const old = this.#model.filter(({ name }) => name.startsWith('upserted')).slice(0, 2);
    const made = [1, 2].map(() => ({ name: `upserted ${this.#newName()}`, id: null, value }));
    const results = subsetsOf([...old, ...made]).map((some) => [
      ...this.#model.map((item) => (some.includes(item) ? { ...item, value } : item)),
      ...made.filter((item) => some.includes(item)),
    ]);
    return {
      kind: 'upsert',
      query: `mutation ($input: UpsertLocationsInput!) { upsertLocations(input: $input) { results { ${LOCATION} error { code } } } }`,
      input: {
        mapId: this.mapId,
        locations: [...old, ...made].map(({ name }) => ({
          externalId: name,
          fields: fieldsOf(name, value),
          position: POSITION,
        })),
      },
      results,
      locationsOf: ({ upsertLocations }) => (upsertLocations?.results ?? []).map(({ location }) => location),
    };
  }

  #update(known: readonly (Item & { id: string })[]): Operation {
    const { id, name } = this.#pick(known);
    const value = (this.#count += 1);
    return {
      kind: 'update',
      query: 'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { historyId } }',
      input: { mapId: this.mapId, id, fields: { value } },
      undone: 'updateLocation',
      results: [this.#model.map((item) => (item.name === name ? { ...item, value } : item))],
    };
  }

  #move(known: readonly (Item & { id: string })[]): Operation {
    const moved = [this.#pick(known), this.#pick(known)].filter(
      (item, index, all) => all.indexOf(item) === index,
    );
    const rest = this.#model.filter(({ name }) => !moved.some((item) => item.name === name));
    const toStart = this.#random() < 0.5;
    return {
      kind: 'move',
      query: 'mutation ($input: MoveLocationsInput!) { moveLocations(input: $input) { locations { id } } }',
      input: { mapId: this.mapId, ids: moved.map(({ id }) => id), [toStart ? 'toStart' : 'toEnd']: true },
      results: [toStart ? [...moved, ...rest] : [...rest, ...moved]],
    };
  }

  #delete(known: readonly (Item & { id: string })[]): Operation {
    const doomed = [this.#pick(known), this.#pick(known)].filter(
      (item, index, all) => all.indexOf(item) === index,
    );
    return {
      kind: 'delete',
      query: 'mutation ($input: DeleteLocationsInput!) { deleteLocations(input: $input) { historyId } }',
      input: { mapId: this.mapId, ids: doomed.map(({ id }) => id) },
      undone: 'deleteLocations',
      results: subsetsOf(doomed).map((some) =>
        this.#model.filter(({ name }) => !some.some((item) => item.name === name)),
      ),
    };
  }

  /** Undoes the last operation: an update, a create, or a delete of at most two. */
  #undo({ historyId, before }: { readonly historyId: string; readonly before: Model }): Operation {
    const names = new Set(this.#model.map(({ name }) => name));
    const restored = before.filter(({ name }) => !names.has(name));
    return {
      kind: 'undo',
      query: 'mutation ($input: UndoChangeInput!) { undoChange(input: $input) { reverted } }',
      input: { mapId: this.mapId, historyId },
      results: [
        before,
        ...subsetsOf(restored).map((some) =>
          before.filter((item) => some.includes(item) || !restored.includes(item)),
        ),
      ],
    };
  }

  #renameMap(): Operation {
    const mapName = String((this.#count += 1));
    return {
      kind: 'update the map',
      query: 'mutation ($input: UpdateMapInput!) { updateMap(input: $input) { map { id } } }',
      input: { id: this.mapId, name: mapName },
      results: [this.#model],
      mapName,
    };
  }

  #newName(): string {
    return `location ${(this.#count += 1)}`;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
}

const fieldsOf = (name: string, value: number) => ({ Name: name, Address: 'A', value });

const textOf = (model: Model) => model.map(({ name, value }) => `${name}: ${value}`).join('\n');

/** The whole list comes first. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  const count = 2 ** items.length;
  return Array.from({ length: count }, (_, index) =>
    items.filter((_item, bit) => ((count - 1 - index) >> bit) % 2 === 1),
  );
}
