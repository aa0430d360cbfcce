/** What was typed and is not stored yet. Whoever is about to drop it asks first. */

export class Unsaved {
  readonly #forms = new Set<string>();

  /** @param form its name; each is told of for itself */
  set(form: string, isDirty: boolean): void {
    if (isDirty) this.#forms.add(form);
    else this.#forms.delete(form);
  }

  get isDirty(): boolean {
    return this.#forms.size > 0;
  }

  /** Asks the reader where there is something to lose. After a yes it counts as dropped. */
  mayLeave(): boolean {
    if (!this.isDirty) return true;
    if (!confirm('Discard the changes that are not saved?')) return false;
    this.#forms.clear();
    return true;
  }
}
