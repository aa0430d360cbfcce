import { formatOf, MAP_FORMATS } from '../../src/transfer/formats.ts';
import { readDownload, resizeTo, skipWithoutChromium, until, untilQuiet } from '../support/browser.ts';
import { expectAccessible, expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { enterToken, openMap, rowOf, shoot, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeLocations, makeMap } from '../support/graphql.ts';
import { describeUnless } from '../support/skip.ts';

describeUnless(skipWithoutChromium(), 'the console in a browser', () => {
  const site = useConsole();

  /** As another user, while the console has it open. */
  async function renameLocation(mapId: string, id: string | undefined, name: string): Promise<void> {
    const mutation =
      'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId, id, fields: { Name: name } } }, site.token));
  }

  it('fits and is accessible everywhere, large and small, in light and dark mode', async () => {
    const map = await makeMap(site.server, { name: 'Lighthouses', isPublished: true }, site.token);
    const [first] = await makeLocations(site.server, map.id, Array<null>(30).fill(null), site.token);
    const { page, record, close } = await site.open();
    const check = async (name: string) => {
      for (const [size, viewport] of Object.entries(VIEWPORTS)) {
        await resizeTo(page, viewport);
        // Panels scroll, and only down; the page does not.
        const sizes = await page.evaluate(`({
          width: document.documentElement.scrollWidth,
          height: document.documentElement.scrollHeight,
          cut: [...document.querySelectorAll('.c-page, .c-settings')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        })`);
        expect([name, sizes]).toEqual([name, { ...viewport, cut: 0 }]);
        await expectAccessibleInBothSchemes(page, `console-${name}-${size}`);
      }
    };
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    await check('sign-in');
    await signIn(page, site.token);
    await page.getByRole('link', { name: 'Lighthouses' }).waitFor();
    await check('maps');
    await openMap(page, 'Lighthouses');
    await rowOf(page, 'Place 0').waitFor();
    await check('map');
    await rowOf(page, 'Place 0').click();
    await page.getByRole('button', { name: 'Find on the map' }).click();
    await page.getByText('Where is it?').waitFor();
    await check('form');
    await page.getByRole('dialog').getByLabel('Name').fill('Mine');
    await renameLocation(map.id, first?.id, 'Theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Someone else changed the same fields').waitFor();
    await check('conflict');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('heading', { name: 'Embed' }).waitFor();
    await page.getByLabel('As high as its list').check();
    await page.frameLocator('iframe').getByRole('option').first().waitFor();
    await page.getByText('?embed=1&amp;height=auto"').waitFor();
    await check('share');
    await page.getByRole('button', { name: 'Import' }).click();
    const buffer = Buffer.from('Name,Address,Floor\r\nCafe,Main Street,2\r\nNobody,,1\r\n');
    await page.getByLabel('Drop a file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 valid, 1 with errors.').waitFor();
    await check('import');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Map name').waitFor();
    await check('settings');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByText('Current').waitFor();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('.c-notice code').waitFor();
    await check('tokens');
    site.expectClean(record);
    await close();
  });

  it('gives the screen of a phone to the list: actions are in a menu, and the map is one press away', async () => {
    const name = 'A map whose name is far too long for the head of a phone';
    const map = await makeMap(site.server, { name, isPublished: true }, site.token);
    await makeLocations(site.server, map.id, Array<null>(30).fill(null), site.token);
    const { page, record, close } = await site.open({ viewport: VIEWPORTS.phone });
    await signIn(page, site.token);
    await openMap(page, name);
    await rowOf(page, 'Place 0').waitFor();
    expect((await page.locator('.c-list').boundingBox())?.y).toBeLessThan(170);
    const buttonsInSight = async () =>
      (await page.getByRole('main').getByRole('button').allTextContents()).filter((text) =>
        /^\w+$/.test(text),
      );
    expect((await buttonsInSight()).slice(0, 3)).toEqual(['Add', 'Filter', 'Map']);
    const more = page.getByText('More', { exact: true });
    await more.click();
    await shoot(page, 'phone-menu');
    await expectAccessible(page);
    await page.getByText('Export', { exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'NDJSON' }).click();
    await download;
    await page.getByRole('button', { name: 'Settings' }).waitFor({ state: 'hidden' });
    await more.click();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Map name').waitFor();
    expect(await page.getByRole('button', { name: 'Webhooks' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await page.locator('.map .cluster, .map .pin').first().waitFor();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await rowOf(page, 'Place 0').waitFor();
    await page.getByText('Menu', { exact: true }).click();
    await page.getByText(site.owner, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'API reference' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    site.expectClean(record);
    await close();
  });

  it('shows all locations when a phone’s map appears, even if they span the world', async () => {
    const map = await makeMap(site.server, { name: 'Round the world' }, site.token);
    const longitudes = [-115, -10, 20, 125];
    const locations = longitudes.map((longitude) => ({
      fields: { Name: `At ${longitude}`, Address: 'A' },
      position: { latitude: 20, longitude },
    }));
    const mutation =
      'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }';
    dataOf(await site.server.graphql(mutation, { input: { mapId: map.id, locations } }, site.token));
    const { page, record, close } = await site.open({ viewport: VIEWPORTS.phone });
    await signIn(page, site.token);
    await openMap(page, 'Round the world');
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await page.locator('.pin').nth(3).waitFor();
    // A pan in progress would move it further.
    await untilQuiet(page, record);
    await until(page, `document.querySelector('.leaflet-pan-anim') === null`);
    const offsets = await Promise.all(
      longitudes.map(
        async (longitude) => (await page.getByRole('button', { name: `At ${longitude}` }).boundingBox())!.x,
      ),
    );
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect([offsets[0]! > 0, offsets[3]! < VIEWPORTS.phone.width - 28]).toEqual([true, true]);
    await close();
  });

  it('shows an added row above the notice', async () => {
    const map = await makeMap(site.server, { name: 'Full' }, site.token);
    await makeLocations(site.server, map.id, Array<null>(40).fill(null), site.token);
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Full');
    await rowOf(page, 'Place 0').waitFor();
    await page.getByRole('button', { name: 'Add location' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('The last');
    await form.getByLabel('Address').fill('Main Street 1');
    await form.getByRole('button', { name: 'Save' }).click();
    await until(page, `document.activeElement.textContent === 'The last'`);
    const notice = await page.locator('.c-toast').boundingBox();
    const row = await rowOf(page, 'The last').boundingBox();
    expect(row!.y + row!.height).toBeLessThanOrEqual(notice!.y);
    await close();
  });

  it('keeps the token only for the tab, and forgets it at sign-out', async () => {
    const { page, close } = await site.open();
    await signIn(page, site.token);
    const kept = () => page.evaluate('JSON.stringify([sessionStorage, localStorage, document.cookie])');
    expect(await kept()).toContain(site.token);
    await page.reload();
    await page.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    expect(await kept()).toBe('[{},{},""]');
    await page.reload();
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    await close();
  });

  it('reports an invalid token', async () => {
    const { page, close } = await site.open();
    await enterToken(page, 'mlt_nonsense');
    await page.getByRole('alert').filter({ hasText: 'invalid' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await close();
  });

  it('creates a map, adds a location at the second candidate, edits it, and publishes the map', async () => {
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await page.getByLabel('Name of the new map').fill('Bakeries');
    await page.getByRole('button', { name: 'Create map' }).click();
    await page.getByRole('heading', { name: 'Bakeries' }).waitFor();
    await page.getByRole('button', { name: 'Add location' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Crumbs');
    await form.getByLabel('Address').fill('several: Main Street 1');
    await page.keyboard.press('Tab');
    await form.getByRole('button', { name: 'Find on the map' }).click();
    await form.getByLabel('Another place').check();
    await form.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Crumbs').click();
    await form.getByLabel('Name').fill('Golden Crumbs');
    await form.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Golden Crumbs').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    const mapId = new URL(page.url()).hash.split('/')[2] ?? '';
    expect(await site.namesOf(mapId)).toEqual(['Golden Crumbs']);
    const placed = await site.server.graphql(
      `{ map(id: "${mapId}") { locations { nodes { placeId latitude geocoding { provider } } } } }`,
      {},
      site.token,
    );
    expect(dataOf(placed).map.locations.nodes).toEqual([
      { placeId: 'fake:another', latitude: 48.5, geocoding: { provider: 'manual' } },
    ]);
    const publicMap = await site.server.graphql(`{ publicMap(id: "${mapId}") { name } }`, {}, null);
    expect(dataOf(publicMap).publicMap.name).toBe('Bakeries');
    site.expectClean(record);
    await close();
  });

  it('shows both versions of a concurrent edit, and saves the chosen one', async () => {
    const map = await makeMap(site.server, { name: 'Shared' }, site.token);
    const [location] = await makeLocations(site.server, map.id, [null], site.token);
    const { page, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Shared');
    await rowOf(page, 'Place 0').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Mine');
    await renameLocation(map.id, location?.id, 'Theirs');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByRole('alert').getByText('Theirs', { exact: true }).waitFor();
    expect(await site.namesOf(map.id)).toEqual(['Theirs']);
    await form.getByRole('button', { name: 'Save mine' }).click();
    await rowOf(page, 'Mine').waitFor();
    expect(await site.namesOf(map.id)).toEqual(['Mine']);
    await close();
  });

  it('moves a row by dragging its handle, with the keyboard, and to a given number', async () => {
    const map = await makeMap(site.server, { name: 'Ordered' }, site.token);
    const made = await makeLocations(site.server, map.id, Array<null>(330).fill(null), site.token);
    const nameAt = async (place: number) => {
      const query = `{ map(id: "${map.id}") { locationAt(place: ${place}) { name } } }`;
      return dataOf(await site.server.graphql(query, {}, site.token)).map.locationAt.name as string;
    };
    const numbers = async () => (await site.namesOf(map.id)).map((name) => Number(name.split(' ')[1]));
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Ordered');
    const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
    await handle('Place 2').dragTo(rowOf(page, 'Place 0'));
    await page.getByText('Place 2 is now number 1.').waitFor();
    expect((await numbers()).slice(0, 4)).toEqual([2, 0, 1, 3]);

    // A row held at the lower edge scrolls the list to rows not loaded before.
    const list = await page.locator('.c-list').boundingBox();
    const box = await handle('Place 2').boundingBox();
    if (list === null || box === null) throw new Error('The list is not shown.');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, list.y + list.height - 4, { steps: 4 });
    await rowOf(page, 'Place 60').waitFor();
    await page.mouse.up();
    await page.getByText(/Place 2 is now number [3-9]\d\./).waitFor();
    const dropped = (await numbers()).indexOf(2);
    await page.getByText(`Place 2 is now number ${dropped + 1}.`).waitFor();
    expect(dropped).toBeGreaterThan(30);

    await page.locator('.c-list').evaluate((element) => {
      (element as unknown as { scrollTop: number }).scrollTop = 0;
    });
    await rowOf(page, 'Place 0').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('Place 0 is now number 2.').waitFor();
    await until(page, `document.activeElement.textContent === 'Place 0'`);
    expect((await numbers()).slice(0, 3)).toEqual([1, 0, 3]);

    // The list has loaded 100 rows so far.
    await handle('Place 0').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move Place 0' });
    await dialog.getByLabel('Position').fill('110');
    await expectAccessible(page);
    await shoot(page, 'row-menu');
    await page.keyboard.press('Enter');
    await page.getByText('Place 0 is now number 110.').waitFor();
    await until(page, `document.activeElement.textContent === 'Place 0'`);
    expect(await nameAt(110)).toBe('Place 0');

    // Beyond the next page: no page in between is loaded, and the focus stays.
    await page.keyboard.press('Home');
    await until(page, `document.activeElement.textContent === 'Place 1'`);
    let pages = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('query Rows(')) pages += 1;
    });
    await handle('Place 1').press('Enter');
    await page.getByRole('dialog', { name: 'Move Place 1' }).getByLabel('Position').fill('325');
    await page.keyboard.press('Enter');
    await page.locator('.c-toast').getByText('Place 1 is now number 325.').waitFor();
    await until(page, `document.activeElement.textContent === 'Place 3'`);
    expect(await nameAt(325)).toBe('Place 1');
    // What another changes arrives after the events of the own moves, which load no page either.
    for (const name of ['Theirs', 'Theirs again']) {
      await renameLocation(map.id, made[3]?.id, name);
      await rowOf(page, name).waitFor();
    }
    expect(pages).toBe(0);
    site.expectClean(record);
    await close();
  });

  it('moves a row with a finger on its handle', async () => {
    const map = await makeMap(site.server, { name: 'Touched' }, site.token);
    await makeLocations(site.server, map.id, [null, null, null], site.token);
    const { page, close } = await site.open({ viewport: VIEWPORTS.phone, hasTouch: true, isMobile: true });
    await signIn(page, site.token);
    await openMap(page, 'Touched');
    const center = async (name: string) => {
      const box = await page.getByRole('button', { name: `Move ${name}`, exact: true }).boundingBox();
      if (box === null) throw new Error(`${name} has no handle.`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const [from, to] = [await center('Place 2'), await center('Place 0')];
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [from]);
    for (let step = 1; step <= 5; step += 1)
      await touch('touchMove', [{ x: from.x, y: from.y + ((to.y - from.y) * step) / 5 }]);
    await touch('touchEnd', []);
    await page.getByText('Place 2 is now number 1.').waitFor();
    expect(await site.namesOf(map.id)).toEqual(['Place 2', 'Place 0', 'Place 1']);
    await close();
  });

  it('exports with the token', async () => {
    const map = await makeMap(site.server, { name: 'Exported' }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Exported');
    await page.getByText('Export', { exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Exported.csv');
    expect((await readDownload(file)).toString()).toContain('Place 0');
    await page.getByText('Export', { exact: true }).click();
    const menu = page.locator('.c-exports');
    for (const name of MAP_FORMATS) {
      const { label, purpose } = formatOf(name);
      const line = menu.locator('div', { has: page.getByRole('button', { name: label, exact: true }) });
      expect(await line.innerText()).toBe(`${label}\nfor ${purpose}`);
    }
    await page.getByLabel('CSV delimiter').selectOption('semicolon');
    await shoot(page, 'exports');
    await expectAccessible(page);
    const request = page.waitForRequest(/locations\.csv/);
    await page.getByRole('button', { name: 'CSV for Excel' }).click();
    expect(new URL((await request).url()).search).toBe('?for=spreadsheet&delimiter=%3B');
    site.expectClean(record);
    await close();
  });

  it('imports a table: matched, checked in a dry run, stored, and with a report of each row', async () => {
    const map = await makeMap(site.server, { name: 'Imported' }, site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Imported');
    await page.getByRole('button', { name: 'Import' }).click();
    const table =
      'Title,Address,Floor,lat,lng\r\n"Cafe, old",Main Street,2,48.1,11.5\r\nNobody,,1,,\r\nBar,unknown: x,,,\r\n';
    await page.getByLabel('Drop a file').setInputFiles({
      name: 'places.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(table),
    });
    // There is no guess for the map's name field, so it is chosen.
    await page.getByText('no column “Name”, which is the map’s name field').waitFor();
    expect(await page.getByRole('combobox', { name: 'Title Import as' }).inputValue()).toBe('property');
    await page.getByRole('combobox', { name: 'Title Import as' }).selectOption('Name');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('2 valid, 1 with errors. Nothing is stored yet.').waitFor();
    expect(await site.namesOf(map.id)).toEqual([]);
    await expectAccessible(page);
    await shoot(page, 'import');
    await page.getByRole('button', { name: 'Import 2' }).click();
    await page.getByText('1 imported, 2 rejected.').waitFor();
    expect(await site.namesOf(map.id)).toEqual(['Cafe, old']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download report' }).click();
    const report = (await readDownload(await download)).toString().split('\r\n');
    expect(report.map((line) => line.split(',', 2).join(' '))).toEqual([
      'row outcome',
      '2 "created"',
      '3 "BAD_USER_INPUT"',
      '4 "ADDRESS_NOT_FOUND"',
      '',
    ]);
    const rejected = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download rejected rows' }).click();
    expect((await rejected).suggestedFilename()).toBe('places.rejected.csv');
    const [head, ...rows] = (await readDownload(await rejected)).toString().split('\n');
    expect(head).toBe('Title,Address,Floor,lat,lng,line,code,reason');
    expect(rows.map((row) => row.split(',').slice(0, 7).join(','))).toEqual([
      'Nobody,,1,,,3,BAD_USER_INPUT',
      'Bar,unknown: x,,,,4,ADDRESS_NOT_FOUND',
      '',
    ]);
    site.expectClean(record);
    await close();
  });

  it('loads the next maps and tokens once, however often they are requested', async () => {
    for (let index = 0; index < 51; index += 1)
      await makeMap(site.server, { name: `Map ${index}` }, site.token);
    for (let index = 0; index < 100; index += 1)
      await site.server.createToken({ owner: site.owner, scope: 'read' });
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    const more = page.getByRole('button', { name: 'Show more' });
    const cards = page.locator('.c-cards > li');
    await more.dblclick();
    await more.waitFor({ state: 'detached' });
    expect(await cards.count()).toBe(51);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await more.dblclick();
    await more.waitFor({ state: 'detached' });
    expect(await cards.count()).toBe(101);
    site.expectClean(record);
    await close();
  });

  it('lists, creates and revokes tokens', async () => {
    const { page, record, close } = await site.open();
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, site.token);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByLabel('Name of the new token').fill('Kiosk');
    // The form is one row if there is room.
    const [name, button] = await Promise.all([
      page.getByLabel('Name of the new token').boundingBox(),
      page.getByRole('button', { name: 'Create token' }).boundingBox(),
    ]);
    expect(button!.y).toBe(name!.y);
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.locator('.c-notice code').textContent();
    const status = async () => (await site.server.graphql('{ viewer { scope } }', {}, secret)).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'Revoke Kiosk' }).click();
    await page.getByRole('button', { name: 'Revoke Kiosk' }).waitFor({ state: 'detached' });
    expect(await status()).toBe(401);
    site.expectClean(record);
    await close();
  });

  it('lets a read-only token view, but change nothing', async () => {
    const map = await makeMap(site.server, { name: 'Looked at' }, site.token);
    await makeLocations(site.server, map.id, [null], site.token);
    const reader = await site.server.createToken({ owner: site.owner, scope: 'read' });
    const { page, record, close } = await site.open();
    await signIn(page, reader);
    await openMap(page, 'Looked at');
    await rowOf(page, 'Place 0').click();
    const buttons = await page.getByRole('button').allTextContents();
    expect(
      buttons.map((text) => text.trim()).filter((text) => /\b(save|delete|add|publish)\b/i.test(text)),
    ).toEqual([]);
    site.expectClean(record);
    await close();
  });

  it('deletes a map and restores it', async () => {
    await makeMap(site.server, { name: 'Gone' }, site.token);
    const { page, close } = await site.open();
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, site.token);
    await openMap(page, 'Gone');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete map' }).click();
    await page.getByText('Deleted maps (1)').click();
    await page.getByText(/^\s*Deleted \d{1,2} \w+ \d{4}, \d\d:\d\d\s*$/).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'Gone' }).waitFor();
    await close();
  });
});
