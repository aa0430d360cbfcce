/** A `<details>` as a menu: it closes at Escape, and where the reader goes elsewhere. */

export function menu(details: HTMLDetailsElement) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !details.open) return;
    event.stopPropagation();
    details.open = false;
    details.querySelector('summary')?.focus();
  };
  const onElsewhere = (event: Event) => {
    if (event.target instanceof Node && !details.contains(event.target)) details.open = false;
  };
  details.addEventListener('keydown', onKey);
  document.addEventListener('pointerdown', onElsewhere);
  document.addEventListener('focusin', onElsewhere);
  return {
    destroy: () => {
      document.removeEventListener('pointerdown', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
    },
  };
}
