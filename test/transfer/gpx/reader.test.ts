/** Reading GPX. */

import { UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { failureOf, read, rejectedFile } from '../xml/reading.ts';

/** Written by a Garmin device, with extensions of two namespaces. */
const GARMIN = `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3" xmlns:wptx1="http://www.garmin.com/xmlschemas/WaypointExtension/v1" version="1.1" creator="GPSMAP 64s">
  <metadata><name>Trip</name><link href="http://www.garmin.com"><text>Garmin</text></link></metadata>
  <wpt lat="45.5" lon="-121.75">
    <ele>1200.5</ele>
    <time>2020-05-01T10:00:00Z</time>
    <name>001</name>
    <cmt>by the river</cmt>
    <desc><![CDATA[A <b>spring</b>]]></desc>
    <link href="https://example.org/1"><text>Page</text></link>
    <link href="https://example.org/2"/>
    <sym>Flag, Blue</sym>
    <type>user</type>
    <extensions>
      <gpxx:WaypointExtension><gpxx:DisplayMode>SymbolAndName</gpxx:DisplayMode>
        <gpxx:Address><gpxx:City>Bend</gpxx:City></gpxx:Address></gpxx:WaypointExtension>
      <wptx1:WaypointExtension><wptx1:DisplayMode>SymbolAndName</wptx1:DisplayMode></wptx1:WaypointExtension>
    </extensions>
  </wpt>
  <wpt lat="-1" lon="2"/>
  <rte><name>Way</name><rtept lat="1" lon="2"><name>P</name></rtept></rte>
  <trk><name>ACTIVE LOG</name><trkseg><trkpt lat="1" lon="2"><ele>3</ele></trkpt></trkseg></trk>
  <trk/>
</gpx>`;

describe('GPX', () => {
  it('reads waypoints, and rejects routes and tracks by name', async () => {
    const { format, rows, numbers } = await read(GARMIN);
    expect(format).toBe('gpx');
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
    expect(rows).toEqual([
      {
        ele: '1200.5',
        time: '2020-05-01T10:00:00Z',
        name: '001',
        cmt: 'by the river',
        desc: 'A <b>spring</b>',
        link: 'https://example.org/1',
        'link (2)': 'https://example.org/2',
        sym: 'Flag, Blue',
        type: 'user',
        DisplayMode: 'SymbolAndName',
        City: 'Bend',
        '@': [45.5, -121.75],
      },
      { '@': [-1, 2] },
      'Record 3 "Way" is a route; only a waypoint can become a location.',
      'Record 4 "ACTIVE LOG" is a track; only a waypoint can become a location.',
      'Record 5 is a track; only a waypoint can become a location.',
    ]);
  });

  it('reads version 1.0, and files without a namespace', async () => {
    const wpt =
      '<wpt lat="1" lon="2"><name>A</name><url>https://example.org</url><urlname>x</urlname><g:cache xmlns:g="urn:g"><g:type>Micro</g:type></g:cache></wpt>';
    for (const attributes of ['version="1.0" xmlns="http://www.topografix.com/GPX/1/0"', 'version="1.0"']) {
      const { rows } = await read(`<gpx ${attributes}>${wpt}</gpx>`);
      expect(rows).toEqual([
        { name: 'A', url: 'https://example.org', urlname: 'x', type: 'Micro', '@': [1, 2] },
      ]);
    }
  });

  it('rejects waypoints without numeric coordinates', async () => {
    const places = ['', 'lat="1"', 'lon="1"', 'lat="" lon=""', 'lat="north" lon="1"', 'lat="1,5,2" lon="1"'];
    const { rows } = await read(
      `<gpx>${places.map((place) => `<wpt ${place}><name>N</name></wpt>`).join('')}</gpx>`,
    );
    expect(rows).toEqual([
      'Waypoint 1 "N": lat and lon are missing.',
      'Waypoint 2 "N": lat and lon go together, but lon is empty.',
      'Waypoint 3 "N": lat and lon go together, but lat is empty.',
      'Waypoint 4 "N": lat and lon are missing.',
      'Waypoint 5 "N": lat must be a decimal number of degrees, not "north".',
      'Waypoint 6 "N": lat must be a decimal number of degrees, not "1,5,2".',
    ]);
  });

  it('rejects a track of any length by name', async () => {
    const points = '<trkpt lat="1.5" lon="2.5"><ele>3</ele></trkpt>'.repeat(60_000);
    const { rows, contents } = await read(`<gpx><trk><name>T</name><trkseg>${points}</trkseg></trk></gpx>`);
    expect(rows).toEqual(['Record 1 "T" is a track; only a waypoint can become a location.']);
    expect(contents).toEqual([{ text: null }]);
  });

  it('ignores waypoints within other elements', async () => {
    expect((await read('<gpx><extensions><wpt lat="1" lon="2"/></extensions></gpx>')).rows).toEqual([]);
  });

  it('refuses another root element, and a document type', async () => {
    for (const text of ['<kml/>', '<!DOCTYPE gpx><gpx/>']) {
      expect(await failureOf(read(text, { format: 'gpx' }))).toBeInstanceOf(UnreadableFileError);
    }
  });

  it('writes rejected records as GPX with the reason, which is read as before', async () => {
    const prefixed =
      '<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:wpt lat="1" lon="2"/><g:wpt lat="1"><g:extensions/></g:wpt></g:gpx>';
    for (const text of [GARMIN, prefixed]) {
      const before = await read(text);
      const rejected = rejectedFile(before);
      expect(rejected.match(/waypoint \d+: BAD_USER_INPUT: No &lt;good&gt; &amp; "so"\./g)).toHaveLength(
        before.rows.length,
      );
      const after = await read(rejected);
      expect(after.rows).toEqual(before.rows);
      expect((await read(rejectedFile(after))).rows).toEqual(before.rows);
    }
  });
});
