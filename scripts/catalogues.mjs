/** The catalogues of the pages' texts: web/{shared,map,console}/languages/{language}.json. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../web', import.meta.url));

/** Of English, which is part of the scripts. */
const BUNDLED = 'en';

/**
 * A module `languages:map` exports the URLs of that page's catalogues by language, English excepted. Each file has the
 * texts of the shared parts, too, so that a page loads one.
 */
export function cataloguesPlugin() {
  const known = /^\0languages:(\w+)$/;
  return {
    name: 'languages',
    resolveId: (id) => (known.test(`\0${id}`) ? `\0${id}` : null),
    load(id) {
      const [, page] = known.exec(id) ?? [];
      if (page === undefined) return null;
      const urls = languagesOf(page)
        .filter((language) => language !== BUNDLED)
        .map((language) => {
          const source = JSON.stringify({
            ...readCatalogue('shared', language),
            ...readCatalogue(page, language),
          });
          const file = this.emitFile({ type: 'asset', name: `language-${page}-${language}.json`, source });
          return `${JSON.stringify(language)}: import.meta.ROLLUP_FILE_URL_${file}`;
        });
      return `export default { ${urls.join(', ')} };`;
    },
  };
}

/** @param folder below web/ */
function languagesOf(folder) {
  return readdirSync(join(web, folder, 'languages')).map((file) => basename(file, '.json'));
}

/** @param folder below web/ */
function readCatalogue(folder, language) {
  return JSON.parse(readFileSync(join(web, folder, 'languages', `${language}.json`), 'utf8'));
}

/** The names of the placeholders of a text, or of its plural forms. */
export function placeholdersOf(text) {
  const texts = typeof text === 'string' ? [text] : Object.values(text);
  const names = texts.flatMap((one) => [...one.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return [...new Set(typeof text === 'string' ? names : ['count', ...names])];
}
