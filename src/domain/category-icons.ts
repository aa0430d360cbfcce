/** Names of the icons that categories can have: those of Maki (https://labs.mapbox.com/maki-icons), in groups. */
export const CATEGORY_ICONS: readonly string[] = [
  // Food and drink
  ...['restaurant', 'cafe', 'bar', 'beer', 'fast-food', 'bakery', 'ice-cream'],
  // Shops and services
  ...['shop', 'grocery', 'clothing-store', 'florist', 'hairdresser', 'laundry', 'bank', 'post', 'fuel'],
  ...['charging-station', 'car-repair', 'recycling'],
  // Culture and leisure
  ...['museum', 'art-gallery', 'theatre', 'cinema', 'music', 'library', 'attraction', 'castle', 'monument'],
  ...['zoo', 'playground', 'stadium', 'swimming', 'fitness-centre', 'skiing'],
  // Nature and outdoors
  ...['park', 'garden', 'mountain', 'beach', 'viewpoint', 'campsite', 'farm'],
  ...['drinking-water'],
  // Health, education and public places
  ...['hospital', 'doctor', 'dentist', 'pharmacy', 'veterinary', 'school', 'college', 'town-hall', 'police'],
  ...['fire-station', 'place-of-worship', 'information', 'toilet', 'wheelchair'],
  // Travel
  ...['lodging', 'parking', 'bicycle', 'bus', 'rail', 'car', 'ferry', 'airport'],
  // Others
  ...['home', 'building', 'heart', 'star'],
];
