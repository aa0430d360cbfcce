/** The review of points: the current row, its candidates, and what the user does with it. */

import { GraphqlError } from '../../shared/graphql.ts';
import type { Point } from '../../shared/map/map-view.ts';
import { Attempt } from '../common/attempt.svelte.ts';
import { t } from '../common/messages.ts';
import { precisionText } from '../common/precision.ts';
import type { Unsaved } from '../common/unsaved.ts';
import type { LocationDraft } from '../form/location-draft.svelte.ts';
import { CandidateFinder } from './candidate-finder.svelte.ts';
import { needsReview } from './point-counts.svelte.ts';
import type { ReviewQueue } from './review-queue.ts';
import {
  afterReview,
  currentRow,
  isLoadDue,
  movedBy,
  positionOf,
  queueOf,
  restored,
  withoutCurrent,
  withPage,
  withRow,
} from './review-queue.ts';
import type { ReviewStoreOptions, Row } from './review-store.ts';
import { ReviewStore } from './review-store.ts';

export interface ReviewOptions extends ReviewStoreOptions {
  readonly unsaved: Unsaved;
}

/** What the map shows of a review. */
export interface ReviewedPoint {
  readonly location: { readonly id: string; readonly name: string };
  readonly point: Point;
  /** Whether the user placed the pin, so that the view stays. */
  readonly isMoved: boolean;
  /** Other points that its address may mean. */
  readonly candidates: readonly Point[];
  /** Called with the index of a candidate. */
  readonly onchoose: (index: number) => void;
}

/** The last action: the row before and after it, and where the row was in the queue. */
interface Done {
  readonly isCheck: boolean;
  readonly before: Row;
  readonly after: Row;
  readonly index: number;
}

export class ReviewState {
  /** Null until the first page is loaded. */
  queue = $state.raw<ReviewQueue<Row> | null>(null);
  /** The edits of the current row. */
  draft = $state.raw<LocationDraft | null>(null);
  isCorrecting = $state(false);
  isSaving = $state(false);
  /** For screen readers. */
  announcement = $state('');
  /** Whether a location was changed. */
  hasChanged = false;
  readonly candidates: CandidateFinder;
  readonly loading = new Attempt();
  readonly action = new Attempt();

