/** Real-world files in the console: each row gets the same result as on the command line. */

import { skipWithoutChromium } from '../support/browser.ts';
import { openMap, signIn, useConsole } from '../support/console.ts';
import { makeMap } from '../support/graphql.ts';
import type { ImportCase } from '../support/import-cases.ts';
import { IMPORT_CASES } from '../support/import-cases.ts';
import { describeUnless } from '../support/skip.ts';

/** In the page's typography, without options of the command line, for which the page has inputs. */
function patternOf(text: string): RegExp {
  const inItsWords = text.replace('With --upsert,', 'If existing locations are updated,');
  const [sentence = ''] = inItsWords.split(/;? ?(?:[Uu]se |with )?--/);
  const pattern = sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(pattern.replaceAll('"', '["“”]').replaceAll("'", "['’]"));
}

/** Choices made in the console have their own tests. */
const isPlain = ({ options, fields, isDecodedInConsole }: ImportCase) =>
  options === undefined && fields === undefined && isDecodedInConsole === undefined;

describeUnless(skipWithoutChromium(), 'a real-world file in the console', () => {
  const site = useConsole();

  it('is checked or refused as on the command line', async () => {
    await makeMap(site.server, { name: 'Cases' }, site.token);
    const { page, record, close } = await site.open();
    await signIn(page, site.token);
    await openMap(page, 'Cases');
    await page.getByRole('button', { name: 'Import' }).click();
    const cases = IMPORT_CASES.filter(isPlain);
    expect(cases.length).toBeGreaterThan(40);
    for (const [
      index,
      { name, file, content, refused, stored = [], rejected = [], notes = [] },
    ] of cases.entries()) {
      // Each file has a unique name, so that the page shows which one it has read.
      const fileName = `${index}-${file}`;
      await page.getByLabel('Drop a file').setInputFiles({
        name: fileName,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content),
      });
      await page.getByRole('heading', { name: fileName }).waitFor();
      const panel = page.getByRole('region', { name: 'Import' });
      const shows = (text: string) =>
        panel
          .getByText(patternOf(text))
          .first()
          .waitFor()
          .catch(async () => {
            const shown = await panel.innerText();
            throw new Error(`${name}: the console does not show ${JSON.stringify(text)}, but:\n${shown}`);
          });
      if (refused !== undefined) {
        await shows(refused);
        continue;
      }
      for (const note of notes) await shows(note);
      await page.getByRole('button', { name: 'Check' }).click();
      await shows(`${stored.length} valid, ${rejected.length} with errors.`);
      for (const [line, reason] of rejected) {
        const row = panel.getByRole('listitem').filter({ hasText: new RegExp(`^\\s*[A-Z][a-z]+ ${line}: `) });
        expect([name, await row.first().innerText()]).toEqual([
          name,
          expect.stringMatching(patternOf(reason)),
        ]);
      }
    }
    site.expectClean(record);
    await close();
  });
});
