/**
 * `npm run screenshots`: takes the pictures in docs/images, of the built server with its demo on a temporary store.
 * Needs Chromium (CHROMIUM_PATH, or on the PATH). Skips pages that the server does not have.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { launchChromium, openRecordedPage, untilQuiet } from '../test/support/browser.ts';
import { enterToken } from '../test/support/console.ts';
import { createFolder, delay, ROOT, startServer } from '../test/support/program.ts';
import { encodePalettePng } from './palette-png.mjs';
import { shootReview, startGeocoder } from './review-screenshots.mjs';

const images = join(ROOT, 'docs/images');
const viewport = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
/** The README loads these pictures. */
const maxBytes = 150_000;
const startTimeoutMs = 60_000;

const geocoder = await startGeocoder();
const server = await startServer({
  cwd: createFolder(),
  env: { GEOCODER: 'geocodejson', GEOCODEJSON_URL: geocoder.url },
});
const browser = await launchChromium();
try {
  const { mapId, token } = await readDemo();
  mkdirSync(images, { recursive: true });
  await shoot('map.png', `/maps/${mapId}`);
  const openMaps = async (page) => {
    await enterToken(page, token);
    await page.getByText('Museums of the world').waitFor();
  };
  const openMap = async (page) => {
    await openMaps(page);
    await page.getByText('Museums of the world').click();
  };
  const openImport = async (page) => {
    await openMap(page);
    // On a phone, the actions are in a menu.
    if (page.viewportSize().width === phone.width) await page.getByText('More', { exact: true }).click();
    await page.getByText('Import', { exact: true }).click();
    await page.getByLabel('Drop a file').setInputFiles(join(ROOT, 'examples/import/book-corners.csv'));
    await page.locator('.c-mapping').scrollIntoViewIfNeeded();
  };
  await shoot('import.png', '/console', openImport);
  await shoot('import-phone.png', '/console', openImport, phone);
  await shoot('console.png', '/console', async (page) => {
    await openMap(page);
    await page.locator('.pin').first().waitFor();
  });
  await shootReview(shoot, openMaps);
} finally {
  await browser.close();
  await server.stop();
  geocoder.close();
}

/** The demo map and its token, which the first start prints. */
async function readDemo() {
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await delay(20)) {
    const mapId = /\/v0\/map\/([^/\s]+)\/locations/.exec(server.stdout())?.[1];
    const token = /mlt_[\w-]+/.exec(server.stdout())?.[0];
    if (mapId && token) return { mapId, token };
  }
  throw new Error(`The server printed no demo map:\n${server.stdout()}`);
}

async function shoot(name, address, prepare = async () => {}, size = viewport) {
  const options = { viewport: size, colorScheme: 'light', reducedMotion: 'reduce' };
  const { page, record, close } = await openRecordedPage(browser, options);
  await page.goto(`${server.url}${address}`, { waitUntil: 'networkidle' });
  await prepare(page);
  await untilQuiet(page, record);
  // The tiles of the basemap fade in.
  const areDrawn = `[...document.querySelectorAll('.leaflet-tile')].every((tile) => tile.style.opacity === '1')`;
  while (!(await page.evaluate(areDrawn))) await page.evaluate('new Promise(requestAnimationFrame)');
  const picture = await page.screenshot({ animations: 'disabled' });
  const file = encodePalettePng(await readPixels(page.context(), picture), size.width, size.height);
  await close();
  const path = join(images, name);
  console.log(`${path}: ${file.length} bytes`);
  if (file.length > maxBytes) throw new Error(`${name} must have at most ${maxBytes} bytes.`);
  writeFileSync(path, file);
}

/** Decodes a PNG in the browser, on a separate page, since the server's policy forbids `data:` URLs. */
async function readPixels(context, picture) {
  const page = await context.newPage();
  const pixels = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      let text = '';
      for (let at = 0; at < data.length; at += 8192)
        text += String.fromCharCode(...data.subarray(at, at + 8192));
      return btoa(text);
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  );
  return Buffer.from(pixels, 'base64');
}
