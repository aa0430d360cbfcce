/** Words that mark streets, directions, noise and administrative divisions. */

import { normaliseName } from './normalise.ts';

/** Position of the word: `before` the street's name as in `Rua Augusta`, or `after` it as in `Baker Street`. */
export type StreetWord = 'before' | 'after' | 'either';

const words = (list: string): string[] =>
  list
    .trim()
    .split(/\s+/)
    .map((word) => normaliseName(word));

const BEFORE = words(`
  rua r travessa alameda estrada rodovia calçada calcada avda
  calle c cl carrera cra kra camino paseo glorieta travesía travesia calzada carretera autopista jirón jiron
  carrer passeig plaça avinguda praza rúa etorbidea
  rue chemin impasse sentier
  via viale piazza piazzale vicolo lungotevere lungarno
  ul ulica ulice aleja aleje bulwar
  strada str calea piața piata șoseaua soseaua aleea bulevardul splaiul intrarea
  jalan jl jln lorong jalur đường duong
  οδός οδος λεωφόρος λεωφ πλατεία
  شارع طريق خیابان میدان ميدان بلوار
  רחוב רח שדרות שד דרך כיכר
  ถนน ซอย
  rruga sheshi bulevardi
  derech rehov sderot
  shahrah
`);

const AFTER = words(`
  street st road rd lane ln drive dr parkway pkwy highway hwy crescent cres circus mews freeway expressway turnpike
  blvd ave way mawatha marg
  straße strasse str weg allee gasse ufer damm
  straat laan plein gracht kade singel dreef steenweg
  gatan gata vägen gate vei veien vej gade torv
  katu tie kuja
  utca út tér körút rakpart sétány
  caddesi cad cd sokak sokağı sok sk bulvarı mahallesi mah meydanı
  tänav tn puiestee pst väljak mnt
  iela bulvāris laukums gatvė prospektas aikštė
  გამზირი ქუჩა պողոտա փողոց
  մարգ मार्ग रोड पथ
  улицасы көшесі даңғылы кўчаси
  gudamj khiyaban
`);

const EITHER = words(`
  avenue av square sq place pl boulevard bd bvd bulevar bulvar esplanade quai quay allée passage route cours faubourg
  avenida plaza praça largo corso court terrace row
  trg náměstí nám námestie třída plac platz al pr prospekt pl
  улица ул проспект просп пр площадь пл переулок пер набережная наб бульвар бул шоссе проезд аллея линия
  вулиця вул площа провулок узвіз вуліца праспект плошча булевар трг улицата площад
  төв гудамж талбай
  naberezhnaya ulitsa prospekt ploshchad
`);

const STREET_WORDS: ReadonlyMap<string, StreetWord> = new Map([
  ...BEFORE.map((word): [string, StreetWord] => [word, 'before']),
  ...AFTER.map((word): [string, StreetWord] => [word, 'after']),
  ...EITHER.map((word): [string, StreetWord] => [word, 'either']),
]);

// Endings that form one word with the name: `Invalidenstraße`, `Fabiansgatan`, `Rantakatu`.
const COMPOUND =
  /.{2}(?:strasse|straat|gasse|platz|weg|allee|damm|ufer|gracht|kade|singel|plein|laan|steenweg|gatan|gata|vagen|vegur|stigur|straeti|torget|gaten|veien|vei|gade|vej|torv|katu|polku|kuja|aukio|tanav|puiestee)$/;

export function streetWordOf(word: string): StreetWord | null {
  return STREET_WORDS.get(word) ?? (COMPOUND.test(word) ? 'after' : null);
}

const DIRECTIONS: ReadonlySet<string> = new Set(
  words('n s e w ne nw se sw north south east west ouest est nord sud oeste este norte sur'),
);

/** `East` in `Wellesley Street East`. */
export function isDirection(word: string): boolean {
  return DIRECTIONS.has(word);
}

const NOISE: ReadonlySet<string> = new Set(
  words(`
    cedex arrondissement city town near hbf hb hauptbahnhof flughafen airport downtown centrum zentrum innenstadt stadt ville miasto gorod город г гор м місто гр с д дом
    cp cep plz pin pincode zip postcode bp po box postfach apartado cs caixa postal ct xx
    no nr nº n° numero km bb sn
    apt suite ste unit floor level room building bldg block
    г. c/o co cedex
    سابق
  `),
);

/** A word that says nothing about the town: `Cedex`, `г.`, `PO Box`. */
export function isNoise(word: string): boolean {
  return NOISE.has(word) || word.length === 1;
}

const DIVISION_AFTER: ReadonlySet<string> = new Set(
  words(`
    governorate province prefecture region county oblast область обл край krai voivodeship megye district район
    raion rayon municipality canton department borough ward subdistrict
  `),
);
const DIVISION_BEFORE: ReadonlySet<string> = new Set(
  words(
    'county province provincia provincia prov departamento department district distrito kanton canton провинция',
  ),
);

/** A phrase with a word for a division: `Cairo Governorate`, `Shilin District`, `Provincia de Cádiz`. */
export function isDivision(phrase: readonly string[]): boolean {
  const first = phrase[0];
  const last = phrase.at(-1);
  if (phrase.length < 2 || first === undefined || last === undefined) return false;
  return DIVISION_AFTER.has(last) || DIVISION_BEFORE.has(first);
}

// Everyday words that are also names of towns; as a town they need more features.
const COMMON: ReadonlySet<string> = new Set(
  words(`
    a an and are as at bad bar best big black blue boy but by call center centre central centro centrum zentrum church come data day deal
    dear do east end eight false far five for four free fun go god good green happy hello help here hi high hill home hope
    hotel house how in is it job king land last left lake less life light list little long lost love low mail main man
    map market max me mid mill mine mini more most museum my name new next nice nil no none north not nothing now null
    of off office ok old on one open or orange other our out over park peace place please police poor post price
    rest right river road room rose same school sea see seven she shop six so some south spring star station stop store
    street sun table ten test text thank that the then there these they this three to top town tree true two under
    undefined unknown up us use village wall was way we well west what when where white who why will with wood word
    work world yes you your zero address location null nowhere place somewhere
    de la le el los las les di da do du den der das die und y e et
  `),
);

export function isCommonWord(word: string): boolean {
  return COMMON.has(word);
}
