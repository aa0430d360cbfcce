/** The icons that categories can have: those of Maki (https://labs.mapbox.com/maki-icons), by group. */
export const CATEGORY_ICON_GROUPS = {
  food: ['restaurant', 'cafe', 'bar', 'beer', 'fast-food', 'bakery', 'ice-cream'],
  services: [
    ...['shop', 'grocery', 'clothing-store', 'florist', 'hairdresser', 'laundry', 'bank', 'post', 'fuel'],
    ...['charging-station', 'car-repair', 'recycling'],
  ],
  leisure: [
    ...['museum', 'art-gallery', 'theatre', 'cinema', 'music', 'library', 'attraction', 'castle'],
    ...['monument', 'zoo', 'playground', 'stadium', 'swimming', 'fitness-centre', 'skiing'],
  ],
  outdoors: ['park', 'garden', 'mountain', 'beach', 'viewpoint', 'campsite', 'farm', 'drinking-water'],
  public: [
    ...['hospital', 'doctor', 'dentist', 'pharmacy', 'veterinary', 'school', 'college', 'town-hall'],
    ...['police', 'fire-station', 'place-of-worship', 'information', 'toilet', 'wheelchair'],
  ],
  travel: ['lodging', 'parking', 'bicycle', 'bus', 'rail', 'car', 'ferry', 'airport'],
  other: ['home', 'building', 'heart', 'star'],
} as const;

export type CategoryIcon = (typeof CATEGORY_ICON_GROUPS)[keyof typeof CATEGORY_ICON_GROUPS][number];

/** Names of the icons. */
export const CATEGORY_ICONS: readonly string[] = Object.values(CATEGORY_ICON_GROUPS).flat();
