/** State of the map editor: what the list shows, what is selected, and the location being edited. */

import { t } from '../common/messages.ts';
import { tick } from 'svelte';

import type { Box } from '../../../src/web/basemap/box.ts';
import { toBbox } from '../../../src/web/basemap/box.ts';
import { categoryOf, categoryValueOf, namesOf, valuesOf } from '../../../src/domain/categories.ts';
import type { CategoryStyle } from '../../../src/domain/category-style.ts';
import type { CategoryMark } from '../../shared/map/category-marks.ts';
import type { CategoryMarks, CategoryStyles } from '../../shared/map/categories.ts';
import { Categories, categoryFieldOf } from '../../shared/map/categories.ts';
import type { MarkedLocation } from '../../shared/map/map-features.ts';
import { valueOf } from '../../shared/properties.ts';
import { searchOf } from '../../shared/text.ts';
import { Attempt } from '../common/attempt.svelte.ts';
import { textOfValue } from '../common/field-inputs.ts';
import type { Session } from '../common/session.svelte.ts';
import type { Unsaved } from '../common/unsaved.ts';
import { AddressSuggester } from '../form/address-suggester.ts';
import { LocationDraft } from '../form/location-draft.svelte.ts';
import type { LocationFilter, MapDetailsFragment } from '../generated/operations.ts';
import { EditedMapDocument, SuggestAddressesDocument } from '../generated/operations.ts';
import type { Condition } from '../list/conditions.ts';
import { filterOf, requiredValue, withRequiredValue } from '../list/conditions.ts';
import type { ListOrder } from '../list/list-order.ts';
import { isListOrder, LIST_ORDER, orderInputOf } from '../list/list-order.ts';
import type { Row } from '../list/locations-store.svelte.ts';
import { LocationsStore } from '../list/locations-store.svelte.ts';
import { RowSelection } from '../list/row-selection.svelte.ts';
import { PointCounts } from '../review/point-counts.svelte.ts';
import { ReviewState } from '../review/review-state.svelte.ts';
import { isAtLeast } from '../sharing/roles.ts';
import { EditorMap } from './editor-map.svelte.ts';

/** What the editor shows: the list (with the map, on a wide screen), the map, or a panel. */
export type View = 'list' | 'map' | 'settings' | 'import' | 'share' | 'webhooks' | 'history' | 'trash';

/** More locations take too long to load; a filter is the better way to select them. */
const MAX_SELECTED = 10_000;
/** More values do not help to choose one. */
const MAX_SUGGESTIONS = 50;
const SEARCH_DEBOUNCE_MS = 250;

interface EditorOptions {
  readonly session: Session;
  readonly unsaved: Unsaved;
  readonly mapId: string;
  readonly onnotice: (text: string) => void;
}

/** What the editor asks of the table of locations. */
interface Table {
  show(id: string): boolean;
  focusAt(index: number): void;
  isDragging(): boolean;
}

export class EditorState {
  map = $state.raw<MapDetailsFragment | null>(null);
  /** Increases when others have changed locations. */
  othersChanges = $state(0);
  view = $state<View>('list');
  search = $state('');
  conditions = $state.raw<readonly Condition[]>([]);
  order = $state.raw<ListOrder>(LIST_ORDER);
  /** Edits of the open location; null if none is open. */
  draft = $state.raw<LocationDraft | null>(null);
  /** Null if points are not being reviewed. */
  review = $state.raw<ReviewState | null>(null);
  readonly attempt = new Attempt();
  readonly selection = new RowSelection();
  readonly store: LocationsStore;
  readonly editorMap: EditorMap;
  /** For all forms of the map: what one learns about the geocoder holds for the next. */
  readonly suggester: AddressSuggester;
  readonly counts: PointCounts;
  table: Table | undefined = $state();
  addButton: HTMLElement | undefined = $state();
  reviewButton: HTMLElement | undefined = $state();
  readonly #options: EditorOptions;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;

  readonly searchText = $derived(searchOf(this.search));
  readonly filter = $derived(filterOf(this.searchText, this.conditions));
  readonly canMove = $derived.by(() => this.canWrite && this.filter === null && isListOrder(this.order));
  readonly canSelectAll = $derived.by(() => {
    const { rows, total } = this.store;
    if (total === null || total <= this.selection.ids.size || total > MAX_SELECTED) return false;
    return rows.every(({ id }) => this.selection.has(id));
  });
  readonly categoryField = $derived(categoryFieldOf(this.map?.fields ?? []));
  /** The same text until a category changes, although the map is read again and again. */
  readonly #stylesText = $derived(JSON.stringify(this.map?.categories ?? []));
  /** Null if the map has none, or until they are loaded. */
  #styles = $state.raw<CategoryStyles | null>(null);
  readonly categories = $derived.by(() => {
    const { all } = this.store;
    if (all === null || this.categoryField === null) return null;
    const rows = [...all.values()];
    return new Categories(
      new Map(rows.map((row) => [row.id, categoryOf(row.properties, this.categoryField)])),
      this.#styles,
    );
  });
  /** Null if categories have none, or until the list is loaded. */
  readonly marks = $derived.by((): CategoryMarks | null => {
    if (this.categories !== null) return this.categories;
    if (this.store.total === null || this.categoryField === null) return null;
    return this.#styles?.marksOfLargeMap(this.categoryField) ?? null;
  });
  /** The category that the list is limited to; empty for all. */
  readonly category = $derived(requiredValue(this.conditions, this.categoryField ?? ''));

