/** JSON types, and a depth check that comes before anything recursive touches an untrusted value. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` for JSON: it keeps the type of the items. */
export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * Whether arrays and objects nest deeper than `limit` levels; the value itself is the first. The recursion stops at the
 * limit, so no input can exhaust the stack.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && isDeeperThan(member, limit - 1)) return true;
  }
  return false;
}

/** Whether the text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
