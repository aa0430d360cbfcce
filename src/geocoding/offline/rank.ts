import type { YieldIfDue } from '../../lib/cooperative-scheduler.ts';
import type { Address } from './address.ts';
import { suffices, withChoice } from './evidence.ts';
import type { Choice } from './evidence.ts';
import { TownKind } from './format.ts';
import type { Gazetteer, PlaceName, Town, TownName } from './gazetteer.ts';
import type { Mention } from './mention.ts';
import type { Constraint, Findings } from './mentions.ts';
import { isForeignPostcode } from './postcodes.ts';
import { distance, hasProvinces, isDistrict } from './surroundings.ts';

/** Countries that are one town, so that the country's name is an address of that town. */
const CITY_STATES: ReadonlySet<string> = new Set(['SG', 'MC', 'VA', 'HK', 'MO', 'GI']);

/** When more towns have the same name, only the largest are read. */
const MAXIMUM_TOWNS = 300;
const MAXIMUM_MENTIONS = 60;
const MAXIMUM_CONSTRAINTS = 12;

/** What a town's score gains when the seat of its province is written after it. */
const PROVINCE_SUPPORT = 3.5;

/** The two ends of a list. The town is near one of the ends, so of a very long text only those are weighed. */
function endsOf<T>(list: readonly T[], maximum: number): readonly T[] {
  const half = maximum / 2;
  return list.length <= maximum ? list : [...list.slice(0, half), ...list.slice(-half)];
}

function fits(place: PlaceName, town: Pick<Town, 'country' | 'admin1' | 'admin2'>): boolean {
  if (place.country !== town.country) return false;
  if (place.admin1 !== 0 && place.admin1 !== town.admin1) return false;
  return place.admin2 === 0 || place.admin2 === town.admin2;
}

const overlap = (left: { start: number; end: number }, right: { start: number; end: number }): boolean =>
  left.start < right.end && right.start < left.end;

interface Support {
  readonly score: number;
  readonly evidence: number;
}

interface NamedPlaces extends Support {
  /** Digits of the number after a region that contains the town, as in `Springfield, IL 62701`. */
  readonly digits: number;
  /** True when a region is named that contains the town. */
  readonly region: boolean;
}

/** Weighs every town that the address may mean, and takes the best of those with enough evidence. */
export class Ranking {
  readonly #gazetteer: Gazetteer;
  readonly #address: Address;
  readonly #mentions: readonly Mention[];
  readonly #constraints: readonly Constraint[];
  readonly #towns = new Map<number, Town>();
  readonly #seats = new Map<Mention, Town[]>();

  constructor(gazetteer: Gazetteer, address: Address, findings: Findings) {
    this.#gazetteer = gazetteer;
    this.#address = address;
    this.#constraints = endsOf(findings.constraints, MAXIMUM_CONSTRAINTS);
    this.#mentions = endsOf(findings.mentions, MAXIMUM_MENTIONS);
  }

