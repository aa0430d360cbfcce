/** The console's list: long, wide, filtered and sorted; and imports that change it. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium, until } from '../support/browser.ts';
import { expectAccessible } from '../support/browser-site.ts';
import { openMap, rowNames, rowOf, shoot, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Seats', type: 'number' },
  ...Array.from({ length: 9 }, (_, index) => ({ name: `Column ${index}`, type: 'text' })),
];

describeUnless(skipWithoutChromium(), "the console's list in a browser", () => {
  const site = useConsole();

  async function makeSeats(name: string, seats: readonly (number | null)[]) {
    const map = await makeMap(site.server, { name, fields: FIELDS }, site.token);
    const locations = seats.map((count, index) => ({
      fields: {
        Name: `Place ${index}`,
        Address: `${index} Some Street`,
        ...(count !== null && { Seats: count }),
      },
      externalId: `e${index}`,
    }));
    const mutation =
      'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId: map.id, locations } }, site.token));
    return map;
  }

  async function dropFile(page: Page, name: string, bytes: readonly number[]): Promise<void> {
    const dataTransfer = await page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], ${JSON.stringify(name)}));
        return transfer;
      })()`,
    );
    await page.locator('.c-drop').dispatchEvent('drop', { dataTransfer });
  }

  it('loads the list once after a move of the selection, whose own events load nothing', async () => {
    const map = await makeMap(site.server, { name: 'Moved' }, site.token);
    const made = await makeLocations(site.server, map.id, Array<null>(230).fill(null), site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Moved');
    await page.getByLabel('Select Place 0').check();
    await page.getByLabel('Select Place 1', { exact: true }).check();
    let pages = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('query Rows(')) pages += 1;
    });
    await page.getByRole('button', { name: 'Move to end' }).click();
    await page.getByText('2 moved to the end of the list').waitFor();
    // What another changes arrives after the events of the move.
    for (const name of ['Theirs', 'Theirs again']) {
      const mutation =
        'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { map { id } } }';
      const input = { mapId: map.id, id: made[2]?.id, fields: { Name: name } };
      dataOf(await site.server.graphql(mutation, { input }, site.token));
      await rowOf(page, name).waitFor();
    }
    expect(pages).toBe(1);
    const query = `{ map(id: "${map.id}") { locations(last: 2) { nodes { name } } } }`;
    const { nodes } = dataOf(await site.server.graphql(query, {}, site.token)).map.locations;
    expect(nodes).toEqual([{ name: 'Place 0' }, { name: 'Place 1' }]);
    site.expectClean(record);
    await close();
  });

  it('holds elements only for the rows in view, and is usable with the keyboard', async () => {
    const map = await makeMap(site.server, { name: 'Long' }, site.token);
    await makeLocations(site.server, map.id, Array<null>(450).fill(null), site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Long');
    await rowOf(page, 'Place 0').focus();
    // Each press goes to the last loaded row, which loads the next page.
    while ((await page.locator('.c-name').last().textContent()) !== 'Place 449') {
      await page.keyboard.press('End');
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await page.keyboard.press('End');
    await until(page, `document.activeElement.textContent === 'Place 449'`);
    expect(await page.locator('.c-name').count()).toBeLessThan(60);
    await page.keyboard.press('ArrowUp');
    await until(page, `document.activeElement.textContent === 'Place 448'`);
    // A row that is scrolled out of view keeps its position.
    await page.locator('.c-list').evaluate((list) => ((list as { scrollTop?: number }).scrollTop = 0));
    await rowOf(page, 'Place 0').waitFor();
    await page.keyboard.press('ArrowDown');
    await until(page, `document.activeElement.textContent === 'Place 448'`);
    await page.getByLabel('Select all loaded locations').check();
    await page.getByRole('button', { name: 'Delete 450' }).waitFor();
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('451');
    site.expectClean(record);
    await close();
  });

  it('selects all results, also those not loaded yet, and shows their number', async () => {
    const map = await makeMap(site.server, { name: 'All of them' }, site.token);
    await makeLocations(site.server, map.id, Array<null>(250).fill(null), site.token);
    const { page, record, close } = await site.open();
    await page.clock.install();
    await signIn(page, site.token);
    await openMap(page, 'All of them');
    await rowOf(page, 'Place 0').waitFor();
    await page.getByLabel('Select all loaded locations').check();
    const selection = page.getByRole('group', { name: 'Selection' });
    await selection.getByText('100 selected').waitFor();
    await selection.getByRole('button', { name: 'Select all 250' }).click();
    await selection.getByText('250 selected').waitFor();
    await expectAccessible(page);
    await shoot(page, 'selection');
    await selection.getByRole('button', { name: 'Clear' }).click();
    await selection.waitFor({ state: 'detached' });
    await page.getByLabel('Select all loaded locations').check();
    await selection.getByRole('button', { name: 'Select all 250' }).click();
    await selection.getByText('250 selected').waitFor();
    await page.getByLabel('Select Place 1', { exact: true }).uncheck();
    await selection.getByRole('button', { name: 'Delete 249' }).click();
    await page.getByText('249 deleted').waitFor();
    await page.getByText('1 location', { exact: true }).waitFor();
    expect(await site.namesOf(map.id)).toEqual(['Place 1']);
    site.expectClean(record);
    await close();
  });

  it('moves the selected rows to an end of the list', async () => {
    const map = await makeSeats('Ends', [1, 2, 3, 4]);
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Ends');
    await page.getByLabel('Select Place 1').check();
    await page.getByLabel('Select Place 3').check();
    await page.getByRole('button', { name: 'Move to start' }).click();
    await page.getByText('2 moved to the start of the list').waitFor();
    expect(await site.namesOf(map.id)).toEqual(['Place 1', 'Place 3', 'Place 0', 'Place 2']);
    expect(await rowNames(page)).toEqual(await site.namesOf(map.id));
    await close();
  });

  it('has a column for each field, keeps the name visible, and hides deselected columns', async () => {
    await makeSeats('Wide', [1, 2]);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Wide');
    const left = async () => (await rowOf(page, 'Place 0').boundingBox())?.x;
    const before = await left();
    // A hint shows that there are more columns, until the last one is visible.
    await page.locator('.c-edge').waitFor();
    const head = page.getByRole('columnheader', { name: 'Column 8' });
    await head.scrollIntoViewIfNeeded();
    expect(
      await page.locator('.c-list').evaluate((list) => (list as { scrollLeft?: number }).scrollLeft),
    ).toBeGreaterThan(300);
    expect(await left()).toBe(before);
    await page.locator('.c-edge').waitFor({ state: 'detached' });
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Column 8').uncheck();
    await head.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByLabel('Column 7').waitFor({ state: 'hidden' });
    site.expectClean(record);
    await close();
  });

  it('has the same category markers as the map page, in the list and on the map', async () => {
    const fields = [...FIELDS.slice(0, 2), { name: 'Kind', type: 'category' }];
    const map = await makeMap(site.server, { name: 'Kinds', fields, isPublished: true }, site.token);
    const locations = ['Rock', 'Tower', 'Rock', ''].map((Kind, index) => ({
      fields: { Name: `Place ${index}`, Address: 'A', ...(Kind !== '' && { Kind }) },
      position: { latitude: 50, longitude: index * 20 },
    }));
    const mutation =
      'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId: map.id, locations } }, site.token));
    const { page, record, close } = await site.open();
    const marksIn = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) =>
          all.map((one) => [
            /mark-\w+/.exec(one.getAttribute('class') ?? '')?.[0],
            one.querySelector('path:last-child')?.getAttribute('d'),
          ]),
        );
    const markOfPin = async (name: string) => (await marksIn(`.pin[aria-label="${name}"]`))[0];
    const names = ['Place 0', 'Place 1', 'Place 2', 'Place 3'];
    await signIn(page, site.token);
    await openMap(page, 'Kinds');
    await page.locator('.pin').nth(3).waitFor();
    const inList = await marksIn('.c-table .badge');
    expect(inList).toHaveLength(4);
    expect(inList.map(([mark]) => mark)).toEqual(['mark-1', 'mark-2', 'mark-1', 'mark-other']);
    expect(await Promise.all(names.map(markOfPin))).toEqual(inList);
    await shoot(page, 'marks');

    // A new category changes the marker at once, whatever the list shows.
    await page.getByLabel('Search').fill('Place 2');
    await page.getByText('1 location found').waitFor();
    await rowOf(page, 'Place 2').click();
    await page.getByRole('dialog').getByLabel('Kind').fill('Tower');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.locator('.pin.mark-2[aria-label="Place 2"]').waitFor();
    expect(await marksIn('.c-table .badge')).toEqual([inList[1]]);

    await page.goto(`${new URL(page.url()).origin}/maps/${map.id}`);
    await page.locator('.pin').nth(3).waitFor();
    const [first, second, , other] = inList;
    expect(await Promise.all(names.map(markOfPin))).toEqual([first, second, second, other]);
    site.expectClean(record);
    await close();
  });

  it('can be filtered by fields and sorted by a column, shows both, and then moves no rows', async () => {
    await makeSeats('Seats', [30, 4, null, 12]);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Seats');
    await rowOf(page, 'Place 0').waitFor();
    const untilRows = async (names: string[]) => {
      await until(
        page,
        `JSON.stringify([...document.querySelectorAll('.c-name')].map((name) => name.textContent)) === '${JSON.stringify(names)}'`,
      );
    };
    const active = page.getByRole('group', { name: 'Active filters and order' });
    await page.getByRole('button', { name: 'Seats', exact: true }).click();
    await untilRows(['Place 1', 'Place 3', 'Place 0', 'Place 2']);
    await page.getByRole('button', { name: 'Seats', exact: true }).click();
    await active.getByText('Sorted by Seats, descending').waitFor();
    await untilRows(['Place 0', 'Place 3', 'Place 1', 'Place 2']);
    expect(await page.getByRole('button', { name: /^Move Place/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filter and sort' }).click();
    await page.getByLabel('Show where').selectOption('Seats');
    await page.getByLabel('Operator').selectOption('is at least');
    await page.getByLabel('Value', { exact: true }).fill('10');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await untilRows(['Place 0', 'Place 3']);
    await page.getByText('2 locations found').waitFor();
    await page.getByLabel('Show where').selectOption('External ID');
    await page.getByLabel('Value', { exact: true }).fill('e3');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await untilRows(['Place 3']);
    await shoot(page, 'filters');
    await expectAccessible(page);
    await active.getByRole('button', { name: 'Remove: Seats is at least 10' }).click();
    await active.getByRole('button', { name: 'Remove: Sorted by' }).click();
    await active.getByText('External ID is e3').waitFor();
    expect(await page.getByRole('button', { name: /^Move Place/ }).count()).toBe(0);
    await active.getByRole('button', { name: 'Reset' }).click();
    await untilRows(['Place 0', 'Place 1', 'Place 2', 'Place 3']);
    await active.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: /^Move Place/ }).count()).toBe(4);
    site.expectClean(record);
    await close();
  });

  it('reads a dropped file in its encoding, and updates locations by their external ids', async () => {
    const map = await makeSeats('Dropped', [1, 2]);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Dropped');
    await page.getByRole('button', { name: 'Import' }).click();
    const table =
      'Name;Address;Seats;External id\r\nCafé;0 Some Street;many;e0\r\nPlace 1;1 Some Street;2;e1\r\nNew;There;3;\r\n';
    await dropFile(page, 'old.csv', [...Buffer.from(table, 'latin1')]);
    await page.getByRole('cell', { name: 'Café' }).waitFor();
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
    await page.getByLabel('Encoding').selectOption('UTF-8');
    await page.getByText('it is not UTF-8. Choose another encoding').waitFor();
    await page.getByLabel('Encoding').selectOption('Western European (Windows-1252)');
    await page.getByRole('cell', { name: 'Café' }).waitFor();
    await page.getByText('Line 2: ⁨Seats⁩: “⁨many⁩” is not a number').waitFor();
    // As new locations, existing ones are refused.
    await page.getByRole('combobox', { name: 'External id Import as' }).selectOption('External ID');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 valid, 2 with errors.').waitFor();
    await page.getByLabel('Update the location').check();
    await page.getByRole('button', { name: 'Check' }).click();
    // Every cell stays text, and the existing seats are numbers.
    await page.getByText('Expected result: 1 created, 2 updated.').waitFor();
    await shoot(page, 'upsert');
    await expectAccessible(page);
    expect(await site.namesOf(map.id)).toEqual(['Place 0', 'Place 1']);
    await page.getByRole('button', { name: 'Import 3' }).click();
    await page.getByText('3 imported, 0 rejected.').waitFor();
    expect(await site.namesOf(map.id)).toEqual(['Café', 'Place 1', 'New']);
    await page.getByRole('button', { name: 'Show list' }).click();
    await rowOf(page, 'Café').waitFor();
    expect(await rowNames(page)).toEqual(['Café', 'Place 1', 'New']);
    site.expectClean(record);
    await close();
  });

  it('reorders the fields of a map, and explains the effect of renaming a field', async () => {
    const map = await makeMap(site.server, { name: 'Fields', fields: FIELDS.slice(0, 3) }, site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Fields');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Move Seats up' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name of field 1').fill('Chairs');
    await page.getByText('Locations keep their values under “Seats”').waitFor();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved.').waitFor();
    const query = `{ map(id: "${map.id}") { fields { name type } } }`;
    const { fields } = dataOf(await site.server.graphql(query, {}, site.token)).map;
    expect(fields).toEqual([
      { name: 'Chairs', type: 'number' },
      { name: 'Name', type: 'placeName' },
      { name: 'Address', type: 'address' },
    ]);
    site.expectClean(record);
    await close();
  });

  it('creates an expiring token for one map, and shows both limits', async () => {
    const map = await makeMap(site.server, { name: 'Only this' }, site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByLabel('Name of the new token').fill('Kiosk');
    await page.getByLabel(/^Maps/).selectOption('Only this');
    await page.getByLabel('Expires after').fill('2099-05-31');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('.c-notice code').waitFor();
    await shoot(page, 'tokens');
    await page.getByText(/Reads\s+the map Only this[^]*expires 31 May 2099, 23:59/).waitFor();
    const secret = await page.locator('.c-notice code').textContent();
    const response = await site.server.graphql('{ viewer { maps { nodes { id } } } }', {}, secret);
    expect(dataOf(response).viewer.maps.nodes).toEqual([{ id: map.id }]);
    site.expectClean(record);
    await close();
  });
});
