/**
 * Leaves the gestures that scroll to the page around an embedded map: the wheel zooms only with Ctrl or Cmd, and one finger
 * does not move the map. A gesture that is left to the page shows a hint.
 */

import { t } from '../messages.ts';

/** Milliseconds that a hint stays after the last gesture. */
const HINT_MS = 1_200;

/** @param canvas the element that the map listens to, within the element that gets the hint */
export function cooperate(canvas: HTMLElement): void {
  canvas.classList.add('map-cooperative');
  const showHint = hintIn(canvas.parentElement ?? canvas);
  // The map listens to the same element, but not while the event is captured. What stops here reaches the page around it.
  const capture = { capture: true, passive: true };
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey) return;
      event.stopPropagation();
      showHint(t('gestures.wheel', { key: isApple() ? '⌘' : t('gestures.ctrl') }));
    },
    capture,
  );
  const isOneFinger = ({ touches }: TouchEvent) => touches.length === 1;
  canvas.addEventListener('touchstart', (event) => isOneFinger(event) && event.stopPropagation(), capture);
  // Not at the start: a tap is no attempt to move the map.
  canvas.addEventListener(
    'touchmove',
    (event) => isOneFinger(event) && showHint(t('gestures.touch')),
    capture,
  );
}

/** @returns shows a text for a moment */
function hintIn(parent: HTMLElement): (text: string) => void {
  const hint = document.createElement('p');
  hint.className = 'gesture-hint';
  // Whoever does not see the map uses its buttons and keys.
  hint.setAttribute('aria-hidden', 'true');
  parent.append(hint);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    hint.textContent = text;
    hint.classList.add('gesture-hint-shown');
    clearTimeout(timer);
    timer = setTimeout(() => hint.classList.remove('gesture-hint-shown'), HINT_MS);
  };
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
