/** Several people on one map in the console. */

import type { Page } from 'playwright-core';

import type { MapRole } from '../../src/domain/role.ts';
import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, rowNames, rowOf, signIn, useConsole } from '../support/console.ts';
import { dataOf, deleteMap, makeLocations, makeMap } from '../support/graphql.ts';
import { addMember, removeMember } from '../support/members.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

/** In the order of the header. */
const ALL_ACTIONS = [
  'Share',
  'Publish',
  'Import',
  'History',
  'Trash',
  'Webhooks',
  'Settings',
  'Add location',
];

describeUnless(skipWithoutChromium(), 'several people in the console', () => {
  const site = useConsole();
  let guests = 0;

  async function makeGuest(): Promise<{ name: string; token: string }> {
    guests += 1;
    const name = `guest ${guests}`;
    return { name, token: await site.server.createToken({ owner: name }) };
  }

  /** A map of the test's owner with a member. */
  async function makeShared(name: string, role: MapRole) {
    const map = await makeMap(site.server, { name }, site.token);
    await makeLocations(site.server, map.id, [null, null], site.token);
    const guest = await makeGuest();
    await addMember(site.server, map.id, guest.name, role);
    return { map, guest };
  }

  async function openAs(token: string, name: string) {
    const opened = await site.open();
    await signIn(opened.page, token);
    await openMap(opened.page, name);
    await rowOf(opened.page, 'Place 0').waitFor();
    return opened;
  }

  const button = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true });
  /** The buttons for the whole map that are offered. */
  async function offered(page: Page): Promise<string[]> {
    const counts = await Promise.all(ALL_ACTIONS.map((name) => button(page, name).count()));
    return ALL_ACTIONS.filter((_, index) => counts[index] === 1);
  }

  const untilRows = (page: Page, names: readonly string[]) =>
    until(async () => (await rowNames(page)).join() === names.join(), `the rows ${names.join()}`);

  async function rename(mapId: string, id: string | undefined, name: string): Promise<void> {
    const mutation =
      'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId, id, fields: { Name: name } } }, site.token));
  }

  async function remove(mapId: string, name: string): Promise<void> {
    const query = `{ map(id: "${mapId}") { locations(filter: { search: "${name}" }) { nodes { id } } } }`;
    const { nodes } = dataOf(await site.server.graphql(query, {}, site.token)).map.locations;
    const mutation =
      'mutation ($input: DeleteLocationInput!) { deleteLocation(input: $input) { deletedId } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId, id: nodes[0].id } }, site.token));
  }

  it('lists shared maps with the role, and can leave the others out', async () => {
    const guest = await makeGuest();
    const { page, record, close } = await site.open();
    await makeMap(site.server, { name: 'Own' }, guest.token);
    await signIn(page, guest.token);
    await page.getByRole('link', { name: 'Own' }).waitFor();
    expect(await page.getByLabel('Show').count()).toBe(0);

    for (const role of ['viewer', 'editor', 'owner'] as const) {
      const map = await makeMap(site.server, { name: `As ${role}` }, site.token);
      await addMember(site.server, map.id, guest.name, role);
    }
    await page.reload();
    const cards = page.getByRole('main').getByRole('link');
    await cards.filter({ hasText: 'As viewer' }).getByText('Viewer', { exact: true }).waitFor();
    await cards.filter({ hasText: 'As editor' }).getByText('Editor', { exact: true }).waitFor();
    await page.getByLabel('Show').selectOption('Shared with me');
    await cards.filter({ hasText: 'Own' }).waitFor({ state: 'detached' });
    await cards.filter({ hasText: 'As viewer' }).waitFor();
    expect(await cards.locator('strong').allTextContents()).toEqual(['As editor', 'As viewer']);
    await page.getByLabel('Show').selectOption('My maps');
    await cards.filter({ hasText: 'As owner' }).waitFor();
    expect(await cards.locator('strong').allTextContents()).toEqual(['Own', 'As owner']);
    site.expectClean(record);
    await close();
  });

  it('offers viewers nothing that changes a map, and says why', async () => {
    const { guest } = await makeShared('Looked at', 'viewer');
    const { page, record, close } = await openAs(guest.token, 'Looked at');
    expect(await offered(page)).toEqual(['Share', 'History', 'Trash']);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.getByText('Read only', { exact: true }).click();
    await page.getByText('Viewers can see and export all locations').waitFor();
    await page.keyboard.press('Escape');
    await rowOf(page, 'Place 0').click();
    const form = page.getByRole('dialog');
    expect(await form.getByRole('button').allTextContents()).toEqual(['Close']);
    expect(await form.getByLabel('Name').isEditable()).toBe(false);
    site.expectClean(record);
    await close();
  });

  it('offers editors locations and imports, but not what concerns the whole map', async () => {
    const { guest } = await makeShared('Edited', 'editor');
    const { page, record, close } = await openAs(guest.token, 'Edited');
    expect(await offered(page)).toEqual(['Share', 'Import', 'History', 'Trash', 'Add location']);
    await page.getByText('Editor', { exact: true }).click();
    await page.getByText('Settings, webhooks, publishing and people are for owners').waitFor();
    site.expectClean(record);
    await close();
  });

  it('shows each other’s edits without a reload', async () => {
    const { map, guest } = await makeShared('Live', 'editor');
    const [mine, theirs] = [await openAs(site.token, 'Live'), await openAs(guest.token, 'Live')];
    await rowOf(mine.page, 'Place 1').click();
    await mine.page.getByRole('dialog').getByLabel('Name').fill('Renamed');
    await button(mine.page, 'Save').click();
    await rowOf(theirs.page, 'Renamed').waitFor();

    await button(theirs.page, 'Add location').click();
    const form = theirs.page.getByRole('dialog');
    await form.getByLabel('Name').fill('Added');
    await form.getByRole('combobox', { name: 'Address' }).fill('Main Street');
    await button(theirs.page, 'Save').click();
    await rowOf(mine.page, 'Added').waitFor();
    await mine.page.getByText('3 locations').waitFor();

    await theirs.page.getByRole('button', { name: 'Move Place 0' }).click();
    await theirs.page.getByRole('button', { name: 'To end' }).click();
    await untilRows(mine.page, ['Renamed', 'Added', 'Place 0']);
    await remove(map.id, 'Added');
    await untilRows(theirs.page, ['Renamed', 'Place 0']);
    await untilRows(mine.page, ['Renamed', 'Place 0']);
    await mine.page.getByText('2 locations').waitFor();
    site.expectClean(mine.record);
    site.expectClean(theirs.record);
    await mine.close();
    await theirs.close();
  });

  it('brings an open form up to date, but for what is typed', async () => {
    const map = await makeMap(site.server, { name: 'Typed' }, site.token);
    const [location] = await makeLocations(site.server, map.id, [null], site.token);
    const { page, record, close } = await openAs(site.token, 'Typed');
    await rowOf(page, 'Place 0').click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Address' }).fill('New Street');
    await rename(map.id, location?.id, 'Theirs');
    await until(
      async () => (await form.getByLabel('Name').inputValue()) === 'Theirs',
      'the name in the form',
    );
    expect(await form.getByRole('combobox', { name: 'Address' }).inputValue()).toBe('New Street');
    await button(page, 'Save').click();
    await form.waitFor({ state: 'detached' });
    expect(await site.namesOf(map.id)).toEqual(['Theirs']);
    site.expectClean(record);
    await close();
  });

  it('takes controls away when the role is lowered, and the map when the member is removed', async () => {
    const { map, guest } = await makeShared('Lowered', 'owner');
    const { page, record, close } = await openAs(guest.token, 'Lowered');
    expect(await offered(page)).toEqual(ALL_ACTIONS);
    await button(page, 'Settings').click();
    await page.getByLabel('Map name').waitFor();
    await addMember(site.server, map.id, guest.name, 'editor');
    await page.getByText('Your role on this map is now: Editor.').waitFor();
    await page.getByLabel('Map name').waitFor({ state: 'detached' });
    expect(await offered(page)).toEqual(['Share', 'Import', 'History', 'Trash', 'Add location']);

    await rowOf(page, 'Place 0').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Unsaved');
    await addMember(site.server, map.id, guest.name, 'viewer');
    await page.getByText('Your role on this map is now: Viewer.').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('Unsaved');
    expect(await form.getByLabel('Name').isEditable()).toBe(false);
    expect(await offered(page)).toEqual(['Share', 'History', 'Trash']);

    await removeMember(site.server, map.id, guest.name);
    await page.getByText('You are no longer a member of this map.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    site.expectClean(record);
    await close();
  });

  it('says that a map was deleted while it is open', async () => {
    const { map, guest } = await makeShared('Deleted', 'editor');
    const { page, close } = await openAs(guest.token, 'Deleted');
    await deleteMap(site.server, map.id, site.token);
    await page.getByText('This map is deleted. Its owners can restore it').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await close();
  });

  it('names the addresses where other programs read the map', async () => {
    for (const isPublished of [true, false]) {
      const name = isPublished ? 'Published' : 'Private';
      const map = await makeMap(site.server, { name, isPublished }, site.token);
      await makeLocations(site.server, map.id, [null], site.token);
      const { page, record, close } = await openAs(site.token, name);
      await button(page, 'Share').click();
      await page.getByRole('heading', { name: 'In other programs' }).waitFor();
      const addressOf = (heading: string) =>
        page.locator(`h3:has-text("${heading}") + .c-copy > code`).textContent();
      const [tiles, ogc, mcp] = await Promise.all(['Vector tiles', 'OGC API', 'MCP'].map(addressOf));
      const statusOf = async (address: string, init: RequestInit) => (await fetch(address, init)).status;
      const headers = { authorization: `Bearer ${site.token}` };
      for (const init of [{}, { headers }]) {
        const isReadable = isPublished || init.headers !== undefined;
        expect(await statusOf(`${tiles}`, init)).toBe(isReadable ? 200 : 404);
        expect(await statusOf(`${ogc}/collections/${map.id}/items`, init)).toBe(isReadable ? 200 : 404);
      }
      expect(await (await fetch(`${tiles}`, { headers })).json()).toMatchObject({ tilejson: '3.0.0', name });
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      expect(await statusOf(`${mcp}`, { method: 'POST', body, headers })).not.toBe(404);
      const shown = isPublished ? 'Everyone can read' : 'Authorization: Bearer TOKEN';
      await page.locator('.c-settings').getByText(shown).waitFor();
      site.expectClean(record);
      await close();
    }
  });

  it('lists the members to each of them', async () => {
    const { guest } = await makeShared('Listed', 'viewer');
    const { page, record, close } = await openAs(guest.token, 'Listed');
    await button(page, 'Share').click();
    const people = page.getByRole('region', { name: 'Share' }).getByRole('listitem');
    await people.getByText(`${guest.name} (you)`).waitFor();
    await people.filter({ hasText: guest.name }).getByText('Viewer', { exact: true }).waitFor();
    await people.filter({ hasText: site.owner }).getByText('Owner', { exact: true }).waitFor();
    await page.getByText('Its owners can publish it.').waitFor();
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      await expectAccessibleInBothSchemes(page, `console-people-viewer-${size}`);
    }
    site.expectClean(record);
    await close();
  });
});
