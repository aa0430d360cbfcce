/** Undoing changes of many locations in the console, and its trash. */

import type { Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium, until } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, rowNames, rowOf, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { addMember } from '../support/members.ts';
import { describeUnless } from '../support/skip.ts';
import { until as untilTrue } from '../support/until.ts';

const ALL = ['Place 0', 'Place 1', 'Place 2'];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeUnless(skipWithoutChromium(), 'undo and trash in a browser', () => {
  const site = useConsole();

  async function makePlaces(name: string, count = 3) {
    const map = await makeMap(site.server, { name }, site.token);
    const locations = await makeLocations(site.server, map.id, Array<null>(count).fill(null), site.token);
    return { map, ids: locations.map(({ id }) => id) };
  }

  async function openPlaces(name: string, token = site.token) {
    const opened = await site.open();
    // Before the page makes timers.
    await opened.page.clock.install();
    await signIn(opened.page, token);
    await openMap(opened.page, name);
    await rowOf(opened.page, 'Place 0').waitFor();
    return opened;
  }

  async function select(page: Page, ...names: readonly string[]): Promise<void> {
    for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check();
  }

  async function mutate(field: string, input: Record<string, unknown>, selection: string) {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    const mutation = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`;
    return dataOf(await site.server.graphql(mutation, { input }, site.token))[field];
  }

  const untilRows = (page: Page, names: readonly string[]) =>
    untilTrue(async () => (await rowNames(page)).join() === names.join(), `the rows ${names.join()}`);
  const untilStored = (mapId: string, names: readonly string[]) =>
    untilTrue(async () => (await site.namesOf(mapId)).join() === names.join(), `the list ${names.join()}`);

  it('deletes at once, and gives back what was deleted', async () => {
    const { map } = await makePlaces('Shrinking');
    const { page, record, close } = await openPlaces('Shrinking');
    await select(page, 'Place 0', 'Place 2');
    await button(page, 'Delete 2').click();
    await page.getByText('2 deleted').waitFor();
    expect(await rowNames(page)).toEqual(['Place 1']);
    expect(await site.namesOf(map.id)).toEqual(['Place 1']);
    await page.getByText('1 location', { exact: true }).waitFor();
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      await expectAccessibleInBothSchemes(page, `console-undo-${size}`);
    }
    await button(page, 'Undo').click();
    await page.getByText('Undone: 2 locations.').waitFor();
    await untilRows(page, ALL);
    expect(await site.namesOf(map.id)).toEqual(ALL);
    await until(page, `document.activeElement.textContent === 'Place 0'`);
    expect(await button(page, 'Undo').count()).toBe(0);
    site.expectClean(record);
    await close();
  });

  it('offers it for 30 seconds, and longer while the user is about to', async () => {
    const { map } = await makePlaces('Waiting');
    const { page, close } = await openPlaces('Waiting');
    await select(page, 'Place 0');
    await button(page, 'Delete 1').click();
    await button(page, 'Undo').waitFor();
    await page.clock.runFor(29_000);
    await button(page, 'Undo').focus();
    await page.clock.runFor(60_000);
    expect(await button(page, 'Undo').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.clock.runFor(30_000);
    await button(page, 'Undo').waitFor({ state: 'detached' });
    expect(await site.namesOf(map.id)).toEqual(['Place 1', 'Place 2']);
    await close();
  });

  it('undoes by Ctrl+Z, but not while the user types', async () => {
    const { map } = await makePlaces('Keys');
    const { page, close } = await openPlaces('Keys');
    await rowOf(page, 'Place 1').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await button(page, 'Undo').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).press('Control+z');
    await page.getByLabel('Select Place 2').focus();
    expect(await site.namesOf(map.id)).toEqual(['Place 0', 'Place 2']);
    await page.keyboard.press('Control+z');
    await page.getByText('Undone: 1 location.').waitFor();
    await untilRows(page, ALL);
    await close();
  });

  it('undoes a move of many, and an import', async () => {
    const { map } = await makePlaces('Moved');
    const { page, close } = await openPlaces('Moved');
    await select(page, 'Place 1', 'Place 2');
    await button(page, 'Move to start').click();
    await page.getByText('2 moved to the start of the list').waitFor();
    await untilStored(map.id, ['Place 1', 'Place 2', 'Place 0']);
    await button(page, 'Undo').click();
    await untilRows(page, ALL);
    expect(await site.namesOf(map.id)).toEqual(ALL);

    await button(page, 'Import').click();
    const buffer = Buffer.from('Name,Address\r\nCafe,Main Street 2\r\nBar,Main Street 3\r\n');
    await page.getByLabel('Drop a file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await button(page, 'Check').click();
    await button(page, 'Import 2').click();
    await page.getByText('2 imported', { exact: true }).waitFor();
    await untilStored(map.id, [...ALL, 'Cafe', 'Bar']);
    await button(page, 'Undo').click();
    await untilStored(map.id, ALL);
    await close();
  });

  it('lists what was left, and who has its external id now', async () => {
    const { map, ids } = await makePlaces('Given away');
    await mutate('updateLocation', { mapId: map.id, id: ids[0], externalId: 'e1' }, 'map { id }');
    const { page, record, close } = await openPlaces('Given away');
    await select(page, 'Place 0', 'Place 1');
    await button(page, 'Delete 2').click();
    await page.getByText('2 deleted').waitFor();
    await mutate('updateLocation', { mapId: map.id, id: ids[2], externalId: 'e1' }, 'map { id }');
    await button(page, 'Undo').click();
    const result = page.getByRole('status').filter({ hasText: 'stays as it is' });
    await result.waitFor();
    const text = ((await result.textContent()) ?? '').replaceAll(/[⁨⁩]/g, '').replaceAll(/\s+/g, ' ');
    expect(text).toContain('Undone: 1 location. 1 stays as it is:');
    expect(text).toContain('Place 0 cannot get its external ID e1 back: Place 2 has it now.');
    // What is to be read stays.
    await page.clock.runFor(120_000);
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      await expectAccessibleInBothSchemes(page, `console-undo-left-${size}`);
    }
    await result.getByRole('button', { name: 'Close' }).click();
    await result.waitFor({ state: 'detached' });
    site.expectClean(record);
    await close();
  });

  it('says that undoing has failed, and can try again', async () => {
    const { map } = await makePlaces('Offline');
    const { page, close } = await openPlaces('Offline');
    await select(page, 'Place 0');
    await button(page, 'Delete 1').click();
    await button(page, 'Undo').waitFor();
    await page.context().setOffline(true);
    await button(page, 'Undo').click();
    await page.getByText('Not undone. The server cannot be reached').waitFor();
    await page.context().setOffline(false);
    await button(page, 'Undo').click();
    await untilStored(map.id, ALL);
    await close();
  });

  it('lists the trash with who, when and until when, and restores from it', async () => {
    const { map, ids } = await makePlaces('Binned', 4);
    const anna = await site.server.createToken({ owner: 'Anna' });
    await addMember(site.server, map.id, 'Anna', 'editor');
    for (const id of ids.slice(1)) {
      const mutation =
        'mutation ($input: DeleteLocationInput!) { deleteLocation(input: $input) { deletedId } }';
      dataOf(await site.server.graphql(mutation, { input: { mapId: map.id, id } }, anna));
    }
    const { page, record, close } = await openPlaces('Binned');
    await button(page, 'Trash').click();
    const trash = page.getByRole('region', { name: 'Trash' });
    const cards = trash.getByRole('listitem');
    await cards.first().waitFor();
    expect(await cards.locator('strong').allTextContents()).toEqual(['Place 3', 'Place 2', 'Place 1']);
    expect(((await cards.first().textContent()) ?? '').replaceAll(/\s+/g, ' ')).toMatch(
      /3 Some Street Deleted .* by ⁨Anna⁩ · kept until \d+ \w+ \d+/,
    );
    await trash.getByText('Deleted locations stay here for 30 days.').waitFor();
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await trash.getByLabel('Select Place 2').check();
      await button(page, 'Delete 1 for ever').click();
      await expectAccessibleInBothSchemes(page, `console-trash-${size}`);
      await button(page, 'Cancel').click();
      await trash.getByLabel('Select Place 2').uncheck();
    }
    await trash.getByRole('searchbox').fill('place 3');
    await page.clock.runFor(300);
    await cards.filter({ hasText: 'Place 1' }).waitFor({ state: 'detached' });
    await trash.getByLabel('Select all shown').check();
    await button(page, 'Restore 1').click();
    await page.getByText('1 restored').waitFor();
    await untilStored(map.id, ['Place 0', 'Place 3']);
    // Undoing that puts it back into the trash.
    await button(page, 'Undo').click();
    await cards.filter({ hasText: 'Place 3' }).waitFor();
    await untilStored(map.id, ['Place 0']);
    await trash.getByRole('searchbox').fill('nothing');
    await page.clock.runFor(300);
    await trash.getByText('Nothing in the trash matches the search.').waitFor();
    site.expectClean(record);
    await close();
  });

  it('deletes for ever after a second confirmation, for owners only', async () => {
    const { map, ids } = await makePlaces('Purged');
    await mutate('deleteLocations', { mapId: map.id, ids: ids.slice(1) }, 'deletedCount');
    const { page, record, close } = await openPlaces('Purged');
    await button(page, 'Trash').click();
    await page.getByLabel('Select all shown').check();
    await button(page, 'Delete 2 for ever').click();
    const purge = page.getByRole('form', { name: 'Delete 2 locations for ever' });
    await purge.getByLabel('Type 2 to confirm').fill('1');
    await purge.getByLabel('Type 2 to confirm').press('Enter');
    const query = `{ map(id: "${map.id}") { trash { nodes { location { id } } } } }`;
    expect(dataOf(await site.server.graphql(query, {}, site.token)).map.trash.nodes).toHaveLength(2);
    await purge.getByLabel('Type 2 to confirm').fill('2');
    await purge.getByLabel('Type 2 to confirm').press('Enter');
    await page.getByText('2 deleted for ever.').waitFor();
    await page.getByText('The trash is empty.').waitFor();
    expect(dataOf(await site.server.graphql(query, {}, site.token)).map.trash.nodes).toEqual([]);
    site.expectClean(record);
    await close();
  });

  it('shows viewers the trash without actions, and editors without deletion for ever', async () => {
    const { map, ids } = await makePlaces('Roles');
    await mutate('deleteLocations', { mapId: map.id, ids: ids.slice(2) }, 'deletedCount');
    for (const [role, actions] of [
      ['viewer', []],
      ['editor', ['Restore 1']],
    ] as const) {
      const token = await site.server.createToken({ owner: `the ${role}` });
      await addMember(site.server, map.id, `the ${role}`, role);
      const { page, close } = await openPlaces('Roles', token);
      await button(page, 'Trash').click();
      const trash = page.getByRole('region', { name: 'Trash' });
      await trash.getByText('Place 2').waitFor();
      if (role === 'editor') await trash.getByLabel('Select Place 2').check();
      else expect(await trash.getByRole('checkbox').count()).toBe(0);
      expect(await trash.getByRole('button').allTextContents()).toEqual(actions);
      await close();
    }
  });
});

describeUnless(skipWithoutChromium(), 'the console of a server without a trash', () => {
  const site = useConsole({ TRASH_DAYS: '0' });

  it('says that deleting is final, before and in the trash', async () => {
    const map = await makeMap(site.server, { name: 'Final' }, site.token);
    await makeLocations(site.server, map.id, [null, null], site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Final');
    await page.getByLabel('Select Place 0').check();
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await button(page, 'Delete 1').click();
    expect(questions).toEqual([
      'Delete this location for ever? It cannot be restored: this server keeps no trash.',
    ]);
    expect(await site.namesOf(map.id)).toHaveLength(2);
    await button(page, 'Delete 1').click();
    await page.getByText('1 deleted.').waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
    expect(await site.namesOf(map.id)).toEqual(['Place 1']);
    await button(page, 'Trash').click();
    await page.getByText('This server keeps no trash: deleting a location is final.').waitFor();
    site.expectClean(record);
    await close();
  });
});
