/** Shows in the editor what others have changed. */

import { t } from '../common/messages.ts';
import type { MapDetailsFragment } from '../generated/operations.ts';
import type { LocationChange } from '../list/locations-store.svelte.ts';
import { roleName } from '../sharing/roles.ts';
import type { EditorState } from './editor-state.svelte.ts';

export class OthersChanges {
  readonly #editor: EditorState;
  readonly #onNotice: (text: string) => void;

  constructor(editor: EditorState, onNotice: (text: string) => void) {
    this.#editor = editor;
    this.#onNotice = onNotice;
  }

  /** Whether rows must stay where they are, or are out of sight until the review ends. */
  get isBlocked(): boolean {
    const { table, store, review } = this.#editor;
    return table?.isDragging() === true || store.isMoving || review !== null;
  }

  /** Whether the list is still to be requested. */
  get isAhead(): boolean {
    return this.#editor.store.searches === 0;
  }

  /** What is being edited stays as it is. */
  showMap(map: MapDetailsFragment): void {
    const editor = this.#editor;
    const before = editor.map;
    if (before === null) return;
    const isEditing =
      editor.draft !== null || editor.review !== null || ['settings', 'import'].includes(editor.view);
    editor.map = isEditing && !map.isDeleted ? { ...before, myRole: map.myRole } : map;
    if (map.isDeleted) editor.reportDeleted();
    editor.leaveForbidden();
    if (map.myRole !== null && map.myRole !== before.myRole)
      this.#onNotice(t('editor.newRole', { role: roleName(map.myRole) }));
  }

  showLoss(): void {
    const editor = this.#editor;
    if (editor.map === null) return;
    editor.map = null;
    editor.draft = null;
    editor.review = null;
    editor.attempt.problem = t('editor.noMember');
  }

  async showChanges(changes: readonly LocationChange[]): Promise<void> {
    const editor = this.#editor;
    const { store, editorMap, counts } = editor;
    const results = changes.map((change) => {
      this.#followInForm(change);
      return store.apply(change);
    });
    editor.othersChanges += 1;
    if (results.every((result) => result === 'nothing')) return;
    try {
      if (results.includes('reload')) await store.reload();
      await Promise.all([editorMap.load(), counts.load()]);
    } catch {
      store.isStale = true;
    }
  }

  #followInForm({ location }: LocationChange): void {
    const { draft } = this.#editor;
    if (location !== null && location.id === draft?.base?.id) draft.follow(location);
  }
}
