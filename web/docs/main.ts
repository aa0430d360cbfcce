/** Adds copy buttons to the examples of the API reference, which works without JavaScript. */

import '../shared/theme.css';
import './docs.css';

import { copy } from '../shared/copy.ts';

/** Milliseconds that a button shows the result. */
const RESULT_MS = 2_000;

for (const figure of document.querySelectorAll('figure.code')) {
  const code = figure.querySelector('pre');
  const caption = figure.querySelector('figcaption');
  // Browsers offer the clipboard only on https and localhost.
  if (code === null || caption === null || !('clipboard' in navigator)) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaDescription = caption.textContent.trim();
  button.addEventListener('click', () => void copyExample(button, code.innerText));
  caption.append(button);
}

async function copyExample(button: HTMLButtonElement, text: string): Promise<void> {
  button.textContent = (await copy(text)) ? 'Copied' : 'Not allowed';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, RESULT_MS);
}
