/** Copies text to the clipboard. @returns false if the browser does not allow it, such as on a page without TLS */
export async function copy(text: string): Promise<boolean> {
  // Chromium logs an error if a frame may not.
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  if (featurePolicy?.allowsFeature('clipboard-write') === false) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
