import type { FormatDescriptor } from '../format.ts';
import { rootNameOf } from '../xml/root.ts';
import { withAssignedColors } from './category-styles.ts';
import { kmlWriter } from './writer.ts';

export const KML: FormatDescriptor = {
  label: 'KML',
  purpose: 'Google Earth and My Maps',
  extensions: ['kml', 'kmz'],
  mediaType: 'application/vnd.google-earth.kml+xml',
  readOptions: [],
  recognizesText: (head) => rootNameOf(head) === 'kml',
  recognizesArchive: (names) =>
    names.some((name) => /\.kml$/i.test(name)) && !names.includes('[Content_Types].xml'),
  open: async (source, options) => (await import('./reader.ts')).openKml(source, options),
  writer: kmlWriter,
  survey: async (options, properties) => {
    const { categories } = options;
    if (categories === undefined) return options;
    return { ...options, categories: await withAssignedColors(categories, properties) };
  },
};
