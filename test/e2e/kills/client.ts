/**
 * A client that writes to a map of its own, and knows what the map must be by what was acknowledged. What was not yet
 * answered when the server was killed may have been done, item by item, or not.
 */

import { randomUUID } from 'node:crypto';

/** A location as the client knows it; the name is its own, and no other has it. */
export interface Item {
  readonly name: string;
  /** Null until an answer or the store has told it. */
  readonly id: string | null;
  /** The value that the client gave it last. */
  readonly value: number;
}

type Model = readonly Item[];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The payloads of an answer, by the mutation. */
type Data = Readonly<Record<string, Payload | undefined>>;

interface Payload {
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
  /** The map after all of it, and after parts of it where items count one by one; the whole comes first. */
  readonly results: readonly Model[];
  /** Its name afterwards, where it is the map that changes. */
  readonly mapName?: string;
  /** Takes the ids of new locations from the answer, by their names. */
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
  /** Answers that were neither good nor the outage that was to be expected. */
  readonly faults: string[] = [];
  /** Why it ended last. */
  lastFailure = '';
  #model: Model = [];
  #mapName = '0';
  #pending: Operation | null = null;
  #count = 0;
  readonly #target: Target;
  readonly #random: () => number;

  constructor(mapId: string, target: Target, random: () => number) {
    this.mapId = mapId;
    this.#target = target;
    this.#random = random;
  }

  /** Writes, each time after the answer before, until an answer fails to come. */
  async run(onAcknowledged: () => void): Promise<void> {
    for (;;) {
      const operation = this.#next();
      this.#pending = operation;
      const data = await this.#send(operation);
      if (data === null) return;
      this.#pending = null;
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
   * Holds the store against what was acknowledged, and goes on from what is there.
   *
   * @returns what is wrong; null where nothing is
   */
  reconcile(mapName: string, stored: readonly (Item & { readonly id: string })[]): string | null {
    const names = [this.#mapName, this.#pending?.mapName];
    if (!names.includes(mapName)) return `the map is called ${mapName}, and not one of ${names.join(', ')}`;
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
    return null;
  }

  /** Sends again what was not answered, where a key makes that safe: it is stored once, whether it was before or not. */
  async repeat(): Promise<void> {
    const pending = this.#pending;
    this.#pending = null;
    if (pending?.kind !== 'create') return;
    const data = await this.#send(pending);
    const [created] = data === null ? [] : (pending.locationsOf?.(data) ?? []);
    if (created === undefined) return void this.faults.push('a repeated create was not answered');
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
    // The other worker's end may leave a lock behind for some seconds; nothing else may go wrong.
    this.faults.push(...codes.filter((code) => code !== 'STORAGE_UNAVAILABLE'));
    if (codes.length === 0 && result.data) return result.data;
    this.lastFailure = JSON.stringify(result);
    return null;
  }

  #next(): Operation {
    const known = this.#model.filter((item): item is Item & { id: string } => item.id !== null);
    const makes = [() => this.#create(), () => this.#bulk(), () => this.#upsert(), () => this.#renameMap()];
    const changes = [() => this.#update(known), () => this.#move(known), () => this.#delete(known)];
    if (known.length < 4) return this.#pick(makes)();
    if (known.length > MOST_LOCATIONS) return this.#delete(known);
    return this.#pick([...makes, ...changes, ...changes])();
  }

  #create(): Operation {
    const name = this.#newName();
    return {
      kind: 'create',
      query: `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { ${LOCATION} } }`,
      input: {
        mapId: this.mapId,
        fields: fieldsOf(name, 0),
        position: POSITION,
        idempotencyKey: randomUUID(),
      },
      results: [[...this.#model, { name, id: null, value: 0 }]],
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

  /** Of locations that were made by it before, and new ones. */
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
      query: 'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { id } } }',
      input: { mapId: this.mapId, id, fields: { value } },
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
    const gone = [this.#pick(known), this.#pick(known)].filter(
      (item, index, all) => all.indexOf(item) === index,
    );
    return {
      kind: 'delete',
      query: 'mutation ($input: DeleteLocationsInput!) { deleteLocations(input: $input) { deletedIds } }',
      input: { mapId: this.mapId, ids: gone.map(({ id }) => id) },
      results: subsetsOf(gone).map((some) =>
        this.#model.filter(({ name }) => !some.some((item) => item.name === name)),
      ),
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
    return `place ${(this.#count += 1)}`;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
}

const fieldsOf = (name: string, value: number) => ({ Name: name, Address: 'A', value });

const textOf = (model: Model) => model.map(({ name, value }) => `${name}: ${value}`).join('\n');

/** All of them first. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  const count = 2 ** items.length;
  return Array.from({ length: count }, (_, index) =>
    items.filter((_item, bit) => ((count - 1 - index) >> bit) % 2 === 1),
  );
}
