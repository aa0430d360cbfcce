/** The height that an embedded map would like, so that its frame needs no scroll bar of its own. */

/** Pixels. A list that is longer scrolls. */
const HEIGHTS = { min: 400, max: 900 };

/**
 * Calls back with the height, in pixels, first and whenever it changes. It depends on the width of the frame and on what the
 * page shows, not on the height of the frame.
 */
export function watchPreferredHeight(page: HTMLElement, onHeight: (height: number) => void): void {
  let last = 0;
  let isScheduled = false;
  const measure = () => {
    isScheduled = false;
    const height = preferredHeight(page);
    if (height !== last) onHeight((last = height));
  };
  const schedule = () => {
    if (!isScheduled) requestAnimationFrame(measure);
    isScheduled = true;
  };
  new MutationObserver(schedule).observe(page, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['class', 'hidden', 'style', 'open'],
  });
  new ResizeObserver(schedule).observe(page);
  // A picture in a card has its size when it is loaded. The event does not bubble.
  page.addEventListener('load', schedule, true);
  schedule();
}

function preferredHeight(page: HTMLElement): number {
  const side = page.querySelector<HTMLElement>('.side');
  if (side === null) return HEIGHTS.min;
  // On a narrow screen, the map is above.
  const height = Math.ceil(side.offsetTop + naturalHeight(side));
  return Math.min(HEIGHTS.max, Math.max(HEIGHTS.min, height));
}

/** The height of an element if it had room for all of its content. */
function naturalHeight(element: HTMLElement): number {
  if (element.matches('.rows')) {
    const borders = element.offsetHeight - element.clientHeight;
    return borders + (element.firstElementChild?.clientHeight ?? 0);
  }
  if (!element.matches('.side, .results, .card')) return outerHeight(element);
  const { paddingTop, paddingBottom } = getComputedStyle(element);
  return [...element.children].reduce(
    (sum, child) => sum + naturalHeight(child as HTMLElement),
    Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom),
  );
}

/** With margins, but not those that collapse: it may be a little too much. */
function outerHeight(element: HTMLElement): number {
  const { display, position, marginTop, marginBottom } = getComputedStyle(element);
  if (display === 'none' || position === 'absolute') return 0;
  return element.offsetHeight + Number.parseFloat(marginTop) + Number.parseFloat(marginBottom);
}
