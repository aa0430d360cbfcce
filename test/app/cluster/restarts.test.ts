import { Restarts } from '../../../src/app/cluster/restarts.ts';

describe('the pause before a worker is replaced', () => {
  it('grows while workers end early, up to ten seconds', () => {
    const restarts = new Restarts();
    const pauses = Array.from({ length: 9 }, () => restarts.afterEnd(1_000));
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  });

  it('resets after a worker has run for long', () => {
    const restarts = new Restarts();
    for (let count = 0; count < 5; count += 1) restarts.afterEnd(1_000);
    expect(restarts.afterEnd(30_000)).toBe(100);
    expect(restarts.afterEnd(1_000)).toBe(100);
    expect(restarts.afterEnd(1_000)).toBe(200);
  });
});

describe('giving up', () => {
  it('happens when five starts in a row have failed', () => {
    const restarts = new Restarts();
    for (let count = 0; count < 4; count += 1) restarts.afterEnd(null);
    expect(restarts.isHopeless).toBe(false);
    restarts.afterEnd(null);
    expect(restarts.isHopeless).toBe(true);
  });

  it('does not happen for workers that served, however soon they end', () => {
    const restarts = new Restarts();
    for (let count = 0; count < 20; count += 1) restarts.afterEnd(10);
    expect(restarts.isHopeless).toBe(false);
    for (let count = 0; count < 4; count += 1) restarts.afterEnd(null);
    restarts.afterEnd(10);
    restarts.afterEnd(null);
    expect(restarts.isHopeless).toBe(false);
  });
});
