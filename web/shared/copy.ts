/** Copies text to the clipboard. @returns false if the browser does not allow it, such as on a page without TLS */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
