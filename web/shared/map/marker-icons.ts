/** Icons of the map's markers. */

import * as L from 'leaflet';

import { currentLocale, t } from '../i18n/translate.ts';
import type { CategoryMark } from './category-marks.ts';
import { clusterSize, shortCount } from './map-features.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Moves the origin of a category's mark to the center of the pin's head. */
const HEAD = 'translate(14 13)';

/** A pin with the mark of its category or a hole. @param className class of the element; the mark adds its own */
export function pinIcon(className: string, mark: CategoryMark | null): L.DivIcon {
  const pin = PIN.cloneNode(true) as SVGElement;
  pin.append(
    mark === null
      ? HOLE.cloneNode()
      : make('path', { d: mark.shape, transform: HEAD + (mark.transform ?? ''), class: 'pin-shape' }),
  );
  return iconOf(pin, mark === null ? className : `${className} ${mark.className}`);
}

/** A pin with a number. */
export function numberIcon(number: number): L.DivIcon {
  const pin = PIN.cloneNode(true) as SVGElement;
  const text = make('text', { x: '14', y: '18', 'text-anchor': 'middle' });
  text.textContent = String(number);
  pin.append(text);
  return iconOf(pin, 'pin pin-number');
}

function iconOf(pin: SVGElement, className: string): L.DivIcon {
  return L.divIcon({
    className,
    html: pin as Element as HTMLElement,
    iconSize: [28, 36],
    iconAnchor: [14, 34],
  });
}

export function clusterIcon(count: number): L.DivIcon {
  const size = clusterSize(count);
  const text = document.createElement('span');
  text.textContent = shortCount(count, currentLocale());
  return L.divIcon({ className: 'cluster', html: text, iconSize: [size, size] });
}

/** The name of a cluster's icon. It contains the text of the icon, by which people who speak to their browser choose it. */
export function clusterName(count: number): string {
  const name = t('locations.count', { count });
  const text = shortCount(count, currentLocale());
  return name.includes(text) ? name : `${text}: ${name}`;
}

const HOLE = make('circle', { cx: '14', cy: '13', r: '4.2' });
const PIN = make('svg', { viewBox: '0 0 28 36', 'aria-hidden': 'true' });
PIN.append(
  make('path', {
    d: 'M14 1.5A11.5 11.5 0 0 0 2.5 13c0 8.2 9.3 19 11.5 21.4C16.2 32 25.5 21.2 25.5 13A11.5 11.5 0 0 0 14 1.5z',
  }),
);

function make(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
