/** Checks the point of a row before it is sent: the server would reject the whole request for an invalid one. */

import { assertExternalId } from '../../domain/external-id.ts';
import { assertOrder } from '../../domain/list/order.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { locatePoint } from '../../domain/point.ts';
import { ServiceError } from '../../errors.ts';
import { rowError } from '../message.ts';
import type { RowInput } from './row-mapper.ts';

/** @returns the input; for an invalid point the error that the server would give first */
export function withValidPosition(input: RowInput | ServiceError): RowInput | ServiceError {
  if (input instanceof ServiceError || input.position === null) return input;
  const { externalId, order, position } = input;
  try {
    locatePoint(position);
    return input;
  } catch {
    return (
      problemOf(() => {
        if (order !== null) assertOrder(order, 'order');
        if (externalId !== null) assertExternalId(externalId, 'externalId');
      }) ?? pointProblem(position)
    );
  }
}

function problemOf(check: () => void): ServiceError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function pointProblem(point: GivenPoint): ServiceError {
  const problem = problemOf(() => void locatePoint(point));
  if (problem === null) throw new Error('The row has no problem.');
  if (Math.abs(point.latitude) > 90) return rowError('latitudeRange', problem.message);
  return Math.abs(point.longitude) > 180 ? rowError('longitudeRange', problem.message) : problem;
}
