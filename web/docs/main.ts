/** The API reference works without a script. This adds buttons that copy the examples. */

import '../shared/theme.css';
import './docs.css';

/** Milliseconds for which a button says that it has copied. */
const SAID_MS = 2_000;

for (const figure of document.querySelectorAll('figure.code')) {
  const code = figure.querySelector('pre');
  const caption = figure.querySelector('figcaption');
  // Browsers have it on https and on the own machine alone.
  if (code === null || caption === null || !('clipboard' in navigator)) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaDescription = caption.textContent.trim();
  button.addEventListener('click', () => void copy(button, code.innerText));
  caption.append(button);
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID_MS);
}
