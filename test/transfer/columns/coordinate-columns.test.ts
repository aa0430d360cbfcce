import { findCoordinates } from '../../../src/transfer/columns/coordinate-columns.ts';

describe('the coordinates of a table', () => {
  const find = (columns: string, defined = '') => {
    const names = columns.split(' ');
    const { latitudeAt, longitudeAt } = findCoordinates(names, (name) => defined.split(' ').includes(name));
    return [names[latitudeAt], names[longitudeAt]];
  };

  it('are in the columns of these names', () => {
    for (const latitude of ['lat', 'latitude']) {
      for (const longitude of ['lng', 'longitude', 'lon', 'long']) {
        expect(find(`Name ${longitude} x ${latitude}`)).toEqual([latitude, longitude]);
      }
    }
    expect(find('latitude lat long lng')).toEqual(['lat', 'lng']);
    expect(find('Lat LNG')).toEqual([undefined, undefined]);
  });

  it('are nowhere in columns that the map defines as fields', () => {
    expect(find('lat lng', 'lat')).toEqual([undefined, undefined]);
    expect(find('lat lng', 'lng')).toEqual([undefined, undefined]);
    expect(find('lat lng latitude', 'lat')).toEqual(['latitude', 'lng']);
  });

  it('are missed in each row where one of lat and lng is there alone; other names alone say nothing', () => {
    expect(find('Name lat')).toEqual(['lat', undefined]);
    expect(find('lng Name')).toEqual([undefined, 'lng']);
    expect(find('Name long')).toEqual([undefined, undefined]);
    expect(find('Name latitude')).toEqual([undefined, undefined]);
  });
});
