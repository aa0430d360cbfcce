import type { YieldIfDue } from '../../lib/cooperative-scheduler.ts';
import type { Address } from './address.ts';
import { suffices, withCandidate } from './score-features.ts';
import type { TownCandidate } from './score-features.ts';
import { TownKind } from './format.ts';
import type { Gazetteer, AreaName, Town, TownName } from './gazetteer.ts';
import type { NameMatch } from './name-match.ts';
import type { Constraint, NameMatches } from './name-matches.ts';
import { isForeignPostcode } from './postcodes.ts';
import { distance, hasProvinces, isDistrict } from './context.ts';

/** Countries that are one town, so that the country's name is an address of that town. */
const CITY_STATES: ReadonlySet<string> = new Set(['SG', 'MC', 'VA', 'HK', 'MO', 'GI']);

/** When more towns have the same name, only the largest are read. */
const MAXIMUM_TOWNS = 300;
const MAXIMUM_NAME_MATCHES = 60;
const MAXIMUM_CONSTRAINTS = 12;

/** What a town's score gains when the seat of its province is written after it. */
const PROVINCE_SUPPORT = 3.5;

/** The two ends of a list. The town is near one of the ends, so of a very long text only those are weighed. */
function endsOf<T>(list: readonly T[], maximum: number): readonly T[] {
  const half = maximum / 2;
  return list.length <= maximum ? list : [...list.slice(0, half), ...list.slice(-half)];
}

function fits(place: AreaName, town: Pick<Town, 'country' | 'admin1' | 'admin2'>): boolean {
  if (place.country !== town.country) return false;
  if (place.admin1 !== 0 && place.admin1 !== town.admin1) return false;
  return place.admin2 === 0 || place.admin2 === town.admin2;
}

const overlap = (left: { start: number; end: number }, right: { start: number; end: number }): boolean =>
  left.start < right.end && right.start < left.end;

interface Support {
  readonly score: number;
  readonly features: number;
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
  readonly #nameMatches: readonly NameMatch[];
  readonly #constraints: readonly Constraint[];
  readonly #towns = new Map<number, Town>();
  readonly #seats = new Map<NameMatch, Town[]>();

  constructor(gazetteer: Gazetteer, address: Address, matches: NameMatches) {
    this.#gazetteer = gazetteer;
    this.#address = address;
    this.#constraints = endsOf(matches.constraints, MAXIMUM_CONSTRAINTS);
    this.#nameMatches = endsOf(matches.nameMatches, MAXIMUM_NAME_MATCHES);
  }

