/** The Nominatim server that is asked by default, whose rules bind whoever uses it. */

export const NOMINATIM_URL = 'https://nominatim.openstreetmap.org';
const PUBLIC_HOST = 'nominatim.openstreetmap.org';

export function isPublicNominatim(url: string): boolean {
  return new URL(url).hostname.toLowerCase().replace(/\.$/, '') === PUBLIC_HOST;
}
