/** The values of a location, by field name. */

export type Properties = Readonly<Record<string, unknown>>;

/** Undefined if there is none. Safe for field names such as `constructor`. */
export function valueOf(properties: Properties | undefined, name: string): unknown {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
