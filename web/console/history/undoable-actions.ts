/** Changes of many locations in the editor, each with an offer to undo it. */

import { tick } from 'svelte';

import type { KeptHistory } from '../../../src/web/console-page.ts';
import { isolated } from '../../shared/text.ts';
import type { Attempt } from '../common/attempt.svelte.ts';
import { chunksOf } from '../common/chunks.ts';
import { t } from '../common/messages.ts';
import type { Session } from '../common/session.svelte.ts';
import type { Unsaved } from '../common/unsaved.ts';
import type { RunResult } from '../import/import-pass.ts';
import type { ListEnd, LocationsStore, Row } from '../list/locations-store.svelte.ts';
import type { RowSelection } from '../list/row-selection.svelte.ts';
import type { Restored, Undone } from './history-client.ts';
import { HistoryClient } from './history-client.ts';
import type { UndoBar, UndoOffer } from './undo-bar.svelte.ts';

interface ActionOptions {
  readonly session: Session;
  readonly unsaved: Unsaved;
  readonly bar: UndoBar;
  readonly kept: KeptHistory;
  readonly mapId: string;
  readonly onnotice: (text: string) => void;
}

/** What the actions ask of the editor. */
interface Editor {
  readonly attempt: Attempt;
  readonly selection: RowSelection;
  readonly store: LocationsStore;
  readonly editorMap: { load(): Promise<void>; refresh(): Promise<void> };
  readonly counts: { load(): Promise<void> };
  readonly table: { show(id: string): boolean; focusAt(index: number): void } | undefined;
  readonly showsLocations: boolean;
  closeForm(): void;
  refresh(): void;
  edit(row: Row): void;
}

export class UndoableActions {
  readonly client: HistoryClient;
  readonly #editor: Editor;
  readonly #options: ActionOptions;

  constructor(editor: Editor, options: ActionOptions) {
    this.#editor = editor;
    this.#options = options;
    this.client = new HistoryClient(options.session, options.mapId);
  }

  /** Deletes locations. Where the server keeps no trash, asks before. */
  readonly remove = (ids: readonly string[]): void => {
    const { unsaved, kept } = this.#options;
    const { attempt, selection, store, table } = this.#editor;
    if (kept.trashDays === 0 && !confirm(t('trash.finalQuestion', { count: ids.length }))) return;
    const index = store.rows.findIndex(({ id }) => id === ids[0]);
    unsaved.set('location', false);
    this.#editor.closeForm();
    selection.clear();
    void attempt.run(async () => {
      const deleted: string[] = [];
      let count = 0;
      try {
        for (const chunk of chunksOf(ids)) {
          count += await store.delete(chunk);
          deleted.push(...chunk);
        }
      } finally {
        if (deleted.length > 0) this.#offerRestore(deleted, count);
        await store.recount();
      }
      await tick();
      table?.focusAt(index);
      await Promise.all([this.#editor.editorMap.load(), this.#editor.counts.load()]);
    });
  };

  readonly removeSelected = (): void => {
    const { selection, store } = this.#editor;
    this.remove(selection.inOrder(store.rows));
  };

  readonly moveSelected = (end: ListEnd): void => {
    const { attempt, selection, store, table } = this.#editor;
    const ids = selection.inOrder(store.rows);
    void attempt.run(async () => {
      const historyIds = await store.moveToEnd(ids, end);
      selection.clear();
      this.offerUndo(t(`history.count.${end}`, { count: ids.length }), historyIds, ids[0]);
      await tick();
      table?.focusAt(0);
    });
  };

  readonly imported = ({ historyId, counts: { created, updated } }: RunResult): void => {
    if (historyId === null) return;
    this.offerUndo(t('history.count.imported', { count: created + updated }), [historyId]);
  };

  /** Restored from the trash. */
  readonly restored = ({ reverted, historyIds }: Restored): void => {
    this.#editor.refresh();
    this.offerUndo(t('history.count.restored', { count: reverted }), historyIds);
  };

  /** A former version of the open location, whose form opens again. */
  readonly versionRestored = (row: Row, version: number, historyId: string | null): void => {
    const { attempt, counts, editorMap, store } = this.#editor;
    const text = t('history.versionRestored', { number: version, name: isolated(row.name) });
    this.#options.unsaved.set('location', false);
    store.replace(row);
    this.#editor.edit(row);
    this.offerUndo(text, historyId === null ? [] : [historyId], row.id);
    void attempt.run(async () => {
      await Promise.all([editorMap.load(), counts.load()]);
    });
  };

  /** Offers to undo calls; without any, only says what was done. */
  offerUndo(text: string, historyIds: readonly string[], locationId?: string): void {
    if (historyIds.length === 0) this.#options.onnotice(t('history.sentence', { text }));
    else this.#offer({ text, locationId, undo: () => this.client.undo(historyIds) });
  }

  /** Restoring from the trash needs no history. */
  #offerRestore(ids: readonly string[], count: number): void {
    const text = t('history.count.deleted', { count });
    if (this.#options.kept.trashDays === 0) this.#options.onnotice(t('history.sentence', { text }));
    else this.#offer({ text, locationId: ids[0], undo: () => this.client.restore(ids) });
  }

  #offer(offer: Pick<UndoOffer, 'text' | 'locationId'> & { readonly undo: () => Promise<Undone> }): void {
    const { bar, mapId } = this.#options;
    bar.show({ ...offer, mapId, client: this.client });
  }

  /** After an offer was undone, shows the map as it is now. */
  readonly showUndone = ({ locationId }: UndoOffer): void => {
    const { editorMap, counts, attempt, store } = this.#editor;
    void attempt.run(async () => {
      await store.refresh();
      await tick();
      // The button that had the focus has disappeared.
      const hasLostFocus = document.activeElement === null || document.activeElement === document.body;
      if (hasLostFocus && this.#editor.showsLocations) {
        const { table } = this.#editor;
        if (locationId === undefined || table?.show(locationId) !== true) table?.focusAt(0);
      }
      await Promise.all([editorMap.refresh(), counts.load()]);
    });
  };
}
