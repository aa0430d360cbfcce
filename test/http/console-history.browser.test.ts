/** The history of a map and of its locations in the console. */

import type { Locator, Page } from 'playwright-core';

import { resizeTo, skipWithoutChromium } from '../support/browser.ts';
import { expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { openMap, rowOf, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { addMember } from '../support/members.ts';
import { describeUnless } from '../support/skip.ts';
import { until } from '../support/until.ts';

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const historyOf = (page: Page) => page.getByRole('region', { name: 'History' });
const titlesOf = (page: Page) => historyOf(page).locator('.c-call strong').allTextContents();

async function textOf(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? '').replaceAll(/[\u2068\u2069]/g, '').replaceAll(/\s+/g, ' ');
}

function untilTitles(page: Page, titles: readonly string[]): Promise<void> {
  return until(
    async () => (await titlesOf(page)).join('|') === titles.join('|'),
    `the calls ${titles.join('|')}`,
  );
}

describeUnless(skipWithoutChromium(), 'the history in a browser', () => {
  const site = useConsole();

  async function makePlaces(name: string, count = 3) {
    const map = await makeMap(site.server, { name }, site.token);
    const locations = await makeLocations(site.server, map.id, Array<null>(count).fill(null), site.token);
    return { mapId: map.id, ids: locations.map(({ id }) => id) };
  }

  async function mutate(field: string, input: Record<string, unknown>, token = site.token): Promise<void> {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    const mutation = `mutation ($input: ${type}!) { ${field}(input: $input) { map { id } } }`;
    dataOf(await site.server.graphql(mutation, { input }, token));
  }

  async function openPlaces(name: string, token = site.token) {
    const opened = await site.open();
    await signIn(opened.page, token);
    await openMap(opened.page, name);
    await opened.page.getByRole('table').getByRole('button').first().waitFor();
    return opened;
  }

  it('lists calls with who, what, how many and when, by person and kind', async () => {
    const { mapId, ids } = await makePlaces('Listed');
    const anna = await site.server.createToken({ owner: 'Anna' });
    await addMember(site.server, mapId, 'Anna', 'editor');
    await mutate('updateLocation', { mapId, id: ids[0], fields: { Name: 'Renamed' } }, anna);
    await mutate('deleteLocations', { mapId, ids: ids.slice(1) }, anna);
    const { page, record, close } = await openPlaces('Listed');
    await button(page, 'History').click();
    await untilTitles(page, ['2 deleted', '1 changed', '3 added']);
    const cards = historyOf(page).locator('.c-call');
    await until(
      async () => /2 deleted ?Place 1, Place 2 .*\d\d:\d\d by Anna/.test(await textOf(cards.first())),
      'the deleted names',
    );
    expect(await textOf(cards.last())).toMatch(/3 added Import ?Renamed, Place 1, Place 2 .* by owner/);
    await historyOf(page)
      .getByText('Changes are kept for 90 days, and the last 100 of each location.')
      .waitFor();
    await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('Anna');
    await untilTitles(page, ['2 deleted', '1 changed']);
    await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('Deleted');
    await untilTitles(page, ['2 deleted']);
    await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('Moved');
    await historyOf(page).getByText('No such changes.').waitFor();
    await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('Everyone');
    await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('All changes');
    await untilTitles(page, ['2 deleted', '1 changed', '3 added']);
    site.expectClean(record);
    await close();
  });

  it('shows the locations of a call, and opens them', async () => {
    const { mapId, ids } = await makePlaces('Touched', 12);
    await mutate('deleteLocations', { mapId, ids: ids.slice(0, 2) });
    const query = 'mutation ($input: PurgeLocationsInput!) { purgeLocations(input: $input) { purgedIds } }';
    dataOf(await site.server.graphql(query, { input: { mapId, ids: [ids[0]] } }, site.token));
    const { page, record, close } = await openPlaces('Touched');
    await button(page, 'History').click();
    await historyOf(page)
      .getByRole('button', { name: /^Details: 12 added/ })
      .click();
    const touched = historyOf(page).locator('.c-touched > li');
    await touched.first().waitFor();
    expect(
      (await touched.allTextContents()).map((text) => text.trim().replaceAll(/\s+/g, ' ')).slice(0, 3),
    ).toEqual(['A location that was deleted for ever', 'Place 1 in the trash', 'Place 2']);
    expect(await touched.count()).toBe(10);
    await button(historyOf(page), 'Show all 12').click();
    expect(await touched.count()).toBe(12);
    await button(historyOf(page), 'Place 11').click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Place 11');
    site.expectClean(record);
    await close();
  });

  it('undoes a call after a preview, and says what was left', async () => {
    const kept = 'Kept <b>cold</b>';
    const { mapId, ids } = await makePlaces('Undone');
    await mutate('deleteLocations', { mapId, ids: ids.slice(1) });
    await mutate('updateLocation', { mapId, id: ids[0], fields: { Name: kept } });
    const { page, record, close } = await openPlaces('Undone');
    await button(page, 'History').click();
    const card = historyOf(page).locator('.c-call');
    await card.first().waitFor();

    await card
      .last()
      .getByRole('button', { name: /^Details/ })
      .click();
    await button(card.last(), 'Undo…').click();
    const preview = page.getByRole('group', { name: 'Preview' });
    await preview.waitFor();
    expect(await textOf(preview)).toMatch(
      /Nothing can be undone\. 1 stays as it is:.*Kept <b>cold<\/b> was changed since\./,
    );
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await expectAccessibleInBothSchemes(page, `console-history-${size}`);
    }
    await button(preview, 'Cancel').click();

    await card
      .nth(1)
      .getByRole('button', { name: /^Details: 2 deleted/ })
      .click();
    await button(card.nth(1), 'Undo…').click();
    await preview.getByText('Undoing this changes 2 locations. What it deleted comes back.').waitFor();
    expect(await site.namesOf(mapId)).toEqual([kept]);
    await button(preview, 'Undo 2').click();
    await historyOf(page).getByText('Undone: 2 locations.').waitFor();
    await untilTitles(page, ['2 restored', '1 changed', '2 deleted', '3 added']);
    expect(await site.namesOf(mapId)).toEqual([kept, 'Place 1', 'Place 2']);
    await page.getByText('3 locations', { exact: true }).waitFor();
    site.expectClean(record);
    await close();
  });

  it('follows what others change while it is open', async () => {
    const { mapId, ids } = await makePlaces('Followed');
    const { page, record, close } = await openPlaces('Followed');
    await button(page, 'History').click();
    await untilTitles(page, ['3 added']);
    await mutate('updateLocation', { mapId, id: ids[0], fields: { Name: 'Renamed' } });
    await untilTitles(page, ['1 changed', '3 added']);
    await button(page, 'Trash').click();
    const trash = page.getByRole('region', { name: 'Trash' });
    await trash.getByText('is empty').waitFor();
    await mutate('deleteLocation', { mapId, id: ids[1] });
    await trash.getByText('Place 1').waitFor();
    site.expectClean(record);
    await close();
  });

  it('has older pages', async () => {
    const { mapId, ids } = await makePlaces('Long', 1);
    for (let count = 0; count < 21; count += 1) {
      await mutate('updateLocation', { mapId, id: ids[0], fields: { Name: `Name ${count}` } });
    }
    const { page, close } = await openPlaces('Long');
    await button(page, 'History').click();
    await untilTitles(page, Array<string>(20).fill('1 changed'));
    await button(page, 'Show older changes').click();
    await untilTitles(page, [...Array<string>(21).fill('1 changed'), '1 added']);
    expect(await button(page, 'Show older changes').count()).toBe(0);
    await close();
  });

  it('shows the versions of a location, on the map too, and restores one', async () => {
    const { mapId, ids } = await makePlaces('Versions', 1);
    const id = ids[0];
    await mutate('updateLocation', { mapId, id, fields: { Name: 'New', Seats: 4 }, externalId: 'e1' });
    await mutate('updateLocation', { mapId, id, position: { latitude: 10, longitude: 10 } });
    await mutate('updateLocation', { mapId, id, position: { latitude: 11, longitude: 10 } });
    await mutate('deleteLocations', { mapId, ids: [id] });
    await mutate('restoreLocations', { mapId, ids: [id] });
    const { page, record, close } = await openPlaces('Versions');
    await rowOf(page, 'New').click();
    const form = page.getByRole('dialog');
    await form.getByText('History', { exact: true }).click();
    const versions = form.locator('.c-version');
    await versions.first().waitFor();
    const texts = await Promise.all([0, 1, 2, 4, 5].map((index) => textOf(versions.nth(index))));
    expect(texts[0]).toMatch(/^ ?Restored/);
    expect(texts[1]).toMatch(/^ ?Deleted/);
    expect(texts[2]).toMatch(/Changed .* by owner \d+ · version 4 Point moved 110 km north/);
    expect(texts[3]).toMatch(
      /Name from Place 0 → to New ?Seats from empty → to 4 ?External ID from empty → to e1/,
    );
    expect(texts[4]).toMatch(/^ ?Added/);
    await button(versions.nth(2), 'Show on the map').click();
    await form.getByText('On the map, 1 is before and 2 is after this change.').waitFor();
    expect(await page.locator('.pin-number').count()).toBe(2);
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      // Fits both points into the smaller or larger map.
      await button(versions.nth(2), 'Show on the map').click();
      await button(versions.nth(2), 'Show on the map').click();
      await expectAccessibleInBothSchemes(page, `console-versions-${size}`);
    }
    await button(versions.nth(2), 'Show on the map').click();
    expect(await page.locator('.pin-number').count()).toBe(0);
    // Neither the present version nor a deletion is to be restored.
    expect(await form.getByRole('button', { name: /^Restore this version/ }).count()).toBe(4);

    await button(form, 'Restore this version: 1').click();
    await page.getByText('Version 1 of ⁨Place 0⁩ restored').waitFor();
    expect(await site.namesOf(mapId)).toEqual(['Place 0']);
    await until(async () => (await form.getByLabel('Name').inputValue()) === 'Place 0', 'the former name');
    await button(page, 'Undo').click();
    await until(async () => (await site.namesOf(mapId)).join() === 'New', 'the undone name');
    site.expectClean(record);
    await close();
  });

  it('asks before it discards unsaved changes of the form', async () => {
    const { mapId, ids } = await makePlaces('Unsaved', 1);
    await mutate('updateLocation', { mapId, id: ids[0], fields: { Name: 'New' } });
    const { page, close } = await openPlaces('Unsaved');
    await rowOf(page, 'New').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Typed');
    await form.getByText('History', { exact: true }).click();
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await button(form, 'Restore this version: 1').click();
    expect(questions).toEqual(['Discard unsaved changes?']);
    expect(await form.getByLabel('Name').inputValue()).toBe('Typed');
    expect(await site.namesOf(mapId)).toEqual(['New']);
    await close();
  });

  it('shows viewers everything, and lets them change nothing', async () => {
    const { mapId, ids } = await makePlaces('Viewed');
    await mutate('updateLocation', { mapId, id: ids[0], fields: { Name: 'New' } });
    const token = await site.server.createToken({ owner: 'a viewer' });
    await addMember(site.server, mapId, 'a viewer', 'viewer');
    const { page, record, close } = await openPlaces('Viewed', token);
    await button(page, 'History').click();
    await historyOf(page)
      .getByRole('button', { name: /^Details: 3 added/ })
      .click();
    await historyOf(page).getByText('Place 2').waitFor();
    expect(await button(historyOf(page), 'Undo…').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await rowOf(page, 'New').click();
    await page.getByRole('dialog').getByText('History', { exact: true }).click();
    await page.getByRole('dialog').getByText('Added').waitFor();
    expect(await page.getByRole('button', { name: /^Restore this version/ }).count()).toBe(0);
    site.expectClean(record);
    await close();
  });
});