  readonly row = $derived.by(() => (this.queue === null ? null : currentRow(this.queue)));
  readonly position = $derived.by(() => (this.queue === null ? null : positionOf(this.queue)));
  readonly address = $derived.by(() => (this.row === null ? '' : this.#store.addressOf(this.row)));
  readonly hasMovedPin = $derived.by(
    () => this.draft !== null && (this.draft.draggedPoint !== null || this.draft.candidates.length > 0),
  );
  /** Where the pin is. */
  readonly point = $derived.by<Point | null>(
    () => this.draft?.draggedPoint ?? this.draft?.candidates[this.draft.chosen] ?? this.row,
  );
  readonly isDirty = $derived.by(() => this.draft?.isDirty ?? false);
  readonly canUndo = $derived.by(() => this.hasMovedPin || this.#done !== null);
  #done = $state.raw<Done | null>(null);
  readonly #store: ReviewStore;
  readonly #unsaved: Unsaved;
  #isLoading = false;

  constructor(options: ReviewOptions) {
    this.#unsaved = options.unsaved;
    this.#store = new ReviewStore(options);
    this.candidates = new CandidateFinder(async (signal) =>
      this.row === null ? [] : this.#store.candidates(this.row, signal),
    );
  }

  get addressField(): string {
    return this.#store.addressField;
  }

  /** Loads the next page. */
  readonly load = async (): Promise<void> => {
    if (this.#isLoading) return;
    this.#isLoading = true;
    await this.loading.run(async () => {
      const { rows, isLast, total } = await this.#store.nextPage();
      const isWaiting = this.row === null;
      this.queue = withPage(this.queue ?? queueOf([], total ?? 0), rows, isLast);
      if (isWaiting) this.#open();
    });
    this.#isLoading = false;
  };

  /** Goes to another row, if the user may leave this one. */
  readonly move = (step: number): void => {
    const { queue, row } = this;
    if (queue === null || row === null || this.isSaving || !this.#unsaved.mayLeave()) return;
    // A corrected address may have left nothing to review.
    const isDone = step > 0 && !needsReview(row.geocoding);
    this.queue = isDone ? afterReview(queue) : movedBy(queue, step);
    const isAtEnd = !isDone && this.queue.index === queue.index && !(step > 0 && isLoadDue(queue));
    this.#open(isAtEnd ? t(step > 0 ? 'review.lastRow' : 'review.firstRow') : '');
  };

  /** Shows the current row. @param news of the previous action, for screen readers */
  #open(news = ''): void {
    this.candidates.reset();
    this.isCorrecting = false;
    this.action.problem = '';
    const { queue, row } = this;
    this.draft = row === null ? null : this.#store.draftOf(row);
    this.announcement = `${news} ${this.#describe()}`.trim();
    if (row?.geocoding.isAmbiguous) this.candidates.schedule(this.findCandidates);
    if (queue !== null && isLoadDue(queue)) void this.load();
  }

  #describe(): string {
    const { row, position } = this;
    if (row === null || position === null) return this.queue?.left === 0 ? t('review.done') : '';
    return t('review.announced', {
      ...position,
      name: row.name,
      precision: precisionText(row.geocoding.precision),
    });
  }

  readonly findCandidates = async (): Promise<void> => {
    if (this.row === null) return;
    await this.candidates.find();
    const count = this.candidates.found?.length;
    if (count === 0) this.announcement = t('review.noCandidates');
    else if (count !== undefined) this.announcement = t('review.candidateCount', { count });
  };

  /** @param point null to reset the pin */
  readonly movePin = (point: Point | null): void => {
    if (this.draft === null || this.isSaving) return;
    this.draft.candidates = [];
    this.draft.placePin(point);
    this.announcement = point === null ? t('review.pinReset') : t('review.pinPlaced');
  };

  /** Saves the pin if the user moved it; otherwise marks the point as checked. */
  readonly confirm = async (): Promise<void> => {
    // Conflicts and a new address have buttons of their own.
    if (this.isCorrecting || this.draft?.conflicts.length !== 0) return;
    await this.#act(() => (this.isDirty ? this.#save() : this.#check()));
  };

  /** Chooses a candidate, or finds candidates if that was not done yet. @param number from 1 */
  readonly choose = async (number: number): Promise<void> => {
    const { draft, row } = this;
    const candidates = this.candidates.found;
    if (candidates === null) return this.findCandidates();
    const candidate = candidates[number - 1];
    if (draft === null || row === null || candidate === undefined) return;
    if (this.isSaving || this.isCorrecting) return;
    if (isSamePoint(candidate, row)) return this.#act(() => this.#check());
    draft.placePin(null);
    // A draft would geocode again to get its first candidate, and leave it unchecked.
    if (number === 1) draft.placePin(candidate);
    else {
      draft.candidates = candidates;
      draft.choose(number - 1);
    }
    await this.#act(() => this.#save());
  };

  readonly startCorrecting = (): void => {
    if (this.row !== null && !this.isSaving) this.isCorrecting = true;
  };

  readonly stopCorrecting = (): void => {
    if (this.draft === null || this.isSaving) return;
    this.draft.texts[this.addressField] = this.address;
    this.action.problem = '';
    this.isCorrecting = false;
  };

  /** Saves the changed address, which geocodes it, or the pin. */
  readonly save = (): Promise<void> => this.#act(() => this.#save());

  /** Drops what conflicts with the changes of another user. */
  readonly takeTheirs = (): void => {
    this.draft?.takeTheirs();
    if (this.draft?.base) this.#stay(this.draft.base);
  };

  async #check(): Promise<void> {
    const { row } = this;
    if (row === null) return;
    const now = await this.#store.setChecked(row, true);
    if (isSamePoint(now, row) && this.#store.addressOf(now) === this.address)
      return this.#advance({ isCheck: true, before: row, after: now }, t('review.checked'));
    // The user has not seen this point. One that was set by hand was checked by who set it.
    this.#stay(now.geocoding.provider === 'manual' ? now : await this.#store.setChecked(now, false));
    this.action.problem = t('review.changedByOther');
  }

  async #save(): Promise<void> {
    const { draft, row } = this;
    if (draft === null || row === null) return;
    const after = await draft.save();
    // Then the draft has conflicts.
    if (after === null) return;
    const done = { isCheck: false, before: row, after };
    if (after.geocoding.isChecked) return this.#advance(done, t('review.saved'));
    // The user has not seen the point of the corrected address.
    if (after.version !== row.version) this.#remember(done);
    this.#stay(after, t('review.savedUnchecked'));
  }

  /** Resets the pin if the user moved it; otherwise restores the row of the last action. */
  readonly undo = async (): Promise<void> => {
    const done = this.#done;
    if (this.hasMovedPin) return this.movePin(null);
    if (done === null || !this.#unsaved.mayLeave()) return;
    const { isCheck, before, after, index } = done;
    await this.#run(async () => {
      try {
        const row = await (isCheck
          ? this.#store.setChecked(before, false)
          : this.#store.restore(before, after));
        if (this.queue !== null) this.queue = restored(this.queue, row, index);
        this.#open(t(isSamePoint(row, before) ? 'review.undone' : 'review.undoneElsewhere'));
      } catch (error) {
        if (!hasCode(error, 'CONFLICT', 'LOCATION_NOT_FOUND')) throw error;
        this.action.problem = t('review.cannotUndo', { name: before.name });
      }
      this.#done = null;
    });
  };

  #remember(done: Omit<Done, 'index'>): void {
    this.#done = { ...done, index: this.queue?.index ?? 0 };
  }

  #advance(done: Omit<Done, 'index'>, news: string): void {
    this.hasChanged = true;
    this.#remember(done);
    if (this.queue !== null) this.queue = afterReview(this.queue);
    this.#open(news);
  }

  #stay(row: Row, news = ''): void {
    this.hasChanged = true;
    if (this.queue !== null) this.queue = withRow(this.queue, row);
    this.#open(news);
  }

  /** Acts on the current row, which leaves the queue if it no longer exists. */
  #act(work: () => Promise<void>): Promise<void> {
    return this.#run(async () => {
      try {
        await work();
      } catch (error) {
        if (!hasCode(error, 'LOCATION_NOT_FOUND')) throw error;
        const { queue, row } = this;
        if (queue !== null) this.queue = withoutCurrent(queue);
        this.#open();
        this.action.problem = t('review.deleted', { name: row?.name ?? '' });
      }
    });
  }

  /** One action at a time. */
  async #run(work: () => Promise<void>): Promise<void> {
    if (this.isSaving) return;
    this.isSaving = true;
    await this.action.run(work);
    this.isSaving = false;
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof GraphqlError && codes.includes(error.code);
}

function isSamePoint(a: Point, b: Point): boolean {
  return a.latitude === b.latitude && a.longitude === b.longitude;
}
