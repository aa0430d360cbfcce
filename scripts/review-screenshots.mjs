/** The pictures of the review: bookshops in German towns, found by a geocoder that does not know every house. */
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Latitude and longitude. */
const TOWNS = {
  Kassel: [51.3127, 9.4797],
  Bremen: [53.0793, 8.8017],
  Leipzig: [51.3397, 12.3731],
  Augsburg: [48.3705, 10.8978],
  Rostock: [54.0887, 12.1405],
  Erfurt: [50.9848, 11.0299],
  Mainz: [50.0012, 8.2763],
  Freiburg: [47.9959, 7.8522],
};
const NEUSTADT = {
  'Neustadt an der Weinstraße': [49.3501, 8.1389],
  'Neustadt in Holstein': [54.1075, 10.8146],
  'Neustadt bei Coburg': [50.3289, 11.1218],
  'Neustadt in Sachsen': [51.0237, 14.2167],
};
const STREETS = ['Hauptstraße', 'Bahnhofstraße', 'Schulstraße', 'Gartenstraße', 'Neubaugebiet Nord'];
/** The types of GeocodeJSON, where it is not that of a house. */
const TYPES = { Gartenstraße: 'street', 'Neubaugebiet Nord': 'municipality' };
/** Degrees between two house numbers. */
const STEP = 0.0015;

/** A server that speaks GeocodeJSON. */
export async function startGeocoder() {
  const server = createServer((request, response) => {
    const query = new URL(request.url, 'http://localhost').searchParams.get('q') ?? '';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ type: 'FeatureCollection', features: featuresOf(query) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

function featuresOf(query) {
  const [, street = '', number = '', town = ''] = /^(.*?) (\d*), (?:\d+ )?(.*)$/.exec(query) ?? [];
  if (town === 'Neustadt')
    return Object.entries(NEUSTADT).map(([name, point]) =>
      feature(point, { type: 'municipality', label: name }),
    );
  const point = TOWNS[town];
  if (point === undefined) return [];
  const type = TYPES[street] ?? 'housenumber';
  const labels = {
    housenumber: `${street} ${number}, ${town}`,
    street: `${street}, ${town}`,
    municipality: town,
  };
  const [latitude, longitude] = point;
  const away = type === 'municipality' ? 0 : Number(number) * STEP;
  return [
    feature([latitude + away, longitude + away], {
      ...{ type, label: labels[type] },
      ...(type === 'housenumber' && { housenumber: number, street }),
    }),
  ];
}

function feature([latitude, longitude], properties) {
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties };
}

/** A table with a shop in each street of each town. */
function table() {
  const rows = Object.keys(TOWNS).flatMap((town, index) =>
    STREETS.map(
      (street, number) => `Bookshop ${town} ${number + 1},"${street} ${12 + index + number}, ${town}"`,
    ),
  );
  rows.splice(4, 0, 'Bookshop Neustadt,"Marktplatz 3, Neustadt"');
  return `Name,Address\n${rows.join('\n')}\n`;
}

/** @param openMaps opens the list of maps, signed in */
export async function shootReview(shoot, openMaps) {
  const openReview = async (page) => {
    await openMaps(page);
    await page.getByText('Bookshops').click();
    await page.getByRole('button', { name: /^Review \d/ }).click();
    await page.locator('.c-review h3').waitFor();
  };
  const openCandidates = async (page) => {
    await openReview(page);
    await page.keyboard.press('j');
    await page.locator('.c-candidatelist li').first().waitFor();
  };
  await shoot('review-import.png', '/console', async (page) => {
    await openMaps(page);
    await page.getByLabel('New map').fill('Bookshops');
    await page.keyboard.press('Enter');
    await page.getByText('Import', { exact: true }).click();
    await page
      .getByLabel('Drop a file')
      .setInputFiles({ name: 'bookshops.csv', mimeType: 'text/csv', buffer: Buffer.from(table()) });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: /^Import \d/ }).click();
    await page.getByRole('button', { name: /^Review \d/ }).waitFor();
  });
  await shoot('review-row.png', '/console', openReview);
  await shoot('review-candidates.png', '/console', openCandidates);
  await shoot('review-phone.png', '/console', openCandidates, { width: 390, height: 844 });
  await shoot('review-drag.png', '/console', async (page) => {
    await openReview(page);
    const { x, y, width, height } = await page.locator('.pin-open').boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 120, y - 60, { steps: 4 });
    await page.mouse.up();
  });
  await shoot('review-done.png', '/console', async (page) => {
    await openReview(page);
    const done = page.getByRole('heading', { name: 'Nothing left to review' });
    while (!(await done.isVisible())) await page.keyboard.press('Enter');
    await page.locator('.map .cluster, .map .pin').first().waitFor();
  });
}