describeUnless(skipWithoutChromium(), 'the console of a server without a history', () => {
  const site = useConsole({ HISTORY_DAYS: '0' });

  it('says so, and still gives back what was deleted', async () => {
    const map = await makeMap(site.server, { name: 'Forgetful' }, site.token);
    await makeLocations(site.server, map.id, [null, null], site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Forgetful');
    await button(page, 'History').click();
    await page.getByText('This server keeps no history').waitFor();
    await button(page, '← Back to the list').click();
    await rowOf(page, 'Place 0').click();
    await page.getByRole('dialog').getByText('History', { exact: true }).click();
    await page.getByRole('dialog').getByText('This server keeps no history.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Select Place 0').check();
    await button(page, 'Move to end').click();
    await page.getByText('1 moved to the end of the list.').waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
    await page.getByLabel('Select Place 0').check();
    await button(page, 'Delete 1').click();
    await button(page, 'Undo').click();
    await until(async () => (await site.namesOf(map.id)).length === 2, 'both locations');
    site.expectClean(record);
    await close();
  });
});

describeUnless(skipWithoutChromium(), 'the console of a server without former states', () => {
  const site = useConsole({ HISTORY_MAX_VERSIONS: '0' });

  it('lists changes that cannot be undone, and no versions', async () => {
    const map = await makeMap(site.server, { name: 'Stateless' }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Stateless');
    await button(page, 'History').click();
    await page.getByText('for 90 days, but no former values: they cannot be undone.').waitFor();
    await historyOf(page)
      .getByRole('button', { name: /^Details: 1 added/ })
      .click();
    await button(historyOf(page), 'Place 0').waitFor();
    expect(await button(page, 'Undo…').count()).toBe(0);
    await button(historyOf(page), 'Place 0').click();
    await page.getByRole('dialog').getByText('History', { exact: true }).click();
    await page.getByRole('dialog').getByText('This server keeps no history.').waitFor();
    site.expectClean(record);
    await close();
  });
});
