/** The values of a location's fields, whose names are anybody's. */

export type Properties = Readonly<Record<string, unknown>>;

/** Undefined where there is none. A field may be called like what every object has, such as `constructor`. */
export function valueOf(properties: Properties | undefined, name: string): unknown {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
