/** The member `crs` of GeoJSON before RFC 7946. Only WGS 84 with the longitude first is supported. */

import { isJsonObject } from '../../domain/json/json.ts';
import { quote } from '../../domain/text.ts';

const WGS_84 =
  /^(?:urn:(?:x-)?ogc:def:crs:(?:OGC:[0-9.]*:CRS84|EPSG:[0-9.]*:4326)|(?:OGC:)?CRS84|EPSG:4326|https?:\/\/www\.opengis\.net\/(?:def\/crs\/OGC\/[0-9.]+\/CRS84|def\/crs\/EPSG\/[0-9.]+\/4326|gml\/srs\/epsg\.xml#4326))$/i;

/** @returns the name of a system other than WGS 84; null for WGS 84 and for none */
export function foreignCrs(crs: unknown): string | null {
  if (crs === null || crs === undefined) return null;
  const properties = isJsonObject(crs) ? crs.properties : null;
  const { name = null, code = null, href = null } = isJsonObject(properties) ? properties : {};
  const named = typeof name === 'string' ? name : typeof code === 'number' ? `EPSG:${code}` : href;
  if (typeof named !== 'string') return JSON.stringify(crs).slice(0, 60);
  return WGS_84.test(named) ? null : named;
}

/** Completes a sentence about the file or the Feature. */
export function crsProblem(name: string): string {
  return `its coordinates are in ${quote(name)}; only CRS84 and EPSG:4326 (WGS 84, in degrees) are supported`;
}
