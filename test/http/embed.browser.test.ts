/** A map's page in frames of a page of another site, sandboxed and not. */

import type { BrowserContextOptions, Frame, Page } from 'playwright-core';

import { openRecordedPage, skipWithoutChromium, untilQuiet } from '../support/browser.ts';
import { shoot, useBrowserSite } from '../support/browser-site.ts';
import type { Neighbour } from '../support/neighbour.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { createPublishedMap, placeAt } from '../support/published-map.ts';
import { describeUnless } from '../support/skip.ts';

/** What content management systems put into `sandbox`; undefined for no such attribute. */
const SANDBOXES = { 'not sandboxed': undefined, 'sandboxed with scripts only': 'allow-scripts' } as const;

const HOST_SIZE = { width: 1000, height: 900 };

describeUnless(skipWithoutChromium(), 'an embedded map', () => {
  const site = useBrowserSite();
  let host: Neighbour;
  let mapId: string;

  beforeAll(async () => {
    // Each page of the host has the HTML of its `body` parameter, and keeps the messages that it gets.
    host = await startNeighbour((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://host');
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><title>Host</title><meta name="viewport" content="width=device-width">` +
            `<script>received = []; addEventListener('message', ({ data, origin }) => received.push({ data, origin }))</script>` +
            `<body>${searchParams.get('body') ?? ''}</body>`,
        );
    });
    ({ mapId } = await createPublishedMap(site.server, {
      name: 'Lighthouses',
      locations: [
        placeAt('Skagen', 57.7371, 10.6297),
        placeAt('Bell Rock', 56.4342, -2.3871),
        placeAt('Roter Sand', 53.8549, 8.0817),
      ],
    }));
  });
  afterAll(() => host.close());

  /** Opens a page of the other site that frames the map, between paragraphs that make it longer than the screen. */
  async function embed({ sandbox, query = '', width = 900, height = 600, ...options }: Embedding = {}) {
    const opened = await openRecordedPage(site.browser, { locale: 'en-GB', viewport: HOST_SIZE, ...options });
    const { page, record } = opened;
    const attributes = `width="${width}" height="${height}"${sandbox === undefined ? '' : ` sandbox="${sandbox}"`}`;
    const frame = `<iframe src="${site.baseUrl}/maps/${mapId}?embed=1${query}" ${attributes}></iframe>`;
    const body = `<p style="height: 200px">Before</p>${frame}<p style="height: 2000px">After</p>`;
    await page.goto(`${host.otherSite}/?body=${encodeURIComponent(body)}`);
    const inner = await innerFrame(page);
    await inner.getByRole('option').first().waitFor();
    await inner.locator('.map .pin').nth(2).waitFor();
    await untilQuiet(page, record);
    return { ...opened, inner };
  }

  async function innerFrame(page: Page): Promise<Frame> {
    const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
    if (frame === null || frame === undefined) throw new Error('The page has no frame.');
    return frame;
  }

  for (const [name, sandbox] of Object.entries(SANDBOXES)) {
    it(`shows the list, the pins and a card (${name})`, async () => {
      const { page, record, inner, close } = await embed({ sandbox });
      expect(await inner.evaluate('origin')).toBe(sandbox === undefined ? site.baseUrl : 'null');
      await inner.getByRole('option').first().click();
      await inner.getByRole('heading', { name: 'Skagen' }).waitFor();
      await inner.getByRole('button', { name: 'All locations' }).click();
      await inner.getByRole('searchbox').fill('bell');
      await inner.getByText('1 location found').waitFor();
      await shoot(page, `embed-${sandbox ?? 'plain'}`);
      expect([record.problems, record.violations]).toEqual([[], []]);
      await close();
    });
  }
});

interface Embedding extends BrowserContextOptions {
  readonly sandbox?: string | undefined;
  /** More parameters of the embedded page: `&gestures=greedy`. */
  readonly query?: string;
  /** Pixels of the frame. */
  readonly width?: number;
  readonly height?: number;
}