  /**
   * The best towns, at most `count`, the best first.
   *
   * @param breathe awaited between the mentions
   */
  async best(yieldIfDue: YieldIfDue, count: number): Promise<readonly Choice[]> {
    let best: readonly Choice[] = [];
    for (const mention of this.#mentions) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      const constraints = this.#constraints.filter((constraint) => !overlap(constraint, mention));
      // A town's country is known without reading the town, and most constraints are about the country.
      const held = (name: TownName): boolean =>
        constraints.every((constraint) => this.#mayHold(constraint, mention, name.country));
      const base = mention.quality - this.#housePenalty(mention) - this.#positionPenalty(mention);
      for (const name of mention.named.towns.filter(held).slice(0, MAXIMUM_TOWNS)) {
        const least = best[count - 1]?.score ?? -Infinity;
        const choice = this.#weigh(mention, base, name, constraints, least);
        if (choice === null || choice.score <= least) continue;
        if (suffices(choice, name.primary, this.#address)) best = withChoice(best, choice).slice(0, count);
      }
    }
    return best;
  }

  #town(rank: number): Town {
    let town = this.#towns.get(rank);
    if (town === undefined) this.#towns.set(rank, (town = this.#gazetteer.town(rank)));
    return town;
  }

  /** @returns null when the town is ruled out, or cannot score more than `atLeast` */
  #weigh(
    mention: Mention,
    base: number,
    name: TownName,
    constraints: readonly Constraint[],
    atLeast: number,
  ): Choice | null {
    const town = this.#town(name.rank);
    const named = this.#namedPlaces(mention, town, constraints);
    if (named === null) return null;
    const country = this.#gazetteer.countryCode(town.country);
    const digits = Math.max(
      named.digits,
      mention.digitsBefore >= 4 ? mention.digitsBefore : mention.digitsAfter,
    );
    const postcode = digits >= 4;
    if (!this.#isMoreThanCountry(mention, town, country, named.evidence)) return null;
    if (
      !this.#isMoreThanRegion(mention, town, name.primary, postcode || this.#isEvident(mention, town, named))
    )
      return null;
    const hinted = this.#address.postcodeCountries.includes(country);
    const elsewhere = this.#address.hasStreet || this.#address.hasPostcode;
    const score =
      base +
      Math.log10(town.population + 10) +
      (name.primary ? 0.5 : 0) +
      (town.kind === TownKind.section ? -1.5 : 0) +
      (postcode ? (isForeignPostcode(country, digits) ? -1 : 2) : 0) +
      (hinted ? 2 : 0) +
      named.score;
    if (score + PROVINCE_SUPPORT <= atLeast) return null;
    const seat = this.#seatSupport(mention, town, country, postcode);
    return {
      town,
      mention,
      score: score + seat.score - this.#quarterPenalty(mention, town),
      evidence: named.evidence + seat.evidence + (postcode ? 1 : 0) + (hinted ? 1 : 0) + (elsewhere ? 1 : 0),
    };
  }

  /** True when a country or region that does not contain the town rules it out. */
  #denies(constraint: Constraint, mention: Mention, town: Town): boolean {
    const after = constraint.start >= mention.end;
    if (constraint.country) return after || constraint.whole;
    // Before the town it may be a district's name instead.
    if (!after) return false;
    // The name of a seat may mean its province.
    return !constraint.towns
      .filter((name) => name.country === town.country)
      .slice(0, 20)
      .map((name) => this.#town(name.rank))
      .some((seat) => seat.kind >= TownKind.regionSeat && seat.admin1 === town.admin1);
  }

  #mayHold(constraint: Constraint, mention: Mention, country: number): boolean {
    if (constraint.start < mention.end) return true;
    if (constraint.options.some((option) => option.country === country)) return true;
    return !constraint.country && constraint.towns.some((name) => name.country === country);
  }

  /** What the named countries and regions say about this town; null when they rule it out. */
  #namedPlaces(mention: Mention, town: Town, constraints: readonly Constraint[]): NamedPlaces | null {
    let digits = 0;
    let score = 0;
    let evidence = 0;
    let region = false;
    let deniedBefore = false;
    let confirmedAfter = mention.named.countries.some((place) => fits(place, town));
    for (const constraint of constraints) {
      const after = constraint.start >= mention.end;
      if (constraint.options.some((option) => fits(option, town))) {
        score += constraint.country ? 3 : 4;
        evidence += 2;
        region ||= constraint.options.some((option) => option.admin1 !== 0 && fits(option, town));
        confirmedAfter ||= after;
        if (after) digits = Math.max(digits, constraint.digitsAfter);
      } else if (
        after &&
        constraint.options.some((option) => option.admin2 !== 0 && option.country === town.country)
      ) {
        // Old counties and today's districts differ (`Bath, Somerset`), but such a name still tells the country.
        score += 1.5;
        evidence += 1;
      } else if (this.#denies(constraint, mention, town)) {
        if (after) return null;
        deniedBefore = true;
      }
    }
    // `Jordan, Kowloon, Hong Kong`: the country named last counts.
    return deniedBefore && !confirmedAfter ? null : { score, evidence, digits, region };
  }