  constructor(options: EditorOptions) {
    this.#options = options;
    this.store = new LocationsStore(options.session, options.mapId);
    this.editorMap = new EditorMap(this.store);
    const { session, mapId } = options;
    this.suggester = new AddressSuggester(
      async (query, signal) =>
        (await session.request(SuggestAddressesDocument, { mapId, ...query }, signal)).suggestAddresses,
    );
    this.counts = new PointCounts(options.session, options.mapId);
  }

  /** Whether the user may change locations. */
  get canWrite(): boolean {
    return this.#options.session.canWrite && isAtLeast(this.map?.myRole, 'editor');
  }

  /** Whether the user may change everything. */
  get isOwner(): boolean {
    return this.#options.session.canWrite && isAtLeast(this.map?.myRole, 'owner');
  }

  /** Leaves what the role does not allow any more. A form stays open, so that its text can be copied. */
  leaveForbidden(): void {
    if (!this.canWrite) this.endReview();
    if (!this.#maySee(this.view)) this.view = 'list';
  }

  #maySee(view: View): boolean {
    if (view === 'import') return this.canWrite;
    return (view !== 'settings' && view !== 'webhooks') || this.isOwner;
  }

  /** Whether the list or the map is shown, not a panel. */
  get showsLocations(): boolean {
    return this.view === 'list' || this.view === 'map';
  }

  readonly markOf = (location: Pick<MarkedLocation, 'id' | 'properties'>): CategoryMark | null =>
    this.marks?.markOf(location) ?? null;

  /** Shows the marks on the map. If not all locations are loaded, it has to load the categories of those in view. */
  showMarks(): void {
    this.editorMap.showMarks(this.markOf, this.categories === null && this.marks !== null);
  }

  readonly labelOf = (category: string): string => this.#styles?.labels.get(category) ?? category;

