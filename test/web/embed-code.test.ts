import { embedCodeOf, embedUrlOf } from '../../web/console/sharing/embed-code.ts';

const PAGE = 'https://maps.example.org/below/maps/abc';
const PLAIN = {
  width: null,
  height: 600,
  hasAutoHeight: false,
  isGreedy: false,
  language: '',
  search: ' ',
  category: '',
};

describe('the HTML that embeds a map', () => {
  it('is a frame as wide as its place, which may ask for the position', () => {
    expect(embedCodeOf(PAGE, 'A "quoted" <name> & more', PLAIN)).toBe(
      `<iframe src="${PAGE}?embed=1" title="A &quot;quoted&quot; &lt;name> &amp; more" ` +
        'width="100%" height="600" allow="geolocation; clipboard-write" style="border:0" loading="lazy"></iframe>',
    );
    expect(embedCodeOf(PAGE, 'A', { ...PLAIN, width: 320, height: 400 })).toContain(
      'width="320" height="400"',
    );
  });

  it('has the choices in its address, escaped', () => {
    const choices = { ...PLAIN, isGreedy: true, language: 'pt-BR', search: 'a "b"&c', category: 'Café' };
    const { searchParams } = new URL(embedUrlOf(PAGE, choices));
    expect(Object.fromEntries(searchParams)).toEqual({
      embed: '1',
      gestures: 'greedy',
      lang: 'pt-BR',
      q: 'a "b"&c',
      category: 'Café',
    });
    expect(embedCodeOf(PAGE, 'A', choices)).toContain(
      '?embed=1&amp;gestures=greedy&amp;lang=pt-BR&amp;q=a+%22b%22%26c',
    );
  });

  it('brings the script of this server for a height that follows', () => {
    const code = embedCodeOf(PAGE, 'A', { ...PLAIN, hasAutoHeight: true });
    expect(code).toContain('?embed=1&amp;height=auto"');
    expect(code).toMatch(/\n<script src="https:\/\/maps\.example\.org\/below\/embed\.js" async><\/script>$/);
  });
});