  /** A country alone is not a town, even when its capital has the same name, unless it is a city state. */
  #isMoreThanCountry(mention: Mention, town: Town, country: string, evidence: number): boolean {
    const namesakes = mention.named.countries.filter((place) => !place.code);
    if (namesakes.length === 0 || evidence >= 2) return true;
    if (!namesakes.some((place) => place.country === town.country)) return false;
    if (CITY_STATES.has(country)) return true;
    const streetsOnly = this.#mentions.every(
      (other) => other === mention || overlap(other, mention) || other.fit !== 'whole',
    );
    return (this.#address.hasStreet || this.#address.hasPostcode) && streetsOnly;
  }

  /**
   * A region alone is not a town, unless a town of that name lies in it (New York, Québec) or is a capital
   * (Washington).
   */
  #isMoreThanRegion(mention: Mention, town: Town, primary: boolean, evident: boolean): boolean {
    const regions = mention.named.regions.filter((place) => !place.code);
    if (regions.length === 0 || evident) return true;
    // Some town in Oklahoma is also called Oklahoma. The state's name is still not an address of it.
    const own =
      primary ||
      town.population >= 1_000_000 ||
      town.kind === TownKind.capital ||
      (town.kind === TownKind.regionSeat && !this.#isState(regions));
    if (regions.some((place) => fits(place, town))) return own;
    return primary && town.kind === TownKind.capital && this.#isKnown(town);
  }

  /**
   * True when the places named leave no doubt that a region's name means this town. The region's own country does so only
   * after a street, or for a city of the region: `California, USA` is the state, `Durango, México` may be the city.
   */
  #isEvident(mention: Mention, town: Town, named: NamedPlaces): boolean {
    if (named.region || named.evidence < 2) return named.region;
    const regions = mention.named.regions.filter((place) => !place.code && place.country === town.country);
    if (regions.length === 0) return true;
    if (this.#isState(regions)) return false;
    const city = town.population >= 100_000 && regions.some((place) => fits(place, town));
    return city || this.#address.hasStreet;
  }

  #isState(regions: readonly PlaceName[]): boolean {
    return regions.some((place) => this.#gazetteer.countryCode(place.country) === 'US');
  }

  #isKnown(town: Town): boolean {
    return town.population >= 500_000 || this.#address.parts === 1;
  }

  #seatsOf(mention: Mention): Town[] {
    let seats = this.#seats.get(mention);
    if (seats === undefined) {
      seats = mention.named.towns
        .slice(0, 8)
        .map((name) => this.#town(name.rank))
        .filter((town) => town.kind >= TownKind.regionSeat);
      this.#seats.set(mention, seats);
    }
    return seats;
  }

  /** `Alcalá de Henares, Madrid` is a town and its province, `Çankaya, Ankara` a district and its town. */
  #seatSupport(mention: Mention, town: Town, country: string, postcode: boolean): Support {
    let support: Support = { score: 0, evidence: 0 };
    for (const other of this.#mentions) {
      if (other.fit !== 'whole' || overlap(other, mention) || other.start < mention.start) continue;
      for (const seat of this.#seatsOf(other)) {
        if (seat.country !== town.country || seat.rank === town.rank) continue;
        const same =
          seat.kind === TownKind.districtSeat ? seat.admin2 === town.admin2 : seat.admin1 === town.admin1;
        if (!same) continue;
        const suburb = town.kind === TownKind.section || isDistrict(town, seat, country, postcode);
        if (suburb && distance(town, seat) < 12) return { score: -3, evidence: 0 };
        if (hasProvinces(country)) support = { score: PROVINCE_SUPPORT, evidence: 1 };
      }
    }
    return support;
  }

  /** `Luxembourg-Kirchberg` may be a town of its own in the data, but the part before the hyphen is the town meant. */
  #quarterPenalty(mention: Mention, town: Town): number {
    const cities = this.#mentions.filter((other) => other.fit === 'joined' && other.start === mention.start);
    const near = cities.some(
      (city) =>
        city !== mention &&
        city.named.towns.slice(0, 3).some(({ rank }) => {
          const whole = this.#town(rank);
          return whole.population >= 5 * town.population && distance(whole, town) < 12;
        }),
    );
    return near ? 5 : 0;
  }

  /** `350 Fifth` and `Dam 1` are houses when other words may be the town. */
  #housePenalty(mention: Mention): number {
    const short = (digits: number): boolean => digits > 0 && digits < 4;
    const lone = this.#mentions.every((other) => other === mention || overlap(other, mention));
    if (lone) return 0;
    return (
      (mention.part === 0 && short(mention.digitsBefore) ? 2 : 0) + (short(mention.digitsAfter) ? 1.5 : 0)
    );
  }

  #positionPenalty(mention: Mention): number {
    const later = new Set(
      this.#mentions
        .filter((other) => other.part > mention.part && other.fit === 'whole' && !other.street)
        .filter((other) => !overlap(other, mention))
        .map((other) => other.part),
    );
    return 1.2 * later.size;
  }
}
