/** The console's review of points: counts after an import, then row by row, by keys, pointer or finger. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium, until } from '../support/browser.ts';
import { expectAccessible, expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, rowNames, rowOf, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { holdBack, refuse } from '../support/refusal.ts';
import { describeUnless } from '../support/skip.ts';

interface StoredPoint {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: { readonly Address: string };
  readonly geocoding: {
    readonly provider: string;
    readonly precision: string;
    readonly isChecked: boolean;
  };
}

describeUnless(skipWithoutChromium(), 'a review of points in the console', () => {
  const site = useConsole();
  const panel = (page: Page) => page.getByRole('region', { name: 'Review points' });
  const current = (page: Page) => panel(page).getByRole('heading', { level: 3 });
  const alert = (page: Page) => panel(page).getByRole('alert');

  async function makeRows(name: string, addresses: readonly string[]): Promise<string> {
    const map = await makeMap(site.server, { name }, site.token);
    const locations = addresses.map((address, index) => ({
      fields: { Name: `Place ${index + 1}`, Address: address },
    }));
    const mutation =
      'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId: map.id, locations } }, site.token));
    return map.id;
  }

  async function pointsOf(mapId: string): Promise<readonly StoredPoint[]> {
    const query = `{ map(id: "${mapId}") { locations { nodes {
      id name latitude longitude properties geocoding { provider precision isChecked }
    } } } }`;
    return dataOf(await site.server.graphql(query, {}, site.token)).map.locations.nodes;
  }

  /** As another user. */
  async function change(mapId: string, id: string | undefined, input: object): Promise<void> {
    const mutation =
      'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId, id, ...input } }, site.token));
  }

  async function openReview(name: string, options?: Parameters<typeof site.open>[0]) {
    const opened = await site.open(options);
    await signIn(opened.page, site.token);
    await openMap(opened.page, name);
    await opened.page.getByRole('button', { name: /^Review \d/ }).click();
    await current(opened.page).waitFor();
    return opened;
  }

  async function expectRow(page: Page, name: string, position: string): Promise<void> {
    await current(page).getByText(name, { exact: true }).waitFor();
    await panel(page).getByText(`Row ${position}`, { exact: true }).waitFor();
  }

  async function dragPin(page: Page): Promise<void> {
    const box = await page.locator('.pin-open').boundingBox();
    if (box === null) throw new Error('There is no pin.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 20, { steps: 4 });
    await page.mouse.up();
    await panel(page).getByText('Pin moved by').waitFor();
  }

  /** Counts requests by the name of their operation. */
  function countRequests(page: Page): Map<string, number> {
    const counts = new Map<string, number>();
    page.on('request', (request) => {
      const name = /(?:query|mutation) (\w+)/.exec(request.postData() ?? '')?.[1];
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    });
    return counts;
  }

  async function importText(page: Page, text: string): Promise<void> {
    await page.getByRole('button', { name: 'Import' }).click();
    await page
      .getByLabel('Drop a file')
      .setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: /^Import \d/ }).click();
  }

  it('is offered after an import with the number of unchecked points, each a filter of the list', async () => {
    await makeMap(site.server, { name: 'Imported' }, site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Imported');
    // The last row has a point of its own, which needs no check.
    await importText(
      page,
      'Name,Address,lat,lng\nA,Main Street 1,,\nB,street: Main Street,,\nC,several: Springfield,,\nD,locality: Town,,\nE,Somewhere,1,2\n',
    );
    await page.getByText('5 imported, 0 rejected.').waitFor();
    const counts = page.getByRole('group', { name: 'Unchecked points of this map' });
    await counts.getByRole('button', { name: 'Review 3' }).waitFor();
    expect(await counts.getByRole('button').allTextContents()).toEqual([
      '2 at the door',
      '1 at the street',
      '1 at the town',
      '1 ambiguous',
      'Review 3',
    ]);
    await expectAccessible(page);
    await counts.getByRole('button', { name: '1 at the town' }).click();
    await page.getByText('1 location found').waitFor();
    expect(await rowNames(page)).toEqual(['D']);
    const chips = page.getByRole('group', { name: 'Active filters and order' });
    await chips.getByText('Precision is at the town').waitFor();
    await chips.getByText('Not checked').waitFor();
    await page.getByRole('group', { name: 'Unchecked points' }).getByText('1 ambiguous').click();
    await rowOf(page, 'C').waitFor();
    await chips.getByText('Ambiguous').waitFor();
    expect(await rowNames(page)).toEqual(['C']);
    // The same conditions by hand.
    await chips.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('button', { name: 'Filter and sort' }).click();
    await page.getByLabel('Show where').selectOption('Precision');
    await page.getByLabel('Operator').selectOption('is not');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('2 locations found').waitFor();
    expect(await rowNames(page)).toEqual(['B', 'D']);
    await page.getByRole('button', { name: 'Review results' }).click();
    await expectRow(page, 'B', '1 of 2');
    site.expectClean(record);
    await close();
  });

  it('is done by keys alone: confirm, skip, choose a candidate, correct the address, move the pin, undo', async () => {
    const mapId = await makeRows('Keys', [
      'street: First',
      'locality: Second',
      'several: Third',
      'locality: Fourth',
      'region: Fifth',
      'At the door 6',
    ]);
    const before = await pointsOf(mapId);
    const { page, record, close } = await openReview('Keys');
    const { keyboard } = page;
    await expectRow(page, 'Place 1', '1 of 5');
    await panel(page).getByText('At the street', { exact: true }).waitFor();
    await panel(page).getByText('Found: street: First').waitFor();
    await keyboard.press('ArrowDown');
    await expectRow(page, 'Place 2', '2 of 5');
    await keyboard.press('k');
    await expectRow(page, 'Place 1', '1 of 5');
    await keyboard.press('Enter');
    await expectRow(page, 'Place 2', '2 of 5');
    await page.getByRole('status').getByText('Checked. Row 2 of 5: Place 2, at the town.').waitFor();
    expect((await pointsOf(mapId))[0]?.geocoding.isChecked).toBe(true);
    await keyboard.press('u');
    await expectRow(page, 'Place 1', '1 of 5');
    expect((await pointsOf(mapId))[0]?.geocoding.isChecked).toBe(false);
    await keyboard.press('y');
    await keyboard.press('j');
    // A key is not taken while the one before is being saved.
    if ((await current(page).textContent()) !== 'Place 3') {
      await expectRow(page, 'Place 2', '2 of 5');
      await keyboard.press('j');
    }
    await expectRow(page, 'Place 3', '3 of 5');
    await panel(page).getByRole('button', { name: 'Another place' }).waitFor();
    await keyboard.press('2');
    await expectRow(page, 'Place 4', '4 of 5');
    expect((await pointsOf(mapId))[2]).toMatchObject({
      ...{ latitude: 48.5, longitude: 9.5 },
      geocoding: { provider: 'manual', isChecked: true },
    });
    await keyboard.press('e');
    await keyboard.type('several: Main Street 4');
    await keyboard.press('Enter');
    // It stays, to show the point that nobody has seen yet.
    await panel(page).getByText('Found: several: Main Street 4').waitFor();
    await panel(page).getByText('At the door', { exact: true }).waitFor();
    await keyboard.press('Enter');
    await expectRow(page, 'Place 5', '5 of 5');
    expect((await pointsOf(mapId))[3]).toMatchObject({
      properties: { Address: 'several: Main Street 4' },
      geocoding: { provider: 'fake', isChecked: true },
    });
    await keyboard.press('m');
    const transform = await page.locator('.leaflet-map-pane').getAttribute('style');
    await keyboard.press('ArrowRight');
    await until(
      page,
      `document.querySelector('.leaflet-map-pane').getAttribute('style') !== ${JSON.stringify(transform)}
        && document.querySelector('.leaflet-pan-anim') === null`,
    );
    await keyboard.press('p');
    await panel(page).getByText('Pin moved by').waitFor();
    await keyboard.press('Enter');
    // After the last row, the skipped one.
    await expectRow(page, 'Place 2', '5 of 5');
    const moved = (await pointsOf(mapId))[4];
    expect(moved?.geocoding).toMatchObject({ provider: 'manual', isChecked: true });
    expect(moved?.latitude).toBeCloseTo(before[4]?.latitude ?? 0, 0);
    expect(moved?.longitude).not.toBeCloseTo(before[4]?.longitude ?? 0, 3);
    await keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'Nothing left to review' }).waitFor();
    await panel(page).getByText('You have reviewed 5 points.').waitFor();
    await keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Review/ }).waitFor({ state: 'detached' });
    expect((await pointsOf(mapId)).map(({ geocoding }) => geocoding.isChecked)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    site.expectClean(record);
    await close();
  });

  it('saves a dragged pin on demand, and undoes it by geocoding again', async () => {
    const mapId = await makeRows('Dragged', ['street: First', 'street: Harbour']);
    const [before] = await pointsOf(mapId);
    const { page, close } = await openReview('Dragged');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await dragPin(page);
    await page.keyboard.press('j');
    await expectRow(page, 'Place 1', '1 of 2');
    expect(asked).toEqual(['Discard unsaved changes?']);
    await page.keyboard.press('Escape');
    await panel(page).getByText('Pin moved by').waitFor({ state: 'detached' });
    await dragPin(page);
    await panel(page).getByRole('button', { name: 'Save the pin' }).click();
    await expectRow(page, 'Place 2', '2 of 2');
    const [moved] = await pointsOf(mapId);
    expect(moved?.geocoding).toMatchObject({ provider: 'manual', isChecked: true });
    await panel(page).getByRole('button', { name: 'Undo' }).click();
    await expectRow(page, 'Place 1', '1 of 2');
    expect((await pointsOf(mapId))[0]).toEqual(before);
    await close();
  });

  it('asks the geocoder for candidates only after a pause on an ambiguous row, or on demand', async () => {
    await makeRows('Paused', ['several: 1', 'several: 2', 'several: 3', 'street: 4']);
    const opened = await site.open();
    const { page, close } = opened;
    await page.clock.install({ time: 0 });
    await signIn(page, site.token);
    await openMap(page, 'Paused');
    await page.getByRole('button', { name: 'Review 4' }).waitFor();
    await page.clock.pauseAt(86_400_000);
    const counts = countRequests(page);
    await page.getByRole('button', { name: 'Review 4' }).click();
    for (let row = 1; row <= 4; row += 1) {
      await expectRow(page, `Place ${row}`, `${row} of 4`);
      await page.clock.runFor(400);
      await page.keyboard.press('j');
    }
    await page.clock.runFor(5_000);
    expect(counts.get('Geocode')).toBeUndefined();
    await page.keyboard.press('c');
    await panel(page).getByRole('button', { name: 'Found: street: 4' }).waitFor();
    await page.keyboard.press('k');
    await expectRow(page, 'Place 3', '3 of 4');
    await page.clock.runFor(500);
    await panel(page).getByRole('button', { name: 'Another place' }).waitFor();
    expect(counts.get('Geocode')).toBe(2);
    await close();
  });

  it('shows an error on its row, and loses nothing', async () => {
    const mapId = await makeRows('Limited', ['street: First', 'street: Harbour']);
    const { page, close } = await openReview('Limited');
    const refusal = await refuse(page, 'mutation CheckLocations');
    await page.keyboard.press('Enter');
    await alert(page).getByText('Too many requests. Please wait 30 seconds.').waitFor();
    await expectRow(page, 'Place 1', '1 of 2');
    refusal.end();
    await page.keyboard.press('e');
    await page.keyboard.type('limited: Main Street 1');
    await page.keyboard.press('Enter');
    await alert(page).getByText('Too many requests. Please wait 60 seconds.').waitFor();
    const address = panel(page).getByLabel('Address', { exact: true });
    expect(await address.inputValue()).toBe('limited: Main Street 1');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await panel(page).getByText('street: First', { exact: true }).waitFor();
    const refusedSearch = await refuse(page, 'query Geocode');
    await page.keyboard.press('c');
    await alert(page).getByText('Too many requests. Please wait 30 seconds.').waitFor();
    refusedSearch.end();
    await page.keyboard.press('c');
    await panel(page).getByRole('button', { name: 'Found: street: First' }).waitFor();
    await page.keyboard.press('1');
    await expectRow(page, 'Place 2', '2 of 2');
    // The point was right, so it is still that of the geocoder.
    expect((await pointsOf(mapId))[0]?.geocoding).toMatchObject({ provider: 'fake', isChecked: true });
    await close();
  });

  it('confirms no point that someone else has changed meanwhile, and shows conflicts', async () => {
    const mapId = await makeRows('Shared', ['street: First', 'street: Harbour', 'street: Third']);
    const [first, second, third] = await pointsOf(mapId);
    const { page, close } = await openReview('Shared');
    await change(mapId, first?.id, { fields: { Address: 'street: Elsewhere' } });
    await page.keyboard.press('Enter');
    await alert(page).getByText('Someone else has changed this location.').waitFor();
    await panel(page).getByText('Found: street: Elsewhere').waitFor();
    expect((await pointsOf(mapId))[0]?.geocoding.isChecked).toBe(false);
    await page.keyboard.press('Enter');
    await expectRow(page, 'Place 2', '2 of 3');
    await dragPin(page);
    await change(mapId, second?.id, { position: { latitude: 10, longitude: 20 } });
    await page.keyboard.press('Enter');
    await alert(page).getByText('Someone else changed the same fields').waitFor();
    // Enter must not decide.
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await panel(page).getByRole('button', { name: 'Take theirs' }).click();
    await panel(page).getByText('Placed by hand').waitFor();
    await page.keyboard.press('j');
    await expectRow(page, 'Place 3', '3 of 3');
    expect((await pointsOf(mapId))[1]).toMatchObject({ latitude: 10, longitude: 20 });
    const mutation =
      'mutation ($mapId: ID!, $id: ID!) { deleteLocation(input: { mapId: $mapId, id: $id }) { deletedId } }';
    dataOf(await site.server.graphql(mutation, { mapId, id: third?.id }, site.token));
    await page.keyboard.press('Enter');
    await alert(page).getByText('Place 3 no longer exists.').waitFor();
    await panel(page).getByRole('heading', { name: 'Nothing left to review' }).waitFor();
    await close();
  });

  it('takes one action at a time', async () => {
    const mapId = await makeRows('Slow', ['street: First', 'street: Harbour', 'street: Third']);
    const { page, close } = await openReview('Slow');
    const letPass = await holdBack(page, 'mutation CheckLocations');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('button', { name: 'Right as it is', disabled: true }).waitFor();
    for (const key of ['Enter', 'j', 'p', 'u']) await page.keyboard.press(key);
    letPass();
    await expectRow(page, 'Place 2', '2 of 3');
    expect((await pointsOf(mapId)).map(({ geocoding }) => geocoding.isChecked)).toEqual([true, false, false]);
    await close();
  });

  it('fits, is accessible and easy to touch everywhere, with 300 rows and with one', async () => {
    await makeRows('Many', [
      'several: locality: Springfield',
      ...Array.from({ length: 299 }, (_, index) => `locality: Town ${index}`),
    ]);
    await makeRows('One', ['street: Only Street']);
    const { page, record, close } = await openReview('Many');
    const check = async (name: string) => {
      for (const [size, viewport] of Object.entries(VIEWPORTS)) {
        await resizeTo(page, viewport);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
        await expectAccessibleInBothSchemes(page, `review-${name}-${size}`);
        if (size !== 'phone') continue;
        const heights = await page.evaluate<number[]>(
          `[...document.querySelectorAll('.c-review button, .c-work .map-controls button')]
            .map((button) => button.getBoundingClientRect().height)`,
        );
        expect(Math.min(...heights.filter((height) => height > 0))).toBeGreaterThanOrEqual(44);
        const map = await page.locator('.c-map').boundingBox();
        expect(map?.height).toBeGreaterThan(0.35 * viewport.height);
      }
    };
    await panel(page).getByRole('button', { name: 'Another place' }).waitFor();
    await check('candidates');
    await page.keyboard.press('e');
    await check('address');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await check('keys');
    await page.keyboard.press('?');
    await page.keyboard.press('p');
    await check('moved');
    await page.keyboard.press('Escape');
    // Pages are loaded ahead of the current row.
    for (let row = 2; row <= 105; row += 1) {
      await page.keyboard.press('j');
      await expectRow(page, `Place ${row}`, `${row} of 300`);
    }
    await page.keyboard.press('Escape');
    // The focus is where the user can continue.
    await until(page, `document.activeElement.textContent === 'Review 300'`);
    await page.getByRole('link', { name: 'Maps' }).click();
    await openMap(page, 'One');
    await page.getByRole('button', { name: 'Review 1' }).click();
    await expectRow(page, 'Place 1', '1 of 1');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'Nothing left to review' }).waitFor();
    await check('done');
    site.expectClean(record);
    await close();
  });

  it('offers readers the counts, but no review', async () => {
    const mapId = await makeRows('Read', ['street: First']);
    const token = await site.server.createToken({ owner: site.owner, scope: 'read', mapId });
    const { page, close } = await site.open();
    await signIn(page, token);
    await openMap(page, 'Read');
    await page.getByRole('button', { name: '1 at the street' }).waitFor();
    expect(await page.getByRole('button', { name: /^Review/ }).count()).toBe(0);
    await close();
  });

  it('takes few keys and requests for an import of 500 rows, 58 of them not at the door', async () => {
    await makeMap(site.server, { name: 'Five hundred' }, site.token);
    const addressOf = (row: number) => {
      if (row % 60 === 0) return `several: locality: Town ${row}`;
      if (row % 30 === 0) return `locality: Town ${row}`;
      return row % 10 === 0 ? `street: Street ${row}` : `Street ${row}`;
    };
    const addresses = Array.from({ length: 500 }, (_, index) => addressOf(index + 1));
    // 8 ambiguous towns, 8 towns and 34 streets; and 8 streets more.
    for (let row = 1; row <= 8; row += 1) addresses[row * 20 + 2] = `street: Street ${row * 20 + 3}`;
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Five hundred');
    await importText(
      page,
      `Name,Address\n${addresses.map((address, index) => `Place ${index + 1},${address}\n`).join('')}`,
    );
    await page.getByRole('button', { name: 'Review 58' }).waitFor();
    const requests = countRequests(page);
    await page.evaluate(`{ window.keys = 0; addEventListener('keydown', () => (keys += 1), true); }`);
    await page.getByRole('button', { name: 'Review 58' }).click();
    const done = { confirmed: 0, chosen: 0, corrected: 0, dragged: 0 };
    for (let number = 1; number <= 58; number += 1) {
      await panel(page).getByText(`Row ${number} of 58`, { exact: true }).waitFor();
      const isAmbiguous = (await panel(page).getByText('Other places of that name').count()) > 0;
      if (isAmbiguous) {
        await panel(page).getByRole('button', { name: 'Another place' }).waitFor();
        await page.keyboard.press('2');
        done.chosen += 1;
      } else if (number % 10 === 4) {
        await page.keyboard.press('e');
        await page.keyboard.press('End');
        await page.keyboard.type(' 12');
        await page.keyboard.press('Enter');
        await panel(page)
          .getByText(/Found: .* 12$/)
          .waitFor();
        await page.keyboard.press('Enter');
        done.corrected += 1;
      } else if (number % 10 === 7) {
        await dragPin(page);
        await page.keyboard.press('Enter');
        done.dragged += 1;
      } else {
        await page.keyboard.press('Enter');
        done.confirmed += 1;
      }
    }
    await panel(page).getByRole('heading', { name: 'Nothing left to review' }).waitFor();
    const { confirmed, chosen, corrected, dragged } = done;
    expect(confirmed + chosen + corrected + dragged).toBe(58);
    expect(await page.evaluate('keys')).toBe(confirmed + chosen + dragged + 7 * corrected);
    // The map shows all results again.
    requests.delete('InView');
    // The role on the map is read now and then.
    requests.delete('EditedMap');
    expect(Object.fromEntries(requests)).toEqual({
      Rows: 1,
      CheckLocations: confirmed + corrected,
      UpdateLocation: chosen + dragged + corrected,
      Geocode: chosen,
    });
    await close();
  });
});
