/** @param maxLength of the text, before an ellipsis */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Not between the halves of a surrogate pair.
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
