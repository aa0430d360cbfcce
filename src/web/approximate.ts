/** Points that only say in which town or region a location is. Its address says more. */

export interface PointQuality {
  readonly precision: string;
  /** Whether a person has checked the point. */
  readonly isChecked: boolean;
}

export function isApproximate({ precision, isChecked }: PointQuality): boolean {
  return !isChecked && (precision === 'locality' || precision === 'region');
}
