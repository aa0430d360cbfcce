/** Mutants with wrong exports of whole maps. */

import { MAP_FORMATS } from '../../../src/transfer/formats.ts';
import type { ExportedLocations, Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

type Export = Storage['exportLocations'];

const topic = 'whole maps';
const changing = (
  good: Storage,
  change: (part: ExportedLocations) => ExportedLocations,
): { exportLocations: Export } => ({
  exportLocations: async (...given) => change(await good.exportLocations(...given)),
});
const changingText = (good: Storage, change: (text: string) => string) =>
  changing(good, (part) => ({ ...part, bytes: Buffer.from(change(Buffer.from(part.bytes).toString())) }));

export const exportMutants: readonly Mutant[] = [
  {
    name: 'the first part lacks its prefix',
    topic,
    breaks: (good) => changingText(good, (text) => text.replace(/^,\n/, '')),
  },
  ...MAP_FORMATS.map((kind): Mutant => ({
    name: `the public gets the owner’s view: ${kind}`,
    topic,
    breaks: (good) => ({
      exportLocations: (mapId, page, format, scope) => {
        const isPublic = format.isPublic === true && format.format !== kind;
        return good.exportLocations(mapId, page, { ...format, isPublic }, scope);
      },
    }),
  })),
  {
    name: 'the last line lacks its line end',
    topic,
    breaks: (good) => changingText(good, (text) => text.replace(/\r?\n$/, '')),
  },
  {
    name: 'a part ends one location early',
    topic,
    breaks: (good) => ({
      exportLocations: (mapId, page, ...rest) =>
        good.exportLocations(mapId, { ...page, limit: Math.max(1, page.limit - 1) }, ...rest),
    }),
  },
  {
    name: 'a part repeats the location that it starts after',
    topic,
    breaks: (good) => ({
      exportLocations: (mapId, page, ...rest) => {
        const after = page.after && { ...page.after, sequence: page.after.sequence - 1 };
        return good.exportLocations(mapId, { ...page, after }, ...rest);
      },
    }),
  },
  {
    name: 'a part confuses locations of equal orders at its end',
    topic,
    breaks: (good) =>
      changing(good, (part) => ({
        ...part,
        last: part.last && { ...part.last, sequence: part.last.sequence - 1 },
      })),
  },
  {
    name: 'an export of an unknown map fails',
    topic,
    breaks: (good) => ({
      exportLocations: async (...given) => {
        const part = await good.exportLocations(...given);
        if (part.count === 0) throw new TypeError('Column json holds no bytes.');
        return part;
      },
    }),
  },
  {
    name: 'a part has one time of creation for all locations',
    topic,
    breaks: (good) =>
      changingText(good, (text) => {
        const first = /"createdAt":"[^"]*"/.exec(text)?.[0] ?? '';
        return text.replaceAll(/"createdAt":"[^"]*"/g, first);
      }),
  },
  {
    name: 'a cell is not quoted',
    topic,
    breaks: (good) => changingText(good, (text) => text.replace('"e ""1"""', 'e "1"')),
  },
  {
    name: 'more is empty',
    topic,
    breaks: (good) => changingText(good, (text) => text.replaceAll(/,"\{.*\}"\r\n/g, ',\r\n')),
  },
  {
    name: 'KML has a character that XML forbids',
    topic,
    breaks: (good) => changingText(good, (text) => text.replaceAll('\\uffff', '\uffff')),
  },
  {
    name: 'KML and GPX lack the names of locations',
    topic,
    breaks: (good) => changingText(good, (text) => text.replaceAll(/<name>.*?<\/name>/g, '<name></name>')),
  },
  {
    name: 'a small coordinate of an export has an exponent',
    topic,
    breaks: (good) => changingText(good, (text) => text.replace('-0.0000001', '-1e-7')),
  },
  {
    name: 'a part is cached after a write',
    topic,
    breaks: (good) => {
      const cache = new Map<string, Promise<ExportedLocations>>();
      return {
        exportLocations: (...given) => {
          const key = JSON.stringify(given);
          const part = cache.get(key) ?? good.exportLocations(...given);
          cache.set(key, part);
          return part;
        },
      };
    },
  },
];
