/** The public Nominatim server, which is asked by default. Whoever uses it must keep its rules. */

export const NOMINATIM_URL = 'https://nominatim.openstreetmap.org';
const PUBLIC_HOST = 'nominatim.openstreetmap.org';

export function isPublicNominatim(url: string): boolean {
  return new URL(url).hostname.toLowerCase().replace(/\.$/, '') === PUBLIC_HOST;
}
