/** Makes a `<details>` a menu: it closes on Escape, after a press of a button or link in it, and when it loses the focus. */

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
  const onOutside = (event: Event) => {
    if (event.target instanceof Node && !details.contains(event.target)) details.open = false;
  };
  details.addEventListener('keydown', onKey);
  details.addEventListener('click', onClick);
  document.addEventListener('pointerdown', onOutside);
  document.addEventListener('focusin', onOutside);
  return {
    destroy: () => {
      document.removeEventListener('pointerdown', onOutside);
      document.removeEventListener('focusin', onOutside);
    },
  };
}
