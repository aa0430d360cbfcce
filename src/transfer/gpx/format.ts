import type { FormatDescriptor } from '../format.ts';
import { rootNameOf } from '../xml/root.ts';
import { gpxWriter } from './writer.ts';

export const GPX: FormatDescriptor = {
  label: 'GPX',
  purpose: 'navigation devices and outdoor apps',
  extensions: ['gpx'],
  mediaType: 'application/gpx+xml',
  readOptions: [],
  recognizesText: (head) => rootNameOf(head) === 'gpx',
  open: async (source, options) => (await import('./reader.ts')).openGpx(source, options),
  writer: gpxWriter,
};
