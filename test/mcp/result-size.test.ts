import * as fc from 'fast-check';

import { fitRows, MAX_CHARACTERS, shortenFields, shortenText } from '../../src/mcp/result-size.ts';
import { callTool, connectMcp, textOf } from '../support/mcp.ts';
import { createPublishedMap } from '../support/published-map.ts';
import { createTestServer } from '../support/server.ts';

const lengthOf = (value: unknown) => JSON.stringify(value).length;

describe('the size of results', () => {
  it('fields fit, whatever they hold; those that fit anyway are unchanged', () => {
    const fields = fc.dictionary(fc.string({ unit: 'binary', maxLength: 300 }), fc.jsonValue());
    fc.assert(
      fc.property(fields, fc.integer({ min: 100, max: 2_000 }), (given, maxCharacters) => {
        const short = shortenFields(given, maxCharacters);
        if (lengthOf(given) <= maxCharacters) expect(short).toEqual({ fields: given });
        else {
          expect(lengthOf(short.fields)).toBeLessThanOrEqual(maxCharacters);
          const { omittedFields = 0, cutFields = [] } = short;
          expect(Object.keys(short.fields).length + omittedFields).toBe(Object.keys(given).length);
          expect(omittedFields + cutFields.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('a character beyond the BMP is not cut in half', () => {
    const { fields } = shortenFields({ text: `${'x'.repeat(49)}${'😀'.repeat(300)}` }, 150);
    expect(fields['text']).toBe(`${'x'.repeat(49)}${'😀'.repeat(25)}…`);
  });

  it('texts fit as JSON, and are cut no further than that', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 20, max: 400 }),
        (text, max) => {
          const short = shortenText(text, max);
          expect(lengthOf(short)).toBeLessThanOrEqual(max);
          if (lengthOf(text) <= max) expect(short).toBe(text);
          else expect(lengthOf(short)).toBeGreaterThan(max - 14);
        },
      ),
    );
  });

  it('create_locations keeps its result short, whatever the names of the fields are', async () => {
    const server = await createTestServer({ MCP_WRITE: '1' }, {}, { executesOnce: true });
    const client = await connectMcp(server, { token: await server.createToken() });
    for (const character of ['"', '\\', 'é']) {
      const fields = [
        { name: character.repeat(256), type: 'placeName' },
        { name: 'Address', type: 'address' },
      ];
      const { mapId } = await createPublishedMap(server, { fields });
      const locations = Array.from({ length: 100 }, () => ({ fields: { Address: 'a' } }));
      const result = await client.callTool({ name: 'create_locations', arguments: { mapId, locations } });
      expect(textOf(result).length).toBeLessThanOrEqual(MAX_CHARACTERS);
      expect((await callTool(client, 'create_locations', { mapId, locations })).results).toHaveLength(100);
    }
    await client.close();
    await server.close();
  });

  it('rows that do not fit are left to the next page, but not the first', () => {
    const rowsOf = (...lengths: number[]) =>
      lengths.map((length, index) => ({ value: 'x'.repeat(length), cursor: String(index) }));
    const around = { rows: [] };
    expect(fitRows(rowsOf(10, 10), around, false)).toMatchObject({ values: { length: 2 }, nextCursor: null });
    expect(fitRows(rowsOf(10, 10), around, true).nextCursor).toBe('1');
    const half = fitRows(rowsOf(20_000, 10_000, 10_000), around, false);
    expect(half).toMatchObject({ values: { length: 2 }, nextCursor: '1' });
    expect(lengthOf({ rows: half.values, nextCursor: half.nextCursor })).toBeLessThan(MAX_CHARACTERS);
    expect(fitRows(rowsOf(40_000, 1), around, false)).toMatchObject({
      values: { length: 1 },
      nextCursor: '0',
    });
    expect(fitRows([], around, false)).toEqual({ values: [], nextCursor: null });
  });

  it('the tools and the results of a usual map take few tokens', async () => {
    const server = await createTestServer({}, {}, { executesOnce: true });
    const { mapId, ids } = await createPublishedMap(server, {
      name: 'Museums',
      fields: [
        { name: 'Name', type: 'placeName' },
        { name: 'Address', type: 'address' },
        { name: 'Phone', type: 'phone' },
        { name: 'Website', type: 'website' },
        { name: 'Hours', type: 'openingHours' },
        { name: 'Description', type: 'description' },
      ],
      locations: Array.from({ length: 1_000 }, (_, index) => ({
        fields: {
          Name: `Museum ${index}`,
          Address: `${index} Museum Street, 10178 Berlin, Germany`,
          Phone: '+49 30 266424242',
          Website: 'https://museum.example/visit',
          Hours: 'Tu-Su 10:00-18:00; Th 10:00-20:00; PH off',
          Description:
            'Paintings and sculptures from the Middle Ages to the 19th century, with a café. '.repeat(2),
        },
        position: { latitude: 52.5, longitude: 13.4 },
      })),
    });
    const client = await connectMcp(server, { token: await server.createToken() });
    /** About four characters a token. */
    const tokens: Record<string, number> = { tools: lengthOf(await client.listTools()) / 4 };
    const calls = {
      list_maps: {},
      describe_map: { mapId },
      find_locations: { mapId },
      get_location: { mapId, id: ids[0] },
      geocode_address: { mapId, address: '1 Museum Street' },
    };
    for (const [name, args] of Object.entries(calls)) {
      tokens[name] = textOf(await client.callTool({ name, arguments: args })).length / 4;
    }
    await client.close();
    await server.close();
    if (process.env['SHOW_TOKENS']) console.log(tokens);
    const most = { tools: 3_000, list_maps: 150, describe_map: 400, find_locations: 4_000 };
    for (const [name, limit] of Object.entries({ ...most, get_location: 300, geocode_address: 200 })) {
      expect([name, tokens[name]]).toEqual([name, expect.any(Number)]);
      expect(tokens[name]).toBeLessThan(limit);
    }
  });
});
