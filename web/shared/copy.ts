/** Puts text into the clipboard. */

/** False where the browser does not let a page do it, such as one that came without TLS. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
