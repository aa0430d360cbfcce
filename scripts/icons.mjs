/** The icons of categories, from Maki. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MODULE = 'icons:categories';

/**
 * A module `icons:categories` exports the SVG path data of each icon by its name, in a square of 15 units.
 *
 * @param {Set<string>} bundled receives the icons' files
 */
export function iconsPlugin(bundled) {
  return {
    name: 'icons',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    async load(id) {
      if (id !== `\0${MODULE}`) return null;
      const { tsImport } = await import('tsx/esm/api');
      const { CATEGORY_ICONS } = await tsImport('../src/domain/category-icons.ts', import.meta.url);
      const icons = Object.fromEntries(CATEGORY_ICONS.map((name) => [name, pathOf(name, bundled)]));
      return `export default ${JSON.stringify(icons)};`;
    },
  };
}

function pathOf(name, bundled) {
  const file = fileURLToPath(import.meta.resolve(`@mapbox/maki/icons/${name}.svg`));
  bundled.add(file);
  const paths = [...readFileSync(file, 'utf8').matchAll(/\sd="([^"]*)"/g)].map(([, path]) => path);
  if (paths.length === 0) throw new Error(`The icon ${name} has no path.`);
  return paths
    .join('')
    .replaceAll(/&#x[0-9A-Fa-f]+;|\s+/g, ' ')
    .replaceAll(/(\.\d\d)\d+/g, '$1');
}
