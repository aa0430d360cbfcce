/** A `<details>` as a menu: it closes at Escape, when one of its buttons or links is pressed, and where the reader goes elsewhere. */

export function menu(details: HTMLDetailsElement) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !details.open) return;
    event.stopPropagation();
    close();
  };
  const onClick = ({ target }: Event) => {
    if (target instanceof Element && target.closest('button, a') !== null) close();
  };
  const close = () => {
    details.open = false;
    details.querySelector('summary')?.focus();
  };
  const onElsewhere = (event: Event) => {
    if (event.target instanceof Node && !details.contains(event.target)) details.open = false;
  };
  details.addEventListener('keydown', onKey);
  details.addEventListener('click', onClick);
  document.addEventListener('pointerdown', onElsewhere);
  document.addEventListener('focusin', onElsewhere);
  return {
    destroy: () => {
      document.removeEventListener('pointerdown', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
    },
  };
}
