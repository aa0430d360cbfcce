/** Addresses in the console's form: suggestions, the address of a moved pin, and postcodes that lost a zero. */

import type { Locator, Page } from 'playwright-core';

import { createOfflineGeocoder } from '../../src/geocoding/offline/offline-geocoder.ts';
import type { Geocoder, ReverseResult } from '../../src/geocoding/geocoder.ts';
import { Deferred } from '../../src/lib/deferred.ts';
import { skipWithoutChromium, until, untilQuiet } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import type { ConsoleSite } from '../support/console.ts';
import { openMap, rowOf, shoot, signIn, useConsole } from '../support/console.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { refuse, waitFrames } from '../support/refusal.ts';
import { describeUnless } from '../support/skip.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Phone', type: 'phone' },
];
const LISBON = { latitude: 38.716_67, longitude: -9.133_33 };

const form = (page: Page) => page.getByRole('dialog');
const addressInput = (page: Page) => form(page).getByRole('combobox', { name: 'Address' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

/** The variables of the page's requests for an operation, from now on. */
function requestsOf(page: Page, operation: string): Record<string, unknown>[] {
  const requests: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes(`query ${operation}(`)) requests.push(JSON.parse(body).variables);
  });
  return requests;
}

async function openNew(site: ConsoleSite, page: Page, name: string): Promise<void> {
  await signIn(page, site.token);
  await openMap(page, name);
  await page.getByRole('button', { name: 'Add location' }).click();
  await form(page).getByLabel('Name').fill('Hut');
}

async function storedOf(site: ConsoleSite, mapId: string) {
  const query = `{ map(id: "${mapId}") { locations { nodes { latitude longitude properties geocoding { provider isChecked } } } } }`;
  return dataOf(await site.server.graphql(query, {}, site.token)).map.locations.nodes;
}

async function addLocation(
  site: ConsoleSite,
  mapId: string,
  fields: Record<string, unknown>,
  position: { latitude: number; longitude: number },
): Promise<void> {
  const mutation = 'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { map { id } } }';
  dataOf(await site.server.graphql(mutation, { input: { mapId, fields, position } }, site.token));
}

