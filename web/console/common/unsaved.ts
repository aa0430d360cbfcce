/** Unsaved changes of the forms on the page, to warn before they are lost. */

import { t } from './messages.ts';

export class Unsaved {
  readonly #forms = new Set<string>();

  /** @param form a unique name */
  set(form: string, isDirty: boolean): void {
    if (isDirty) this.#forms.add(form);
    else this.#forms.delete(form);
  }

  get isDirty(): boolean {
    return this.#forms.size > 0;
  }

  /** Asks the user whether to discard unsaved changes, if there are any. @returns whether the page may be left */
  mayLeave(): boolean {
    if (!this.isDirty) return true;
    if (!confirm(t('unsaved.confirm'))) return false;
    this.#forms.clear();
    return true;
  }
}
