/** The console's import: files of every size and format, read by the server's own readers in a worker. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { readDownload, resizeTo, skipWithoutChromium, until } from '../support/browser.ts';
import { expectAccessible, expectAccessibleInBothSchemes, VIEWPORTS } from '../support/browser-site.ts';
import { enterToken, openMap, shoot, signIn, useConsole } from '../support/console.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import { describeUnless } from '../support/skip.ts';
import { until as untilTrue } from '../support/until.ts';
import { readWorkbook, row, workbookOf } from '../transfer/xlsx/workbooks.ts';

describeUnless(skipWithoutChromium(), 'an import in the console', () => {
  const site = useConsole();

  async function openImport(name: string) {
    const map = await makeMap(site.server, { name }, site.token);
    const opened = await site.open();
    await signIn(opened.page, site.token);
    await openMap(opened.page, name);
    await opened.page.getByRole('button', { name: 'Import' }).click();
    return { map, ...opened };
  }

  function choose(page: Page, name: string, text: string): Promise<void> {
    return page
      .getByLabel('Drop a file')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  }

  async function countOf(mapId: string): Promise<number> {
    const query = `{ map(id: "${mapId}") { locations(first: 1) { totalCount } } }`;
    return dataOf(await site.server.graphql(query, {}, site.token)).map.locations.totalCount;
  }

  async function saved(page: Page, button: string): Promise<{ name: string; lines: string[] }> {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const file = await download;
    return { name: file.suggestedFilename(), lines: (await readDownload(file)).toString().split(/\r?\n/) };
  }

  const tableOf = (count: number) =>
    `Name,Address,lat,lng\n${Array.from({ length: count }, (_, index) => `Place ${index},Street ${index},${index % 90},${index % 180}\n`).join('')}`;

  it('has a line for each column, and says how a choice changes another column', async () => {
    const { page, record, close } = await openImport('Mapped');
    const table =
      'שם,Title,street,zip,city,lat,lng,,\nבית קפה,Café,Main Street 1,10115,Berlin,52.5,13.4,extra,\n' +
      'מוזיאון,Museum,Side Street 2,,Paris,48.9,2.4,,\nx,Bar,Third Street,20095,Hamburg,53.5,10,,\n';
    await choose(page, 'places.csv', table);
    await page.getByText('no column “Name”, which is the map’s name field').waitFor();
    expect(await page.getByRole('button', { name: 'Check' }).isDisabled()).toBe(true);
    const rows = page.locator('.c-mapping tbody tr');
    expect(await rows.locator('th').allInnerTexts()).toEqual([
      'שם',
      'Title',
      'street',
      'zip',
      'city',
      'lat',
      'lng',
      'Column H\nno header',
      'Column I\nno header',
    ]);
    expect(await rows.nth(4).locator('td').first().innerText()).toBe('Berlin · Paris · Hamburg');
    const becomes = (column: string) => page.getByRole('combobox', { name: `${column} Import as` });
    await becomes('Title').selectOption('Name');
    await page.getByText('no column “Address”, which is the map’s address field').waitFor();
    await page.getByRole('button', { name: 'Use {street}, {zip} {city}' }).click();
    await until(page, `document.querySelector('.c-problem') === null`);
    await becomes('שם').selectOption('Name');
    await page.getByText('is now: property “Title”.').waitFor();
    expect([await becomes('Title').inputValue(), await becomes('שם').inputValue()]).toEqual([
      'property',
      'field:Name',
    ]);
    await becomes('Column H').selectOption('Do not import');
    await becomes('שם').selectOption('Property “\u2068שם\u2069”');
    await becomes('Title').selectOption('Name');
    for (const [size, viewport] of Object.entries(VIEWPORTS)) {
      await resizeTo(page, viewport);
      await page.locator('.c-mapping').evaluate((table) => {
        (table as { scrollIntoView?: () => void }).scrollIntoView?.();
      });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      await expectAccessibleInBothSchemes(page, `import-mapping-${size}`);
    }
    await page.getByRole('button', { name: 'Check' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('3 valid, 0 with errors. Nothing is stored yet.').waitFor();
    await until(page, `document.activeElement.textContent.trim() === 'Import 3'`);
    await page.keyboard.press('Enter');
    await page.getByText('3 imported, 0 rejected.').waitFor();
    site.expectClean(record);
    await close();
  });

  it('reads what the command line reads, and reports the same damage', async () => {
    const { page, record, close } = await openImport('Shapes');
    const feature = (name: string, geometry: unknown) =>
      JSON.stringify({ type: 'Feature', geometry, properties: { Name: name, Address: 'S' } });
    const point = { type: 'Point', coordinates: [1, 2, 30] };
    await choose(page, 'lines.json', [feature('A', point), feature('B', point)].join('\n'));
    await page.getByText('lines.json: GeoJSON, 2 rows').waitFor();
    await page.getByText('A third coordinate (an altitude) was dropped in 2 rows.').waitFor();
    await choose(
      page,
      'a.geojson',
      `{"type":"FeatureCollection","features":[${feature('A', point)},${feature('B', { type: 'LineString' })}]}`,
    );
    await page.getByRole('button', { name: 'Check' }).click();
    await page
      .getByText('Feature 2: The geometry is a LineString; only a Point can become a location.')
      .waitFor();
    expect((await saved(page, 'Download rejected rows')).name).toBe('a.rejected.geojson');
    await choose(page, 'open.csv', 'Name;Address;lat;lng\nA;S;1;2\n"B;S;1;2\n');
    await page.getByText('The file is damaged from line 3 on: a quote is opened and never closed.').waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 valid, 0 with errors.').waitFor();
    await page.getByText('Later rows cannot be read.').waitFor();
    await choose(page, 'book.pdf', '%PDF-1.7');
    await page.getByText('The file is a PDF. Supported formats: CSV').waitFor();
    site.expectClean(record);
    await close();
  });

  it('returns the rejected rows of a workbook as a workbook, and offers a choice of sheet', async () => {
    const { page, record, close } = await openImport('Workbook');
    const header = row(1, 'Name', 'Address', 'lat', 'lng');
    const content = workbookOf({
      sheets: [
        { name: 'Notes', rows: row(1, 'Nothing to import') },
        { name: 'Shops', rows: header + row(2, 'A', 'S 1', '1', '2') + row(3, '=B', 'S 2', '91', '2') },
      ],
    });
    await page
      .getByLabel('Drop a file')
      .setInputFiles({ name: 'shops.xlsx', mimeType: 'application/octet-stream', buffer: content });
    await page.getByLabel('Sheet').selectOption('Shops');
    await page.getByText('shops.xlsx: XLSX, 2 rows').waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 valid, 1 with errors.').waitFor();
    await page.getByText('Row 3: latitude must be a number of degrees from -90 to 90.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download rejected rows' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('shops.rejected.xlsx');
    const rejected = await readWorkbook(await readDownload(file), { name: 'mended.xlsx' });
    // Added columns are skipped if the file is imported again.
    expect(rejected.columns).toEqual(['Name', 'Address', 'lat', 'lng']);
    expect(rejected.rows.map(({ cells }) => cells)).toEqual([['=B', 'S 2', '91', '2']]);
    site.expectClean(record);
    await close();
  });

  it('keeps the page responsive while 100,000 rows are read, and stops on demand', async () => {
    const { map, page, record, close } = await openImport('Large');
    await page.evaluate(`{
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
      }).observe({ type: 'longtask' });
    }`);
    // Playwright would build a file from bytes on the page's own thread.
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    writeFileSync(join(folder, 'large.csv'), tableOf(100_000));
    await page.getByLabel('Drop a file').setInputFiles(join(folder, 'large.csv'));
    const begun = performance.now();
    await page.getByRole('button', { name: 'Check' }).click();
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await cancel.waitFor();
    const menu = page.locator('.c-exports');
    for (let press = 0; press < 3; press += 1) {
      await page.getByText('Export', { exact: true }).click();
      await menu.waitFor();
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      expect(await cancel.isVisible()).toBe(true);
    }
    const progress = async () => (await page.locator('.c-actions [role=status]').allTextContents()).join();
    const checked = page.getByText('100,000 valid, 0 with errors.');
    // However slow the machine is, as long as there is progress.
    while (!(await checked.isVisible())) {
      const before = await progress();
      await untilTrue(
        async () => (await progress()) !== before || checked.isVisible(),
        'more rows are checked',
      );
    }
    const checkMs = performance.now() - begun;
    const longest = [await page.evaluate<number>('longest')];
    await page.getByRole('button', { name: 'Import 100,000' }).click();
    await page.locator('.c-actions [role=status]', { hasText: /[1-9][\d,]* rows\./ }).waitFor();
    // A task over all rows would take most of that time. Tasks after the stop are those of the list.
    longest.push(await page.evaluate('longest'));
    expect(Math.max(...longest)).toBeLessThan(Math.max(500, checkMs / 4));
    await cancel.click();
    await page.getByText(/Stopped before line [\d,]+: rows from there on were not imported\./).waitFor();
    const stored = await countOf(map.id);
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(100_000);
    await page.getByText(`${stored.toLocaleString('en')} imported, 0 rejected.`).waitFor();
    await shoot(page, 'import-stopped');
    await expectAccessible(page);
    const rest = await saved(page, 'Download rows not imported');
    expect(rest.name).toBe('large.rejected.csv');
    // A header, and a line end after the last row.
    expect(rest.lines.length - 2).toBe(100_000 - stored);
    expect(rest.lines[1]).toMatch(new RegExp(`^Place ${stored},`));
    rmSync(folder, { recursive: true });
    site.expectClean(record);
    await close();
  });

  it('resumes after a lost response, and stores each row once', async () => {
    const { map, page, close } = await openImport('Broken off');
    let requests = 0;
    await page.route('**/graphql', async (route) => {
      const isImport = route.request().postData()?.includes('ImportLocations') === true;
      requests += Number(isImport);
      if (!isImport || requests !== 2) return route.fallback();
      // The server stores the rows, but the response is lost.
      await route.fetch();
      await route.abort();
    });
    await choose(page, 'a.csv', tableOf(1_200));
    // Three requests check the rows.
    requests = -3;
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Import 1,200' }).click();
    await page.getByText('Lines 502 to 1,001 may have been imported; later ones were not.').waitFor();
    expect(await countOf(map.id)).toBe(1_000);
    await shoot(page, 'import-broken-off');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('1,200 imported, 0 rejected.').waitFor();
    expect(await countOf(map.id)).toBe(1_200);
    await close();
  });

  it('loses nothing if the token is revoked midway, and goes on with another', async () => {
    const { page, close } = await openImport('Revoked');
    await choose(page, 'a.csv', tableOf(3));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Import 3' }).waitFor();
    const { viewer } = dataOf(
      await site.server.graphql('{ viewer { tokens { id isCurrent } } }', {}, site.token),
    );
    const { id } = viewer.tokens.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    const revoke = 'mutation ($id: ID!) { revokeToken(input: { id: $id }) { revokedId } }';
    dataOf(await site.server.graphql(revoke, { id }, site.token));
    await page.getByRole('button', { name: 'Import 3' }).click();
    await enterToken(page, await site.server.createToken({ owner: site.owner }));
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    const { lines } = await saved(page, 'Download rows not imported');
    expect(lines.map((line) => line.split(',', 1)[0])).toEqual(['Name', 'Place 0', 'Place 1', 'Place 2', '']);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('3 imported, 0 rejected.').waitFor();
    await close();
  });
});
