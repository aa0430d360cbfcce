/** What search engines are told. */

import { structuredDataOf } from '../../src/web/structured-data.ts';

const POINT = { precision: 'rooftop', isChecked: false };

describe('opening hours for search engines', () => {
  const hoursOf = (hours: string) => {
    const node = {
      id: 'a',
      name: 'A',
      latitude: 1,
      longitude: 2,
      properties: { Hours: hours },
      geocoding: POINT,
    };
    const map = {
      name: 'M',
      fields: [{ name: 'Hours', type: 'openingHours' as const }],
      locations: { totalCount: 1, nodes: [node] },
    };
    const data = structuredDataOf(map, 'https://maps.example/maps/m') as {
      readonly itemListElement: readonly [{ readonly item: { readonly openingHours?: readonly string[] } }];
    };
    return data.itemListElement[0].item.openingHours;
  };

  it.each([
    [
      'Mo-Fr 09:00-12:30,13:30-18:00; Sa 10:00-14:00',
      'Mo-Fr 09:00-12:30 | Mo-Fr 13:30-18:00 | Sa 10:00-14:00',
    ],
    ['Mo-Su 10:00-18:00; Mo off', 'Tu-Su 10:00-18:00'],
    ['24/7; Su off', 'Mo-Sa 00:00-24:00'],
    ['Mo-Fr 9:00-18:00; Sa 10:00-14:00', 'Mo-Fr 09:00-18:00 | Sa 10:00-14:00'],
    ['mo-fr 09:00-18:00; Sa 10:00-12:00', 'Mo-Fr 09:00-18:00 | Sa 10:00-12:00'],
    [
      'Mo-Fr 08:00-12:00, 13:00-17:00; Sa 09:00-12:00',
      'Mo-Fr 08:00-12:00 | Mo-Fr 13:00-17:00 | Sa 09:00-12:00',
    ],
    ['Mo-Su 10:00-18:00; We 10:00-14:00', 'Mo-Tu,Th-Su 10:00-18:00 | We 10:00-14:00'],
    ['Mo-Sa 08:00-26:00; Su 10:00-12:00', 'Mo-Fr 08:00-02:00 | Sa 08:00-24:00 | Su 10:00-12:00'],
    ['Mo-Su,PH 10:00-18:00', 'Mo-Su 10:00-18:00'],
    ['10:00-18:00; PH off', 'Mo-Su 10:00-18:00'],
  ])('%s', (hours, told) => {
    expect(hoursOf(hours)?.join(' | ')).toBe(told);
  });

  it('are left out if they are not read, or always closed', () => {
    for (const hours of ['by appointment', 'Mo-Fr sunrise-sunset', 'off', ''])
      expect(hoursOf(hours)).toBeUndefined();
  });
});

describe('the point for search engines', () => {
  it.each([
    ['rooftop', false, true],
    ['street', false, true],
    ['locality', false, false],
    ['region', false, false],
    ['locality', true, true],
  ])('of the precision %s, checked: %s, is told: %s', (precision, isChecked, isTold) => {
    const node = {
      id: 'a',
      name: 'A',
      latitude: 1,
      longitude: 2,
      properties: {},
      geocoding: { precision, isChecked },
    };
    const map = { name: 'M', fields: [], locations: { totalCount: 1, nodes: [node] } };
    const geo = { '@type': 'GeoCoordinates', latitude: 1, longitude: 2 };
    const [{ item }] = (
      structuredDataOf(map, 'https://maps.example/maps/m') as { itemListElement: [{ item: object }] }
    ).itemListElement;
    expect(JSON.parse(JSON.stringify(item)).geo).toEqual(isTold ? geo : undefined);
  });
});
