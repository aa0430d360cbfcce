/** Scores the towns that an address may mean. */

import type { YieldIfDue } from '../../lib/cooperative-scheduler.ts';
import type { Address } from './address.ts';
import { suffices, withCandidate } from './score-features.ts';
import type { TownCandidate } from './score-features.ts';
import { TownKind } from './format.ts';
import type { Gazetteer, AreaName, Town, TownName } from './gazetteer.ts';
import type { NameMatch } from './name-match.ts';
import { overlaps } from './name-match.ts';
import type { Constraint, NameMatches } from './name-matches.ts';
import { isForeignPostcode } from './postcodes.ts';
import { contains, distance, hasProvinces, isDistrict } from './context.ts';

/** Countries that are one town, so that the country's name alone is an address. */
const CITY_STATES: ReadonlySet<string> = new Set(['SG', 'MC', 'VA', 'HK', 'MO', 'GI']);

/** Of more towns with the same name, only the largest are read. */
const MAXIMUM_TOWNS = 300;
const MAXIMUM_NAME_MATCHES = 60;
const MAXIMUM_CONSTRAINTS = 12;

/** Score of a town whose province's seat follows it. */
const PROVINCE_SUPPORT = 3.5;

/** The two ends of a long list: the town is near one of the ends. */
function endsOf<T>(list: readonly T[], maximum: number): readonly T[] {
  const half = maximum / 2;
  return list.length <= maximum ? list : [...list.slice(0, half), ...list.slice(-half)];
}

interface Support {
  readonly score: number;
  readonly features: number;
}

interface NamedPlaces extends Support {
  /** Digits of the number after a region that contains the town: `Springfield, IL 62701`. */
  readonly digits: number;
  /** True if the address names a region that contains the town. */
  readonly region: boolean;
}

/** Scores every town that the address may mean, and selects the best that have enough features. */
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

  /** At most `count` towns, best first. */
  async best(yieldIfDue: YieldIfDue, count: number): Promise<readonly TownCandidate[]> {
    let best: readonly TownCandidate[] = [];
    for (const nameMatch of this.#nameMatches) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      const constraints = this.#constraints.filter((constraint) => !overlaps(constraint, nameMatch));
      // The country is in the name entry, so most constraints are checked without reading the town.
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

  /** @returns null if the town is ruled out, or cannot score more than `atLeast` */
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

  /** True if a country or region that does not contain the town rules it out. */
  #denies(constraint: Constraint, nameMatch: NameMatch, town: Town): boolean {
    const after = constraint.start >= nameMatch.end;
    if (constraint.country) return after || constraint.whole;
    // Before the town it may be a district.
    if (!after) return false;
    // A seat's name may mean its province.
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

  /** The support by named countries and regions; null if they rule the town out. */
  #namedPlaces(nameMatch: NameMatch, town: Town, constraints: readonly Constraint[]): NamedPlaces | null {
    let digits = 0;
    let score = 0;
    let features = 0;
    let region = false;
    let deniedBefore = false;
    let confirmedAfter = nameMatch.named.countries.some((place) => contains(place, town));
    for (const constraint of constraints) {
      const after = constraint.start >= nameMatch.end;
      if (constraint.options.some((option) => contains(option, town))) {
        score += constraint.country ? 3 : 4;
        features += 2;
        region ||= constraint.options.some((option) => option.admin1 !== 0 && contains(option, town));
        confirmedAfter ||= after;
        if (after) digits = Math.max(digits, constraint.digitsAfter);
      } else if (
        after &&
        constraint.options.some((option) => option.admin2 !== 0 && option.country === town.country)
      ) {
        // Historic counties differ from today's districts (`Bath, Somerset`), but still give the country.
        score += 1.5;
        features += 1;
      } else if (this.#denies(constraint, nameMatch, town)) {
        if (after) return null;
        deniedBefore = true;
      }
    }
    // In `Jordan, Kowloon, Hong Kong`, the last country counts.
    return deniedBefore && !confirmedAfter ? null : { score, features, digits, region };
  }

  /** A country alone is no town, even if its capital has the same name, except for city states. */
  #isMoreThanCountry(nameMatch: NameMatch, town: Town, country: string, features: number): boolean {
    const namesakes = nameMatch.named.countries.filter((place) => !place.code);
    if (namesakes.length === 0 || features >= 2) return true;
    if (!namesakes.some((place) => place.country === town.country)) return false;
    if (CITY_STATES.has(country)) return true;
    const streetsOnly = this.#nameMatches.every(
      (other) => other === nameMatch || overlaps(other, nameMatch) || other.fit !== 'whole',
    );
    return (this.#address.hasStreet || this.#address.hasPostcode) && streetsOnly;
  }

  /** A region alone is no town, unless a town of that name is in it (New York, Québec) or is a capital (Washington). */
  #isMoreThanRegion(nameMatch: NameMatch, town: Town, primary: boolean, evident: boolean): boolean {
    const regions = nameMatch.named.regions.filter((place) => !place.code);
    if (regions.length === 0 || evident) return true;
    // A town in Oklahoma is also called Oklahoma, but the state's name alone does not mean it.
    const own =
      primary ||
      town.population >= 1_000_000 ||
      town.kind === TownKind.capital ||
      (town.kind === TownKind.regionSeat && !this.#isState(regions));
    if (regions.some((place) => contains(place, town))) return own;
    return primary && town.kind === TownKind.capital && this.#isKnown(town);
  }

  /**
   * True if the named places make a region's name mean this town. The region's own country does so only after a street,
   * or for a city of the region: `California, USA` is the state, `Durango, México` may be the city.
   */
  #isEvident(nameMatch: NameMatch, town: Town, named: NamedPlaces): boolean {
    if (named.region || named.features < 2) return named.region;
    const regions = nameMatch.named.regions.filter((place) => !place.code && place.country === town.country);
    if (regions.length === 0) return true;
    if (this.#isState(regions)) return false;
    const city = town.population >= 100_000 && regions.some((place) => contains(place, town));
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

  /** `Alcalá de Henares, Madrid` is a town and its province; `Çankaya, Ankara` is a district and its town. */
  #seatSupport(nameMatch: NameMatch, town: Town, country: string, postcode: boolean): Support {
    let support: Support = { score: 0, features: 0 };
    for (const other of this.#nameMatches) {
      if (other.fit !== 'whole' || overlaps(other, nameMatch) || other.start < nameMatch.start) continue;
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

  /** `Luxembourg-Kirchberg` may be a town in the data, but the part before the hyphen is meant. */
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

  /** `350 Fifth` and `Dam 1` are house numbers if other words may be the town. */
  #housePenalty(nameMatch: NameMatch): number {
    const short = (digits: number): boolean => digits > 0 && digits < 4;
    const lone = this.#nameMatches.every((other) => other === nameMatch || overlaps(other, nameMatch));
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
        .filter((other) => !overlaps(other, nameMatch))
        .map((other) => other.part),
    );
    return 1.2 * later.size;
  }
}
