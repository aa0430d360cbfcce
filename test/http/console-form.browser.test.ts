/** The console's form for a location: it stores what the map shows, and discards nothing without confirmation. */

import type { Page } from 'playwright-core';

import { skipWithoutChromium, until } from '../support/browser.ts';
import { openMap, rowOf, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { holdBack } from '../support/refusal.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Kind', type: 'category' },
  { name: 'Seats', type: 'number' },
];

describeUnless(skipWithoutChromium(), "the console's form in a browser", () => {
  const site = useConsole();
  const form = (page: Page) => page.getByRole('dialog');

  async function storedOf(mapId: string) {
    const query = `{ map(id: "${mapId}") { locations { nodes { latitude longitude properties geocoding { provider } } } } }`;
    return dataOf(await site.server.graphql(query, {}, site.token)).map.locations.nodes;
  }

  async function shownPoint(page: Page) {
    const read = async (label: string) => Number(await form(page).getByLabel(label).inputValue());
    return { latitude: await read('Latitude'), longitude: await read('Longitude') };
  }

  async function dragPin(page: Page): Promise<void> {
    const box = await page.locator('.pin-open').boundingBox();
    if (box === null) throw new Error('There is no pin.');
    const before = await form(page).getByLabel('Longitude').inputValue();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y + 10, { steps: 4 });
    await page.mouse.up();
    await until(page, `[...document.querySelectorAll('.c-point input')].at(-1).value !== '${before}'`);
  }

  async function openForm(page: Page, address: string): Promise<void> {
    await page.getByRole('button', { name: 'Add location' }).click();
    await form(page).getByLabel('Name').fill('Hut');
    await fillAddress(page, address);
  }

  /** Leaves the input, so that no suggestions cover what follows. */
  async function fillAddress(page: Page, address: string): Promise<void> {
    await form(page).getByLabel('Address').fill(address);
    await page.keyboard.press('Tab');
  }

  it('shows and stores fields named like members of every object', async () => {
    const names = ['constructor', 'valueOf', '__proto__'];
    const fields = [...FIELDS.slice(0, 2), ...names.map((name) => ({ name, type: 'text' }))];
    const map = await makeMap(site.server, { name: 'Names', fields }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Names');
    await rowOf(page, 'Place 0').click();
    for (const name of names) {
      expect(await form(page).getByLabel(name).inputValue()).toBe('');
      await form(page).getByLabel(name).fill(`of ${name}`);
    }
    await form(page).getByRole('button', { name: 'Save' }).click();
    await form(page).waitFor({ state: 'detached' });
    for (const name of names) await page.getByRole('cell', { name: `of ${name}` }).waitFor();
    const [{ properties }] = await storedOf(map.id);
    for (const name of names) {
      expect(Object.getOwnPropertyDescriptor(properties, name)?.value).toBe(`of ${name}`);
    }
    site.expectClean(record);
    await close();
  });

  it('adds a location that no geocoder knows, by a click on the map, and drags its pin', async () => {
    const map = await makeMap(site.server, { name: 'Huts', fields: FIELDS }, site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Huts');
    await openForm(page, 'unknown: above the lake');
    await form(page).getByRole('button', { name: 'Find on the map' }).click();
    await form(page).getByRole('alert').filter({ hasText: 'Click on the map' }).waitFor();
    await page.locator('.map-canvas').click({ position: { x: 200, y: 300 } });
    await page.locator('.pin-open').waitFor();
    await dragPin(page);
    const shown = await shownPoint(page);
    await form(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved: Hut').waitFor();
    const [stored] = await storedOf(map.id);
    expect(stored.geocoding.provider).toBe('manual');
    expect(stored.latitude).toBeCloseTo(shown.latitude, 5);
    expect(stored.longitude).toBeCloseTo(shown.longitude, 5);
    // An unknown address is geocoded only on demand.
    site.expectClean(record);
    await close();
  });

  it('discards a manually placed pin when the address is geocoded again', async () => {
    const map = await makeMap(site.server, { name: 'Found', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Found');
    await openForm(page, 'Main Street 1');
    const find = form(page).getByRole('button', { name: 'Find on the map' });
    await find.click();
    await form(page).getByText('Found: Main Street 1').waitFor();
    await dragPin(page);
    await fillAddress(page, 'Main Street 2');
    await find.click();
    await form(page).getByText('Found: Main Street 2').waitFor();
    const shown = await shownPoint(page);
    await form(page).getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Hut').waitFor();
    const [stored] = await storedOf(map.id);
    expect(stored.geocoding.provider).toBe('fake');
    expect(stored.latitude).toBeCloseTo(shown.latitude, 5);
    await close();
  });

  it('does not send a candidate of a previous address', async () => {
    const map = await makeMap(site.server, { name: 'Other', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Other');
    await openForm(page, 'several: Main Street');
    await form(page).getByRole('button', { name: 'Find on the map' }).click();
    await form(page).getByLabel('Another place').check();
    await fillAddress(page, 'Side Street 5');
    await page.locator('.pin-open').waitFor({ state: 'detached' });
    await form(page).getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Hut').waitFor();
    expect((await storedOf(map.id))[0].geocoding.provider).toBe('fake');
    await close();
  });

  it('accepts the position as two numbers, for users without a pointer', async () => {
    const map = await makeMap(site.server, { name: 'Numbers', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Numbers');
    await openForm(page, 'unknown: there');
    await form(page).getByRole('button', { name: 'Place the pin by hand' }).click();
    await form(page).getByLabel('Latitude').fill('48.25');
    await form(page).getByLabel('Longitude').fill('11.5');
    await page.keyboard.press('Enter');
    await rowOf(page, 'Hut').waitFor();
    expect((await storedOf(map.id))[0]).toMatchObject({ latitude: 48.25, longitude: 11.5 });
    await close();
  });

  it('keeps concurrent changes of other fields', async () => {
    const map = await makeMap(site.server, { name: 'Merged', fields: FIELDS }, site.token);
    const [location] = await makeLocations(site.server, map.id, [null], site.token);
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Merged');
    await rowOf(page, 'Place 0').click();
    await site.server.graphql(
      `mutation { updateLocation(input: {mapId: "${map.id}", id: "${location?.id}", fields: {Kind: "Theirs"}}) { map { id } } }`,
      {},
      site.token,
    );
    await form(page).getByLabel('Seats').fill('12');
    await form(page).getByRole('button', { name: 'Save', exact: true }).click();
    await form(page).waitFor({ state: 'detached' });
    expect((await storedOf(map.id))[0].properties).toMatchObject({ Kind: 'Theirs', Seats: 12 });
    await close();
  });

  it('confirms before discarding input, and warns of values that do not fit the type', async () => {
    await makeMap(site.server, { name: 'Asked', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    const asked: string[] = [];
    let isDropped = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (isDropped ? dialog.accept() : dialog.dismiss());
    });
    await signIn(page, site.token);
    await openMap(page, 'Asked');
    await openForm(page, 'Main Street 1');
    await form(page).getByLabel('Seats').fill('four');
    await form(page).getByText('This is not a number').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await until(page, `location.hash.startsWith('#/maps/')`);
    expect(await form(page).getByLabel('Seats').inputValue()).toBe('four');
    isDropped = true;
    await page.keyboard.press('Escape');
    await form(page).waitFor({ state: 'detached' });
    expect(new Set(asked)).toEqual(new Set(['Discard unsaved changes?']));
    expect(asked).toHaveLength(3);
    // The focus is where the user can continue.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add location');
    await close();
  });

  it('is read-only while it is saved, and keeps its focus', async () => {
    const map = await makeMap(site.server, { name: 'Slow', fields: FIELDS }, site.token);
    const { page, record, close } = await site.open();
    const letSave = await holdBack(page, 'mutation CreateLocation');
    await signIn(page, site.token);
    await openMap(page, 'Slow');
    await openForm(page, 'Main Street 1');
    const seats = form(page).getByLabel('Seats');
    await seats.fill('4');
    await page.keyboard.press('Enter');
    await page.locator('form[aria-busy="true"]').waitFor();
    await page.keyboard.type('2');
    await page.locator('.map-canvas').click({ position: { x: 200, y: 300 } });
    await seats.focus();
    expect(await seats.inputValue()).toBe('4');
    expect(await form(page).getByText('You placed the pin. It stays').count()).toBe(0);
    letSave();
    await rowOf(page, 'Hut').waitFor();
    expect((await storedOf(map.id))[0].properties).toMatchObject({ Seats: 4 });
    site.expectClean(record);
    await close();
  });

  it('is unaffected by the saving of another form that was left meanwhile', async () => {
    const map = await makeMap(site.server, { name: 'Two', fields: FIELDS }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const { page, record, close } = await site.open();
    page.on('dialog', (dialog) => void dialog.accept());
    const letSave = await holdBack(page, 'mutation CreateLocation');
    await signIn(page, site.token);
    await openMap(page, 'Two');
    await openForm(page, 'Main Street 1');
    await form(page).getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await rowOf(page, 'Place 0').click();
    await form(page).getByRole('heading', { name: 'Edit location' }).waitFor();
    await form(page).getByLabel('Seats').fill('7');
    letSave();
    await page.getByRole('status').getByText('Saved: Hut').waitFor();
    expect(await form(page).getByLabel('Seats').inputValue()).toBe('7');
    site.expectClean(record);
    await close();
  });

  it('opens a map at its locations', async () => {
    const map = await makeMap(site.server, { name: 'Two towns', fields: FIELDS }, site.token);
    for (const [name, latitude, longitude] of [
      ['Porto', 41.15, -8.61],
      ['Lisboa', 38.72, -9.14],
    ] as const) {
      const input = {
        mapId: map.id,
        fields: { Name: name, Address: name },
        position: { latitude, longitude },
      };
      const mutation =
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { map { id } } }';
      dataOf(await site.server.graphql(mutation, { input }, site.token));
    }
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Two towns');
    // At lower zooms they are one cluster.
    await page.locator('.map .pin').nth(1).waitFor();
    await close();
  });
});