  /**
   * The best towns, at most `count`, the best first.
   *
   * @param breathe awaited between the mentions
   */
  async best(yieldIfDue: YieldIfDue, count: number): Promise<readonly TownCandidate[]> {
    let best: readonly TownCandidate[] = [];
    for (const nameMatch of this.#nameMatches) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      const constraints = this.#constraints.filter((constraint) => !overlap(constraint, nameMatch));
      // A town's country is known without reading the town, and most constraints are about the country.
      const isPossible = (name: TownName): boolean =>
        constraints.every((constraint) => this.#mayHold(constraint, nameMatch, name.country));
      const base = nameMatch.quality - this.#housePenalty(nameMatch) - this.#positionPenalty(nameMatch);
      for (const name of nameMatch.named.towns.filter(isPossible).slice(0, MAXIMUM_TOWNS)) {
        const least = best[count - 1]?.score ?? -Infinity;
        const candidate = this.#weigh(nameMatch, base, name, constraints, least);
        if (candidate === null || candidate.score <= least) continue;
        if (suffices(candidate, name.primary, this.#address))
          best = withCandidate(best, candidate).slice(0, count);
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
    nameMatch: NameMatch,
    base: number,
    name: TownName,
    constraints: readonly Constraint[],
    atLeast: number,
  ): TownCandidate | null {
    const town = this.#town(name.rank);
    const named = this.#namedPlaces(nameMatch, town, constraints);
    if (named === null) return null;
    const country = this.#gazetteer.countryCode(town.country);
    const digits = Math.max(
      named.digits,
      nameMatch.digitsBefore >= 4 ? nameMatch.digitsBefore : nameMatch.digitsAfter,
    );
    const postcode = digits >= 4;
    if (!this.#isMoreThanCountry(nameMatch, town, country, named.features)) return null;
    if (
      !this.#isMoreThanRegion(
        nameMatch,
        town,
        name.primary,
        postcode || this.#isEvident(nameMatch, town, named),
      )
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
    const seat = this.#seatSupport(nameMatch, town, country, postcode);
    return {
      town,
      nameMatch,
      score: score + seat.score - this.#quarterPenalty(nameMatch, town),
      features: named.features + seat.features + (postcode ? 1 : 0) + (hinted ? 1 : 0) + (elsewhere ? 1 : 0),
    };
  }

  /** True when a country or region that does not contain the town rules it out. */
  #denies(constraint: Constraint, nameMatch: NameMatch, town: Town): boolean {
    const after = constraint.start >= nameMatch.end;
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

  #mayHold(constraint: Constraint, nameMatch: NameMatch, country: number): boolean {
    if (constraint.start < nameMatch.end) return true;
    if (constraint.options.some((option) => option.country === country)) return true;
    return !constraint.country && constraint.towns.some((name) => name.country === country);
  }

  /** What the named countries and regions say about this town; null when they rule it out. */
  #namedPlaces(nameMatch: NameMatch, town: Town, constraints: readonly Constraint[]): NamedPlaces | null {
    let digits = 0;
    let score = 0;
    let features = 0;
    let region = false;
    let deniedBefore = false;
    let confirmedAfter = nameMatch.named.countries.some((place) => fits(place, town));
    for (const constraint of constraints) {
      const after = constraint.start >= nameMatch.end;
      if (constraint.options.some((option) => fits(option, town))) {
        score += constraint.country ? 3 : 4;
        features += 2;
        region ||= constraint.options.some((option) => option.admin1 !== 0 && fits(option, town));
        confirmedAfter ||= after;
        if (after) digits = Math.max(digits, constraint.digitsAfter);
      } else if (
        after &&
        constraint.options.some((option) => option.admin2 !== 0 && option.country === town.country)
      ) {
        // Old counties and today's districts differ (`Bath, Somerset`), but such a name still tells the country.
        score += 1.5;
        features += 1;
      } else if (this.#denies(constraint, nameMatch, town)) {
        if (after) return null;
        deniedBefore = true;
      }
    }
    // `Jordan, Kowloon, Hong Kong`: the country named last counts.
    return deniedBefore && !confirmedAfter ? null : { score, features, digits, region };
  }

  /** A country alone is not a town, even when its capital has the same name, unless it is a city state. */
  #isMoreThanCountry(nameMatch: NameMatch, town: Town, country: string, features: number): boolean {
    const namesakes = nameMatch.named.countries.filter((place) => !place.code);
    if (namesakes.length === 0 || features >= 2) return true;
    if (!namesakes.some((place) => place.country === town.country)) return false;
    if (CITY_STATES.has(country)) return true;
    const streetsOnly = this.#nameMatches.every(
      (other) => other === nameMatch || overlap(other, nameMatch) || other.fit !== 'whole',
    );
    return (this.#address.hasStreet || this.#address.hasPostcode) && streetsOnly;
  }

  /**
   * A region alone is not a town, unless a town of that name lies in it (New York, Québec) or is a capital
   * (Washington).
   */
  #isMoreThanRegion(nameMatch: NameMatch, town: Town, primary: boolean, evident: boolean): boolean {
    const regions = nameMatch.named.regions.filter((place) => !place.code);
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
  #isEvident(nameMatch: NameMatch, town: Town, named: NamedPlaces): boolean {
    if (named.region || named.features < 2) return named.region;
    const regions = nameMatch.named.regions.filter((place) => !place.code && place.country === town.country);
    if (regions.length === 0) return true;
    if (this.#isState(regions)) return false;
    const city = town.population >= 100_000 && regions.some((place) => fits(place, town));
    return city || this.#address.hasStreet;
  }

  #isState(regions: readonly AreaName[]): boolean {
    return regions.some((place) => this.#gazetteer.countryCode(place.country) === 'US');
  }

  #isKnown(town: Town): boolean {
    return town.population >= 500_000 || this.#address.parts === 1;
  }

  #seatsOf(nameMatch: NameMatch): Town[] {
    let seats = this.#seats.get(nameMatch);
    if (seats === undefined) {
      seats = nameMatch.named.towns
        .slice(0, 8)
        .map((name) => this.#town(name.rank))
        .filter((town) => town.kind >= TownKind.regionSeat);
      this.#seats.set(nameMatch, seats);
    }
    return seats;
  }

  /** `Alcalá de Henares, Madrid` is a town and its province, `Çankaya, Ankara` a district and its town. */
  #seatSupport(nameMatch: NameMatch, town: Town, country: string, postcode: boolean): Support {
    let support: Support = { score: 0, features: 0 };
    for (const other of this.#nameMatches) {
      if (other.fit !== 'whole' || overlap(other, nameMatch) || other.start < nameMatch.start) continue;
      for (const seat of this.#seatsOf(other)) {
        if (seat.country !== town.country || seat.rank === town.rank) continue;
        const same =
          seat.kind === TownKind.districtSeat ? seat.admin2 === town.admin2 : seat.admin1 === town.admin1;
        if (!same) continue;
        const suburb = town.kind === TownKind.section || isDistrict(town, seat, country, postcode);
        if (suburb && distance(town, seat) < 12) return { score: -3, features: 0 };
        if (hasProvinces(country)) support = { score: PROVINCE_SUPPORT, features: 1 };
      }
    }
    return support;
  }

  /** `Luxembourg-Kirchberg` may be a town of its own in the data, but the part before the hyphen is the town meant. */
  #quarterPenalty(nameMatch: NameMatch, town: Town): number {
    const cities = this.#nameMatches.filter(
      (other) => other.fit === 'joined' && other.start === nameMatch.start,
    );
    const near = cities.some(
      (city) =>
        city !== nameMatch &&
        city.named.towns.slice(0, 3).some(({ rank }) => {
          const whole = this.#town(rank);
          return whole.population >= 5 * town.population && distance(whole, town) < 12;
        }),
    );
    return near ? 5 : 0;
  }

  /** `350 Fifth` and `Dam 1` are houses when other words may be the town. */
  #housePenalty(nameMatch: NameMatch): number {
    const short = (digits: number): boolean => digits > 0 && digits < 4;
    const lone = this.#nameMatches.every((other) => other === nameMatch || overlap(other, nameMatch));
    if (lone) return 0;
    return (
      (nameMatch.part === 0 && short(nameMatch.digitsBefore) ? 2 : 0) +
      (short(nameMatch.digitsAfter) ? 1.5 : 0)
    );
  }

  #positionPenalty(nameMatch: NameMatch): number {
    const later = new Set(
      this.#nameMatches
        .filter((other) => other.part > nameMatch.part && other.fit === 'whole' && !other.street)
        .filter((other) => !overlap(other, nameMatch))
        .map((other) => other.part),
    );
    return 1.2 * later.size;
  }
}