  /** Loads the labels, colours and icons of the map's categories, if it has some. */
  async loadStyles(): Promise<void> {
    const text = this.#stylesText;
    // Without them, categories look as on maps that have none.
    const module =
      text === '[]' ? null : await import('../../shared/map/category-styles.ts').catch(() => null);
    if (text !== this.#stylesText) return;
    this.#styles = module?.categoryStylesOf(JSON.parse(text) as CategoryStyle[]) ?? null;
  }

  load(): void {
    void this.attempt.run(async () => {
      const { session, mapId } = this.#options;
      this.map = (await session.request(EditedMapDocument, { id: mapId })).map;
      if (this.map?.isDeleted) {
        this.reportDeleted();
        return;
      }
      const listed = this.store.search(null, null);
      await Promise.all([listed, this.editorMap.refresh(listed), this.counts.load()]);
    });
  }

  reportDeleted(): void {
    this.attempt.problem = t('editor.deleted');
  }

  /** Runs the search again, after the filter has changed, and fits the map to the results. */
  readonly runSearch = (): void => {
    clearTimeout(this.#searchTimer);
    this.selection.clear();
    void this.attempt.run(async () => {
      await this.store.search(this.filter, orderInputOf(this.order));
      await this.editorMap.refresh();
    });
  };

  /** Runs the search when the user stops typing. */
  readonly scheduleSearch = (): void => {
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(this.runSearch, SEARCH_DEBOUNCE_MS);
  };

  readonly setConditions = (conditions: readonly Condition[]): void => {
    this.conditions = conditions;
    this.runSearch();
  };

  /** @param category empty for all */
  readonly chooseCategory = (category: string): void => {
    const field = this.map?.fields.find(({ name }) => name === this.categoryField);
    if (field === undefined) return;
    const rows = [...(this.store.all?.values() ?? [])];
    const ofLocations = rows.map(({ properties }) => categoryValueOf(properties, field.name));
    // Several categories may have the same label.
    const labels = this.#styles?.labels ?? [];
    const alike = [...labels].flatMap(([one, label]) => (label === this.labelOf(category) ? [one] : []));
    const values = [...new Set([category, ...alike])].flatMap((one) => [...valuesOf(one, ofLocations)]);
    this.setConditions(withRequiredValue(this.conditions, field, category, values));
  };

  /** @param text how the condition is shown */
  addBox(box: Box, text: string): void {
    this.setConditions([...this.conditions, { subject: { kind: 'box' }, box: toBbox(box), text }]);
  }

  readonly setOrder = (order: ListOrder): void => {
    this.order = order;
    void this.attempt.run(() => this.store.search(this.filter, orderInputOf(order)));
  };

  /** Removes all other filters and restores the order of the list. */
  readonly showOnly = (conditions: readonly Condition[]): void => {
    if (!this.showsLocations) this.show('list');
    // The user may stay in a panel with unsaved changes.
    if (!this.showsLocations) return;
    this.search = '';
    this.order = LIST_ORDER;
    this.setConditions(conditions);
  };

  /** The values of a field among the loaded rows, sorted; empty if they are many. */
  readonly seenValues = (field: string): readonly string[] => {
    const values = new Set(this.store.rows.map((row) => textOfValue(valueOf(row.properties, field))));
    values.delete('');
    return values.size > MAX_SUGGESTIONS ? [] : [...values].toSorted((a, b) => a.localeCompare(b));
  };

  /** The categories of the loaded locations: of all if they fit on one page. */
  readonly categoriesOf = (field: string): readonly string[] =>
    namesOf(
      [...(this.store.all?.values() ?? this.store.rows)].map((row) => categoryOf(row.properties, field)),
    );

  /** @param location null to add one */
  readonly edit = (location: Row | null): void => {
    const { session, unsaved, mapId } = this.#options;
    if (this.map === null || !unsaved.mayLeave()) return;
    this.endReview();
    const { fields } = this.map;
    this.draft = new LocationDraft({ session, mapId, canWrite: () => this.canWrite, fields, location });
    if (this.view !== 'map') this.view = 'list';
  };

  readonly editById = (locationId: string): void => {
    void this.attempt.run(async () => {
      const row = await this.store.row(locationId);
      if (row !== null) this.edit(row);
    });
  };

  readonly show = (view: View): void => {
    if (view === this.view || !this.#options.unsaved.mayLeave()) return;
    this.endReview();
    this.view = view;
    if (!this.showsLocations) this.draft = null;
  };

  readonly close = (): void => {
    if (!this.#options.unsaved.mayLeave()) return;
    const id = this.draft?.base?.id ?? null;
    this.closeForm();
    void tick().then(() => (id === null ? this.addButton?.focus() : this.table?.show(id)));
  };

  closeForm(): void {
    this.draft = null;
    this.editorMap.showPin(null, null);
  }

  /** Reviews points of the whole map, or of the results. */
  readonly startReview = (filter: LocationFilter | null): void => {
    const { session, unsaved, mapId } = this.#options;
    const { map } = this;
    if (map === null || !unsaved.mayLeave()) return;
    this.closeForm();
    if (!this.showsLocations) this.view = 'list';
    const orderBy = orderInputOf(this.order);
    this.review = new ReviewState({
      ...{ session, unsaved, mapId, fields: map.fields, filter, orderBy },
      canWrite: () => this.canWrite,
    });
  };

  readonly closeReview = (): void => {
    if (!this.#options.unsaved.mayLeave()) return;
    const isDone = this.review?.queue?.left === 0;
    this.endReview();
    // When all is done, the button will disappear.
    void tick().then(() => (isDone ? this.table?.focusAt(0) : this.reviewButton?.focus()));
  };

  endReview(): void {
    const { review } = this;
    if (review === null) return;
    this.review = null;
    this.editorMap.showReview(null);
    if (review.hasChanged) this.refresh();
  }

  /** @param draft the draft saved; the user may have opened another in the meantime, which stays open */
  readonly saved = (draft: LocationDraft, row: Row, isNew: boolean): void => {
    void this.attempt.run(async () => {
      // Before any request, during which the user could keep typing.
      if (this.draft === draft) this.closeForm();
      if (isNew) await this.store.add(row);
      else this.store.replace(row);
      this.#options.onnotice(t('editor.saved', { name: row.name }));
      await tick();
      if (this.draft === null && this.table?.show(row.id) !== true) this.addButton?.focus();
      await Promise.all([this.editorMap.load(), this.counts.load()]);
    });
  };

  /** After an import or a review. */
  readonly refresh = (): void => {
    void this.attempt.run(async () => {
      await this.store.refresh();
      await Promise.all([this.editorMap.refresh(), this.counts.load()]);
    });
  };

  readonly selectAll = (): void => {
    const { searches } = this.store;
    void this.attempt.run(async () => {
      const ids = await this.store.ids();
      // The user may have started another search in the meantime.
      if (searches === this.store.searches) this.selection.set(ids);
    });
  };
}