async function save(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Save' }).click();
  await form(page).waitFor({ state: 'detached' });
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

async function movePinTo(page: Page, latitude: number, longitude: number): Promise<void> {
  await form(page).getByLabel('Latitude').fill(String(latitude));
  await form(page).getByLabel('Longitude').fill(String(longitude));
  await page.keyboard.press('Tab');
}

describeUnless(skipWithoutChromium(), "addresses typed in the console's form, offline", () => {
  const site = useConsole({}, { geocoder: createOfflineGeocoder() });

  it('are suggested, and chosen with the keyboard', async () => {
    const map = await makeMap(site.server, { name: 'Keys', fields: FIELDS }, site.token);
    const { page, record, close } = await site.open();
    await page.clock.install();
    await openNew(site, page, 'Keys');
    const asked = requestsOf(page, 'SuggestAddresses');
    const input = addressInput(page);
    await input.fill('Lisb');
    await options(page).first().waitFor();
    expect(asked).toMatchObject([{ text: 'Lisb' }]);
    expect(await options(page).count()).toBeLessThanOrEqual(5);
    expect(await input.getAttribute('aria-expanded')).toBe('true');
    const active = () => page.locator('[role="option"][aria-selected="true"]').allInnerTexts();
    // The input is between the last suggestion and the first.
    await page.keyboard.press('ArrowUp');
    expect(await active()).toEqual([(await options(page).allInnerTexts()).at(-1)]);
    await page.keyboard.press('ArrowDown');
    expect(await active()).toEqual([]);
    await page.keyboard.press('ArrowDown');
    const described = await input.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${described}"]`).getAttribute('aria-selected')).toBe('true');
    expect(await active()).toEqual(['Lisbon\nPortugal']);
    await expectAccessibleInBothSchemes(page, 'console-suggestions');
    await page.keyboard.press('Enter');
    await options(page).first().waitFor({ state: 'detached' });
    expect(await input.inputValue()).toBe('Lisbon, Portugal');
    expect(await input.getAttribute('aria-expanded')).toBe('false');
    expect((await shownPoint(page)).latitude).toBeCloseTo(LISBON.latitude, 1);
    await page.locator('.pin-open').waitFor();
    // The chosen address needs no suggestions, and the pin no address.
    await page.clock.runFor(10_000);
    expect(asked).toHaveLength(1);
    expect(await form(page).getByRole('button', { name: 'Set the address' }).count()).toBe(0);
    const shown = await shownPoint(page);
    await save(page);
    const [stored] = await storedOf(site, map.id);
    expect(stored).toMatchObject({
      properties: { Address: 'Lisbon, Portugal' },
      geocoding: { provider: 'manual' },
    });
    expect(stored.latitude).toBeCloseTo(shown.latitude, 5);
    site.expectClean(record);
    await close();
  });

  it('are chosen with the mouse, and a chosen point is dropped with its address', async () => {
    const map = await makeMap(site.server, { name: 'Mouse', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await openNew(site, page, 'Mouse');
    await addressInput(page).fill('Rua Garrett 122, Lisb');
    await options(page).filter({ hasText: 'Portugal' }).first().click();
    expect(await addressInput(page).inputValue()).toBe('Rua Garrett 122, Lisbon, Portugal');
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox');
    await page.locator('.pin-open').waitFor();
    await addressInput(page).fill('Porto, Portugal');
    await page.locator('.pin-open').waitFor({ state: 'detached' });
    await save(page);
    const [stored] = await storedOf(site, map.id);
    expect(stored.geocoding.provider).toBe('offline');
    expect(stored.latitude).toBeCloseTo(41.15, 1);
    await close();
  });

  it('are chosen by touch on a phone', async () => {
    await makeMap(site.server, { name: 'Touch', fields: FIELDS }, site.token);
    const { page, close } = await site.open({ viewport: VIEWPORTS.phone, hasTouch: true, isMobile: true });
    await openNew(site, page, 'Touch');
    await addressInput(page).fill('Lisb');
    const lisbon = options(page).filter({ hasText: 'Portugal' }).first();
    await lisbon.waitFor();
    await expectAccessibleInBothSchemes(page, 'console-suggestions-phone');
    await lisbon.tap();
    expect(await addressInput(page).inputValue()).toBe('Lisbon, Portugal');
    await page.locator('.pin-open').waitFor();
    await close();
  });

  it('are saved by Enter, unless a suggestion is chosen with it', async () => {
    const map = await makeMap(site.server, { name: 'Enter', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await openNew(site, page, 'Enter');
    await addressInput(page).fill('Lisbon');
    await options(page).first().waitFor();
    await page.keyboard.press('Enter');
    await form(page).waitFor({ state: 'detached' });
    expect((await storedOf(site, map.id))[0].properties.Address).toBe('Lisbon');
    await close();
  });

  it('lose the list by Escape, Tab and a text that is too short, and get it back by an arrow', async () => {
    await makeMap(site.server, { name: 'Escape', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    let confirmations = 0;
    page.on('dialog', (dialog) => {
      confirmations += 1;
      void dialog.accept();
    });
    await openNew(site, page, 'Escape');
    const asked = requestsOf(page, 'SuggestAddresses');
    await addressInput(page).fill('Lisb');
    await options(page).first().waitFor();
    await page.keyboard.press('Escape');
    await options(page).first().waitFor({ state: 'detached' });
    // The key was for the list: the form does not ask whether to discard its changes.
    expect(confirmations).toBe(0);
    await page.keyboard.press('ArrowDown');
    await options(page).first().waitFor();
    expect(asked).toHaveLength(1);
    await page.keyboard.press('Tab');
    await options(page).first().waitFor({ state: 'detached' });
    await addressInput(page).fill('Lisbo');
    await options(page).first().waitFor();
    await addressInput(page).fill('Li');
    await options(page).first().waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await form(page).waitFor({ state: 'detached' });
    expect(confirmations).toBe(1);
    await close();
  });

  it('are preferred near the center of the map', async () => {
    const map = await makeMap(site.server, { name: 'Near', fields: FIELDS }, site.token);
    await addLocation(site, map.id, { Name: 'Here', Address: 'Here' }, { latitude: 51.5, longitude: -0.1 });
    const { page, close } = await site.open();
    await openNew(site, page, 'Near');
    await page.locator('.map .pin').waitFor();
    const asked = requestsOf(page, 'SuggestAddresses');
    await addressInput(page).fill('Rich');
    await options(page).first().waitFor();
    expect(asked).toHaveLength(1);
    const { near } = asked[0] as { near: { latitude: number; longitude: number } };
    expect(near.latitude).toBeCloseTo(51.5, 0);
    expect(near.longitude).toBeCloseTo(-0.1, 0);
    expect(await options(page).first().innerText()).toContain('United Kingdom');
    await close();
  });
});

describeUnless(skipWithoutChromium(), "addresses typed in the console's form, without suggestions", () => {
  const site = useConsole({}, { geocoder: { ...createFakeGeocoder(), suggest: undefined } });

  it('are plain texts, and suggestions are requested only once', async () => {
    const map = await makeMap(site.server, { name: 'Plain', fields: FIELDS }, site.token);
    const { page, record, close } = await site.open();
    await page.clock.install();
    await openNew(site, page, 'Plain');
    const asked = requestsOf(page, 'SuggestAddresses');
    const refused = page.waitForResponse(async (response) =>
      (await response.text()).includes('SUGGESTIONS_UNAVAILABLE'),
    );
    await addressInput(page).fill('Main Street 1');
    await refused;
    await addressInput(page).fill('Main Street 2');
    await page.clock.runFor(10_000);
    expect(await options(page).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await save(page);
    await rowOf(page, 'Hut').click();
    await addressInput(page).fill('Main Street 3');
    await page.clock.runFor(10_000);
    expect(asked).toHaveLength(1);
    await save(page);
    expect((await storedOf(site, map.id))[0]).toMatchObject({
      properties: { Address: 'Main Street 3' },
      geocoding: { provider: 'fake' },
    });
    site.expectClean(record);
    await close();
  });
});

const BERLIN: ReverseResult = {
  label: 'Unter den Linden 77, 10117 Berlin, Germany',
  houseNumber: '77',
  street: 'Unter den Linden',
  postcode: '10117',
  city: 'Berlin',
  state: null,
  country: 'Germany',
  countryCode: 'DE',
  distance: 12,
  provider: 'fake',
};

describeUnless(skipWithoutChromium(), "the address of a pin moved in the console's form", () => {
  let reverse: NonNullable<Geocoder['reverse']>;
  const site = useConsole({}, { geocoder: { ...createFakeGeocoder(), reverse: (query) => reverse(query) } });
  beforeEach(() => {
    reverse = () => Promise.resolve(BERLIN);
  });

  const offer = (page: Page): Locator => form(page).getByRole('button', { name: 'Set the address' });
  const POINT = { latitude: 52.5, longitude: 13.4 };

  async function openPlaced(page: Page, map: { id: string; name: string }, fields: Record<string, unknown>) {
    await addLocation(site, map.id, { Name: 'Hut', ...fields }, POINT);
    await signIn(page, site.token);
    await openMap(page, map.name);
    await rowOf(page, 'Hut').click();
    await page.locator('.pin-open').waitFor();
  }

  it('is offered, and set only if the user accepts it; the point stays', async () => {
    const map = await makeMap(site.server, { name: 'Dragged', fields: FIELDS }, site.token);
    const { page, record, close } = await site.open();
    await openPlaced(page, map, { Address: 'Main Street 1' });
    await dragPin(page);
    await form(page).getByText('Set the address to Unter den Linden 77, 10117 Berlin, Germany?').waitFor();
    const moved = await shownPoint(page);
    expect(await addressInput(page).inputValue()).toBe('Main Street 1');
    await expectAccessibleInBothSchemes(page, 'console-moved-pin');
    await save(page);
    expect((await storedOf(site, map.id))[0]).toMatchObject({ properties: { Address: 'Main Street 1' } });

    await rowOf(page, 'Hut').click();
    await dragPin(page);
    await offer(page).click();
    const shown = await shownPoint(page);
    expect(shown).not.toEqual(moved);
    expect(await addressInput(page).inputValue()).toBe(BERLIN.label);
    expect(await offer(page).count()).toBe(0);
    await save(page);
    const [stored] = await storedOf(site, map.id);
    expect(stored).toMatchObject({
      properties: { Address: BERLIN.label },
      geocoding: { provider: 'manual', isChecked: true },
    });
    expect(stored.latitude).toBeCloseTo(shown.latitude, 5);
    expect(stored.longitude).toBeCloseTo(shown.longitude, 5);
    site.expectClean(record);
    await close();
  });

  it('is written into the fields of its parts', async () => {
    const fields = [
      { name: 'Name', type: 'placeName' },
      { name: 'Street', type: 'address' },
      { name: 'Postcode', type: 'text' },
      { name: 'City', type: 'text' },
    ];
    const map = await makeMap(site.server, { name: 'Parts', fields }, site.token);
    const { page, close } = await site.open({ viewport: VIEWPORTS.phone });
    await openPlaced(page, map, { Street: 'Main Street 1', Postcode: '99999', City: 'Town' });
    await dragPin(page);
    await offer(page).waitFor();
    await shoot(page, 'moved-pin-phone');
    await offer(page).click();
    await save(page);
    const [{ properties }] = await storedOf(site, map.id);
    expect(properties).toEqual({
      Name: 'Hut',
      Street: 'Unter den Linden 77',
      Postcode: '10117',
      City: 'Berlin',
    });
    await close();
  });

  it('is offered after a click on the map and for typed coordinates, and withdrawn with the pin', async () => {
    await makeMap(site.server, { name: 'Placed', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await openNew(site, page, 'Placed');
    await page.locator('.map-canvas').click({ position: { x: 200, y: 300 } });
    await offer(page).waitFor();
    await form(page).getByRole('button', { name: 'Reset the pin' }).click();
    await offer(page).waitFor({ state: 'detached' });
    await movePinTo(page, 52.6, 13.5);
    await offer(page).click();
    expect(await addressInput(page).inputValue()).toBe(BERLIN.label);
    await close();
  });

  it('is that of the last point, in whatever order responses arrive', async () => {
    const map = await makeMap(site.server, { name: 'Twice', fields: FIELDS }, site.token);
    const { page, record, close } = await site.open();
    const first = new Deferred<ReverseResult | null>();
    const isAsked = new Deferred<void>();
    reverse = ({ point: { latitude } }) => {
      if (latitude !== 52.6) return Promise.resolve({ ...BERLIN, label: 'The second' });
      isAsked.resolve();
      return first.promise;
    };
    await openPlaced(page, map, { Address: 'Main Street 1' });
    await movePinTo(page, 52.6, 13.5);
    await isAsked.promise;
    await movePinTo(page, 52.7, 13.6);
    await form(page).getByText('Set the address to The second?').waitFor();
    first.resolve({ ...BERLIN, label: 'The first' });
    await untilQuiet(page, record);
    expect(await form(page).getByText('Set the address to The second?').count()).toBe(1);
    await close();
  });

  it('is not offered where there is none, where the request fails, and where it is set already', async () => {
    const map = await makeMap(site.server, { name: 'Nowhere', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await openPlaced(page, map, { Address: BERLIN.label });
    const asked = requestsOf(page, 'ReverseGeocode');
    const move = async (latitude: number) => {
      const response = page.waitForResponse((one) =>
        (one.request().postData() ?? '').includes('query ReverseGeocode('),
      );
      await movePinTo(page, latitude, 13.5);
      await (await response).finished();
    };
    await move(52.6);
    reverse = () => Promise.resolve(null);
    await move(52.7);
    const refusal = await refuse(page, 'query ReverseGeocode(');
    await move(52.8);
    expect(refusal.count).toBe(1);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    await waitFrames(page);
    expect(await offer(page).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });
});

describeUnless(skipWithoutChromium(), "the console's form for an address", () => {
  const site = useConsole();

  it('makes no request while it is only opened', async () => {
    const fields = [...FIELDS, { name: 'Postcode', type: 'text' }];
    const map = await makeMap(
      site.server,
      { name: 'Opened', fields, geocoding: { countries: ['DE'] } },
      site.token,
    );
    await addLocation(
      site,
      map.id,
      { Name: 'Hut', Address: 'Main Street 1', Postcode: '1067' },
      { latitude: 51, longitude: 13.7 },
    );
    const { page, record, close } = await site.open();
    await page.clock.install();
    await signIn(page, site.token);
    await openMap(page, 'Opened');
    await rowOf(page, 'Hut').waitFor();
    await page.locator('.map .pin').waitFor();
    await untilQuiet(page, record);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? request.url()));
    await rowOf(page, 'Hut').click();
    await form(page).getByText('1067 → 01067?').waitFor();
    await addressInput(page).focus();
    for (const key of ['ArrowDown', 'End', 'Tab']) await page.keyboard.press(key);
    await page.clock.runFor(10_000);
    // The map moves to the pin, and loads what is in view there. The role on the map is read now and then.
    const usual = /query (InView|EditedMap)\(/;
    expect(asked.filter((body) => !usual.test(body))).toEqual([]);
    await close();
  });

  it('offers the zero that a postcode has lost, not while it is typed', async () => {
    const fields = [...FIELDS, { name: 'PLZ', type: 'number' }, { name: 'Land', type: 'text' }];
    const map = await makeMap(site.server, { name: 'Zeros', fields }, site.token);
    await addLocation(
      site,
      map.id,
      { Name: 'Hut', Address: 'Main Street 1', PLZ: 1067, Land: 'Deutschland' },
      { latitude: 51, longitude: 13.7 },
    );
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Zeros');
    await rowOf(page, 'Hut').click();
    const change = form(page).getByRole('button', { name: 'Change 1067 to 01067' });
    await change.waitFor();
    await expectAccessibleInBothSchemes(page, 'console-postcode');
    await form(page).getByLabel('Land').fill('Österreich');
    await change.waitFor({ state: 'detached' });
    await form(page).getByLabel('Land').fill('Germany');
    await change.waitFor();
    await form(page).getByLabel('PLZ').fill('106');
    await page.keyboard.press('End');
    await page.keyboard.type('7');
    expect(await change.count()).toBe(0);
    await page.keyboard.press('Tab');
    await change.click();
    expect(await page.evaluate('document.activeElement.value')).toBe('01067');
    expect(await change.count()).toBe(0);
    await save(page);
    expect((await storedOf(site, map.id))[0].properties).toMatchObject({ PLZ: '01067', Land: 'Germany' });
    site.expectClean(record);
    await close();
  });

  it('makes no request for a token that may only read', async () => {
    const map = await makeMap(site.server, { name: 'Read', fields: FIELDS }, site.token);
    await addLocation(
      site,
      map.id,
      { Name: 'Hut', Address: 'Main Street 1' },
      { latitude: 51, longitude: 13.7 },
    );
    const { page, close } = await site.open();
    await page.clock.install();
    await signIn(page, await site.server.createToken({ owner: site.owner, scope: 'read' }));
    await openMap(page, 'Read');
    await rowOf(page, 'Hut').click();
    const asked = [requestsOf(page, 'ReverseGeocode'), requestsOf(page, 'SuggestAddresses')];
    await addressInput(page).focus();
    await page.keyboard.type('Main');
    await page.locator('.pin-open').waitFor();
    await dragPin(page);
    await page.clock.runFor(10_000);
    expect(asked).toEqual([[], []]);
    await close();
  });

  it('needs no suggestions over a quota', async () => {
    const map = await makeMap(site.server, { name: 'Quota', fields: FIELDS }, site.token);
    const { page, close } = await site.open();
    await openNew(site, page, 'Quota');
    const refusal = await refuse(page, 'query SuggestAddresses(');
    const refused = page.waitForResponse((response) => response.status() === 429);
    await addressInput(page).fill('Main Street 1');
    await refused;
    await addressInput(page).fill('Main Street 2');
    await save(page);
    expect(refusal.count).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect((await storedOf(site, map.id))[0].properties.Address).toBe('Main Street 2');
    await close();
  });
});
